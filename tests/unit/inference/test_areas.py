"""The interval of an area under the ROC curve, by hand and at its edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from goldassay.formulas.probabilities import hanley_mcneil
from goldassay.inference.areas import PrecisionArea, RocArea

SCORE = np.array([3.0, 1, 2, 0])
POSITIVE = np.array([True, True, False, False])


def test_delong_by_hand() -> None:
    # Placements 1, .5 and .5, 1: sample variances .125 and .125, over 2 each.
    assert RocArea.of(SCORE, POSITIVE, None).variance == pytest.approx(0.125 / 2 + 0.125 / 2)


def test_the_variance_by_clusters_by_hand() -> None:
    # A positive and a negative each: .125 - .125 and -.125 + .125, over sqrt(1 - 1/2).
    area = RocArea.of(SCORE, POSITIVE, np.array([0, 1, 0, 1]))
    assert area.variance == pytest.approx(0)
    across = RocArea.of(SCORE, POSITIVE, np.array([0, 1, 1, 0]))
    assert across.variance == pytest.approx(2 * (0.25 / np.sqrt(0.5)) ** 2)


def test_ends_are_where_the_area_would_be_as_far_as_the_reach() -> None:
    area = RocArea.of(SCORE, POSITIVE, None)
    found = area.interval(0.95)
    assert found is not None
    # Half a unit of each kind towards 1/2: (.75 x 4 + 1) / (4 + 2). DeLong's exceeds none of it.
    inflation = max(1.0, 0.125 / hanley_mcneil(2 / 3, 2, 2))

    def over(t: float) -> float:
        return (0.75 - t) ** 2 - 1.959964**2 * inflation * hanley_mcneil(t, 2, 2)

    assert found.low == pytest.approx(brentq(over, 0, 0.75), abs=1e-6)
    assert found.high == pytest.approx(brentq(over, 0.75, 1), abs=1e-6)


@pytest.mark.parametrize("items", [10, 100, 1000])
def test_a_perfect_area_has_an_interval_and_so_has_its_mirror(items: int) -> None:
    positive = np.arange(items) >= items // 2
    best = RocArea.of(np.arange(float(items)), positive, None).interval(0.95)
    worst = RocArea.of(-np.arange(float(items)), positive, None).interval(0.95)
    assert best is not None
    assert worst is not None
    assert best.high == 1
    assert worst.low == 0
    assert best.low == pytest.approx(1 - worst.high)
    # About as long as the rule of three for the smaller kind.
    assert 1 / items < best.length < 8 / items


def test_clusters_of_a_perfect_area_count_once() -> None:
    positive = np.arange(20) >= 10
    alone = RocArea.of(np.arange(20.0), positive, None).interval(0.95)
    five = RocArea.of(
        np.repeat(np.arange(20.0), 5), np.repeat(positive, 5), np.repeat(np.arange(20), 5)
    ).interval(0.95)
    assert alone is not None
    assert five is not None
    assert alone.low - 0.15 < five.low < alone.low


def test_one_cluster_of_a_kind_says_nothing_of_others() -> None:
    assert RocArea.of(SCORE, POSITIVE, np.array([0, 0, 1, 2])).interval(0.95) is None


def test_the_interval_of_an_average_precision_by_hand() -> None:
    """Wilson's with the variance that the influences show, over that of a share near 1/2."""
    positive = np.array([False, True, True, True, True, False])
    area = PrecisionArea.of(np.arange(6.0, 0, -1), positive, None)
    # The positives are second to fifth of six.
    assert area.value == pytest.approx((1 / 2 + 2 / 3 + 3 / 4 + 4 / 5) / 4)
    inner = (4 * area.value + 1) / (4 + 2)
    inflation = area.variance * 4 / (inner * (1 - inner))
    assert inflation > 1
    # Two negatives and three more: Student's t with 5 degrees of freedom.
    weight = 2.570582**2 * inflation / 4

    def beyond(t: float, share: float) -> float:
        return (share - t) ** 2 - weight * t * (1 - t)

    found = area.interval(0.95)
    assert found is not None
    low = min(area.value, area.among_others)
    assert found.low == pytest.approx(brentq(beyond, 0, low, (low,)), abs=1e-6)
    assert found.high == pytest.approx(brentq(beyond, area.value, 1, (area.value,)), abs=1e-6)
