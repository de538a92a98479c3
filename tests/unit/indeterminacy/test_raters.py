"""Few raters: the jackknife, drawn panels, halves, and how many ratings a decision needs."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import factorial, prod

import numpy as np
import pytest

from karat.indeterminacy import raters as r
from karat.indeterminacy.metrics import jensen_shannon, kl_divergence, mean_squared_error, positive


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
    found = r.fit_panel(x, counts, iterations=400)
    np.testing.assert_allclose(found.pseudo_counts, truth, rtol=0.12)
    assert found.identified
    assert not r.fit_panel(x, (counts > 0)[:, :3] * [1.0, 0, 0]).identified


def test_each_step_of_the_fit_raises_the_likelihood() -> None:
    from scipy.special import gammaln

    rng = np.random.default_rng(2)
    x = rng.dirichlet(np.ones(3), 80)
    counts = rng.multinomial(4, rng.dirichlet(np.ones(3), 80))

    def likelihood(panel: r.Panel) -> float:
        a = x @ panel.pseudo_counts
        n = counts.sum(-1)
        ratio = gammaln(a.sum(-1)) - gammaln(a.sum(-1) + n)
        return float((ratio + (gammaln(a + counts) - gammaln(a)).sum(-1)).sum())

    found = [likelihood(r.fit_panel(x, counts, iterations=i)) for i in (1, 2, 4, 8, 16, 64)]
    assert (np.diff(found) > -1e-9).all()


def test_panels_without_identification_span_the_range() -> None:
    rng = np.random.default_rng(0)
    counts = np.eye(3)[rng.integers(0, 3, 50)]
    families = r.panel_families(np.eye(3)[rng.integers(0, 3, 50)], counts, draws=2, rng=rng)
    assert len(families) == len(r.CONCENTRATIONS)
    x = np.full((50, 3), 1 / 3)
    agree = families[0][0].draw(x, counts, rng).max(-1).mean()
    alike = families[-1][0].draw(x, counts, rng).max(-1).mean()
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
