"""Judges: what they are asked, how their answers are read, and how runs are kept."""
