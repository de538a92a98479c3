"""Arithmetic on counts and arrays, vectorised over leading axes: NumPy, SciPy where used."""
