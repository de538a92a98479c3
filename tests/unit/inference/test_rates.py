from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas import rates as points
from goldassay.inference import rates as limits


def kept(rate: np.ndarray, test: np.ndarray, calibration: np.ndarray) -> np.ndarray:
    """Which rates the inversion keeps, straight from its definition."""
    hits = np.array([test[1], calibration[0, 1], calibration[1, 1]])
    trials = np.array([test.sum(), *calibration.sum(1)])
    low, high = limits.jeffreys(hits, trials)
    p, f, q = np.divide(hits, trials, out=np.full(3, 0.5), where=trials > 0)
    gap = np.clip(p, f, q) - (1 - rate) * f - rate * q
    sizes = np.stack([np.ones_like(rate), 1 - rate, rate], -1)
    moves_down = np.array([p - low[0], high[1] - f, high[2] - q])
    moves_up = np.array([high[0] - p, f - low[1], q - low[2]])
    down = np.hypot.reduce(sizes * moves_down, axis=-1)
    up = np.hypot.reduce(sizes * moves_up, axis=-1)
    return np.asarray((-up <= gap) & (gap <= down))


@pytest.mark.parametrize(
    ("test", "calibration"),
    [
        ([600, 400], [[140, 60], [20, 180]]),
        ([60, 40], [[7, 3], [2, 8]]),
        ([95, 5], [[20, 2], [1, 9]]),
        ([197, 3], [[90, 10], [5, 45]]),
        ([5, 195], [[90, 10], [10, 40]]),
        ([180, 20], [[0, 0], [4, 46]]),  # no label of a class: its error rate is put at a half
        ([20, 180], [[46, 4], [0, 0]]),
    ],
)
def test_the_inversion_is_the_set_of_rates_not_contradicted(test, calibration) -> None:  # type: ignore[no-untyped-def]
    test, calibration = np.array(test, float), np.array(calibration, float)
    low, high = limits.rogan_gladen_inversion(test, calibration)
    grid = np.linspace(0, 1, 2001)
    inside = kept(grid, test, calibration)
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


def test_a_verdict_without_labels_is_bounded_and_not_averaged() -> None:
    # .4 of the pool is labelled, 20 of 40 positive; nothing is known of the other .6.
    low, high = limits.stratified_limits([400, 600], [20, 0], [40, 0])
    # If none of the others is positive: .4 r with the Jeffreys limits of r, and the share's error.
    r_low, _ = limits.jeffreys(20, 40)
    spread = 1.959964**2 * 0.5**2 * 0.4 * 0.6 / 1000
    by_hand = 0.2 - (0.4**2 * (0.5 - r_low) ** 2 + spread) ** 0.5
    assert low == pytest.approx(by_hand, abs=2e-3)
    # 20 of 40 either way: the upper end is the mirror image.
    assert high == pytest.approx(1 - low)
    # Certainty about the labelled verdict does not shorten what is unknown.
    low, high = limits.stratified_limits([40000, 60000], [20000, 0], [40000, 0])
    assert 0.6 < high - low < 0.61


def test_only_the_sample_with_an_unknown_verdict_is_bounded() -> None:
    pool, positives = np.array([[400, 600], [400, 600]]), np.array([[20, 0], [20, 5]])
    labelled = np.array([[40, 0], [40, 50]])
    low, high = limits.stratified_limits(pool, positives, labelled)
    alone = limits.stratified_limits(pool[1], positives[1], labelled[1])
    assert (low[1], high[1]) == alone


def test_nothing_labelled_is_nothing_known() -> None:
    assert limits.stratified_limits([400, 600], [0, 0], [0, 0]) == (0, 1)


def test_specificity_counts_every_verdict_that_is_not_positive() -> None:
    # 12 called negative, 2 positive, 6 abstained, of 20 negatives.
    q0, q1 = points.error_rates([[12, 2, 6], [2, 16, 2]])
    assert (q0, q1) == (0.9, 0.8)
    merged = limits.lang_reiczigel([60, 40], [[18, 2], [4, 16]])
    assert limits.lang_reiczigel([50, 40, 10], [[12, 2, 6], [2, 16, 2]]) == merged


def test_limits_by_strata_stay_within_0_and_1() -> None:
    """Nearly every item is positive, in strata with few labels: symmetric ends would pass 1."""
    pool, labelled = np.array([900.0, 100.0]), np.array([4.0, 3.0])
    for positives in ([4.0, 2.0], [3.0, 3.0], [0.0, 1.0], [4.0, 3.0]):
        low, high = limits.stratified_limits(pool, np.array(positives), labelled)
        assert 0 <= low <= high <= 1


def test_an_effective_number_of_items_has_jeffreys_limits() -> None:
    # scipy.stats.beta.ppf([.025, .975], 3.5, 7.5), and of none ppf(.975, .5, 10.5).
    low, high = limits.effective_size_limits([0.3, 0.0, 1.0], [10, 10, 10])
    assert (low[0], high[0]) == pytest.approx((0.0926946, 0.6058183), abs=1e-6)
    assert (low[1], high[2]) == (0, 1)
    assert high[1] == pytest.approx(1 - low[2])
    assert high[1] == pytest.approx(0.2171963, abs=1e-6)
