"""Where large clusters are of another kind, intervals hold the truth and are not long for it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import coverage_sizes as script
from coverage_changes import Clusters, measured


def least(runs: int) -> float:
    """.93 less two Monte Carlo errors."""
    return 0.93 - 2 * float(np.sqrt(0.93 * 0.07 / runs))


def covered(name: str, runs: int, seed: int) -> dict[str, float]:
    found = script.tallied(script.SETTINGS[name], runs, seed)
    return {of: float(np.mean([held for held, _, _ in rows])) for of, rows in found.items()}


def test_changes_that_go_with_sizes_are_held() -> None:
    name = "diff: 30 clusters, small ones mended, large ones spoilt"
    for of, share in covered(name, 600, 5).items():
        assert share >= least(600), of


def test_sizes_that_tell_nothing_cost_little() -> None:
    """Forty clusters of 1 to 20 whose changes do not go with size: as long as ever."""
    found = measured(Clusters(40, "1 to 20", 0.15, 0.15, 0.2), 250)["accuracy"]
    assert found["goldassay"].mean_length < 1.06 * found["cluster t"].mean_length


@pytest.mark.slow
@pytest.mark.parametrize("name", script.SETTINGS)
def test_every_setting(name: str) -> None:
    for of, share in covered(name, 1_000, 7).items():
        assert share >= least(1_000), of
