"""Pairs of answers by one person to one question."""

from __future__ import annotations

import pandas as pd

from goldassay.counts import count_repeats
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

TASK = Task(scale="binary", options=("Yes", "No"), positive="Yes")


def ratings(rows: list[tuple[str, str, str, str, str]]) -> object:
    frame = pd.DataFrame(rows, columns=["item", "rater", "kind", "value", "sample"])
    return read_ratings(frame, TASK)


def test_repeats_of_ten_lines() -> None:
    rows = [
        ("a", "ann", "human", "Yes", "1"),
        ("a", "ann", "human", "Yes", "2"),
        ("a", "ann", "human", "No", "3"),  # three answers: three pairs, one alike
        ("a", "bob", "human", "No", "1"),
        ("b", "bob", "human", "No", "1"),
        ("b", "bob", "human", "No", "2"),  # one pair, alike
        ("b", "ann", "human", "Yes", "1"),
        ("a", "judge", "judge", "Yes", "1"),
        ("a", "judge", "judge", "No", "2"),  # a judge's repeats are not people's
        ("b", "judge", "judge", "No", "1"),
    ]
    found = count_repeats(ratings(rows))  # type: ignore[arg-type]
    assert found is not None
    assert found.pairs.tolist() == [3, 1]
    assert found.alike.tolist() == [1, 1]
    assert (found.n_raters, found.n_units) == (2, 2)
    assert count_repeats(ratings(rows[3:5])) is None  # type: ignore[arg-type]
