"""Grades that are numbers: the mean first."""

from __future__ import annotations

import numpy as np
import pytest

import goldassay as ga
from goldassay.results import Estimate

TASK = {"scale": "ordinal", "options": list("12345"), "calibration": "random"}


def rows(labelled: int, *, judges: int = 2, items: int = 200) -> list[dict[str, str]]:
    """People's grades of the first items; judges a grade higher now and then."""
    rng = np.random.default_rng(5)
    true = rng.integers(1, 6, items)
    found = [
        {"item": str(k), "rater": "ann", "kind": "human", "value": str(true[k])}
        for k in range(labelled)
    ]
    for judge in range(judges):
        given = np.minimum(true + (rng.random(items) < 0.3 * (judge + 1)), 5)
        found += [
            {"item": str(k), "rater": f"j{judge}", "kind": "judge", "value": str(given[k])}
            for k in range(items)
        ]
    return found


def mean_of(table: list[dict[str, str]], rater: str) -> float:
    return float(np.mean([float(row["value"]) for row in table if row["rater"] == rater]))


def test_each_judges_mean_stands_beside_peoples() -> None:
    table = rows(80)
    found = ga.estimate(table, TASK)
    assert [one.key for one in found.answer[:2]] == ["estimate.mean_score"] * 2
    assert found.summary is not None
    assert found.summary.columns == ("mean_score", "mean_score_naive", "labels")
    for judge in ("j0", "j1"):
        own, mean = found["mean_score_naive", judge], found["mean_score", judge]
        assert isinstance(own, Estimate)
        assert isinstance(mean, Estimate)
        assert own.value == pytest.approx(mean_of(table, judge))
        assert mean.value < own.value


def test_where_all_is_labelled_the_mean_is_peoples_and_stands_once() -> None:
    table = rows(200)
    found = ga.estimate(table, TASK)
    assert found.answer[0].text.startswith("All 200 items are labelled: the mean score is people's")
    assert found.answer[0].facts["means"] == pytest.approx({"": mean_of(table, "ann")})
    assert found.summary is not None
    assert found.summary.lines[0].label == "people"
    assert found.answer[1].about == {"judge": "j1"}  # the one further off


def test_of_one_judge_the_table_keeps_its_options() -> None:
    found = ga.estimate(rows(80, judges=1), TASK)
    assert [one.key for one in found.answer] == ["estimate.mean_score", "estimate.option"]
    assert found.summary is not None
    assert [line.label for line in found.summary.lines] == list("12345")


def test_without_a_mean_the_rates_speak() -> None:
    """Labels drawn by label tell no mean."""
    found = ga.estimate(rows(80), {**TASK, "calibration": "by_label"})
    assert found.answer[0].key == "estimate.option"
