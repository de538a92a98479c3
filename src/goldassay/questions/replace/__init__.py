"""May the judge stand in for a person? The alternative annotator test, on every scale."""
