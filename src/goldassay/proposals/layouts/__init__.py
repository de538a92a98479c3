"""The ways in which ratings lie in a table, a module for each; `layout.py` tries them in turn."""
