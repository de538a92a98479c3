"""What one rating is of: the columns that name an item, tell its units apart and bind items."""
