"""Scores: AUC, calibration, risk and coverage, and correlations."""

import numpy as np
import pytest
from scipy import stats

from goldassay.inference.draw import Draw
from goldassay.questions.agree.scores import areas, correlation_results, kuiper, risk_coverage
from goldassay.results import Estimate, Undefined

DRAW = Draw(200, 1, 0.95)


def test_auc_covers() -> None:
    rng = np.random.default_rng(1)
    exact = stats.norm.cdf(1 / np.sqrt(2))
    hits = 0
    for _ in range(300):
        positive = rng.random(80) < 0.4
        score = rng.normal(size=80) + positive
        result, _ = areas(score, positive.astype(float), np.arange(80), DRAW)
        assert isinstance(result, Estimate)
        hits += exact in result.interval
    assert hits >= 277  # .92 of 300, two standard errors below .95


def test_auc_of_one_class_is_undefined() -> None:
    results = areas(np.array([0.1, 0.2]), np.array([1.0, 1.0]), np.arange(2), DRAW)
    assert all(isinstance(one, Undefined) for one in results)


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


def test_constant_scores_are_undefined() -> None:
    found = correlation_results(np.array([1.0, 2, 3]), np.array([2.0, 2, 2]), np.arange(3), DRAW)
    assert isinstance(found[0], Undefined)
    assert "equal" in found[0].reason
