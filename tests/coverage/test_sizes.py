"""Where large clusters are of another kind, intervals hold the truth and are not long for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
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


def times_as_long(
    setting: Callable[[np.random.Generator], script.Found], runs: int, patch: pytest.MonkeyPatch
) -> dict[str, float]:
    """Mean lengths against those of the same draws with no end moved."""

    def lengths() -> dict[str, float]:
        found = script.tallied(setting, runs, 5)
        return {of: float(np.mean([length for _, _, length in rows])) for of, rows in found.items()}

    moved = lengths()
    patch.setattr(script.cluster_spread, "BY_SIZE", (1e9, 2e9))
    still = lengths()
    return {of: one / still[of] for of, one in moved.items()}


#: As measured in 300 runs, and about three times what 100 runs leave open to either side: `agree`
#: 1.08 to 1.11, `select` 1.34 and 1.37, `diff` 1.13 and 1.14, rates 1.14.
WHERE_SIZES_TELL = {
    "agree: 40 clusters, large ones harder": (1.04, 1.16),
    "select: three judges, 30 clusters, one better on large ones": (1.22, 1.45),
    "estimate: a third of 60 clusters whole, large ones with more": (1.06, 1.22),
    "diff: 30 clusters, small ones mended, large ones spoilt": (1.07, 1.21),
}


@pytest.mark.parametrize("name", WHERE_SIZES_TELL)
def test_how_far_ends_move_where_sizes_tell(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No further than it takes, and no less: the coverage of `agree` hardly moves with it."""
    least, most = WHERE_SIZES_TELL[name]
    for of, factor in times_as_long(script.SETTINGS[name], 100, monkeypatch).items():
        assert least <= factor <= most, of


@pytest.mark.parametrize("name", script.SILENT)
def test_ends_hardly_move_where_sizes_tell_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 1.07 if name.startswith("select") else 1.03  # the furthest end of three is taken
    for of, factor in times_as_long(script.SILENT[name], 100, monkeypatch).items():
        assert 1 <= factor <= most, of


@pytest.mark.slow
@pytest.mark.parametrize("name", script.SILENT)
def test_sizes_that_tell_nothing_are_held(name: str) -> None:
    found = script.tallied(script.SILENT[name], 1_000, 7)
    for of, rows in found.items():
        share = float(np.mean([held for held, _, _ in rows]))
        assert least(1_000) <= share <= 0.99, of


@pytest.mark.slow
@pytest.mark.parametrize("name", script.SETTINGS)
def test_every_setting(name: str) -> None:
    for of, share in covered(name, 1_000, 7).items():
        assert share >= least(1_000), of
