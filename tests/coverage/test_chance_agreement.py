"""The interval of chance agreement holds it where it is least, and is short elsewhere."""

from __future__ import annotations

import coverage_chance as script
import numpy as np
import pytest
from grids import Seen, faults
from patience import seldom


def held(found: script.Found, runs: int) -> bool:
    """.93 less two Monte Carlo errors."""
    return found.coverage >= 0.93 - 2 * float(np.sqrt(0.93 * 0.07 / runs))


#: Mean coverage over the settings of a kind, and how many times as long as the normal interval, as
#: this test measured them.
MEASURED = {
    "60 items": (0.986, 1.763),
    "300 items": (0.971, 1.595),
    "40 clusters of 6": (0.976, 1.777),
    "15 clusters of 20": (0.983, 1.929),
    "200 items, unequal weights": (0.988, 1.774),
    "40 clusters of 6, unequal weights": (0.983, 1.662),
}


@pytest.mark.parametrize("kind", seldom(["40 clusters of 6", "200 items, unequal weights"], 0))
def test_even_options_of_clusters_and_weights(kind: str) -> None:
    """The estimate lies above the truth here, and so does the normal interval around it."""
    found = script.measured(script.Setting(kind, 5, True, 0.95), 150)
    assert held(found, 150)
    assert found.normal < 0.94


@pytest.mark.parametrize("kind", seldom(["40 clusters of 6", "200 items, unequal weights"], 1))
def test_skewed_options_pay_little(kind: str) -> None:
    found = script.measured(script.Setting(kind, 3, False, 0.6), 150)
    assert held(found, 150)
    assert found.length < 1.3 * found.normal_length


@pytest.mark.slow
@pytest.mark.parametrize("kind", script.KINDS)
def test_every_setting(kind: str) -> None:
    """Lengths against the normal interval whose standard error is known."""
    seen = []
    for setting in script.SETTINGS:
        if setting.kind == kind:
            one = script.measured(setting, 60)
            factor = one.length / one.normal_length
            seen.append(Seen("chance", str(setting), round(60 * one.coverage), 60, factor))
    assert not faults(seen, {"chance": MEASURED[kind]})
