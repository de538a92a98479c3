"""Intervals of scores, ranks and agreement."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.rank.uncertainty import (
    differences,
    hedged_ends,
    hull_ends,
    percentile_ends,
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


def test_a_system_that_never_failed_may_fail_on_three_in_n_prompts() -> None:
    more = np.random.default_rng(0).exponential(size=20_000)
    draws = np.ones((20_000, 1))
    low, high = hedged_ends(
        draws, more, (0.0, 1.0), np.zeros(1), confidence_level=0.95, n_clusters=100
    )
    assert high == pytest.approx([1.0])
    # The tail of Student's t with 99 degrees of freedom leaves .0230: 1 / (1 + log(1/.0230) / 100).
    assert low == pytest.approx([1 / (1 + 0.0377)], abs=5e-4)


def test_beside_few_prompts_that_count_one_more_weighs_more() -> None:
    more = np.random.default_rng(0).exponential(size=20_000)
    given = {"confidence_level": 0.95, "n_clusters": 100}
    low, _ = hedged_ends(
        np.ones((20_000, 2)), more[:, None] / [1.0, 0.2], (0.0, 1.0), np.zeros(2), **given
    )
    # As of 100 prompts and of 20, with the tail of all 100.
    assert 1 / low - 1 == pytest.approx([0.0377, 0.1885], abs=2e-3)


def test_what_is_not_rare_is_hardly_hedged() -> None:
    rng = np.random.default_rng(1)
    draws = rng.normal(0.5, 0.02, (4000, 1))
    given = {"confidence_level": 0.95, "n_clusters": 600}
    plain = percentile_ends(draws, **given)
    more = rng.exponential(size=4000)
    rare, common = (
        hedged_ends(draws, more, (0.0, 1.0), np.array([e]), **given) for e in (0.0, 600.0)
    )
    length = [float((high - low)[0]) for low, high in (plain, common, rare)]
    assert length[0] <= length[1] < 1.002 * length[0]
    assert 1.01 * length[0] < length[2] < 1.04 * length[0]


def test_ranks_of_clear_and_unclear_systems() -> None:
    rng = np.random.default_rng(1)
    observed = np.array([5.0, 1.01, 1.0, -5.0])
    draws = observed + rng.normal(0, 0.5, (2000, 4))
    found = differences(observed, draws, confidence_level=0.95, n_clusters=200)
    low, high = found.places
    assert low.tolist() == [1, 2, 2, 4]
    assert high.tolist() == [1, 3, 3, 4]
    assert [place(a, b) for a, b in zip(low, high, strict=True)] == [
        "1st",
        "2nd to 3rd",
        "2nd to 3rd",
        "4th",
    ]
    # Six pairs: t with 199 degrees at 1 - .05 / 12 is 2.666; a difference has error .5 x root 2.
    reach = 2.666 * 0.5 * np.sqrt(2)
    assert found.ends(0, 1) == pytest.approx((3.99 - reach, 3.99 + reach), abs=0.06)


def test_unranked_system_has_no_rank() -> None:
    observed = np.array([1.0, np.nan, 0.0])
    draws = np.tile(observed, (100, 1)) + np.random.default_rng(0).normal(0, 0.01, (100, 3))
    low, high = differences(observed, draws, confidence_level=0.95, n_clusters=50).places
    assert (low[1], high[1]) == (0, 0)
    assert (low[0], high[2]) == (1, 2)


def test_a_system_that_resamples_lack_may_have_any_place() -> None:
    rng = np.random.default_rng(0)
    observed = np.array([2.0, 1.0, 0.0])
    draws = observed + rng.normal(0, 0.01, (100, 3))
    draws[:60, 1] = np.nan  # a system on few prompts: most resamples lack it
    low, high = differences(observed, draws, confidence_level=0.95, n_clusters=50).places
    assert (low.tolist(), high.tolist()) == ([1, 1, 2], [2, 3, 3])
    draws[:, 1] = np.nan
    low, high = differences(observed, draws, confidence_level=0.95, n_clusters=50).places
    assert (low.tolist(), high.tolist()) == ([1, 1, 2], [2, 3, 3])


@pytest.mark.parametrize(("clusters", "told"), [(4, False), (8, True)])
def test_a_difference_that_never_varies(clusters: int, told: bool) -> None:
    # As good on every prompt: so many prompts agree by chance in 2 / 2^C of all cases.
    draws = np.tile([1.0, 0.0], (100, 1))
    found = differences(draws[0], draws, confidence_level=0.95, n_clusters=clusters)
    assert bool(found.above[0, 1]) is told
    assert not found.above[1, 0]
    assert found.half[0, 1] == np.inf


def test_unequal_clusters_reach_as_far_as_the_equal_ones_they_are_worth() -> None:
    rng = np.random.default_rng(4)
    observed, drawn = np.array([0.3, 0.0]), rng.normal(0, 0.1, (200, 2))
    equal = differences(observed, drawn, confidence_level=0.95, n_clusters=20)
    few = differences(observed, drawn, confidence_level=0.95, n_clusters=20, worth=3.0)
    same = differences(observed, drawn, confidence_level=0.95, n_clusters=20, worth=20.0)
    assert same.half[0, 1] == pytest.approx(equal.half[0, 1])
    assert few.half[0, 1] == pytest.approx(equal.half[0, 1] * 4.3027 / 2.0930, rel=1e-3)
