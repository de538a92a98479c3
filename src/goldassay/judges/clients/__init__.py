"""Who answers: one file for each kind of endpoint, and the registry of their records."""
