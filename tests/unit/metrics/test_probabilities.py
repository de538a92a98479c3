"""Scores of yes-or-no items, by hand and beside scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from goldassay import metrics as m
from goldassay.results import Undefined

RNG = np.random.default_rng(4)
POSITIVE = RNG.random(120) < 0.4
SCORE = np.round(np.clip(0.5 + 0.2 * (POSITIVE - 0.5) + RNG.normal(0, 0.2, 120), 0, 1), 2)


def test_auc_is_scikit_learn_s() -> None:
    found = m.roc_auc(POSITIVE, SCORE)
    assert found.value == pytest.approx(roc_auc_score(POSITIVE, SCORE))
    words = np.where(POSITIVE, "good", "bad")
    assert m.roc_auc(words, SCORE, positive="good") == found
    assert m.roc_auc(words, SCORE, positive="bad").value == pytest.approx(1 - found.value)


def test_clusters_widen_the_interval() -> None:
    doubled = [np.repeat(side, 2) for side in (POSITIVE, SCORE)]
    alone = m.roc_auc(*doubled)
    held = m.roc_auc(*doubled, clusters=np.repeat(np.arange(120), 2))
    assert held.value == pytest.approx(alone.value)
    assert held.interval.length > 1.3 * alone.interval.length
    assert held.n_clusters == 120


def test_people_who_are_evenly_divided_decide_nothing() -> None:
    shares = np.where(POSITIVE, 2 / 3, 1 / 3)
    shares[:5] = 0.5
    found = m.roc_auc(shares, SCORE)
    assert found == m.roc_auc(POSITIVE[5:], SCORE[5:])


def test_undefined() -> None:
    found = m.roc_auc([1, 1], [0.1, 0.2])
    assert found == Undefined("roc_auc", "every reference is positive", 2)
    for function in (m.kuiper_calibration, m.kuiper_calibration_p, m.risk_coverage_area):
        assert function([1, 0], [3, 0.5]).reason == "scores are not probabilities"
    assert m.kuiper_calibration_p([1, 0], [1, 0]).reason == "every score is 0 or 1"
    assert m.risk_coverage_area([1], [0.7]).reason == "there is one scored item"


def test_calibration_and_risk_by_hand() -> None:
    # In order of the probability the sums of outcome - probability are -.2, .4, -.1 (over 3).
    found = m.kuiper_calibration([0, 1, 0], [0.2, 0.4, 0.5])
    assert found.value == pytest.approx((0.4 + 0.2) / 3)
    assert 0 < m.kuiper_calibration_p([0, 1, 0], [0.2, 0.4, 0.5]).value <= 1
    # Surest first: .9 right, .2 wrong, .6 right: errors 0, 1/2, 1/3.
    risk = m.risk_coverage_area([1, 1, 1], [0.6, 0.9, 0.2])
    assert risk.value == pytest.approx((0 + 1 / 2 + 1 / 3) / 3)
