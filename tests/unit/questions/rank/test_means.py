"""Means of systems' scores on a scale without known ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy.stats import t

import goldassay as ga
from goldassay.questions.rank.means import skewed_mean


def test_symmetric_scores_have_the_ends_of_student_s_t() -> None:
    scores = np.array([1.0, 2.0, 3.0, 4.0, 5.0, np.nan])
    found = skewed_mean(scores, None, confidence_level=0.9)
    low, high = t.interval(0.9, 4, 3.0, np.std(scores[:5], ddof=1) / np.sqrt(5))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.skew == pytest.approx(0.0)


def test_the_long_tail_moves_its_own_end_alone() -> None:
    scores = np.array([1.0, 1.1, 1.2, 1.3, 9.0])
    found = skewed_mean(scores, None, confidence_level=0.95)
    low, high = t.interval(0.95, 4, scores.mean(), np.std(scores, ddof=1) / np.sqrt(5))
    assert found is not None
    assert found.low == pytest.approx(low)
    assert found.high > high + 1
    assert found.too_skewed


def test_scores_most_of_which_are_one_number_move_no_end() -> None:
    """How rarely others come is what the hedge is for."""
    scores = np.array([1.0, 1.0, 1.0, 0.2, 0.7])
    found = skewed_mean(scores, None, confidence_level=0.95)
    low, high = t.interval(0.95, 4, scores.mean(), np.std(scores, ddof=1) / np.sqrt(5))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high))
    assert not found.too_skewed


def test_a_cluster_counts_once() -> None:
    """Scores that are said again by their cluster tell no more; one cluster tells nothing."""
    lone = np.array([1.0, 2.0, 4.0, 5.0])
    again, cluster = np.repeat(lone, 3), np.repeat(np.arange(4), 3)
    one, other = (
        skewed_mean(scores, code, confidence_level=0.95)
        for scores, code in ((lone, None), (again, cluster))
    )
    assert one is not None
    assert other is not None
    assert (other.low, other.high) == pytest.approx((one.low, one.high))
    assert skewed_mean(again, np.zeros(12, np.int64), confidence_level=0.95) is None


@given(some.lists(some.integers(-50, 50), min_size=2, max_size=20), some.floats(0.5, 3))
def test_it_moves_with_the_scale(values: list[int], scale: float) -> None:
    scores = np.array(values, dtype=float)
    one = skewed_mean(scores, None, confidence_level=0.95)
    other = skewed_mean(7 - scale * scores, None, confidence_level=0.95)
    assert one is not None
    assert other is not None
    assert (other.low, other.high) == pytest.approx((7 - scale * one.high, 7 - scale * one.low))
    assert one.low <= scores.mean() + 1e-9
    assert one.high >= scores.mean() - 1e-9


def test_three_prompts_may_lie_anywhere() -> None:
    """No hedge by the scores that were seen reaches as far as three of them leave open."""
    rows = [
        {"item": f"p{p}", "system": s, "rater": r, "value": value + p / 10, "kind": kind}
        for p, values in enumerate([(1.0, 4.0), (2.5, 4.5), (6.0, 5.0)])
        for s, value in zip("ab", values, strict=True)
        for r, kind in (("judge", "judge"), ("ann", "human"))
    ]
    found = ga.rank(rows, resamples=400)
    row, *_ = found.rows_where(name="system_score", system="a", aggregation="mean")
    mean = row.result
    assert isinstance(mean, ga.Estimate)
    assert mean.interval is not None
    scores = np.array([1.0, 2.6, 6.2])
    low, high = t.interval(0.95, 2, scores.mean(), np.std(scores, ddof=1) / np.sqrt(3))
    assert mean.interval.low <= low
    assert mean.interval.high >= high
