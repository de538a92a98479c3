"""Leaving groups out all at once gives what leaving them out one by one gives, and covers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.formulas.correlation import icc, kendall_tau_b, lin_concordance, pearson, spearman
from goldassay.inference.draw import Draw
from goldassay.inference.jackknife import (
    FisherSpread,
    degrees_of_freedom,
    fisher_spread,
    jackknife_error,
    left_out_groups,
    perfect_interval,
    without_each,
)

STATISTICS = [pearson, spearman, kendall_tau_b, lin_concordance, icc]


@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda one: one.__name__)
@given(
    n=st.integers(2, 60),
    groups=st.integers(2, 12),
    levels=st.sampled_from([2, 3, 10, 1000]),
    seed=st.integers(0, 10_000),
    shift=st.sampled_from([0.0, 100.0]),
)
def test_the_same_as_one_by_one(
    statistic: object, n: int, groups: int, levels: int, seed: int, shift: float
) -> None:
    rng = np.random.default_rng(seed)
    x = shift + rng.integers(levels, size=n) / 7
    y = np.round((x + rng.integers(levels, size=n)) / 3, 1) - shift
    group = rng.integers(groups, size=n)
    plain = [statistic(x[group != g], y[group != g]) for g in range(groups)]  # type: ignore[operator]
    fast = without_each(statistic, x, y, group, groups)  # type: ignore[arg-type]
    np.testing.assert_allclose(fast, plain, atol=1e-9)


def test_a_statistic_that_is_not_known_is_computed_one_by_one() -> None:
    x, y, group = np.arange(4.0), np.arange(4.0) + 1, np.array([0, 0, 1, 1])
    assert without_each(lambda a, b: float(a @ b), x, y, group, 2).tolist() == [18.0, 2.0]


def test_the_error_of_a_mean_by_hand() -> None:
    # The jackknife of a mean is its standard error: of 1, 2, 3, 4 it is sqrt(5/3) / 2.
    x = np.array([1.0, 2, 3, 4])
    left_out = (x.sum() - x) / 3
    assert jackknife_error(left_out) == pytest.approx(np.sqrt(5 / 3) / 2)


def test_degrees_of_freedom_by_hand() -> None:
    # Deviations of one size have kurtosis 1: the error is as good as known, G - 1 is the most.
    assert degrees_of_freedom(np.array([1.0, -1] * 10)) == 19
    # 90 of 100 at 0 and 10 at 1: deviations .1 and .9, squares' kurtosis .0657/.09^2 = 73/9.
    values = np.repeat([0.0, 1.0], [90, 10])
    assert degrees_of_freedom(values) == pytest.approx(2 * 100 / (73 / 9 - 1))
    assert degrees_of_freedom(np.eye(50)[0]) == 4  # one carries all: 100/47 is below the least
    assert degrees_of_freedom(np.ones(9)) == 8


def test_a_perfect_correlation_is_that_of_all_clusters_but_those_not_seen() -> None:
    # Of 20 perfect clusters the hedged lower end is Beta(20.25, 1): .025^(1/20.25).
    least = 0.025 ** (1 / 20.25)
    found = perfect_interval(1.0, 20, 0.95)
    assert (found.low, found.high) == (pytest.approx(least), 1)
    mirrored = perfect_interval(-1.0, 20, 0.95, of_pairs=True)
    assert (mirrored.low, mirrored.high) == (-1, pytest.approx(-(least**2)))


def test_one_error_among_equal_scores_leaves_an_interval_of_use() -> None:
    x = np.arange(100.0) % 5
    y = x.copy()
    y[3] -= 2
    alone = left_out_groups(np.arange(100), Draw(200, 1, 0.95))
    for statistic in STATISTICS:
        spread = fisher_spread(statistic, x, y, alone, moments=True)
        assert spread is not None
        interval = spread.interval(0.95)
        assert 0.5 < interval.low < 0.95
        assert 0.99 < interval.high < 1


def test_correlations_cover_by_cluster() -> None:
    """Items in clusters of five with a shared error: the interval still covers Pearson's r."""
    rng = np.random.default_rng(4)
    groups = left_out_groups(np.repeat(np.arange(40), 5), Draw(200, 1, 0.95))
    hits, reps = 0, 120
    # x = u + e, y = u + f with u shared by the cluster: correlation 1/2
    for _ in range(reps):
        u = np.repeat(rng.normal(size=40), 5)
        x, y = u + rng.normal(size=200), u + rng.normal(size=200)
        spread = fisher_spread(pearson, x, y, groups, moments=True)
        assert spread is not None
        hits += 0.5 in spread.interval(0.95)
    assert hits >= 0.9 * reps


def test_ranks_of_nearly_one_order_are_held() -> None:
    """Spearman's of 100 pairs lies below that of many, by as much as its interval reaches."""
    rng, reps, r = np.random.default_rng(8), 200, 0.999
    alone = left_out_groups(np.arange(100), Draw(200, 1, 0.95))
    truth = 6 / np.pi * np.arcsin(r / 2)
    held, held_without, ratios = 0, 0, []
    for _ in range(reps):
        x, noise = rng.normal(size=(2, 100))
        spread = fisher_spread(spearman, x, r * x + np.sqrt(1 - r**2) * noise, alone)
        assert spread is not None
        assert spread.missed > 0
        interval, before = spread.interval(0.95), replace(spread, missed=0.0).interval(0.95)
        held, held_without = held + (truth in interval), held_without + (truth in before)
        ratios.append((interval.high - interval.low) / (before.high - before.low))
    assert held >= 0.93 * reps
    assert held_without < 0.88 * reps
    assert np.mean(ratios) < 1.25


def test_an_end_moves_by_what_is_missed_and_no_further_than_its_reach() -> None:
    spread = FisherSpread(0.5, 0.1, 30.0, "by hand")
    plain = spread.interval(0.95)
    lower = replace(spread, missed=-0.05).interval(0.95)
    assert lower.high == plain.high
    assert np.arctanh(lower.low) == pytest.approx(np.arctanh(plain.low) - 0.05)
    reach = np.arctanh(plain.high) - np.arctanh(0.5)
    furthest = replace(spread, missed=9.0).interval(0.95)
    assert furthest.low == plain.low
    assert np.arctanh(furthest.high) == pytest.approx(np.arctanh(0.5) + 2 * reach)
