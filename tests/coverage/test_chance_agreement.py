"""The interval of chance agreement holds it where it is least, and is short elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import coverage_chance as script


def held(found: script.Found, runs: int) -> bool:
    """.93 less two Monte Carlo errors."""
    return found.coverage >= 0.93 - 2 * float(np.sqrt(0.93 * 0.07 / runs))


@pytest.mark.parametrize("kind", ["40 clusters of 6", "200 items, unequal weights"])
def test_even_options_of_clusters_and_weights(kind: str) -> None:
    """The estimate lies above the truth here, and so does the normal interval around it."""
    found = script.measured(script.Setting(kind, 5, True, 0.95), 150)
    assert held(found, 150)
    assert found.normal < 0.94


@pytest.mark.parametrize("kind", ["40 clusters of 6", "200 items, unequal weights"])
def test_skewed_options_pay_little(kind: str) -> None:
    found = script.measured(script.Setting(kind, 3, False, 0.6), 150)
    assert held(found, 150)
    assert found.length < 1.3 * found.normal_length


@pytest.mark.slow
@pytest.mark.parametrize("setting", script.SETTINGS, ids=str)
def test_every_setting(setting: script.Setting) -> None:
    assert held(script.measured(setting, 2_000), 2_000)
