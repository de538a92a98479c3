"""How far definitions order judges differently, by hand."""

from __future__ import annotations

import numpy as np

from goldassay.questions.audit import rank_consistency as rc


def test_discordance_by_hand() -> None:
    # judges a > b > c against a > c > b: one pair of three differs; the third definition ties all
    scores = np.array([[3.0, 2, 1], [3, 1, 2], [1, 1, 1]])
    np.testing.assert_allclose(rc.discordance(scores), [[0, 1 / 3, 0], [1 / 3, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(rc.same_best(scores)[0], [1, 1, 1])
    assert np.isnan(rc.discordance(np.array([[1.0, np.nan], [1, 2]]))[0, 1])


def test_an_undefined_definition_selects_nobody() -> None:
    nan = np.nan
    scores = np.array([[nan, nan, nan], [2.0, 1, 0], [nan, 3, 1], [2, 2, 0]])
    np.testing.assert_array_equal(rc.best_judge(scores), [-1, 0, -1, 0])
    same = rc.same_best(scores)
    # not the first judge, which the second definition selects; judges that tie are both the best
    np.testing.assert_array_equal(same[1], [nan, 1, nan, 1])
    assert np.isnan(same[0]).all()
    assert np.isnan(same[2]).all()


def test_orders_over_resamples_by_hand() -> None:
    nan = np.nan
    now = np.array([[2.0, 1], [2, 1], [1, 2]])
    # the first two agree in three of four resamples; the third is undefined in two, and
    # otherwise selects the other judge
    resampled = np.array(
        [
            [[2.0, 1], [2, 1], [nan, 1]],
            [[2, 1], [2, 1], [1, 2]],
            [[2, 1], [1, 2], [nan, nan]],
            [[2, 1], [2, 1], [1, 2]],
        ]
    )
    found = rc.compare_orders(now, resampled, confidence_level=0.95)
    np.testing.assert_allclose(found.discordance, [[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    np.testing.assert_allclose(found.otherwise, [[0, 0.25, 1], [0.25, 0, 1], [1, 1, 0]])
    assert found.low[0, 1] == 0
    assert found.high[0, 1] > 0.9
    assert found.low[0, 2] == found.high[0, 2] == 1


def test_a_definition_undefined_in_every_resample_selects_nobody_rather_than_another() -> None:
    resampled = np.array([[[2.0, 1], [np.nan, 1]], [[2, 1], [np.nan, np.nan]]])
    found = rc.compare_orders(np.array([[2.0, 1], [2, 1]]), resampled, confidence_level=0.95)
    assert found.otherwise[0, 0] == 0
    assert np.isnan([found.otherwise[0, 1], found.low[0, 1], found.high[0, 1]]).all()


def test_of_equal_judges_the_first_is_the_best_whatever_the_last_digits() -> None:
    """0.1 + 0.2 is more than 0.3 by 6e-17."""
    assert int(rc.best_judge([0.3, 0.1 + 0.2])) == 0
    assert int(rc.best_judge([0.3, 0.3 + 1e-9])) == 1
