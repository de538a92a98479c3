from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas import rates as points
from goldassay.inference import rates as limits


def kept(rate: float, test: np.ndarray, calibration: np.ndarray) -> bool:
    """Whether the inversion keeps a rate, straight from its definition."""
    hits = np.array([test[1], calibration[0, 1], calibration[1, 1]])
    trials = np.array([test.sum(), *calibration.sum(1)])
    low, high = limits.jeffreys(hits, trials)
    p, f, q = hits / trials
    gap = np.clip(p, f, q) - (1 - rate) * f - rate * q
    sizes = np.array([1, 1 - rate, rate])
    moves_down = np.array([p - low[0], high[1] - f, high[2] - q])
    moves_up = np.array([high[0] - p, f - low[1], q - low[2]])
    down, up = np.hypot.reduce(sizes * moves_down), np.hypot.reduce(sizes * moves_up)
    return bool(-up <= gap <= down)


@pytest.mark.parametrize(
    ("test", "calibration"),
    [
        ([600, 400], [[140, 60], [20, 180]]),
        ([60, 40], [[7, 3], [2, 8]]),
        ([95, 5], [[20, 2], [1, 9]]),
        ([197, 3], [[90, 10], [5, 45]]),
        ([5, 195], [[90, 10], [10, 40]]),
    ],
)
def test_the_inversion_is_the_set_of_rates_not_contradicted(test, calibration) -> None:  # type: ignore[no-untyped-def]
    test, calibration = np.array(test, float), np.array(calibration, float)
    low, high = limits.rogan_gladen_inversion(test, calibration)
    grid = np.linspace(0, 1, 2001)
    inside = np.array([kept(rate, test, calibration) for rate in grid])
    assert low == pytest.approx(grid[inside].min(), abs=6e-4)
    assert high == pytest.approx(grid[inside].max(), abs=6e-4)


def test_the_inversion_never_vanishes_and_holds_the_clipped_estimate() -> None:
    rng = np.random.default_rng(1)
    test = rng.integers(1, 31, (5000, 2))
    calibration = rng.integers(0, 20, (5000, 2, 2))
    low, high = limits.rogan_gladen_inversion(test, calibration)
    assert (low < high).all()
    value = points.rogan_gladen(test, calibration)
    known = ~np.isnan(value)
    clipped = np.clip(value[known], 0, 1)
    assert (low[known] <= clipped + 1e-9).all()
    assert (clipped - 1e-9 <= high[known]).all()


def test_without_information_the_inversion_is_everything() -> None:
    assert limits.rogan_gladen_inversion([50, 50], [[5, 5], [5, 5]]) == (0, 1)


def test_lang_reiczigel_is_used_only_where_it_can_be_relied_on() -> None:
    low, high, dependable = limits.rogan_gladen_limits([600, 400], [[140, 60], [20, 180]])
    assert dependable
    assert (float(low), float(high)) == pytest.approx((0.0563507248, 0.2627330258))
    for test, calibration in (([60, 40], [[7, 3], [2, 8]]), ([197, 3], [[90, 10], [5, 45]])):
        low, high, dependable = limits.rogan_gladen_limits(test, calibration)
        assert not dependable
        assert low < high


def test_stratified_limits_hold_the_estimate_and_shrink_with_data() -> None:
    rng = np.random.default_rng(2)
    pool = rng.integers(10, 500, (2000, 2))
    labelled = rng.binomial(pool, 0.3)
    positives = rng.binomial(labelled, rng.random((2000, 2)))
    value = points.stratified(pool, positives, labelled)
    low, high = limits.stratified_limits(pool, positives, labelled)
    known = ~np.isnan(value)
    assert (low[known] <= value[known] + 1e-12).all()
    assert (value[known] <= high[known] + 1e-12).all()
    wider = limits.stratified_limits(pool, positives, labelled, inflation=4.0)
    assert (wider[1] - wider[0] >= high - low - 1e-12).mean() > 0.99


def test_a_perfect_judge_does_not_get_an_interval_of_no_width() -> None:
    low, high = limits.stratified_limits([70, 30], [0, 30], [70, 30])
    assert high - low > 0.1
    low, high, _ = limits.rogan_gladen_limits([70, 30], [[10, 0], [0, 10]])
    assert high - low > 0.1


def test_renaming_the_options_mirrors_every_interval() -> None:
    test, calibration = np.array([61.0, 39.0]), np.array([[33.0, 7.0], [4.0, 31.0]])
    turned = (test[::-1], calibration[::-1, ::-1])
    for method in (limits.lang_reiczigel, limits.rogan_gladen_inversion, limits.ppi_normal):
        low, high = method(test, calibration)
        mirrored = method(*turned)
        assert mirrored == pytest.approx((1 - high, 1 - low))
    pool = test + calibration.sum(0)
    low, high = limits.stratified_limits(pool, calibration[1], calibration.sum(0))
    mirrored = limits.stratified_limits(pool[::-1], calibration[0, ::-1], calibration.sum(0)[::-1])
    assert mirrored == pytest.approx((1 - high, 1 - low))
