"""Draws of several normals at once, the same from a seed on every processor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["correlated"]

Array = NDArray[np.float64]


def correlated(covariance: Array, draws: int, rng: np.random.Generator) -> Array:
    """Draws [B, E] of normals with mean 0 and this covariance [E, E], which may be singular.

    By the symmetric root of the covariance, of which there is one: eigenvectors have other signs,
    and where values are equal other directions, on another processor, and a seed would draw other
    numbers there.

    >>> correlated(np.diag([4.0, 0.0]), 2, np.random.default_rng(1)).round(2).tolist()
    [[0.69, 0.0], [0.66, 0.0]]
    """
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return np.asarray(rng.standard_normal((draws, len(covariance))) @ root)
