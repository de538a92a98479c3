"""Bind what was found to the judge it was found of."""
