"""The ratings table: the task that declares it, its columns, its rules.

Other rooms use `scale.SCALES`, `task.Task` and `read_task`, `table.Ratings` and `read_ratings`,
`fetch.fetch` (a small result out of the engine) and `duplicates.each_once`.
Nothing is imported here: a task is read without the engine.
"""
