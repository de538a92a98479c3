"""Agreement with people's order of the systems, against hand arithmetic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from goldassay.counts import ScoreMatrix
from goldassay.questions.select.ordering import Orders, order_agreement, orders_of


def matrix(judge: np.ndarray, people: np.ndarray) -> ScoreMatrix:
    judges, items, systems = judge.shape
    return ScoreMatrix(
        tuple("abc"[:judges]),
        ("person",),
        tuple(map(str, range(items))),
        tuple(map(str, range(systems))),
        np.arange(items),
        judge.astype(float),
        people[None].astype(float),
        (),
        0,
    )


def orders(judge: np.ndarray, people: np.ndarray, *candidates: str) -> Orders:
    found = candidates or tuple("abc"[: len(judge)])
    return orders_of(matrix(judge, people), found, draws=200, seed=1)


def test_order_agreement_counts_pairs() -> None:
    people = np.array([0.1, 0.2, 0.3, 0.3])
    judge = np.array([0.2, 0.1, 0.5, 0.2])
    # Pairs with an order of people: 01 wrong, 02 right, 03 tied (half), 12 right, 13 right.
    assert order_agreement(judge, people) == pytest.approx(3.5 / 5)
    assert np.isnan(order_agreement(np.array([1.0, 9.0]), np.array([4.0, 4.0])))
    # A system that one side lacks is in no pair.
    missing = np.array([np.nan, 0.1, 0.5, 0.2])
    assert order_agreement(missing, people) == pytest.approx(1)


def test_each_side_takes_all_that_it_has() -> None:
    judge = np.array([[[1, 0], [1, 0], [0, 1]]])
    people = np.array([[1, 0], [np.nan, np.nan], [0, 0]])
    found = orders(judge, people)
    assert found.judges.tolist() == pytest.approx(np.array([[2 / 3, 1 / 3]]))
    assert found.people.tolist() == [0.5, 0.0]
    assert (found.n_prompts, found.n_clusters) == (3, 3)


def test_a_panel_is_the_mean_of_its_members() -> None:
    rng = np.random.default_rng(1)
    judge, people = rng.random((2, 9, 4)), rng.random((9, 4))
    found = orders(judge, people, "a", "b", "ab", "x")
    assert found.judges[2] == pytest.approx(judge.mean(axis=(0, 1)))
    assert np.isnan(found.values[3])  # nobody's scores
    assert found.intervals(0.95)[3] is None


def test_the_interval_of_an_order_holds_where_systems_are_close() -> None:
    """Ten systems that a good judge orders as people do, too close to see: 1 stays possible."""
    rng = np.random.default_rng(2)
    truth = rng.random((100, 10)) < 0.4 + 0.005 * np.arange(10)
    said = np.where(rng.random(truth.shape) < 0.95, truth, ~truth)
    level = np.ones_like(said)  # a judge that puts all systems level
    found = orders(np.stack([said, level]), truth)
    one, flat = found.intervals(0.95)
    assert one is not None
    assert one.low < found.values[0] < one.high == 1.0
    assert flat is not None
    assert 0.5 in flat


def test_joint_differences_use_intervals_of_a_higher_level() -> None:
    rng = np.random.default_rng(3)
    people = rng.random((80, 4)) < 0.2 + 0.2 * np.arange(4)
    said = [np.where(rng.random((80, 4)) < noise, ~people, people) for noise in (0.05, 0.3, 0.45)]
    found = orders(np.stack(said), people)
    joint = found.comparison(np.arange(3), 0.95)
    assert joint.difference == pytest.approx(found.values[:, None] - found.values[None, :])
    assert joint.low == pytest.approx(-joint.high.T)
    # Three pairs: each interval at 1 - .05 / 3, square-and-add.
    ends = [one for one in found.intervals(1 - 0.05 / 3) if one is not None]
    down, up = found.values[0] - ends[0].low, ends[2].high - found.values[2]
    assert joint.low[0, 2] == pytest.approx(joint.difference[0, 2] - np.hypot(down, up))


def test_unequal_clusters_are_worth_fewer() -> None:
    rng = np.random.default_rng(3)
    people = rng.normal(np.linspace(0, 2, 6), 0.4, (60, 6))
    judge = rng.normal(people, 0.4)[None]

    def length(cluster: np.ndarray) -> tuple[float, float]:
        found = replace(matrix(judge, people), cluster=cluster)
        made = orders_of(found, ("a",), draws=200, seed=1)
        (interval,) = made.intervals(0.95)
        assert interval is not None
        return made.worth, interval.high - interval.low

    equal, uneven = np.repeat(np.arange(12), 5), np.minimum(np.arange(60), 11)
    assert length(equal)[0] == pytest.approx(12)
    assert length(uneven)[0] < 3  # one has 49 of 60
    assert length(uneven)[1] > length(equal)[1]
