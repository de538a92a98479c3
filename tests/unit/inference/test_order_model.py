"""The model of two noisy orders: limits that can be said beforehand, and both sides of a length."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas.orders import kendall_tau
from goldassay.inference.order_model import (
    OrderModel,
    Seen,
    _nearest_order,
    _Parts,
    clumps_of,
    isotonic,
    noise_of,
    normal_scores,
    one_order,
    order_intervals,
)

EVEN = np.arange(8.0)


def tau(judge: np.ndarray, people: np.ndarray) -> dict[str, np.ndarray]:
    return {"tau": kendall_tau(judge, people)}


def seen(judge: np.ndarray, people: np.ndarray, error: float, *, given: bool = False) -> Seen:
    noise = np.full((3, len(judge)), error**2)
    noise[2] = 0.0
    if given:
        noise[1] = 0.0
    return Seen(judge, people, noise, 200)


def ends(one: Seen, level: float = 0.95) -> tuple[float, float]:
    return order_intervals(one, tau, confidence_levels=[level])[0]["tau"]


def test_systems_that_are_told_apart_leave_no_doubt() -> None:
    assert ends(seen(EVEN, EVEN, 0.05)) == (1.0, 1.0)
    assert ends(seen(-EVEN, EVEN, 0.05)) == (-1.0, -1.0)
    turned = EVEN[[1, 0, 2, 3, 4, 5, 6, 7]]  # one of 28 pairs: (27 - 1) / 28
    assert ends(seen(turned, EVEN, 0.05)) == pytest.approx((26 / 28, 26 / 28))


def test_systems_that_are_noise_leave_nothing_known() -> None:
    rng = np.random.default_rng(1)
    low, high = ends(seen(rng.normal(size=8), rng.normal(size=8), 1.0))
    assert low < -0.8
    assert high > 0.8


def test_the_same_order_with_other_gaps_may_be_the_same() -> None:
    # Of the lower systems the judge sees hardly a difference: two changed places by noise.
    judge = np.exp(EVEN)[[1, 0, 2, 3, 4, 5, 6, 7]]
    assert one_order(seen(judge, EVEN, 2.0), tau, 0.025)["tau"][0] == 1.0
    assert ends(seen(judge, EVEN, 2.0))[1] == 1.0


def test_one_favourite_does_not_hide_the_agreement_on_the_others() -> None:
    judge = EVEN.copy()
    judge[0] = 12.0  # people's last is the judge's first: 7 of 28 pairs are turned
    low, high = ends(seen(judge, EVEN, 0.4))
    assert low <= 0.5 <= high
    assert high - low < 0.5


def test_a_sixth_of_the_systems_may_stray_from_one_order_and_no_more() -> None:
    people = np.arange(12.0)
    two, three = people.copy(), people.copy()
    two[[0, 4]] = 20.0, 22.0
    three[[0, 4, 8]] = 20.0, 22.0, -5.0
    # They stay where they were seen: of 66 pairs 10 and 7 are turned.
    assert one_order(seen(two, people, 0.1), tau, 0.025)["tau"][0] == pytest.approx(32 / 66)
    assert one_order(seen(three, people, 0.1), tau, 0.025) == {}


def test_a_higher_level_is_a_longer_interval() -> None:
    one = seen(EVEN + np.random.default_rng(2).normal(size=8), EVEN, 1.0)
    (low, high), (least, most) = (ends(one, level) for level in (0.8, 0.99))
    assert least <= low < high <= most


def test_an_order_that_is_given_has_no_scale() -> None:
    judge = EVEN + np.random.default_rng(3).normal(size=8)
    ranks = seen(judge, normal_scores(EVEN), 1.0, given=True)
    assert ends(ranks) == ends(seen(judge, normal_scores(np.exp(EVEN)), 1.0, given=True))


def test_draws_stay_where_the_noise_is_small() -> None:
    drawn = OrderModel(seen(EVEN, EVEN, 0.01)).draws(np.random.default_rng(1))
    for side in drawn:
        assert np.abs(side - EVEN).max() < 0.1


def test_noise_by_hand() -> None:
    # Centred, the two systems go +-1, +-2: variance 2.5, times 4 / 3 for 4 clusters.
    drawn = np.array([[1.0, -1.0], [-1.0, 1.0], [2.0, -2.0], [-2.0, 2.0]]) + 7.0
    noise = noise_of(drawn, 2 * drawn, 4)
    assert noise == pytest.approx(np.outer([2.5, 10.0, 5.0], [1, 1]) * 4 / 3)
    assert noise_of(drawn, None, 4)[1:] == pytest.approx(0)
    lacking = drawn.copy()
    lacking[0, 0] = np.nan
    assert np.isfinite(noise_of(lacking, drawn, 4)).all()


def test_clumps_begin_where_neighbours_are_far() -> None:
    scores, variance = np.array([5.0, 0.0, 0.3, 5.2]), np.full(4, 0.5)
    # Standard error of a difference 1: only 0.3 and 5 are more than 4 apart.
    assert clumps_of(scores, variance).tolist() == [1, 0, 0, 1]
    # With a standard error of .1 the pairs that are .3 apart are told apart too, .2 is not.
    assert clumps_of(scores, variance / 100).tolist() == [2, 0, 1, 2]


def test_true_scores_are_drawn_from_the_normal_given_what_is_seen() -> None:
    """Prior N(0, P), noise N(0, V): mean P (P + V)^-1 x, covariance P - P (P + V)^-1 P."""
    score, rho, sx, sy, draws = np.array([1.0, -0.4]), 0.6, 1.2, 0.8, 200_000
    noise = np.array([[0.3, 0.1], [0.1, 0.5]])
    prior = np.array([[sx**2, rho * sx * sy], [rho * sx * sy, sy**2]])
    gain = prior @ np.linalg.inv(prior + noise)
    one = np.ones(1)
    parts = _Parts(
        score[:, None], np.zeros((2, 1)), np.diag(noise)[:, None], noise[0, 1] * one, one, one
    )
    full = np.ones((draws, 1))
    found = parts.draws(rho * full, sx * full, sy * full, np.random.default_rng(5))
    drawn = np.stack([side[:, 0] for side in found])
    assert drawn.mean(axis=1) == pytest.approx(gain @ score, abs=0.01)
    assert np.cov(drawn) == pytest.approx(prior - gain @ prior, abs=0.01)


def test_isotonic_pools_neighbours() -> None:
    assert isotonic(np.array([1.0, 3.0, 2.0, 4.0])) == pytest.approx([1, 2.5, 2.5, 4])
    assert isotonic(np.array([3.0, 2.0, 1.0])) == pytest.approx([2, 2, 2])


def test_a_system_that_every_resample_lacks_has_the_largest_noise_and_never_none() -> None:
    judge = np.array([[0.1, 0.5, np.nan], [0.3, 0.1, np.nan], [0.2, 0.9, np.nan]])
    noise = noise_of(judge, judge + 0.1, 10)
    assert (noise[:2, 2] == noise[:2, :2].max(axis=1)).all()
    assert (noise[:2] > 0).all()
    hundredth = noise_of(judge / 100, judge / 100 + 0.1, 10)  # whatever the scores' scale
    assert hundredth == pytest.approx(noise / 10_000)


def test_the_nearest_order_does_not_depend_on_the_scale_of_a_side() -> None:
    """Scores in thousandths or in percent: the same order, as far away."""
    scores = np.array([[1.0, 3.0, 2.0, 4.0], [1.0, 2.0, 4.0, 3.5]])
    noise = np.array([[0.5, 0.5, 0.5, 0.5], [0.2, 0.2, 0.2, 0.2]])
    fitted, _, distance = _nearest_order(scores, noise)
    larger = np.array([[1000.0], [1.0]])
    again, _, as_far = _nearest_order(scores * larger, noise * larger**2)
    assert as_far == pytest.approx(distance)
    assert again == pytest.approx(fitted * larger)


def test_a_side_without_any_difference_has_an_order_too() -> None:
    scores = np.array([[2.0, 2.0, 2.0], [1.0, 3.0, 2.0]])
    fitted, _, distance = _nearest_order(scores, np.ones((2, 3)))
    assert fitted == pytest.approx(scores)
    assert distance == 0
