"""Differences of judges whose labels were drawn by verdict are held, and are not long for it."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_differences import ALL, Judges, measured

RUNS = 120
ERROR = np.sqrt(0.05 * 0.95 / RUNS)


@pytest.mark.slow
def test_all_of_the_flagged_items_and_30_others() -> None:
    """The normal interval knows nothing of unseen misses."""
    held, _ = measured(Judges(0.3, (0.9, 0.75), (0.9, 0.9), (ALL, 30)), RUNS, seed=7)
    assert held[0] + 2 * ERROR > 0.95
    assert held[2] + 2 * ERROR < 0.95


def test_as_many_of_each_verdict() -> None:
    """Here joint draws of weighed labels cover; no more than 1.15 times as long as they are."""
    held, length = measured(Judges(0.3, (0.9, 0.75), (0.9, 0.9), (60, 60)), RUNS, seed=8)
    assert (held[:2] + 2 * ERROR > 0.93).all()
    assert length[0] < 1.15 * length[1]
