"""Arithmetic on counts and arrays, vectorised over leading axes; NumPy, and SciPy where it is used."""
