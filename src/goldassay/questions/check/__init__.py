"""What is in a table of ratings, and what would be left out of which question."""
