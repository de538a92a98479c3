"""Draws of normals with a covariance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goldassay.inference.normal_draws import correlated

#: Three differences of two: singular, and two of its values are equal.
SINGULAR = np.array([[2.0, 1.0, -1.0], [1.0, 2.0, 1.0], [-1.0, 1.0, 2.0]])


def test_draws_have_the_covariance() -> None:
    drawn = correlated(SINGULAR, 200_000, np.random.default_rng(3))
    assert drawn.shape == (200_000, 3)
    np.testing.assert_allclose(np.cov(drawn.T), SINGULAR, atol=0.03)  # four errors of 200,000
    np.testing.assert_allclose(drawn.mean(0), 0, atol=0.013)
    np.testing.assert_allclose(drawn[:, 0] - drawn[:, 1] + drawn[:, 2], 0, atol=1e-6)


def test_whatever_eigenvectors_a_processor_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    here = correlated(SINGULAR, 50, np.random.default_rng(1))
    plain = np.linalg.eigh

    def elsewhere(matrix: Any) -> Any:
        """Another sign, and the two of the equal values turned by a third of a right angle."""
        values, vectors = plain(matrix)
        turned = vectors.copy()
        cos, sin = np.cos(np.pi / 6), np.sin(np.pi / 6)
        turned[:, 1:] = vectors[:, 1:] @ np.array([[cos, -sin], [sin, cos]])
        return values, -turned

    monkeypatch.setattr(np.linalg, "eigh", elsewhere)
    there = correlated(SINGULAR, 50, np.random.default_rng(1))
    np.testing.assert_allclose(there, here, atol=1e-12)
