"""Counterexamples that are counterexamples, and lemma B.1 put right."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas.rating_model import membership
from goldassay.lab.reproduce.counterexamples import (
    appendix_c,
    hit_rate_against_kl,
    kl_against_squared_error,
    lapses_keep_order,
)


def test_hit_rate_and_kl_order_two_judges_differently() -> None:
    found = hit_rate_against_kl()
    assert found.prefers_z == ("hit_rate h/h", 1.0, 0.0)
    name, z, w = found.prefers_w
    assert name == "kl_divergence s/s"
    assert z == pytest.approx(0.157, abs=5e-4)
    assert w == pytest.approx(0.073, abs=5e-4)


def test_kl_and_squared_error_order_two_judges_differently() -> None:
    found = kl_against_squared_error()
    np.testing.assert_allclose(found.z["Omega"], [0.4, 1.0])  # the paper prints (.4, .6)
    np.testing.assert_allclose(found.human["Omega"], [0.5, 0.6])
    np.testing.assert_allclose(found.w["O"], [0.5, 0.5])
    assert found.prefers_z[1] == 0
    assert found.prefers_z[2] == pytest.approx(0.0201, abs=5e-5)
    assert found.prefers_w[1] == pytest.approx(0.17)  # the paper prints .01
    assert found.prefers_w[2] == 0


def test_lemma_b1_as_printed_is_neither_necessary_nor_sufficient() -> None:
    rng = np.random.default_rng(0)
    lambda_ = membership(("a", "b"), (("a",), ("b",), ("a", "b")))
    kept = np.zeros((2, 2), int)  # rows: the printed condition holds; columns: the order is kept
    for _ in range(2000):
        star, seen, z, w = rng.dirichlet(np.ones(3), 4)
        delta_star, delta, x = lapses_keep_order(lambda_, star, seen, z, w)
        assert delta == pytest.approx(delta_star - 2 * x)
        same = np.sign(delta) == np.sign(delta_star)
        if np.sign(x) == -np.sign(delta_star):  # the proof's condition: sufficient
            assert same
        kept[int(np.sign(x) == np.sign(delta_star)), int(same)] += 1
    assert kept[1, 0] > 0  # the printed condition holds and the order is lost
    assert kept[0, 1] > 0  # it does not hold and the order is kept


def test_the_table_of_both_examples() -> None:
    assert appendix_c().rows == (
        (1, "hit_rate h/h", 1.0, 0.0, "z"),
        (1, "kl_divergence s/s", 0.157, 0.073, "w"),
        (2, "kl_divergence s/s", 0.0, 0.02, "z"),
        (2, "mean_squared_error srs/srs", 0.17, 0.0, "w"),
    )
