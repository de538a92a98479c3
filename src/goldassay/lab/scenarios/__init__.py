"""Studies with a known truth, drawn by the thousand, to see what estimators do."""
