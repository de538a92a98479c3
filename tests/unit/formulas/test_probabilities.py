"""Areas under the ROC curve, Kuiper, and the curve of risk and coverage."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from goldassay.formulas.probabilities import (
    average_precision,
    hanley_mcneil,
    kuiper_statistic,
    precision_among_others,
    range_of_brownian_motion,
    risk_curve,
    roc_area,
)


def test_auc_equals_scikit_learn_with_ties() -> None:
    rng = np.random.default_rng(0)
    positive = rng.random(200) < 0.3
    score = np.round(rng.normal(size=200) + positive, 1)
    area, influence = roc_area(score, positive)
    assert influence.sum() == pytest.approx(0)
    assert area == pytest.approx(roc_auc_score(positive, score))


def test_influence_and_variance_by_hand() -> None:
    # positives 3, 1; negatives 2, 0: pairs won 3 of 4. Placements: 1, .5 and .5, 1.
    score, positive = np.array([3.0, 1, 2, 0]), np.array([True, True, False, False])
    area, influence = roc_area(score, positive)
    assert area == 0.75
    np.testing.assert_allclose(influence, [0.125, -0.125, -0.125, 0.125])  # (placement - .75) / 2
    # .75 x .25 x (1 + (4/2 - 1)(.25/1.25 + .75/1.75)) / 4
    assert hanley_mcneil(0.75, 2, 2) == pytest.approx(0.1875 * (1 + 0.2 + 3 / 7) / 4)


def testrange_of_brownian_motion() -> None:
    rng = np.random.default_rng(2)
    walk = np.cumsum(rng.normal(size=(4000, 1000)), 1) / np.sqrt(1000)
    spread = np.maximum(walk.max(1), 0) - np.minimum(walk.min(1), 0)
    for x in (1.2, 1.6, 2.2):
        assert range_of_brownian_motion(x) == pytest.approx((spread > x).mean(), abs=0.04)
    assert range_of_brownian_motion(0.1) == 1


def test_kuiper_by_hand() -> None:
    # In order of the score: .2 (1), .5 (0), .5 (1); steps .8, -.5, .5 over 3, the tied two at once.
    value, deviation = kuiper_statistic(np.array([0.5, 0.2, 0.5]), np.array([0.0, 1, 1]))
    assert value == pytest.approx(0.8 / 3)
    assert deviation == pytest.approx(np.sqrt(0.16 + 0.25 + 0.25) / 3)


def test_risk_among_the_surest() -> None:
    # Surest first: .9 (right), .2 (wrong), .6 (right): errors 0/1, 1/2, 1/3.
    risk, sure = risk_curve(np.array([0.6, 0.9, 0.2]), np.array([True, True, True]))
    assert risk.tolist() == pytest.approx([0, 1 / 2, 1 / 3])
    assert sure.tolist() == pytest.approx([0.4, 0.3, 0.1])


def test_influence_on_average_precision_is_its_derivative() -> None:
    """Ties and all: scikit-learn's value when one item weighs a little more."""
    rng = np.random.default_rng(8)
    positive, score = rng.random(40) < 0.4, np.round(rng.normal(size=40), 1)
    value, influence = average_precision(score, positive)
    assert influence.sum() == pytest.approx(0, abs=1e-12)
    for item in range(0, 40, 7):
        weight = np.ones(40)
        weight[item] += 1e-6
        moved = average_precision_score(positive, score, sample_weight=weight) - value
        assert moved / 1e-6 == pytest.approx(influence[item], abs=1e-5)


def test_precision_among_others_by_hand() -> None:
    score, positive = np.array([4.0, 3, 2, 1]), np.array([True, True, False, True])
    # Without itself: nothing above the first (3/4 of items are positive), 1/1, 2/3.
    alone = precision_among_others(score, positive, np.arange(4))
    assert alone == pytest.approx((3 / 4 + 1 + 2 / 3) / 3)
    # The first two in one cluster: neither has another above it; the last has 2/3.
    held = precision_among_others(score, positive, np.array([7, 7, 8, 9]))
    assert held == pytest.approx((3 / 4 + 3 / 4 + 2 / 3) / 3)
