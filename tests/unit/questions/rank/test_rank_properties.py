"""What must hold for rankings whatever the data."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from goldassay.formulas.comparisons import Outcomes, comparisons_from_scores, win_rates
from goldassay.formulas.orders import kendall_tau
from goldassay.formulas.strength import fit
from goldassay.questions.rank.aggregation import mean_scores, win_rate_scores
from goldassay.questions.rank.behaviour import beta_curve, bias_delta, decisiveness, system_bias

LIKERT = arrays(
    np.float64,
    st.tuples(st.integers(4, 14), st.integers(2, 5)),
    elements=st.integers(1, 5).map(float),
)
SEEDS = st.integers(0, 2**32 - 1)


def distinct(seed: int, prompts: int = 25, systems: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(prompts, systems)) + rng.normal(size=systems)


@given(LIKERT)
@settings(max_examples=60, deadline=None)
def test_win_rates_of_the_two_orders_add_to_one(scores: np.ndarray) -> None:
    forward = win_rates(comparisons_from_scores(scores).observed())
    backward = win_rates(comparisons_from_scores(scores[:, ::-1]).observed())[::-1]
    n = scores.shape[1]
    order = [(n - 1 - b, n - 1 - a) for a in range(n) for b in range(a + 1, n)]
    index = {pair: i for i, pair in enumerate((a, b) for a in range(n) for b in range(a + 1, n))}
    mirrored = np.array([backward[::-1][index[pair]] for pair in order])
    known = ~np.isnan(forward)
    assert np.allclose(forward[known], 1 - mirrored[known])


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_win_rate_and_bradley_terry_order_alike_without_ties(seed: int) -> None:
    scores = distinct(seed)
    compared = comparisons_from_scores(scores)
    fitted = fit(compared.pairs, compared.observed())
    if not fitted.components.connected:
        return
    rates = win_rate_scores(compared.pairs, compared.resampled(np.ones((1, len(scores)))))[0]
    assert float(kendall_tau(fitted.strengths.round(9), rates.round(9))) > 1 - 1e-9


@given(LIKERT)
@settings(max_examples=60, deadline=None)
def test_monotone_transforms_change_no_comparison(scores: np.ndarray) -> None:
    one, two = (comparisons_from_scores(x).observed() for x in (scores, np.exp(scores) - 7))
    assert (one.wins == two.wins).all()
    assert (one.ties == two.ties).all()


@given(LIKERT, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_relabelling_systems_relabels_everything(scores: np.ndarray, random: object) -> None:
    order = list(range(scores.shape[1]))
    random.shuffle(order)  # type: ignore[attr-defined]
    one, two = comparisons_from_scores(scores), comparisons_from_scores(scores[:, order])
    ones = np.ones((1, len(scores)))
    rates = [win_rate_scores(c.pairs, c.resampled(ones))[0] for c in (one, two)]
    ours, theirs = rates[0][order], rates[1]
    np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))
    known = ~np.isnan(ours)  # a system that nobody was compared with has no rate
    assert np.allclose(ours[known], theirs[known])
    fitted = [fit(c.pairs, c.observed()).strengths for c in (one, two)]
    finite = np.isfinite(fitted[0][order])
    if (
        np.isfinite(fitted[1]) == finite
    ).all():  # equally large components may swap the role of main
        assert np.allclose(fitted[0][order][finite], fitted[1][finite], atol=1e-7)
    assert np.allclose(mean_scores(scores, ones)[0][order], mean_scores(scores[:, order], ones)[0])


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_a_judge_that_is_the_gold_has_no_behaviour_of_its_own(seed: int) -> None:
    compared = comparisons_from_scores(distinct(seed))
    rates = win_rates(compared.observed())
    shape = decisiveness(rates, rates)
    if shape is None or set(np.unique(rates)) <= {0.0, 0.5, 1.0}:
        return
    assert abs(shape - 1) < 1e-6
    bias = system_bias(compared.pairs, rates, beta_curve(rates, shape))
    assert float(bias_delta(bias)) < 1e-6


@given(SEEDS, st.floats(0.2, 30))
@settings(max_examples=25, deadline=None)
def test_more_decisive_judges_have_larger_shapes(seed: int, shape: float) -> None:
    gold = np.random.default_rng(seed).uniform(0.05, 0.95, 40)
    found = decisiveness(beta_curve(gold, shape), gold)
    assert found is not None
    assert abs(found / shape - 1) < 1e-4


@given(LIKERT)
@settings(max_examples=40, deadline=None)
def test_duplicating_every_prompt_keeps_strengths(scores: np.ndarray) -> None:
    compared = comparisons_from_scores(scores)
    once = compared.observed()
    twice = Outcomes(2 * once.wins, 2 * once.losses, 2 * once.ties)
    one, two = (fit(compared.pairs, o).strengths for o in (once, twice))
    finite = np.isfinite(one)
    assert (np.isfinite(two) == finite).all()
    assert np.allclose(one[finite], two[finite], atol=1e-7)
