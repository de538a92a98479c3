"""Differences of systems: they cover, and are not much longer than named intervals.

`python benchmarks/lengths.py systems` measures drawn settings; these few hold both sides of it.
"""

from __future__ import annotations

import numpy as np
import pytest
from compare_draws import Setting, errors
from length_differences import OURS, beside
from patience import seldom

RUNS = 150
EQUAL = errors("equal", 2)
LONE = Setting("lone", (0.5, 0.6), EQUAL, prompts=200, labels=100, prompt=0.2)
CLUSTERED = {"prompts": 400, "cluster": 10, "within": 0.3, "prompt": 0.2}
#: Named interval beside, and the most that ours may be longer.
SETTINGS = {
    "lone prompts, half labelled": (LONE, "delta method", 1.1),
    "forty clusters, half labelled": (
        Setting("clusters", (0.5, 0.6), EQUAL, labels=200, **CLUSTERED),  # type: ignore[arg-type]
        "cluster t",
        1.2,
    ),
    "forty clusters, all labelled": (
        Setting("all", (0.5, 0.6), EQUAL, labels=400, **CLUSTERED),  # type: ignore[arg-type]
        "cluster t",
        1.2,
    ),
}


@pytest.mark.parametrize("name", seldom(SETTINGS, 2))
def test_differences_of_systems_cover_and_are_not_long(name: str) -> None:
    setting, rival, longest = SETTINGS[name]
    found = beside(setting, RUNS, seed=19)
    assert found[OURS].coverage + 2 * np.sqrt(0.05 * 0.95 / RUNS) > 0.93
    ratio = found[OURS].length / found[rival].length
    assert 0.9 < ratio < longest
