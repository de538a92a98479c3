"""Counterexamples that are counterexamples, discordance by hand, and lemma B.1 put right."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas.rating_model import membership
from goldassay.questions.audit import rank_consistency as rc


def test_hit_rate_and_kl_order_two_judges_differently() -> None:
    found = rc.hit_rate_against_kl()
    assert found.prefers_z == ("hit_rate h/h", 1.0, 0.0)
    name, z, w = found.prefers_w
    assert name == "kl_divergence s/s"
    assert z == pytest.approx(0.157, abs=5e-4)
    assert w == pytest.approx(0.073, abs=5e-4)


def test_kl_and_squared_error_order_two_judges_differently() -> None:
    found = rc.kl_against_squared_error()
    np.testing.assert_allclose(found.z["Omega"], [0.4, 1.0])  # the paper prints (.4, .6)
    np.testing.assert_allclose(found.human["Omega"], [0.5, 0.6])
    np.testing.assert_allclose(found.w["O"], [0.5, 0.5])
    assert found.prefers_z[1] == 0
    assert found.prefers_z[2] == pytest.approx(0.0201, abs=5e-5)
    assert found.prefers_w[1] == pytest.approx(0.17)  # the paper prints .01
    assert found.prefers_w[2] == 0


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


def test_lemma_b1_as_printed_is_neither_necessary_nor_sufficient() -> None:
    rng = np.random.default_rng(0)
    lambda_ = membership(("a", "b"), (("a",), ("b",), ("a", "b")))
    kept = np.zeros((2, 2), int)  # rows: the printed condition holds; columns: the order is kept
    for _ in range(2000):
        star, seen, z, w = rng.dirichlet(np.ones(3), 4)
        delta_star, delta, x = rc.lapses_keep_order(lambda_, star, seen, z, w)
        assert delta == pytest.approx(delta_star - 2 * x)
        same = np.sign(delta) == np.sign(delta_star)
        if np.sign(x) == -np.sign(delta_star):  # the proof's condition: sufficient
            assert same
        kept[int(np.sign(x) == np.sign(delta_star)), int(same)] += 1
    assert kept[1, 0] > 0  # the printed condition holds and the order is lost
    assert kept[0, 1] > 0  # it does not hold and the order is kept
