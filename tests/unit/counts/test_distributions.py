"""Distributions: rows that come in parts are those that come at once."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from goldassay.counts import count_distributions, distributions
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

TASK = Task(scale="binary", options=("yes", "no"), positive="yes", cluster="prompt")


def test_some_raters_at_a_time_give_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    rows = ["item,prompt,system,rater,kind,value,weight"]
    for item in range(12):
        for rater, kind in (("ann", "human"), ("bo", "human"), ("j1", "judge"), ("j2", "judge")):
            if rng.random() < 0.9:  # not everybody rates everything
                value = "yes" if rng.random() < 0.5 else "no"
                where = f"i{item},p{item // 3},s{item % 3}"
                rows.append(f"{where},{rater},{kind},{value},{rng.integers(1, 4)}")
    table = tmp_path / "ratings.csv"
    table.write_text("\n".join(rows) + "\n")
    whole = count_distributions(read_ratings(str(table), TASK))
    monkeypatch.setattr(distributions, "MOST_ROWS", 5)
    parts = count_distributions(read_ratings(str(table), TASK))
    assert whole.judge_forced.sum() > 0
    for field in fields(whole):
        one, other = getattr(whole, field.name), getattr(parts, field.name)
        np.testing.assert_array_equal(one, other) if isinstance(one, np.ndarray) else None
        assert isinstance(one, np.ndarray) or one == other, field.name
