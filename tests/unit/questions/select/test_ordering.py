"""Agreement with people's order of the systems, against hand arithmetic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, units

from goldassay.inference.comparison import compare
from goldassay.questions.select.candidates import gather
from goldassay.questions.select.ordering import (
    Orders,
    candidates_sums,
    order_agreement,
    order_differences,
    order_interval,
    system_sums,
)


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


def test_the_sums_of_all_candidates(tmp_path: Path) -> None:
    rows = judged([1, 0, 1, 0], {"a": [1, 1, 0, 0], "b": [1, 0, 1, 0]}, system=["s", "s", "t", "t"])
    sums, times = candidates_sums(gather(units(tmp_path, rows)))
    assert np.tensordot(times, sums, axes=1).tolist() == [
        [[2, 1, 2], [2, 1, 0]],
        [[2, 1, 1], [2, 1, 1]],
    ]


def test_joint_differences_use_intervals_of_a_higher_level() -> None:
    rng = np.random.default_rng(3)
    clusters, systems = 80, 4
    people = rng.random((clusters, 1, systems)) < 0.2 + 0.2 * np.arange(systems)
    noise = np.array([0.05, 0.45])[:, None]
    said = np.where(rng.random((clusters, 2, systems)) < noise, ~people, people)
    sums = np.stack([np.ones(said.shape), np.broadcast_to(people, said.shape), said], -1)
    drawn = np.tensordot(rng.standard_exponential((200, clusters)), sums, axes=1)
    orders = Orders(sums.sum(0), drawn, clusters)
    assert orders.values == pytest.approx([float(order_agreement(one)) for one in sums.sum(0)])
    known = np.arange(2)
    found = compare(orders.values, orders.sample, confidence_level=0.95)
    joint = orders.joint(found, known)
    # one pair only: the level of each interval is that of the difference
    ends = np.array([[one.low, one.high] for one in orders.intervals(0.95) if one])
    low, high = order_differences(orders.values, ends)
    np.testing.assert_array_equal(joint.low, low)
    np.testing.assert_array_equal(joint.high, high)
    np.testing.assert_array_equal(joint.difference, found.difference)
