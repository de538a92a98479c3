"""Intervals of scores, ranks and agreement."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.rank.uncertainty import (
    hull_ends,
    isotonic,
    percentile_ends,
    rank_intervals,
)
from goldassay.questions.rank.words import place


def test_percentiles_widen_for_few_clusters() -> None:
    draws = np.random.default_rng(0).normal(size=4000)
    many = percentile_ends(draws, confidence_level=0.95, n_clusters=100_000)
    few = percentile_ends(draws, confidence_level=0.95, n_clusters=8)
    assert many == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=1e-3)
    assert few[0] < many[0] < many[1] < few[1]


def test_infinite_replicates_make_an_open_end() -> None:
    draws = np.concatenate([np.linspace(0, 1, 900), np.full(100, np.inf)])
    low, high = percentile_ends(draws, confidence_level=0.95, n_clusters=1000)
    assert np.isfinite(low)
    assert high == np.inf


def test_mostly_undefined_is_no_interval() -> None:
    draws = np.concatenate([np.linspace(0, 1, 400), np.full(600, np.nan)])
    assert np.isnan(percentile_ends(draws, confidence_level=0.95, n_clusters=100)).all()


def test_hull_holds_the_percentiles_and_their_mirror_image() -> None:
    draws = np.linspace(1, 3, 1001)
    low, high = hull_ends(1.5, draws, confidence_level=0.95, n_clusters=10**6)
    assert (low, high) == pytest.approx((3 - 2.95, 2.95), abs=1e-3)


def test_isotonic_pools_neighbours() -> None:
    assert isotonic(np.array([1.0, 3.0, 2.0, 4.0])) == pytest.approx([1, 2.5, 2.5, 4])
    assert isotonic(np.array([3.0, 2.0, 1.0])) == pytest.approx([2, 2, 2])


def test_ranks_of_clear_and_unclear_systems() -> None:
    rng = np.random.default_rng(1)
    observed = np.array([5.0, 1.01, 1.0, -5.0])
    draws = observed + rng.normal(0, 0.5, (2000, 4))
    low, high = rank_intervals(observed, draws, confidence_level=0.95)
    assert low.tolist() == [1, 2, 2, 4]
    assert high.tolist() == [1, 3, 3, 4]
    assert [place(a, b) for a, b in zip(low, high, strict=True)] == [
        "1st",
        "2nd to 3rd",
        "2nd to 3rd",
        "4th",
    ]


def test_unranked_system_has_no_rank() -> None:
    observed = np.array([1.0, np.nan, 0.0])
    draws = np.tile(observed, (100, 1)) + np.random.default_rng(0).normal(0, 0.01, (100, 3))
    low, high = rank_intervals(observed, draws, confidence_level=0.95)
    assert (low[1], high[1]) == (0, 0)
    assert (low[0], high[2]) == (1, 2)
