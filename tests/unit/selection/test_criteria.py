"""Criteria by goal, against hand arithmetic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, units

from karat.coefficients import balanced_accuracy, youden_j
from karat.selection.candidates import gather
from karat.selection.criteria import decision_consistency
from karat.selection.ordering import order_agreement, system_sums


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
