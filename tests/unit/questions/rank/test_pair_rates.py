"""Win rates of pairs: what is told without making them is what they tell."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas.comparisons import comparisons_from_scores, pairs_of, win_rates
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.pair_rates import PairRates, PairSides, PeopleSide

SYSTEMS, PROMPTS, RESAMPLES = 7, 60, 50


def sides(*, missing: bool) -> tuple[PairSides, PairSides, PairRates, PairRates]:
    """A judge beside people, with their side made once and made anew."""
    rng = np.random.default_rng(3)
    truth = np.linspace(0, 1, SYSTEMS)
    judge, human = (truth + rng.normal(size=(PROMPTS, SYSTEMS)) for _ in range(2))
    if missing:
        human[:, 2] = np.nan
    weights = rng.multinomial(PROMPTS, np.full(PROMPTS, 1 / PROMPTS), RESAMPLES)
    by_judge, by_people = comparisons_from_scores(judge), comparisons_from_scores(human)
    seen, drawn = by_people.observed(), by_people.resampled(weights)
    rates = [
        one.wins / np.where(one.wins + one.losses > 0, one.wins + one.losses, np.nan)
        for one in (seen, drawn)
    ]
    gold = Gold("people", np.nanmean(human, axis=0), rates[0], None, rates[1])
    once = PeopleSide(pairs_of(SYSTEMS), rates[0], rates[1], PROMPTS)
    found = []
    for theirs in (once, None):
        both = PairSides(by_judge, gold, theirs)
        told = both.statistics(slice(0, RESAMPLES), by_judge.resampled(weights))
        common = both.common
        pair = PairRates(
            both.pairs,
            np.where(common, both.rates, np.nan),
            np.where(common, gold.rates, np.nan),
            (told["effects"], told["people_effects"]),
            both.some,
            PROMPTS,
            both.people,
        )
        found.append((both, pair))
    (first, one), (second, two) = found
    return first, second, one, two


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("missing", [False, True])
def test_people_are_the_same_beside_every_judge(missing: bool) -> None:
    first, second, one, two = sides(missing=missing)
    assert first.people is not None
    assert second.people is None
    np.testing.assert_allclose(one.effects[1], two.effects[1], rtol=0, atol=1e-14)
    assert one._links[1].slope == two._links[1].slope
    np.testing.assert_allclose(one._links[1].rest, two._links[1].rest, rtol=0, atol=1e-14)


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("missing", [False, True])
def test_accuracy_is_that_of_the_orders(missing: bool) -> None:
    _, _, one, _ = sides(missing=missing)
    rng = np.random.default_rng(5)
    drawn = rng.normal(0, 0.1, (200, len(one.systems))), rng.normal(0, 0.1, (200, len(one.systems)))
    known = ~(np.isnan(one.judge) | np.isnan(one.people))
    gaps = [one.pairs.gaps(one._every(side)) for side in drawn]
    alike = (np.sign(gaps[0]) * np.sign(gaps[1]))[:, known]
    assert len(np.unique(one.accuracy(drawn))) > 5
    np.testing.assert_allclose(one.accuracy(drawn), (1 + alike.mean(1)) / 2)


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("missing", [False, True])
def test_the_bias_is_the_mean_difference_of_win_rates(missing: bool) -> None:
    """Of whole rates it is made of means that are there already, else of the rates themselves."""
    rng = np.random.default_rng(4)
    judge, human = (rng.normal(size=(PROMPTS, SYSTEMS)) for _ in range(2))
    if missing:
        human[1:, 3] = np.nan  # a resample without the first prompt has no rate of its pairs
        judge[3:, 1] = np.nan
    weights = rng.multinomial(PROMPTS, np.full(PROMPTS, 1 / PROMPTS), RESAMPLES)
    by_judge, by_people = comparisons_from_scores(judge), comparisons_from_scores(human)
    rates = win_rates(by_people.observed()), win_rates(by_people.resampled(weights))
    gold = Gold("people", np.nanmean(human, axis=0), rates[0], None, rates[1])
    drawn = by_judge.resampled(weights)
    told = PairSides(by_judge, gold).statistics(slice(0, RESAMPLES), drawn)["bias"]
    gap, pairs = win_rates(drawn) - rates[1], pairs_of(SYSTEMS)
    assert np.isnan(gap).any() == missing
    for system in range(SYSTEMS):
        leads = np.hstack([gap[:, pairs.first == system], -gap[:, pairs.second == system]])
        np.testing.assert_allclose(told[:, system], np.nanmean(leads, axis=1), rtol=0, atol=1e-14)
