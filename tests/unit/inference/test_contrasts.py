from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from goldassay.inference.contrasts import (
    Contrasts,
    Family,
    Recovered,
    _crossings,
    cautious_correlation,
    family_of,
    pairs_of,
)

Z = NormalDist()


def normal(value: list[float], error: list[float], correlation: np.ndarray) -> Recovered:
    """Estimates with symmetric normal limits."""
    middle, spread = np.array(value), np.array(error)

    def limits(level: float) -> tuple[np.ndarray, np.ndarray]:
        reach = Z.inv_cdf((1 + level) / 2) * spread
        return middle - reach, middle + reach

    return Recovered(middle, limits, correlation, (-10.0, 10.0))


def test_a_difference_of_normal_estimates_has_the_textbook_interval() -> None:
    found = normal([0.7, 0.5], [0.03, 0.04], np.array([[1.0, 0.5], [0.5, 1.0]]))
    low, high = found.contrast_limits(pairs_of(np.array([0]), np.array([1])), 0.95)
    # variance .0009 + .0016 - 2 x .5 x .0012 = .0013
    half = 1.959964 * 0.0013**0.5
    assert (low[0], high[0]) == pytest.approx((0.2 - half, 0.2 + half))


def test_uneven_limits_are_recovered_by_sides() -> None:
    found = Recovered(
        np.array([0.9, 0.8]),
        lambda level: (np.array([0.80, 0.72]), np.array([0.94, 0.86])),
        np.eye(2),
    )
    low, high = found.contrast_limits(pairs_of(np.array([0]), np.array([1])), 0.95)
    # down: .10 of the first and .06 up of the second; up: .04 and .08
    assert low[0] == pytest.approx(0.1 - (0.10**2 + 0.06**2) ** 0.5)
    assert high[0] == pytest.approx(0.1 + (0.04**2 + 0.08**2) ** 0.5)


def test_a_contrast_of_four_estimates() -> None:
    correlation = np.eye(4)
    found = normal([0.6, 0.5, 0.4, 0.4], [0.1, 0.2, 0.2, 0.4], correlation)
    four = Contrasts(np.array([[0, 1, 2, 3]]), np.array([[1.0, -1.0, -1.0, 1.0]]))
    low, high = found.contrast_limits(four, 0.95)
    half = 1.959964 * (0.01 + 0.04 + 0.04 + 0.16) ** 0.5
    assert (low[0], high[0]) == pytest.approx((0.1 - half, 0.1 + half))
    assert four.variance(found.covariance(0.95))[0] == pytest.approx(0.25)


def test_one_contrast_is_an_ordinary_one() -> None:
    pair = pairs_of(np.array([0]), np.array([1]))
    family = family_of(pair, np.eye(2), seed=1)
    assert family.critical(0.95) == pytest.approx(1.959964)
    assert family.level(0.95) == pytest.approx(0.95)
    assert family.tail(1.959964) == pytest.approx(0.05)


def test_all_pairs_of_equal_independent_estimates_are_tukeys() -> None:
    first, second = np.triu_indices(4, 1)
    family = family_of(pairs_of(first, second), np.eye(4), seed=1)
    # The studentised range of 4 with endless degrees of freedom: 3.633 / sqrt(2) = 2.569
    assert family.critical(0.95) == pytest.approx(2.569, abs=0.04)
    assert family.size == 6
    assert family.tail(2.569) == pytest.approx(0.05, abs=0.005)


def test_many_to_one_is_dunnetts() -> None:
    pairs = pairs_of(np.arange(1, 5), np.zeros(4, np.int64))
    family = family_of(pairs, np.eye(5), seed=1)
    # Dunnett's two-sided value for 4 comparisons with correlation 1/2: 2.44
    assert family.critical(0.95) == pytest.approx(2.44, abs=0.04)


def test_a_family_is_no_longer_than_bonferronis() -> None:
    first, second = np.triu_indices(6, 1)
    family = family_of(pairs_of(first, second), np.eye(6), seed=3)
    assert 1.96 < family.critical(0.95) <= -Z.inv_cdf(0.025 / 15)
    assert family.tail(6.0) == pytest.approx(15 * 2 * Z.cdf(-6.0))  # too rare for draws
    assert family.tail(0.0) == 1.0


def test_a_pair_that_cannot_vary_is_in_no_family() -> None:
    covariance = np.ones((3, 3))
    covariance[2, 2] = 2.0
    family = family_of(pairs_of(np.array([0, 0]), np.array([1, 2])), covariance, seed=1)
    assert family == Family(1, None)


def test_distances_say_what_intervals_say() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        value = rng.normal(0.0, 0.1, 3)
        found = normal(list(value), [0.03, 0.05, 0.04], np.eye(3))
        pairs = pairs_of(np.array([0, 0, 1]), np.array([1, 2, 2]))
        family = family_of(pairs, found.covariance(0.95), seed=1)
        critical = family.critical(0.95)
        low, high = found.contrast_limits(pairs, family.level(0.95))
        above, below = found.distances(pairs, exact_at=critical)
        outside = (low > 0) | (high < 0)
        assert ((np.maximum(above, below) > critical) == outside).all()
        # and against the textbook: |d| / se
        error = np.sqrt(pairs.variance(found.covariance(0.95)))
        expected = np.minimum(np.abs(pairs.of(value)) / error, 9.0)
        assert np.maximum(above, below) == pytest.approx(expected, abs=0.02)


def test_distance_to_a_margin() -> None:
    found = normal([0.50, 0.50], [0.03, 0.04], np.eye(2))
    above, below = found.distances(pairs_of(np.array([0]), np.array([1])), -0.1)
    assert above[0] == pytest.approx(0.1 / 0.05, abs=1e-6)  # lower end at -.1: two errors away
    assert below[0] == 0.0


def test_one_shared_failure_hardly_correlates_two_systems() -> None:
    """30 prompts, both systems fail on the same one; Newcombe's method 10 has 14 / 29 = 0.48."""
    fails = np.zeros(30)
    fails[0] = 1
    influence = np.column_stack([(fails - 1 / 30) / 30] * 2)
    found = cautious_correlation(influence, np.ones(30, np.int64))
    # Products (29/30)^2 once and (1/30)^2 29 times: E = (870 / 900)^2 / ((29^4 + 29) / 30^4)
    worth = (870 / 900) ** 2 / ((29**4 + 29) / 30**4)
    assert found[0, 1] == pytest.approx(1 - 1 / (2 * worth))
    assert found[0, 1] == pytest.approx(0.533, abs=1e-3)
    assert found[0, 0] == 1.0


def test_many_prompts_tell_a_correlation() -> None:
    fails = np.tile([0.0, 1.0], 200)
    influence = np.column_stack([(fails - 0.5) / 400] * 2)
    assert cautious_correlation(influence, np.ones(400, np.int64))[0, 1] == pytest.approx(
        1 - 1 / 800
    )


def test_a_negative_correlation_is_left_as_it_is() -> None:
    influence = np.array([[0.1, -0.1], [-0.1, 0.1]])
    found = cautious_correlation(influence, np.ones(2, np.int64))
    assert found[0, 1] == pytest.approx(-1.0)


def test_where_falling_curves_cross() -> None:
    """Half way, at the first point (0), exactly at a point, and never: the last point."""
    grid = np.array([0.0, 1.0, 2.0])
    outside = np.array([[2.0, -1.0, 1.0, 3.0], [-2.0, -2.0, 0.0, 2.0], [-3.0, -3.0, -1.0, 1.0]])
    assert _crossings(grid, outside).tolist() == [0.5, 0.0, 1.0, 2.0]
