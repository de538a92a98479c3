"""Few raters: the jackknife, drawn panels, halves, and how many ratings a decision needs."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import factorial, prod

import numpy as np
import pytest

from goldassay.formulas.distributions import (
    jensen_shannon,
    kl_divergence,
    mean_squared_error,
    positive,
)
from goldassay.questions.audit import raters as r


def expectation(metric, judge: np.ndarray, p: np.ndarray, n: int, order: int) -> float:  # type: ignore[no-untyped-def]
    """Exact mean of the corrected value over every outcome of n raters (order 0: not corrected)."""
    total = 0.0
    for counts in product(range(n + 1), repeat=len(p)):
        if sum(counts) != n:
            continue
        ways = factorial(n) / prod(map(factorial, counts)) * prod(p**counts)
        c = np.array([counts], dtype=float)
        statistic = partial(metric, judge)
        found = r.jackknife(statistic, c, order=order) if order else statistic(c / n)
        total += ways * float(found[0])
    return total


@pytest.mark.parametrize("n", [2, 3, 5])
def test_squared_error_is_corrected_exactly(n: int) -> None:
    judge, p = np.array([0.7, 0.2, 0.1]), np.array([0.5, 0.3, 0.2])
    truth = mean_squared_error(judge, p)
    plain = expectation(mean_squared_error, judge, p, n, 0)
    assert plain == pytest.approx(truth + (1 - (p**2).sum()) / n)  # the price of few raters
    assert expectation(mean_squared_error, judge, p, n, 1) == pytest.approx(truth)


@pytest.mark.parametrize("metric", [jensen_shannon, kl_divergence])
def test_most_of_the_bias_of_divergences_is_removed(metric) -> None:  # type: ignore[no-untyped-def]
    judge, p = np.array([0.7, 0.2, 0.1]), np.array([0.5, 0.3, 0.2])
    truth = float(metric(judge, p))
    plain, first, second = (abs(expectation(metric, judge, p, 6, o) - truth) for o in range(3))
    assert first < plain / 2
    assert second < plain / 2


def test_one_rater_is_not_corrected() -> None:
    c = np.array([[1.0, 0, 0]])
    statistic = partial(jensen_shannon, np.array([0.7, 0.2, 0.1]))
    assert r.jackknife(statistic, c, order=2) == statistic(c)


def test_fit_recovers_the_prior_that_made_the_counts() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([[6.0, 1, 1], [0.5, 2, 0.5]])
    x = np.eye(2)[rng.integers(0, 2, 4000)]
    shares = np.array([rng.dirichlet(a) for a in x @ truth])
    counts = rng.multinomial(8, shares)
    found = r.fit_panel(x, counts)
    np.testing.assert_allclose(found.pseudo_counts, truth, rtol=0.12)
    assert r.identified(counts)
    of_one_option = (counts > 0) * [1.0, 0, 0]
    assert not r.identified(of_one_option)


def likelihood(a_matrix: np.ndarray, x: np.ndarray, counts: np.ndarray) -> float:
    from scipy.special import gammaln

    a, n = x @ a_matrix, counts.sum(-1)
    ratio = gammaln(a.sum(-1)) - gammaln(a.sum(-1) + n)
    return float((ratio + (gammaln(a + counts) - gammaln(a)).sum(-1)).sum())


def test_the_fit_is_the_maximum_of_the_likelihood() -> None:
    rng = np.random.default_rng(2)
    x = rng.dirichlet(np.ones(3), 80)
    counts = rng.multinomial(4, rng.dirichlet(np.ones(3), 80))
    found = r.fit_panel(x, counts).pseudo_counts
    best = likelihood(found, x, counts)
    assert best > likelihood(r.fit_panel(x, counts, cycles=400).pseudo_counts, x, counts) - 0.05
    for _ in range(50):
        moved = found * np.exp(0.1 * rng.standard_normal((3, 3)))
        assert likelihood(moved, x, counts) < best + 0.05


def test_raters_who_share_one_distribution_are_seen_to() -> None:
    # every item has the same shares: the concentration has no upper end, and the fit finds that
    rng = np.random.default_rng(3)
    counts = rng.multinomial(3, [0.6, 0.4], 300)
    found = r.fit_panel(np.ones((300, 1)), counts)
    assert found.pseudo_counts.sum() > 30


def test_how_far_the_concentration_may_be_from_its_fit() -> None:
    rng = np.random.default_rng(6)
    x = np.ones((200, 1))
    shares = rng.dirichlet([3.0, 2.0], 200)
    found = {}
    for k in (2, 50):
        counts = rng.multinomial(k, shares)
        fit = r.fit_panel(x, counts)
        low, high = r.concentration_ends(x, counts, fit, level=0.95).ravel()
        found[k] = float(high / low)
        total = float(fit.pseudo_counts.sum())
        assert low * total <= 5 * 1.2  # the truth, 3 + 2, up to the steps of the grid
        assert high * total >= 5 / 1.2
    assert found[50] < 2 < found[2]
    # raters who all agree: no concentration is too low
    same = np.eye(2)[rng.integers(0, 2, 100)] * 3
    wide = r.Panel(np.ones((1, 2)))
    low, high = r.concentration_ends(np.ones((100, 1)), same, wide, level=0.95).ravel()
    assert low == r.FACTORS[0]
    assert high < 1


def test_fits_of_many_judges_are_those_of_each() -> None:
    rng = np.random.default_rng(4)
    x = rng.dirichlet(np.ones(3), (2, 60))
    x[1, :5] = np.nan
    counts = rng.multinomial(3, rng.dirichlet(np.ones(3), 60)).astype(float)
    counts[7] = 0
    both = r.fit_panel(x, counts)
    alone = r.fit_panel(np.delete(x[1, 5:], 2, axis=0), np.delete(counts[5:], 2, axis=0), cycles=60)
    assert likelihood(both.pseudo_counts[1], x[1, 5:], counts[5:]) == pytest.approx(
        likelihood(alone.pseudo_counts, x[1, 5:], counts[5:]), abs=0.05
    )


def test_panels_without_identification_span_the_range() -> None:
    rng = np.random.default_rng(0)
    counts = np.eye(3)[rng.integers(0, 3, 50)]
    families = r.panel_families(np.eye(3)[rng.integers(0, 3, 50)], counts, draws=2, rng=rng)
    assert len(families) == len(r.CONCENTRATIONS)
    x = np.full((50, 3), 1 / 3)
    agree = families[0][1].draw(x, counts, np.arange(2)).max(-1).mean()
    alike = families[-1][1].draw(x, counts, np.arange(2)).max(-1).mean()
    assert agree > 0.9
    assert alike < 0.6


def test_split_keeps_every_rater() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 6, (200, 4))
    half = r.split(counts, counts.sum(-1) // 2, rng)
    np.testing.assert_array_equal(half.sum(-1), counts.sum(-1) // 2)
    assert (half <= counts).all()
    assert (half >= 0).all()


def test_noise_ceiling_of_unanimous_raters() -> None:
    rng = np.random.default_rng(0)
    counts = np.array([[4.0, 0], [0, 5], [1, 0]])
    found = r.noise_ceiling(jensen_shannon, counts, rng=rng)
    np.testing.assert_allclose(found, [0, 0, np.nan])


def test_ratings_needed() -> None:
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(2), 300)
    decide = partial(positive, option=0, threshold=0.5)
    consistency, bias = r.ratings_needed(shares, (1, 3, 9, 101), decide, repetitions=50, rng=rng)
    # with one rater the decision is right with probability max(p, 1 - p), whose mean is 3/4
    assert consistency[0] == pytest.approx(0.75, abs=0.02)
    assert (np.diff(consistency) > 0).all()
    assert abs(bias[-1]) < 0.02


@pytest.mark.parametrize("most", [3, 20])
def test_a_rise_by_steps_is_that_of_the_functions(most: int) -> None:
    from scipy.special import digamma, gammaln

    rng = np.random.default_rng(9)
    prior, counts = rng.gamma(2.0, size=(5, 7)), rng.integers(0, most + 1, (5, 7)).astype(float)
    counts[0, 0] = most
    steps = r._steps(counts)
    assert (steps is None) == (most > 16)
    assert r._steps(counts + 0.5) is None
    np.testing.assert_allclose(
        r._rise(prior, counts, steps), digamma(prior + counts) - digamma(prior), atol=1e-12
    )
    np.testing.assert_allclose(
        r._log_rise(prior, counts, steps), gammaln(prior + counts) - gammaln(prior), atol=1e-12
    )


def test_a_fit_that_has_settled_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(10)
    counts = rng.multinomial(5, [0.5, 0.3, 0.2], size=200).astype(float)
    x = np.eye(2)[rng.integers(0, 2, 200)]
    early = r.fit_panel(x, counts).pseudo_counts
    monkeypatch.setattr(r, "SETTLED", 0.0)
    np.testing.assert_allclose(early, r.fit_panel(x, counts).pseudo_counts, rtol=1e-6)
