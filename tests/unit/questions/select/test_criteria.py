"""Criteria by goal, against hand arithmetic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_tables import BINARY, judged, units, written

from goldassay.counts import count_units
from goldassay.errors import TaskError
from goldassay.formulas.agreement import balanced_accuracy, youden_j
from goldassay.questions.select import select
from goldassay.questions.select.candidates import gather
from goldassay.questions.select.criteria import decision_consistency
from goldassay.questions.select.ordering import (
    order_agreement,
    order_differences,
    order_interval,
    system_sums,
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


def test_order_agreement_counts_pairs() -> None:
    people = np.array([0.1, 0.2, 0.3, 0.3])
    judge = np.array([0.2, 0.1, 0.5, 0.2])
    sums = np.stack([np.full(4, 10.0), 10 * people, 10 * judge], axis=-1)
    # Pairs with an order of people: 01 wrong, 02 right, 03 tied (half), 12 right, 13 right.
    assert order_agreement(sums) == pytest.approx(3.5 / 5)
    level = np.stack([np.full(2, 10.0), np.full(2, 4.0), np.array([1.0, 9.0])], axis=-1)
    assert np.isnan(order_agreement(level))


def test_system_sums(tmp_path: Path) -> None:
    rows = judged([1, 0, 1, 0], {"a": [1, 1, 0, 0]}, system=["s", "s", "t", "t"])
    counted = units(tmp_path, rows)
    sums = system_sums(counted, gather(counted).tables(0))
    times = counted.n if counted.single else np.ones(counted.n_clusters)
    assert np.tensordot(times, sums, axes=1).tolist() == [[2, 1, 2], [2, 1, 0]]


def test_the_interval_of_an_order_holds_where_systems_are_close() -> None:
    """Ten systems that a good judge orders as people do, too close to see: 1 stays possible."""
    rng = np.random.default_rng(2)
    clusters, systems = 100, 10
    truth = rng.random((clusters, systems)) < 0.4 + 0.005 * np.arange(systems)
    said = np.where(rng.random(truth.shape) < 0.95, truth, ~truth)
    sums = np.stack([np.ones(truth.shape), truth, said], -1)
    weights = rng.standard_exponential((300, clusters))
    drawn = np.tensordot(weights, sums, axes=1)
    value = float(order_agreement(sums.sum(0)))
    found = order_interval(sums.sum(0), drawn, value, n_clusters=clusters, confidence_level=0.95)
    assert found.low < value < found.high == 1.0
    level = sums.copy()
    level[..., 2] = 1.0  # a judge that puts all systems level
    drawn = np.tensordot(weights, level, axes=1)
    flat = order_interval(level.sum(0), drawn, 0.5, n_clusters=clusters, confidence_level=0.95)
    assert 0.5 in flat
    assert order_interval(sums.sum(0), drawn, value, n_clusters=1, confidence_level=0.95) is None


def test_differences_of_orders_are_joint_and_opposite() -> None:
    low, high = order_differences(np.array([0.9, 0.6]), np.array([[0.7, 1.0], [0.4, 0.8]]))
    assert low[0, 1] == pytest.approx(0.3 - np.hypot(0.2, 0.2))
    assert high[0, 1] == pytest.approx(0.3 + np.hypot(0.1, 0.2))
    assert low[1, 0] == pytest.approx(-high[0, 1])


def test_goal_ranking_without_a_positive_option_says_so(tmp_path: Path) -> None:
    rows = judged([1, 0, 1, 0], {"a": [1, 0, 0, 0]}, system=["s", "s", "t", "t"])
    declared = {"scale": "nominal", "positive": None}
    task = {k: v for k, v in {**BINARY, **declared}.items() if v is not None}
    table = read_ratings(str(written(tmp_path, rows)), Task.from_mapping(task))
    with pytest.raises(TaskError, match="rate of a positive option"):
        select(count_units(table), goal="ranking")
