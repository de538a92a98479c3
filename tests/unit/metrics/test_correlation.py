"""Correlations of scores and of labels in order, beside SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from goldassay import metrics as m
from goldassay.metrics.correlation import PEARSON, SPEARMAN
from goldassay.results import Estimate, Undefined

RNG = np.random.default_rng(3)
X = RNG.integers(1, 6, 40).astype(float)
Y = X + RNG.normal(size=40).round(1)


def test_as_scipy_has_them() -> None:
    assert m.pearson(X, Y).value == pytest.approx(stats.pearsonr(X, Y).statistic)
    rho, tau = m.spearman(X, Y), m.kendall_tau_b(X, Y)
    assert rho.value == pytest.approx(stats.spearmanr(X, Y).statistic)
    assert rho.declared["p_value"] == pytest.approx(stats.spearmanr(X, Y).pvalue)
    assert tau.value == pytest.approx(stats.kendalltau(X, Y).statistic)
    assert tau.declared["p_value"] == pytest.approx(stats.kendalltau(X, Y).pvalue)


def test_no_p_value_for_clusters() -> None:
    assert "p_value" not in m.spearman(X, Y, clusters=np.arange(40) // 4).declared


def test_labels_in_order_have_the_value_of_their_positions() -> None:
    names = ["very low", "low", "mid", "high", "very high"]
    people, judge = X.astype(int) - 1, np.clip(Y.round(), 1, 5).astype(int) - 1
    for function in (m.pearson, m.spearman, m.kendall_tau_b):
        labelled = function([names[k] for k in people], [names[k] for k in judge], labels=names)
        assert labelled.value == pytest.approx(function(people, judge).value)
        assert "posterior" in labelled.interval.method
        assert "jackknife" in function(people, judge).interval.method


def test_equality_is_more_than_a_line() -> None:
    # x and x + 1: covariance 2/3 (of n), so 2 x 2/3 / (2/3 + 2/3 + 1) = 4/7.
    assert m.lin_concordance([1, 2, 3], [2, 3, 4]).value == pytest.approx(4 / 7)
    assert m.pearson([1, 2, 3], [2, 3, 4]).value == 1
    # MSR = 2, MSE = 0, MSC = 1.5: 2 / (2 + 2/3 x 1.5)
    assert m.icc([1, 2, 3], [2, 3, 4]).value == pytest.approx(2 / 3)


def test_a_perfect_judge_has_an_interval() -> None:
    for function in (m.pearson, m.spearman, m.kendall_tau_b, m.lin_concordance, m.icc):
        found = function(X, X)
        assert found.value == pytest.approx(1)
        assert found.interval.high == 1
        assert 0.8 < found.interval.low < 0.95  # 40 items: .025^(1/40.25), its square for pairs
        held = function(X, X, clusters=np.arange(40) // 4)
        assert held.interval.low < found.interval.low
        assert not found.warnings


def test_far_scores_that_carry_a_number_are_said() -> None:
    far = Y.copy()
    far[7] = 60.0
    for function in (m.pearson, m.lin_concordance, m.icc):
        assert not function(X, Y).warnings
        (warning,) = function(X, far).warnings
        assert warning.startswith("1 of 40 items have scores far from the rest")
        assert "spearman" in warning
    assert not m.spearman(X, far).warnings
    assert not m.kendall_tau_b(X, far).warnings


def test_skewed_scores_are_said_where_none_is_far_or_most_are_equal() -> None:
    """Of scores that are mostly 0 there is no robust scale: skewness shows what may come."""
    mostly = np.where(np.arange(40) % 10 == 0, np.arange(40.0) + 1, 0.0)
    judge = np.where(mostly > 0, mostly + Y, 0.0)
    for function in (m.pearson, m.lin_concordance, m.icc):
        (warning,) = function(mostly, judge).warnings
        assert warning.startswith("scores are so skewed that rare far ones")
    assert not m.spearman(mostly, judge).warnings


def test_scores_that_are_mostly_one_number_reach_as_far_as_phi() -> None:
    """Four of 30 items have another score, the same four: one unseen would change the order."""
    people = np.append(np.zeros(26), [1.0, 3.0, 2.0, 5.0])
    for judge in (people * 2, np.append(np.zeros(26), [3.0, 1.0, 2.0, 5.0])):
        found, two = m.spearman(people, judge), m.phi(people > 0, judge > 0)
        assert two.value == 1
        assert found.interval.low == pytest.approx(found.value - (1 - two.interval.low))
        assert found.interval.low < 0.7
    turned = m.spearman(people, np.roll(people, 4))
    assert turned.value < 0 < turned.interval.high
    # Where fewer are alike, ranks tell more than which items have another score.
    half = np.append(np.zeros(15), np.arange(15.0) + 1)
    assert m.spearman(half, half).interval.low > 0.85


def test_ranks_of_scores_that_are_mostly_zero_are_held() -> None:
    rng, held, lengths = np.random.default_rng(2), 0, []
    for _ in range(150):
        x, noise = rng.normal(size=(2, 30))
        both = [np.where(one > 1.036, one, 0.0) for one in (x, 0.97 * x + 0.243 * noise)]
        found = m.spearman(*both)
        if isinstance(found, Estimate):
            held += 0.852 in found.interval  # that of half a million pairs
            lengths.append(found.interval.high - found.interval.low)
    assert held >= 0.94 * len(lengths)
    assert np.mean(lengths) < 1.1


def test_equal_scores_are_undefined() -> None:
    found = m.pearson([1, 2, 3], [2, 2, 2])
    assert found == Undefined("pearson", "one side's scores are equal", 3)
    alone = m.spearman([1], [2])
    assert alone == Undefined("spearman", "one item has a score of people and of the judge", 1)
    few = m.pearson([1, 2, 3], [1, 2, 4])  # three clusters are too few
    assert few.interval is None
    assert few.warnings == ("no interval: too few clusters",)


def test_an_intraclass_correlation_below_minus_one_is_not_perfect() -> None:
    """Of few items with equal means on both sides the estimator falls below its least value."""
    people, judge = [1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]
    found = m.icc(people, judge)
    assert isinstance(found, Estimate)
    assert found.value < -1
    assert found.interval is None


def test_far_scores_are_told_where_few_degrees_of_freedom_are_left() -> None:
    far = np.append(X, [60.0, -60.0])  # on both sides: skewness has a warning of its own
    assert PEARSON._warned(far, far, 11.9) != []
    assert PEARSON._warned(far, far, 12.0) == []  # as many as keep the interval covering
    assert PEARSON._warned(X, X, 11.9) == []  # none is far
    assert SPEARMAN._warned(far, far, 11.9) == []  # of ranks none is
