"""Agreement of rankings, against SciPy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from goldassay.formulas.comparisons import pairs_of
from goldassay.formulas.orders import (
    kendall_tau,
    rank_agreement,
    ranks,
    spearman_rho,
    tau_matrix,
    win_rate_accuracy,
    win_rate_error,
)


@pytest.mark.parametrize("digits", [0, 1, 5])
def test_many_rows_against_scipy(digits: int) -> None:
    rng = np.random.default_rng(0)
    scores = np.round(rng.normal(size=(300, 9)), digits)
    gold = np.round(rng.normal(size=(300, 9)), digits)
    fixed, moving = rank_agreement(scores, gold[0]), rank_agreement(scores, gold)
    for row in range(0, 300, 37):
        for found, people in ((fixed, gold[0]), (moving, gold[row])):
            tau = stats.kendalltau(scores[row], people).statistic
            rho = stats.spearmanr(scores[row], people).statistic
            assert found.tau[row] == pytest.approx(tau, abs=1e-6)
            assert found.rho[row] == pytest.approx(rho, abs=1e-6)
    assert ranks(scores[0]) == pytest.approx(stats.rankdata(-scores[0]))


def test_missing_systems_are_left_out() -> None:
    scores = np.array([3.0, np.nan, 2.0, 1.0])
    gold = np.array([3.0, 9.0, 1.0, 2.0])
    assert float(kendall_tau(scores, gold)) == pytest.approx(1 / 3)
    assert float(spearman_rho(scores, gold)) == pytest.approx(0.5)


def test_infinite_strengths_keep_their_place() -> None:
    assert float(kendall_tau([np.inf, 1.0, -np.inf], [3, 2, 1])) == 1


def test_all_tied_is_undefined() -> None:
    assert np.isnan(kendall_tau([1.0, 1.0, 1.0], [3, 2, 1]))


def test_win_rates_by_hand() -> None:
    judge, gold = np.array([0.9, 0.4, 0.5, np.nan]), np.array([0.6, 0.7, 0.4, 0.5])
    # The first is shared, the second not; a level pair names no winner, whichever is named first.
    assert float(win_rate_accuracy(judge, gold)) == pytest.approx((1 + 0 + 0.5) / 3)
    assert float(win_rate_accuracy(1 - judge, 1 - gold)) == pytest.approx((1 + 0 + 0.5) / 3)
    assert float(win_rate_error(judge, gold)) == pytest.approx((0.09 + 0.09 + 0.01) / 3)


def test_win_rate_accuracy_is_that_of_the_orders() -> None:
    rng = np.random.default_rng(3)
    pairs = pairs_of(7)
    for _ in range(20):
        judge, gold = rng.integers(0, 5, (2, 7)).astype(float)  # some systems are level
        rates = [1 / (1 + np.exp(-pairs.gaps(one))) for one in (judge, gold)]
        gaps = np.sign(pairs.gaps(judge)) * np.sign(pairs.gaps(gold))
        tau = float(gaps.mean())  # Kendall's tau a
        assert float(win_rate_accuracy(*rates)) == pytest.approx((1 + tau) / 2)


def test_tau_matrix_is_symmetric_with_ones() -> None:
    scores = np.random.default_rng(1).normal(size=(4, 6))
    matrix = tau_matrix(scores)
    assert matrix == pytest.approx(matrix.T)
    assert np.diag(matrix) == pytest.approx(1)
