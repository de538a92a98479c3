"""Scores: DeLong, Kuiper, risk and coverage, and the jackknife of correlations."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from goldassay.formulas.correlation import pearson
from goldassay.questions.agree.judges import Draw
from goldassay.questions.agree.scores import (
    _jackknife,
    _range_of_brownian_motion,
    auc,
    correlation_results,
    delong,
    kuiper,
    risk_coverage,
)
from goldassay.results import Estimate, Undefined

DRAW = Draw(200, 1, 0.95)


def test_auc_equals_scikit_learn_with_ties() -> None:
    rng = np.random.default_rng(0)
    positive = rng.random(200) < 0.3
    score = np.round(rng.normal(size=200) + positive, 1)
    area, _ = delong(score, positive, np.arange(200))
    assert area == pytest.approx(roc_auc_score(positive, score))


def test_delong_by_hand() -> None:
    # positives 3, 1; negatives 2, 0: pairs won 3 of 4. Placements: 1, .5 and .5, 1.
    score, positive = np.array([3.0, 1, 2, 0]), np.array([True, True, False, False])
    area, error = delong(score, positive, np.arange(4))
    assert area == 0.75
    # sample variances .125 and .125, over 2 each
    assert error**2 == pytest.approx(0.125 / 2 + 0.125 / 2)


def test_auc_covers() -> None:
    rng = np.random.default_rng(1)
    exact = stats.norm.cdf(1 / np.sqrt(2))
    hits = 0
    for _ in range(300):
        positive = rng.random(80) < 0.4
        score = rng.normal(size=80) + positive
        result = auc(score, positive.astype(float), np.arange(80), DRAW)
        assert isinstance(result, Estimate)
        hits += exact in result.interval
    assert hits >= 277  # .92 of 300, two standard errors below .95


def test_auc_of_one_class_is_undefined() -> None:
    result = auc(np.array([0.1, 0.2]), np.array([1.0, 1.0]), np.arange(2), DRAW)
    assert isinstance(result, Undefined)


def test_range_of_brownian_motion() -> None:
    rng = np.random.default_rng(2)
    walk = np.cumsum(rng.normal(size=(4000, 1000)), 1) / np.sqrt(1000)
    spread = np.maximum(walk.max(1), 0) - np.minimum(walk.min(1), 0)
    for x in (1.2, 1.6, 2.2):
        assert _range_of_brownian_motion(x) == pytest.approx((spread > x).mean(), abs=0.04)
    assert _range_of_brownian_motion(0.1) == 1


def test_kuiper_sees_miscalibration_and_not_calibration() -> None:
    rng = np.random.default_rng(3)
    score = rng.random(2000)
    fair = (rng.random(2000) < score).astype(float)
    _, p = kuiper(score, fair)
    assert p.value > 0.01
    _, p = kuiper(score, (rng.random(2000) < score**2).astype(float))
    assert p.value < 1e-6
    value, p = kuiper(np.array([1.0, 0.0]), np.array([1.0, 0.0]))
    assert value.value == 0
    assert isinstance(p, Undefined)
    assert isinstance(kuiper(np.array([3.0]), np.array([1.0]))[0], Undefined)


def test_risk_falls_when_the_sure_verdicts_are_right() -> None:
    score = np.array([0.99, 0.95, 0.9, 0.6, 0.45, 0.55])
    share = np.array([1.0, 1, 1, 0, 1, 0])
    found = risk_coverage(score, share, points=2)
    assert found.coverage.tolist() == [0.5, 1.0]
    assert found.error.tolist() == [0.0, 0.5]
    # The third surest says .9; the least sure .55, or .45, which is .55 for the other option.
    assert found.probability.tolist() == pytest.approx([0.9, 0.55])
    assert found.items.tolist() == [3, 6]
    assert found.area == pytest.approx(np.mean([0, 0, 0, 1 / 4, 2 / 5, 3 / 6]))


def test_correlations_cover_by_cluster() -> None:
    """Items in clusters of five with a shared error: the interval still covers Pearson's r."""
    rng = np.random.default_rng(4)
    cluster = np.repeat(np.arange(40), 5)
    hits, reps = 0, 120
    # x = u + e, y = u + f with u shared by the cluster: correlation 1/2
    for _ in range(reps):
        u = np.repeat(rng.normal(size=40), 5)
        x, y = u + rng.normal(size=200), u + rng.normal(size=200)
        interval = _jackknife(pearson, x, y, cluster, pearson(x, y), DRAW)
        hits += 0.5 in interval
    assert hits >= 0.9 * reps


def test_constant_scores_are_undefined() -> None:
    found = correlation_results(np.array([1.0, 2, 3]), np.array([2.0, 2, 2]), np.arange(3), DRAW)
    assert isinstance(found[0], Undefined)
    assert "equal" in found[0].reason
