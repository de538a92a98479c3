"""E-processes: exact means, hand arithmetic, bands that hold, and moments that are found."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from goldassay.inference.sequential import (
    anytime_factor,
    anytime_limits,
    anytime_stratified_limits,
    candidate_moments,
    change_factor,
    change_limits,
    change_path,
    contrast_effect,
    joined,
    log_evidence,
    log_evidence_of_change,
    moment_fits,
    repeated_path,
    spread_between_batches,
)


def test_the_evidence_by_hand() -> None:
    """One hit in one trial against p: the mixture's mean is p itself, so that it is 1."""
    assert float(log_evidence(1, 1, 0.3, 30.0)) == pytest.approx(0.0, abs=1e-12)
    # Two hits against 1/2 with Beta(1, 1): B(3, 1) / B(1, 1) / (1/4) = (1/3) * 4.
    assert float(log_evidence(2, 2, 0.5, 2.0)) == pytest.approx(math.log(4 / 3))


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.9])
@pytest.mark.parametrize("strength", [0.5, 30.0])
def test_the_mean_of_the_evidence_is_one(rate: float, strength: float) -> None:
    """Over all sequences of eight trials, exactly."""
    total = 0.0
    for hits in range(9):
        ways = math.comb(8, hits) * rate**hits * (1 - rate) ** (8 - hits)
        total += ways * math.exp(float(log_evidence(hits, 8, rate, strength)))
    assert total == pytest.approx(1.0)


def test_numbers_between_zero_and_one_have_a_mean_of_at_most_one() -> None:
    """Grades 0, 1/2 and 1 with mean 0.4: half grades count as half a hit."""
    chances = {0.0: 0.4, 0.5: 0.4, 1.0: 0.2}
    total = 0.0
    for grades in product(chances, repeat=5):
        chance = math.prod(chances[one] for one in grades)
        total += chance * math.exp(float(log_evidence(sum(grades), 5, 0.4, 3.0)))
    assert total < 1.0


@pytest.mark.parametrize("rate", [0.05, 0.5, 0.8])
def test_the_mean_of_the_evidence_of_a_change_is_at_most_one(rate: float) -> None:
    total = 0.0
    for before, after in product(range(11), range(8)):
        chance = math.comb(10, before) * rate**before * (1 - rate) ** (10 - before)
        chance *= math.comb(7, after) * rate**after * (1 - rate) ** (7 - after)
        total += chance * math.exp(float(log_evidence_of_change((before, 10), (after, 7))))
    assert 0.3 < total <= 1.0


def test_the_least_evidence_is_found() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        n0, n1 = rng.integers(5, 400, 2)
        h0, h1 = rng.integers(0, n0 + 1), rng.integers(0, n1 + 1)
        rates = np.linspace(1e-6, 1 - 1e-6, 20001)
        every = log_evidence(h0, n0, rates, n0 / 4) + log_evidence(h1, n1, rates, 30.0)
        found = float(log_evidence_of_change((h0, n0), (h1, n1)))
        assert found == pytest.approx(float(every.min()), abs=2e-3)


def test_a_change_of_a_rate_is_between_its_limits() -> None:
    # 700 of 1,000 before and 600 of 1,000 after: the limits hold -0.1 and are not far from it.
    low, high = change_limits((700, 1000), (600, 1000), log_bound=math.log(20))
    assert low < -0.1 < high < -0.02
    assert low == pytest.approx(-0.1 - (high + 0.1), abs=0.01)  # nearly symmetric
    assert [float(one) for one in change_limits((0, 0), (3, 5), log_bound=3.0)] == [-1.0, 1.0]
    at_ends = log_evidence_of_change((700, 1000), (600, 1000), np.array([low, high]))
    assert at_ends == pytest.approx([math.log(20)] * 2, abs=1e-3)


@pytest.mark.parametrize("batches", [2, 10, 100, 5000])
@pytest.mark.parametrize("reference", [0, 1, 3])
def test_weights_of_moments_sum_to_at_most_one(batches: int, reference: int) -> None:
    moments = candidate_moments(batches, reference=min(reference, batches - 1))
    assert 0 < np.exp(moments.log_weight).sum() <= 1
    first = max(min(reference, batches - 1), 1)
    assert moments.at.min() >= first
    assert moments.at.max() <= batches - 1
    assert (np.diff(moments.at) > 0).all()


def test_weights_of_all_time_to_come_sum_to_at_most_one() -> None:
    """What is left beyond 10 million batches is less than 1 / (2.2 log(10^7)) with its steps."""
    shown = np.exp(candidate_moments(10_000_000).log_weight).sum()
    assert shown + 1.04 / (2.2 * math.log(1e7)) <= 1


def test_a_path_is_what_a_naive_program_adds_up() -> None:
    hits = np.array([7, 6, 8, 2, 1, 3])
    trials = np.full(6, 10)
    moments = candidate_moments(6)
    found = change_path(hits, trials, moments)
    weights = {int(at): math.exp(w) for at, w in zip(moments.at, moments.log_weight, strict=True)}
    for last in range(1, 6):
        total = 0.0
        for moment in range(1, last + 1):
            before = int(hits[:moment].sum()), 10 * moment
            after = int(hits[moment : last + 1].sum()), 10 * (last + 1 - moment)
            total += weights[moment] * math.exp(float(log_evidence_of_change(before, after)))
        # What could not matter is left out: never more than the naive sum, and hardly less.
        assert math.exp(found.log_e[last]) <= total * 1.0001
        assert math.exp(found.log_e[last]) > total - 0.37 * len(weights) * max(weights.values())
    assert moment_fits(hits, trials).argmax() == 2  # the fourth batch is the first that is lower


def test_a_change_is_found_and_none_is_not() -> None:
    rng = np.random.default_rng(8)
    trials = np.full((40, 60), 100)
    steady = rng.binomial(100, 0.7, (40, 60))
    moved = np.concatenate([steady[:, :30], rng.binomial(100, 0.5, (40, 30))], 1)
    moments = candidate_moments(60)
    assert (change_path(steady, trials, moments).log_e.max(1) < math.log(20)).all()
    found = change_path(moved, trials, moments).log_e
    assert (found[:, :30].max(1) < math.log(20)).all()
    assert (found[:, 34] >= math.log(20)).all()


def test_a_judges_noise_on_fixed_items_is_no_change() -> None:
    """Items at a coin's toss raise nothing; five of fifty that flip for good do, at once."""
    rng = np.random.default_rng(2)
    rates = np.where(np.arange(50) < 10, 0.5, np.where(np.arange(50) < 30, 1.0, 0.0))
    hits = rng.binomial(1, rates[:, None], (50, 40))
    trials = np.ones((50, 40), np.int64)
    moments = candidate_moments(40)
    assert repeated_path(hits, trials, moments).log_e.max() < math.log(20)
    hits[20:25, 20:] = 0
    found = repeated_path(hits, trials, moments)
    assert found.log_e[:20].max() < math.log(20)
    first = next((k for k, e in enumerate(found.log_e) if e >= math.log(20)), None)
    assert first in range(20, 24)


def test_an_items_evidence_has_a_mean_of_at_most_one() -> None:
    """Two items, five batches, all 2^10 outcomes: the path's end, at any rates."""
    moments = candidate_moments(5)
    for rates in ((0.5, 0.9), (0.1, 0.1)):
        total = 0.0
        for outcome in product((0, 1), repeat=10):
            hits = np.array(outcome).reshape(2, 5)
            chance = math.prod(
                rates[i] if hits[i, t] else 1 - rates[i] for i in range(2) for t in range(5)
            )
            total += chance * math.exp(repeated_path(hits, np.ones((2, 5)), moments).log_e[-1])
        assert total <= 1.0


def test_a_band_holds_at_all_moments_at_once() -> None:
    rng = np.random.default_rng(11)
    hits = np.cumsum(rng.random((400, 2000)) < 0.7, 1)
    at = np.arange(1, 2001)
    # The band holds 0.7 where the evidence against 0.7 is below 20.
    left = log_evidence(hits, at, 0.7, 30.0) >= math.log(20)
    assert left.any(1).mean() <= 0.05
    low, high = anytime_limits(hits[0, 99], 100)
    ends = log_evidence(hits[0, 99], 100, np.array([low, high]), 30.0)
    assert ends == pytest.approx([math.log(20)] * 2, abs=1e-6)
    assert anytime_limits(0, 10)[0] == 0.0
    assert anytime_limits(10, 10)[1] == 1.0


def test_clusters_that_vary_widen_a_change_and_recurring_ones_do_not() -> None:
    rng = np.random.default_rng(4)
    batch = np.repeat(np.arange(40), 20)
    sizes = np.full(800, 10.0)
    alone = rng.binomial(10, 0.6, 800).astype(float)
    each = np.arange(800)
    assert contrast_effect(alone, sizes, batch, each) < 1.4
    # Whole clusters of ten equal verdicts: ten times the variance.
    whole = 10.0 * rng.binomial(1, 0.6, 800)
    assert 6 < contrast_effect(whole, sizes, batch, each) < 16
    # The same twenty clusters in every batch, each with its own rate: they cancel.
    own = np.tile(rng.beta(1, 1, 20), 40)
    again = rng.binomial(10, own).astype(float)
    assert contrast_effect(again, sizes, batch, np.tile(np.arange(20), 40)) < 1.5


def test_evidence_is_joined_by_its_mean_and_weighed_by_factors() -> None:
    assert float(joined([math.log(3.0), math.log(1.0)])) == pytest.approx(math.log(2.0))
    assert change_factor((70, 100), (70, 100)) < -1
    assert change_factor((70, 100), (20, 100)) > 10


def test_a_band_of_strata_holds_at_all_moments_at_once() -> None:
    """Two strata, true rates .9 and .2, a pool of 600 and 400: the truth is .62."""
    rng = np.random.default_rng(3)
    stratum, chance = np.moveaxis(rng.random((60, 2, 400)), 1, 0)
    each = np.stack([stratum >= 0.4, stratum < 0.4], -1)
    hit = chance < np.where(each[..., 1], 0.2, 0.9)
    at = np.arange(9, 400, 10)
    trials, hits = each.cumsum(1)[:, at], (each & hit[..., None]).cumsum(1)[:, at]
    low, high = anytime_stratified_limits([600, 400], hits, trials)
    assert ((low > 0.62) | (high < 0.62)).any(1).sum() <= 6
    # Shorter than each stratum's own band with half of the error.
    apart = [anytime_limits(hits[-1, -1], trials[-1, -1], confidence_level=0.975)]
    assert high[-1, -1] - low[-1, -1] < (apart[0][1] - apart[0][0]) @ [0.6, 0.4]
    # Three strata: each has a third of the error.
    low, high = anytime_stratified_limits([1, 1, 2], [5, 5, 5], [10, 10, 10])
    third = anytime_limits(5, 10, confidence_level=1 - 0.05 / 3)
    assert (float(low), float(high)) == pytest.approx([float(one) for one in third])


@pytest.mark.parametrize("trials", [50, 200, 2000])
def test_what_a_band_costs_in_trials(trials: int) -> None:
    """As many trials as said make the band as long as the interval of a fixed number."""
    more = round(anytime_factor(trials, 0.95) * trials)
    low, high = anytime_limits(0.5 * more, more)
    assert float(high - low) == pytest.approx(2 * 1.96 * math.sqrt(0.25 / trials), rel=0.06)


def test_the_fit_of_each_moment_by_hand() -> None:
    """Batches 1 of 4, 2 of 4, 3 of 4: one rate before the moment and one after."""

    def fit(hits: int, trials: int) -> float:
        share = hits / trials
        return hits * math.log(share) + (trials - hits) * math.log(1 - share)

    expected = [fit(1, 4) + fit(5, 8), fit(3, 8) + fit(3, 4)]
    assert moment_fits([1, 2, 3], [4, 4, 4]) == pytest.approx(expected)


def test_batches_that_vary_by_chance_count_whole_and_others_less() -> None:
    rng = np.random.default_rng(1)
    trials = np.full(200, 50.0)
    by_chance = [
        spread_between_batches(rng.binomial(50, 0.7, 200) * 1.0, trials) for _ in range(40)
    ]
    assert np.mean(np.array(by_chance) > 1) < 0.35
    # Beta rates with (50 - 1) x correlation + 1 = 4 times the variance of chance.
    strength = 49 / 3 - 1
    rate = rng.beta(0.7 * strength, 0.3 * strength, 200)
    assert spread_between_batches(rng.binomial(50, rate) * 1.0, trials) == pytest.approx(4, abs=1)


def test_one_change_is_no_spread_between_batches() -> None:
    hits = np.where(np.arange(40) < 20, 40.0, 20.0)
    assert spread_between_batches(hits, np.full(40, 50.0)) == 1.0


def test_few_batches_and_rates_at_an_end_show_no_spread() -> None:
    assert spread_between_batches(np.array([0.0, 9.0, 0.0]), np.full(3, 10.0)) == 1.0
    assert spread_between_batches(np.zeros(9), np.full(9, 10.0)) == 1.0
    holes = np.array([5.0, 0.0, 5.0, 0.0, 5.0, 5.0])
    assert spread_between_batches(holes, 2 * holes) == 1.0


def test_few_clusters_show_no_effect_on_a_contrast() -> None:
    batch, cluster = np.repeat([0, 1], 3), np.array(["a", "b", "c"] * 2)
    hits, trials = np.array([9.0, 0.0, 9.0, 0.0, 9.0, 0.0]), np.full(6, 10.0)
    assert contrast_effect(hits, trials, batch, cluster) == 1.0
    four = np.array(["a", "b", "c", "d", "e", "f"])
    assert contrast_effect(hits, trials, batch, four) > 1.0
    assert contrast_effect(np.zeros(6), np.zeros(6), batch, four) == 1.0  # and no trial
