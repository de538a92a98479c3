"""The ratings table: the task that declares it, its columns, its rules."""
