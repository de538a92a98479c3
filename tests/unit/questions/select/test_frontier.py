"""Quality against price: panels pay for all members and wait for the slowest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, units

from goldassay.questions.select.candidates import gather
from goldassay.questions.select.frontier import frontiers

VERDICTS = {"a": [1, 0, 1, 0], "b": [1, 1, 1, 0], "c": [0, 0, 1, 0]}


def test_prices_of_judges_and_panels(tmp_path: Path) -> None:
    candidates = gather(units(tmp_path, judged([1, 0, 1, 0], VERDICTS)), panels=True)
    assert candidates.names == ("a", "b", "c", "panel of all")
    values = np.array([1.0, 0.75, np.nan, 0.9])
    spending = {
        "cost": {"a": 0.03, "b": 0.01, "c": 0.02},
        "latency": {"a": 1.0, "b": 2.0},  # that of c, and so of the panel, is not known
    }
    cost, latency = frontiers(candidates, values, spending)
    assert cost.column == "cost"
    assert cost.names == ("a", "b", "panel of all")  # the value of c is undefined
    assert cost.prices == pytest.approx((0.03, 0.01, 0.06))
    assert cost.kept == (1, 0)  # the panel is dearer than a, and worse
    assert latency.names == ("a", "b")
    assert latency.kept == (0,)
    assert frontiers(candidates, values, {"cost": {"x": 1.0}}) == ()
