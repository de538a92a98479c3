"""What a grade counts as in the mean of a system."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.counts import count_scores
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

SAID = {"a": [0, 1, 2, 2], "b": [1, 1, 2, 2]}


def _table(options: list[str]) -> pl.DataFrame:
    rows = [
        (str(item), system, rater, kind, options[place])
        for system, places in SAID.items()
        for item, place in enumerate(places)
        for rater, kind in (("j", "judge"), ("ann", "human"))
    ]
    return pl.DataFrame(rows, ["item", "system", "rater", "kind", "value"], orient="row")


@pytest.mark.parametrize(
    ("options", "worth"),
    [
        (["1", "2", "3"], [1, 2, 3]),
        (["0", "0.5", "1"], [0, 0.5, 1]),
        (["-1", "2", "9"], [-1, 2, 9]),
        (["poor", "fair", "good"], [1, 2, 3]),
    ],
)
def test_a_grade_counts_as_the_number_that_it_is(options: list[str], worth: list[float]) -> None:
    task = {"scale": "ordinal", "options": options}
    matrix = count_scores(read_ratings(_table(options), Task.from_mapping(task)))
    by_hand = [[worth[SAID[s][i]] for s in "ab"] for i in range(4)]
    np.testing.assert_array_equal(matrix.judge, [by_hand])
    np.testing.assert_array_equal(matrix.human, [by_hand])


@pytest.mark.parametrize("options", [["2", "3", "4"], ["0", "0.5", "1"], ["poor", "fair", "good"]])
def test_a_system_has_the_same_mean_whoever_asks(options: list[str]) -> None:
    """People and the judge say the same of all: `compare` and `rank` have one mean."""
    table = _table(options)
    task = Task.from_mapping({"scale": "ordinal", "options": options})
    means = {
        row.about["system"]: row.result.value
        for row in ga.compare(table, task=task).rows
        if row.result.name == "mean_score"
    }
    ranked = ga.rank(table, task=task, aggregation=["mean"])
    scores = {
        row.about["system"]: row.result.value
        for row in ranked.rows
        if row.result.name == "system_score"
    }
    assert scores.keys() == {"a", "b"}
    assert scores == pytest.approx(means)
