"""Quantiles of draws are NumPy's, to the last bit."""

from __future__ import annotations

import numpy as np

from goldassay.inference.quantiles import quantile


def test_equal_to_numpy() -> None:
    rng = np.random.default_rng(2)
    for _ in range(500):
        values = rng.normal(size=int(rng.integers(1, 60))).round(int(rng.integers(1, 9)))
        share = float(rng.choice([0.0, 0.025, 0.25, 0.5, 0.975, 1.0, rng.random()]))
        assert quantile(values, share) == float(np.quantile(values, share))
