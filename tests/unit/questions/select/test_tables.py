"""The tables of a choice are functions of its study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, ratings

from goldassay.counts import count_scored, count_units
from goldassay.questions.select.study import SelectStudy, Settings, study
from goldassay.questions.select.tables import tables
from goldassay.results import Estimate, Undefined


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> SelectStudy:
    """Three judges on two systems, with scores and prices."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 80)
    rates = {"a": 0.05, "b": 0.1, "c": 0.4}
    verdicts = {
        name: np.where(rng.random(80) < rate, 1 - truth, truth) for name, rate in rates.items()
    }
    score = np.round(truth + rng.normal(0, 0.4, 80), 3)
    rows = judged(truth, verdicts, system=["s", "t"] * 40, score=score)
    table = ratings(tmp_path_factory.mktemp("select"), rows)
    scores = count_scored(table)
    spending = {"cost": {"a": 0.02, "b": 0.01, "c": 0.03}}
    settings = Settings(draws=300)
    return study(count_units(table), settings, scored=scores, spending=spending)


def test_which_tables_there_are(found: SelectStudy) -> None:
    assert list(tables(found)) == ["judges", "differences", "choices", "stability", "thresholds"]
    alone = replace(found, merits=found.merits[:1], comparison=None, stabilities=())
    assert list(tables(alone)) == ["thresholds"]


def test_judges_are_results_and_differences_from_the_best(found: SelectStudy) -> None:
    rows = tables(found)["judges"].rows
    for row, merit in zip(rows, found.merits, strict=True):
        estimate = merit.criterion
        assert isinstance(estimate, Estimate)
        assert estimate.interval is not None
        interval = estimate.interval
        assert row[:4] == (merit.name, estimate.value, interval.low, interval.high)
        assert row[8] == estimate.n_items == 80
    assert rows[0][4:8] == (None, None, None, None)
    assert rows[2][4] == pytest.approx(rows[0][1] - rows[2][1])
    assert rows[2][7] == "yes"


def test_every_two_judges_have_a_difference(found: SelectStudy) -> None:
    rows = tables(found)["differences"].rows
    names = [one.name for one in found.merits]
    assert [row[:2] for row in rows] == [
        (names[0], names[1]),
        (names[0], names[2]),
        (names[1], names[2]),
    ]
    assert rows[1][5:] == ("yes", None)  # told apart: no items are wanting
    assert rows[0][5:] == ("no", found.items_to_tell(0, 1))


def test_an_end_without_a_bound_is_an_empty_cell(found: SelectStudy) -> None:
    assert found.comparison is not None
    nowhere = np.full((3, 3), np.inf)
    made = tables(replace(found, comparison=replace(found.comparison, low=-nowhere, high=nowhere)))
    assert made["judges"].rows[1][5:7] == (None, None)
    assert made["differences"].rows[0][3:5] == (None, None)


def test_stability_names_the_systems_at_either_end(found: SelectStudy) -> None:
    rows = tables(found)["stability"].rows
    assert [row[:2] for row in rows[:2]] == [("a", "sensitivity"), ("a", "specificity")]
    for row in rows:
        assert {row[3], row[5]} <= {"s", "t"}
        assert row[2] <= row[4]
        assert 0 < row[6] <= 1
    untested = replace(found.stabilities[0], found=Undefined("homogeneity", "one system"))
    (row,) = tables(replace(found, stabilities=(untested,)))["stability"].rows
    assert row == ("a", "sensitivity", None, "", None, "", None, "one system")


def test_thresholds(found: SelectStudy) -> None:
    rows = tables(found)["thresholds"].rows
    for row, cut in zip(rows, found.cut_scores, strict=True):
        assert cut.threshold is not None
        assert isinstance(cut.result, Estimate)
        assert (row[0], row[1], row[3]) == (cut.judge, cut.threshold.threshold, cut.result.value)
        assert row[6] == pytest.approx(row[5] - row[3])


def test_what_verdicts_cost_are_columns_of_the_judges(found: SelectStudy) -> None:
    table = tables(replace(found, spending={"cost": {"a": 0.02, "b": 0.01}}))["judges"]
    assert table.columns[-2:] == ("items", "cost")
    assert {row[0]: row[-1] for row in table.rows} == {"a": 0.02, "b": 0.01, "c": None}
    assert tables(replace(found, spending={}))["judges"].columns[-1] == "items"


def test_only_balanced_accuracy_is_said_to_be_free_of_prevalence(found: SelectStudy) -> None:
    assert "move with the prevalence" in tables(found)["choices"].notes[0]
    other = replace(found, criterion=replace(found.criterion, free_of_prevalence=False))
    assert tables(other)["choices"].notes == ()


def test_a_study_of_few_items_makes_the_same_tables(tmp_path: Path) -> None:
    table = ratings(tmp_path, judged([1, 0], {"a": [1, 0], "b": [0, 1]}))
    made = tables(study(count_units(table), Settings(draws=50)))
    assert [row[0] for row in made["judges"].rows] == ["a", "b"]
    assert "differences" not in made  # two judges: the first table has the one difference
