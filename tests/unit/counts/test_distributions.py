"""Distributions: rows that come in parts are those that come at once."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldassay.counts import count_distributions, distributions
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.sources.engine import coded

TASK = Task(scale="binary", options=("yes", "no"), positive="yes", cluster="prompt")


@pytest.mark.parametrize(("labels", "numbered"), [(50, True), (11, False)])
def test_many_rows_give_the_same(
    labels: int, numbered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As numbers of few labels, or as texts of some raters at a time."""
    rng = np.random.default_rng(1)
    rows = ["item,prompt,system,rater,kind,value,weight"]
    for item in range(12):
        for rater, kind in (("ann", "human"), ("b'o é", "human"), ("j1", "judge"), ("j2", "judge")):
            if rng.random() < 0.9:  # not everybody rates everything
                value = "yes" if rng.random() < 0.5 else "no"
                where = f"i{item},p{item // 3},s{item % 3}"
                rows.append(f"{where},{rater},{kind},{value},{rng.integers(1, 4)}")
    table = tmp_path / "ratings.csv"
    table.write_text("\n".join(rows) + "\n")
    whole = count_distributions(read_ratings(str(table), TASK))
    monkeypatch.setattr(distributions, "MOST_ROWS", 5)
    monkeypatch.setattr(distributions, "MOST_LABELS", labels)
    asked: list[list[str]] = []

    def seen(relation: Any, labels: Any, others: Any) -> Any:
        asked.append(list(labels))
        return coded(relation, labels, others)

    monkeypatch.setattr(distributions, "coded", seen)
    parts = count_distributions(read_ratings(str(table), TASK))
    assert bool(asked) is numbered
    assert whole.judge_forced.sum() > 0
    for field in fields(whole):
        one, other = getattr(whole, field.name), getattr(parts, field.name)
        np.testing.assert_array_equal(one, other) if isinstance(one, np.ndarray) else None
        assert isinstance(one, np.ndarray) or one == other, field.name


def test_verdicts_on_what_nobody_rated_are_left_out_and_counted(tmp_path: Path) -> None:
    """A judge of such units alone stays a judge, without any ratings."""
    rows = ["item,prompt,rater,kind,value"]
    rows += [f"i{k},p{k},ann,human,{'yes' if k % 2 else 'no'}" for k in range(4)]
    rows += [f"i{k},p{k},j1,judge,yes" for k in range(7)]
    rows += [f"i{k},p{k},j2,judge,no" for k in range(4, 7)]
    table = tmp_path / "ratings.csv"
    table.write_text("\n".join(rows) + "\n")
    found = count_distributions(read_ratings(str(table), TASK))
    assert found.items == ("i0", "i1", "i2", "i3")
    assert found.n_clusters == 4
    assert found.judges == ("j1", "j2")
    assert found.judge_forced.sum(axis=(1, 2)).tolist() == [4, 0]
    (alone,) = found.exclusions
    assert (alone.reason, alone.rows) == ("no human reference", 6)
    assert alone.by == {"rater": {"j1": 3, "j2": 3}}
