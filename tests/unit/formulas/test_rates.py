from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas import rates as points

TEST = np.array([60.0, 40.0])
CALIBRATION = np.array([[30.0, 10.0], [5.0, 55.0]])


def test_each_estimator_by_hand() -> None:
    # Labelled: 60 of 100 positive, 65 called positive; the judge calls .40 of the test positive.
    assert points.naive(TEST) == pytest.approx(0.40)
    assert points.calibration_only(CALIBRATION) == pytest.approx(0.60)
    assert points.difference(TEST, CALIBRATION) == pytest.approx(0.40 - 0.05)
    # .6 x 5/35 + .4 x 55/65
    expected = 0.6 * 5 / 35 + 0.4 * 55 / 65
    assert points.conditional_calibration(TEST, CALIBRATION) == pytest.approx(expected)
    # q0 = .75, q1 = 55/60
    expected = (0.40 + 0.75 - 1) / (0.75 + 55 / 60 - 1)
    assert points.rogan_gladen(TEST, CALIBRATION) == pytest.approx(expected)
    # The pool holds 95 negative and 105 positive verdicts.
    pool = TEST + CALIBRATION.sum(0)
    expected = (95 * 5 / 35 + 105 * 55 / 65) / 200
    found = points.stratified(pool, CALIBRATION[1], CALIBRATION.sum(0))
    assert found == pytest.approx(expected)


def test_leading_axes_are_free() -> None:
    rng = np.random.default_rng(0)
    test = rng.integers(1, 50, (3, 4, 2)).astype(float)
    calibration = rng.integers(1, 50, (3, 4, 2, 2)).astype(float)
    for estimator in (
        points.difference,
        points.power_tuned,
        points.conditional_calibration,
        points.rogan_gladen,
    ):
        together = estimator(test, calibration)
        alone = [[estimator(test[i, j], calibration[i, j]) for j in range(4)] for i in range(3)]
        np.testing.assert_allclose(together, np.array(alone))


def test_a_judge_without_information_and_empty_labels_are_nan() -> None:
    assert np.isnan(points.rogan_gladen(TEST, [[5, 5], [5, 5]]))
    assert np.isnan(points.rogan_gladen(TEST, [[5, 5], [0, 0]]))
    assert np.isnan(points.calibration_only([[0, 0], [0, 0]]))
    assert np.isnan(points.naive([0, 0]))


def test_a_verdict_without_labels_borrows_the_rate_of_the_others() -> None:
    assert points.stratified([50, 50], [2, 0], [10, 0]) == pytest.approx(0.2)


def test_the_judge_gets_no_weight_when_it_never_changes_its_verdict() -> None:
    constant = np.array([[0.0, 5.0], [0.0, 5.0]])
    assert points.power_tuning([0, 20], constant) == 0
    assert points.power_tuned([0, 20], constant) == pytest.approx(0.5)
