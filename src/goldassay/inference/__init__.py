"""Uncertainty on top of formulas: posteriors, bootstrap, jackknife, clusters."""
