"""Criteria by goal, against hand arithmetic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_tables import BINARY, judged, written

from goldassay.counts import count_units
from goldassay.formulas.agreement import balanced_accuracy, youden_j
from goldassay.questions.select.candidates import gather
from goldassay.questions.select.criteria import (
    BEHIND,
    CRITERIA,
    RIVALS,
    decision_consistency,
    metrics_of,
)
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task


def test_decision_consistency_of_a_binary_task_is_accuracy() -> None:
    table = np.array([[8.0, 2], [1, 9]])
    assert decision_consistency(table, size=2, positive=0) == pytest.approx(17 / 20)


def test_decisions_of_a_nominal_task_are_positive_or_not() -> None:
    table = np.array([[5.0, 1, 0], [1, 2, 3], [0, 4, 6]])
    # the first as the first 5; the others as either of them 2 + 3 + 4 + 6
    assert decision_consistency(table, size=3, positive=0) == pytest.approx(20 / 22)
    assert decision_consistency(table, size=3, positive=None) == pytest.approx(13 / 22)


def test_an_invalid_output_agrees_with_nothing() -> None:
    table = np.array([[5.0, 1, 2], [0, 6, 2], [0, 0, 0]])
    assert decision_consistency(table, size=2, positive=0) == pytest.approx(11 / 16)


def test_multi_class_balanced_accuracy_and_macro_j_are_linear() -> None:
    """Section 5.1: BA = (n - 1)/n J + 1/n, with the rest's classes weighted equally."""
    table = np.array([[50.0, 5, 5], [2, 6, 2], [1, 1, 28]])
    macro_j = youden_j(table)
    assert balanced_accuracy(table) == pytest.approx(2 / 3 * macro_j + 1 / 3)
    pooled = []
    for k in range(3):
        rest = np.delete(table, k, axis=0)
        pooled.append(table[k, k] / table[k].sum() - rest[:, k].sum() / rest.sum())
    # Pooling the rest by its counts, as one-vs-rest is usually computed, breaks the identity.
    assert np.mean(pooled) != pytest.approx(macro_j, abs=0.005)


def test_every_goal_has_its_criterion() -> None:
    assert {goal: one.name for goal, one in CRITERIA.items()} == {
        "prevalence": "balanced_accuracy",
        "filter": "decision_consistency",
        "ranking": "ranking_agreement",
    }
    assert all(goal == one.goal for goal, one in CRITERIA.items())
    assert [one.name for one in CRITERIA.values() if one.of_systems] == ["ranking_agreement"]


@pytest.mark.parametrize("positive", ["yes", None])
def test_which_metrics_a_scale_has(tmp_path: Path, positive: str | None) -> None:
    declared = {} if positive else {"scale": "nominal", "positive": None}
    task = {key: value for key, value in {**BINARY, **declared}.items() if value is not None}
    table = read_ratings(
        str(written(tmp_path, judged([1, 0], {"a": [1, 0]}))), Task.from_mapping(task)
    )
    metrics = metrics_of(gather(count_units(table)).setting)
    of_a_positive_option = {"f1", "precision", "sensitivity", "specificity"}
    assert of_a_positive_option & metrics.keys() == (of_a_positive_option if positive else set())
    assert {one.name for one in CRITERIA.values() if not one.of_systems} <= metrics.keys()
    assert {*RIVALS, *BEHIND} - of_a_positive_option <= metrics.keys()
