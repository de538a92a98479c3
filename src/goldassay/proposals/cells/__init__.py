"""How ratings stand in the cells and rows of a file, before anything is read into its columns."""
