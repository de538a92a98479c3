"""What a verdict costs: panels pay for all members and wait for the slowest."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_tables import judged, units

from goldassay.questions.select.candidates import gather

VERDICTS = {"a": [1, 0, 1, 0], "b": [1, 1, 1, 0], "c": [0, 0, 1, 0]}


def test_costs_of_judges_and_panels(tmp_path: Path) -> None:
    candidates = gather(units(tmp_path, judged([1, 0, 1, 0], VERDICTS)), panels=True)
    assert candidates.names == ("a", "b", "c", "panel of all")
    prices = {"a": 0.03, "b": 0.01, "c": 0.02}
    times = {"a": 1.0, "b": 2.0, "c": 1.5}
    spent = candidates.spent({"cost": prices, "latency": times})
    assert spent["cost"] == pytest.approx({**prices, "panel of all": 0.06})
    assert spent["latency"] == {**times, "panel of all": 2.0}
    # That of c, and so of the panel, is not known.
    assert candidates.spent({"cost": {"a": 1.0, "b": 2.0}}) == {"cost": {"a": 1.0, "b": 2.0}}
