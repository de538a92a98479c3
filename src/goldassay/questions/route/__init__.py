"""Where may the judge decide alone? Thresholds of its sureness that hold its error at a limit."""
