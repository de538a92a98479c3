"""Paired changes: by hand, against the textbook, and what clusters do to them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from goldassay.formulas import agreement as coefficients
from goldassay.inference.changes import Joint, change_limits
from goldassay.inference.clusters import student_quantile

SAME, ONLY_OLD, ONLY_NEW = (0, 0, 0), (0, 0, 1), (0, 1, 0)


def joint(*clusters: dict[tuple[int, int, int], float]) -> Joint:
    """Clusters as counts by (reference, old, new); two options."""
    counts = np.zeros((len(clusters), 2, 3, 3))
    for c, cells in enumerate(clusters):
        for cell, number in cells.items():
            counts[c][cell] = number
    n = int(counts.sum())
    return Joint(counts, np.ones(len(clusters), np.int64), n, clustered=True)


def lone(same: int, old: int, new: int) -> Joint:
    counts = np.zeros((3, 2, 3, 3))
    for c, cell in enumerate((SAME, ONLY_OLD, ONLY_NEW)):
        counts[c][cell] = 1
    times = np.array([same, old, new])
    return Joint(counts[times > 0], times[times > 0], int(times.sum()), clustered=False)


def test_accuracy_of_lone_items_has_bonett_and_prices_interval() -> None:
    # 18 mended, 9 spoilt, 73 as before: (18 - 9) / 102 = .0882; p12 = 19/102, p21 = 10/102,
    # half = 1.96 sqrt((p12 + p21 - (p12 - p21)^2) / 102)
    found = change_limits(lone(73, 9, 18), coefficients.accuracy, confidence_level=0.95)
    centre = 9 / 102
    half = 1.959964 * math.sqrt((29 / 102 - centre**2) / 102)
    assert found.low == pytest.approx(centre - half, abs=1e-6)
    assert found.high == pytest.approx(centre + half, abs=1e-6)


def test_equal_clusters_have_clusters_less_one_degrees_of_freedom() -> None:
    # Ten clusters of 20, changes alike in each, so that the design effect is 1: a pseudo-item
    # weighs 20^k with k = .5 / (.5 + 10), and sum (d_c - D n_c)^2 is 0.
    cells = {SAME: 14.0, ONLY_OLD: 2.0, ONLY_NEW: 4.0}
    found = change_limits(joint(*[cells] * 10), coefficients.accuracy, confidence_level=0.95)
    assert "9 degrees" in found.method
    delta = 20 ** (0.5 / 10.5)
    size, value = 200 + 2 * delta, 20 / (200 + 2 * delta)
    # The influence of an item is (d - value) / size; each cluster sums to 2 - 20 value.
    clusters = 10 * (2 - 20 * value) ** 2 / (1 - 0.1)
    pseudo = delta**2 * ((1 - value) ** 2 + (1 + value) ** 2)
    t, variance = student_quantile(9, 0.975), (clusters + pseudo) / size**2
    # What changed comes to this much down and up: the variance grows towards the upper end.
    down, up = ((20 + delta) * (1 + value) / size, (40 + delta) * (1 - value) / size)
    growth = variance * (up - down) / (up + down) ** 2
    middle, root = t**2 * growth / 2, t * math.sqrt(variance + (t * growth) ** 2 / 4)
    assert found.high == pytest.approx(value + middle + root, rel=1e-4)
    near = (t * math.sqrt(variance) + 2 * (root - middle)) / 3
    assert found.low == pytest.approx(value - near, rel=1e-4)


def test_the_end_beyond_one_sided_changes_lies_further_out() -> None:
    spoilt, mended = (
        change_limits(
            joint(*[{SAME: 10.0, cell: 6.0}] * 3, *[{SAME: 16.0}] * 17),
            coefficients.accuracy,
            confidence_level=0.95,
        )
        for cell in (ONLY_OLD, ONLY_NEW)
    )
    assert (spoilt.low, spoilt.high) == pytest.approx((-mended.high, -mended.low), abs=1e-6)
    assert mended.high - 18 / 320 > 1.2 * (18 / 320 - mended.low)
    assert mended.doubtful


def test_changes_that_cancel_out_have_ends_equally_far() -> None:
    cells = [{SAME: 14.0, ONLY_OLD: 4.0, ONLY_NEW: 2.0}, {SAME: 14.0, ONLY_OLD: 2.0, ONLY_NEW: 4.0}]
    found = change_limits(joint(*cells * 6), coefficients.accuracy, confidence_level=0.95)
    assert found.high == pytest.approx(-found.low, rel=1e-6)


def test_copies_of_items_say_no_more() -> None:
    """Clusters of copies: about as long as one item of each (Student's t and delta cost little)."""
    one = change_limits(lone(40, 8, 12), coefficients.accuracy, confidence_level=0.95)
    kinds = [{SAME: 5.0}] * 40 + [{ONLY_OLD: 5.0}] * 8 + [{ONLY_NEW: 5.0}] * 12
    copies = change_limits(joint(*kinds), coefficients.accuracy, confidence_level=0.95)
    assert (copies.high - copies.low) / (one.high - one.low) == pytest.approx(1.03, abs=0.02)


def test_one_giant_cluster_leaves_few_degrees_of_freedom() -> None:
    small = [{SAME: 3.0, ONLY_OLD: 0.5, ONLY_NEW: 0.5}] * 20
    giant = {SAME: 300.0, ONLY_OLD: 50.0, ONLY_NEW: 50.0}
    found = change_limits(joint(giant, *small), coefficients.accuracy, confidence_level=0.95)
    assert float(found.method.split()[4]) < 2


def test_one_sided_changes_by_clusters_are_doubted() -> None:
    by_clusters = [{SAME: 10.0}] * 17 + [{SAME: 4.0, ONLY_NEW: 6.0}] * 3
    spread = [{SAME: 9.0, ONLY_NEW: 1.0}] * 18 + [{SAME: 10.0}] * 2
    both = [{SAME: 10.0}] * 16 + [{SAME: 4.0, ONLY_NEW: 6.0}] * 2 + [{SAME: 4.0, ONLY_OLD: 6.0}] * 2
    doubted = [
        change_limits(joint(*one), coefficients.accuracy, confidence_level=0.95).doubtful
        for one in (by_clusters, spread, both)
    ]
    assert doubted == [True, False, False]


def test_few_clusters_of_unequal_sizes_are_doubted() -> None:
    small = {SAME: 4.0, ONLY_OLD: 1.0, ONLY_NEW: 1.0}
    large = {cell: 5 * n for cell, n in small.items()}
    cases = ([small] * 7 + [large] * 7, [small] * 14, [small] * 30 + [large] * 30)
    doubted = [
        change_limits(joint(*one), coefficients.accuracy, confidence_level=0.95).by_size
        for one in cases
    ]
    assert doubted == ["few", None, None]


@pytest.mark.parametrize("name", ["accuracy", "cohen_kappa", "balanced_accuracy", "youden_j"])
@pytest.mark.parametrize("clustered", [False, True])
def test_items_of_one_class_that_changed_in_nothing_have_an_interval(
    name: str, clustered: bool
) -> None:
    # Three items of the last of four classes, which neither version ever names: kappa is 0 of both.
    counts = np.zeros((3, 4, 5, 5))
    counts[0, 3, 0, 0] = counts[1, 3, 0, 0] = counts[2, 3, 1, 1] = 1
    found = change_limits(
        Joint(counts, np.ones(3, np.int64), 3, clustered=clustered),
        getattr(coefficients, name),
        confidence_level=0.95,
    )
    assert found.low < 0 < found.high
