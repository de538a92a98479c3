"""Correlations against SciPy, and tables against pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from goldassay.formulas import correlation as r

scores = st.lists(st.integers(0, 4), min_size=3, max_size=40)


@given(scores, st.randoms(use_true_random=False))
def test_pairs_and_tables_equal_scipy(x: list[int], random) -> None:
    y = [random.choice((v, random.randint(0, 4))) for v in x]
    table = np.zeros((5, 5))
    np.add.at(table, (x, y), 1)
    if len(set(x)) < 2 or len(set(y)) < 2:
        for function in (r.pearson, r.spearman, r.kendall_tau_b):
            assert np.isnan(function(x, y))
        for function in (r.pearson_of_table, r.spearman_of_table, r.kendall_tau_b_of_table):
            assert np.isnan(function(table))
        return
    expected = [stats.pearsonr(x, y)[0], stats.spearmanr(x, y)[0], stats.kendalltau(x, y)[0]]
    assert [r.pearson(x, y), r.spearman(x, y), r.kendall_tau_b(x, y)] == pytest.approx(expected)
    of_table = [
        r.pearson_of_table(table),
        r.spearman_of_table(table),
        r.kendall_tau_b_of_table(table),
    ]
    assert [float(v) for v in of_table] == pytest.approx(expected)


def test_lin_and_icc_by_hand() -> None:
    x, y = np.array([1.0, 2, 3, 4]), np.array([2.0, 3, 4, 5])
    # same spread, shifted by one: covariance 1.25, variances 1.25, squared shift 1
    assert r.lin_concordance(x, y) == pytest.approx(2 * 1.25 / (1.25 + 1.25 + 1))
    assert r.pearson(x, y) == pytest.approx(1)
    # rows: MSR = 10/3, MSC = 2, MSE = 0, n = 4 -> MSR / (MSR + 2/4 * 2)
    assert r.icc(x, y) == pytest.approx((10 / 3) / (10 / 3 + 1))


def test_missing_scores_are_dropped_by_pair() -> None:
    x, y = [1, 2, 3, 4, 5, np.nan], [2, 1, 4, 3, 5, 6]
    assert r.kendall_tau_b(x, y) == pytest.approx(0.6)
    assert np.isnan(r.icc([1.0], [2.0]))
    assert np.isnan(r.lin_concordance([1, 1], [1, 1]))


def test_tau_of_many() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=3000)
    y = np.round(x + rng.normal(size=3000), 1)
    assert r.kendall_tau_b(x, y) == pytest.approx(stats.kendalltau(x, y)[0])


def test_spearman_and_pearson_part_at_three_values() -> None:
    """Section 6.2: equal when the outer classes are equally frequent on both sides."""
    even = np.array([[5, 2, 1], [1, 3, 2], [2, 1, 5]])  # outer margins 8 and 8 on both sides
    assert float(r.spearman_of_table(even)) == pytest.approx(float(r.pearson_of_table(even)))
    uneven = np.array([[9, 2, 1], [1, 3, 2], [2, 1, 5]])
    assert abs(float(r.spearman_of_table(uneven) - r.pearson_of_table(uneven))) > 1e-4


def test_far_scores_by_hand() -> None:
    # Median 3, distances 2, 1, 0, 1, 17: their median is 1, so far is beyond 5 x 1.4826 = 7.4.
    assert r.far_out([1, 2, 3, 4, 20]).tolist() == [False] * 4 + [True]
    assert not r.far_out([1, 2, 3, 4, 10]).any()
    assert not r.far_out([5, 5, 5, 1]).any()  # most are equal: no scale
