"""Intervals of the audit with few raters cover what the whole population of raters says."""

from __future__ import annotations

import numpy as np
import pytest
from grids import Seen, faults
from published_ratings import coverage_audit, dices_350

script = coverage_audit()


def known(coverage: np.ndarray) -> np.ndarray:
    """The coverage of what had intervals, which must be most."""
    kept = coverage[~np.isnan(coverage)]
    assert kept.size > coverage.size / 2
    return kept


def test_three_raters_quickly() -> None:
    found = script.dices(*dices_350(), 3, 4, draws=5)
    assert known(found.found).mean() > 0.95


def test_the_plain_bootstrap_would_not_do() -> None:
    found = script.dices(*dices_350(), 3, 6, draws=5)
    label = [one.label for one in found.definitions]
    for name in ("jensen_shannon s/s", "mean_squared_error s/s"):
        assert known(found.plain[label.index(name)]).max() < 0.5
        assert known(found.found[label.index(name)]).min() > 0.5


@pytest.mark.slow
def test_simulated_panels_quickly() -> None:
    setting = script.Setting(60, 3, 3, samples=3)
    # The truth of 8,000 items is known to a tenth of what 60 items tell.
    assert known(script.simulated(setting, 8, draws=5, population=8_000).found).mean() > 0.95


#: Raters: mean coverage and length over definitions and judges, as this test measured them.
MEASURED = {
    1: (1.000, 0.7176),
    2: (1.000, 0.5186),
    3: (1.000, 0.3598),
    5: (1.000, 0.2757),
    10: (1.000, 0.2125),
    20: (1.000, 0.1609),
}


def seen_of(covered: script.Covered, setting: str, runs: int) -> list[Seen]:  # type: ignore[name-defined]
    """Of each definition and judge that had intervals."""
    known(covered.found)
    return [
        Seen("all", setting, round(runs * share), runs, length)
        for share, length in zip(covered.found.flat, covered.length.flat, strict=True)
        if not np.isnan(share)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("k", script.DICES_PANELS)
def test_k_of_123_raters(k: int) -> None:
    seen = seen_of(script.dices(*dices_350(), k, 24), f"{k} raters", 24)
    assert not faults(seen, {"all": MEASURED[k]})


#: Settings that docs/intervals.md lists as short (`coverage` is .905 of 200 studies), and how low a
#: share is believed there.
SHORT = {script.Setting(100, 4, 10, concentration=0.1).words: 0.85}


@pytest.mark.slow
def test_simulated_panels() -> None:
    seen = [
        one
        for setting in script.SETTINGS + script.HELD_OUT
        for one in seen_of(script.simulated(setting, 16), setting.words, 16)
    ]
    assert not faults(seen, {"all": (0.999, 0.5859)}, claims=SHORT)
