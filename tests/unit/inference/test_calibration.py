"""Brier score and differences of means: intervals over clusters, caution of an upper end."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.inference.calibration import (
    Forecasts,
    brier_score,
    calibration_error,
    mean_difference,
    reliability,
)


def _forecasts(outcome: list[int], cluster: list[int]) -> Forecasts:
    y = np.array(outcome, float)
    return Forecasts(np.full(len(y), 0.9), y, np.ones(len(y)), np.array(cluster))


def test_surprises_in_one_of_few_clusters_lengthen_the_upper_end_alone() -> None:
    # 4 of 40 fail: spread over all clusters, or all in one of eight.
    clusters = [k // 5 for k in range(40)]
    even = _forecasts([0 if k % 10 == 0 else 1 for k in range(40)], clusters)
    one = _forecasts([0 if k < 4 else 1 for k in range(40)], clusters)
    (value, ends), (same, longer) = brier_score(even, 0.95), brier_score(one, 0.95)
    assert value == same == pytest.approx((4 * 0.81 + 36 * 0.01) / 40)
    assert ends is not None
    assert longer is not None
    assert longer[1] > ends[1] + 0.1


def test_lone_items_need_no_caution_where_many_lose() -> None:
    rng = np.random.default_rng(1)
    p = rng.random(400)
    y = (rng.random(400) < p).astype(float)
    value, ends = brier_score(Forecasts(p, y, np.ones(400), np.arange(400)), 0.95)
    assert ends is not None
    error = float(np.std((p - y) ** 2)) / 20
    assert ends[1] - ends[0] == pytest.approx(2 * 1.96 * error, rel=0.03)
    assert ends[0] < value < ends[1]


def test_one_cluster_has_no_interval() -> None:
    assert brier_score(_forecasts([1, 1, 0, 1], [0, 0, 0, 0]), 0.95)[1] is None


def test_a_mean_difference_has_students_t_over_clusters() -> None:
    # Clusters of two items with means -1, 0, 1, 4: mean 1, and each moves it by its share of 4.
    values = np.array([-1.5, -0.5, 0.5, -0.5, 1.0, 1.0, 3.0, 5.0])
    given = Forecasts(np.full(8, 0.5), np.ones(8), np.ones(8), np.repeat(np.arange(4), 2))
    value, ends = mean_difference(given, values, 0.95)
    assert value == 1.0
    assert ends is not None
    # Squares of (-2, -1, 0, 3) are 14; over 4 x 3, and t with 3 degrees of freedom is 3.1824.
    reach = 3.1824 * (14 / 12) ** 0.5
    assert ends == pytest.approx((1 - reach, 1 + reach), rel=1e-3)
    alone = Forecasts(given.probability, given.outcome, given.weight, np.zeros(8, np.int64))
    assert mean_difference(alone, values, 0.95) == (1.0, None)


def test_bins_hold_what_was_said_and_what_came_true() -> None:
    # Thirty items in two bins of fifteen: the first said .2 and 3 of 15 came true, the second said
    # .8 and 9 of 15 did. Lone items of share q vary by q(1 - q)/15, a fifteenth more for the mean.
    p = np.repeat([0.2, 0.8], 15)
    y = np.array([1.0] * 3 + [0.0] * 12 + [1.0] * 9 + [0.0] * 6)
    found = reliability(Forecasts(p, y, np.ones(30), np.arange(30)))
    assert found.forecast == pytest.approx([0.2, 0.8])
    assert found.observed == pytest.approx([0.2, 0.6])
    assert list(found.items) == [15, 15]
    variance = [0.2 * 0.8 / 14, 0.6 * 0.4 / 14]
    assert np.diag(found.covariance) == pytest.approx(variance, rel=0.05)


def test_clusters_may_hide_outcomes_that_none_of_them_shows_and_lone_items_hide_none() -> None:
    # 40 items said .9 and all came true: half a failure among 40, or among the eight clusters.
    lone = reliability(_forecasts([1] * 40, list(range(40))))
    found = reliability(_forecasts([1] * 40, [k // 5 for k in range(40)]))
    assert lone.hidden == pytest.approx([0.0], abs=1e-12)
    smooth = 8.5 / 9
    assert found.hidden**2 + found.covariance.diagonal() == pytest.approx(smooth / 18 / 8)
    shown, hidden = (calibration_error(one, 0.95, seed=1) for one in (lone, found))
    assert shown[0] == hidden[0] == pytest.approx(0.1, abs=0.02)
    assert shown[1][0] > 0.05
    assert hidden[1][0] == 0


def test_what_many_clusters_show_hides_little() -> None:
    # A fifth fails in each of 40 clusters of five: 40 to 6 that luck is not shared.
    seen = _forecasts([0 if k % 5 == 0 else 1 for k in range(200)], [k // 5 for k in range(200)])
    found = reliability(seen)
    left = 200 / 5 ** (6 / 46)
    smooth = (0.8 * left + 0.5) / (left + 1)
    assert found.hidden**2 + found.covariance.diagonal() == pytest.approx(
        smooth * (1 - smooth) / left
    )
