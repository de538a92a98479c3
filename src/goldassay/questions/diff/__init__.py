"""What changed between two documents, with paired uncertainty where the items are the same."""
