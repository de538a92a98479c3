"""The questions, one folder each: a verb leads to its code."""
