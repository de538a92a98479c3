"""Tau of two noisy orders: the interval covers, and is no longer than it must be."""

from __future__ import annotations

from typing import Any

import coverage_rank as script
import pytest
from grids import Seen, faults
from patience import seldom

#: Settings in which other intervals failed, and how long this one may be.
HARD = [
    (script.Setting(50, 10, 0.05, "even", "same"), 2.0),
    (script.Setting(200, 10, 0.6, "normal", "bent"), 0.85),
    (script.Setting(200, 10, 0.3, "even", "liked"), 0.46),
    (script.Setting(200, 10, 0.3, "clumps", "0.8"), 1.05),
    (script.Setting(200, 20, 0.4, "normal", "same", given=True), 0.25),
    (script.Setting(200, 10, 0.6, "skewed", "0.8"), 0.6),
]


@pytest.mark.parametrize(("setting", "longest"), seldom(HARD, 1, 3), ids=str)
def test_tau_covers_and_is_not_too_long(setting: Any, longest: float) -> None:
    (found,) = script.tau(setting, 40, 11)
    # 40 studies: three standard errors of a coverage of .95 are .10.
    assert found.coverage >= 0.95 - 0.10
    assert found.length / found.runs <= longest


#: Mean coverage and length of each half of the grid, as this test measured them.
GRID = {"even": (script.GRID[::2], (0.999, 1.061)), "odd": (script.GRID[1::2], (0.997, 1.042))}


@pytest.mark.slow
@pytest.mark.parametrize("half", GRID)
def test_tau_covers_on_the_grid(half: str) -> None:
    settings, measured = GRID[half]
    seen = []
    for number, setting in enumerate(settings):
        (found,) = script.tau(setting, 80, 12 + number)
        seen.append(Seen("tau", str(setting), found.hits, 80, found.length / 80))
    assert not faults(seen, {"tau": measured})


def test_places_and_differences_hold_all_at_once() -> None:
    setting = script.Setting(20, 20, 0.1, "equal", "same")
    places, gaps = script.ranges(setting, 60, 11)
    # 60 studies: three standard errors of a coverage of .95 are .085.
    assert places.coverage >= 0.95 - 0.085
    assert gaps.coverage >= 0.95 - 0.085
    # t with 19 degrees at .05 / 380 is 4.71 errors of sqrt(2 / 20): no longer than that.
    assert gaps.length / gaps.runs <= 4.71 * 0.3162 * 1.05
