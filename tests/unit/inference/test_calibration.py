"""Brier score: its interval over clusters, and the caution of its upper end."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.inference.calibration import Forecasts, brier_score


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
