"""Several raters, by hand and beside statsmodels and krippendorff."""

from __future__ import annotations

import krippendorff
import numpy as np
import pandas as pd
import polars as pl
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from goldassay import metrics as m
from goldassay.formulas.reliability import (
    fleiss_kappa_standard_error,
    krippendorff_alpha_standard_error,
    tally,
)
from goldassay.results import Estimate, Undefined

RNG = np.random.default_rng(2)
TRUTH = RNG.integers(0, 3, 60)
RATERS = [np.where(RNG.random(60) < 0.7, TRUTH, RNG.integers(0, 3, 60)) for _ in range(3)]
HOLES = [np.where(RNG.random(60) < 0.15, np.nan, rater) for rater in RATERS]


def test_fleiss_kappa_is_statsmodels() -> None:
    table, _ = aggregate_raters(np.transpose(RATERS))
    found = m.fleiss_kappa(RATERS)
    assert found.value == pytest.approx(fleiss_kappa(table))
    assert m.fleiss_kappa(votes=table) == found
    by_hand = m.fleiss_kappa(votes=[[2, 0], [1, 1]])  # pairs agree 1 and 0; shares 3/4 and 1/4
    assert by_hand.value == pytest.approx((0.5 - 10 / 16) / (1 - 10 / 16))


@pytest.mark.parametrize("difference", ["nominal", "ordinal", "interval"])
def test_alpha_is_krippendorff_s(difference: str) -> None:
    found = m.krippendorff_alpha(ratings=HOLES, difference=difference)  # type: ignore[arg-type]
    expected = krippendorff.alpha(np.array(HOLES), level_of_measurement=difference)
    assert found.value == pytest.approx(expected)
    assert found.declared["difference"] == difference
    assert found.value in found.interval


def test_alpha_of_two_is_one_number_both_ways() -> None:
    for difference in ("nominal", "ordinal"):
        two = m.krippendorff_alpha(RATERS[0], RATERS[1], difference=difference)  # type: ignore[arg-type]
        several = m.krippendorff_alpha(ratings=RATERS[:2], difference=difference)  # type: ignore[arg-type]
        assert two.value == pytest.approx(several.value)


def test_a_rater_may_be_a_row_a_key_or_a_column() -> None:
    named = {f"r{n}": rater for n, rater in enumerate(HOLES)}
    expected = m.fleiss_kappa(HOLES)
    for ratings in (named, pd.DataFrame(named), pl.DataFrame(named), np.array(HOLES)):
        assert m.fleiss_kappa(ratings) == expected
    words = [["abc"[int(x)] if np.isfinite(x) else None for x in rater] for rater in HOLES]
    assert m.fleiss_kappa(words).value == expected.value


def test_conger_of_two_is_cohen() -> None:
    found = m.conger_kappa(RATERS[:2])
    assert found.value == pytest.approx(m.cohen_kappa(*RATERS[:2]).value)
    silent = m.conger_kappa([*RATERS, [None] * 60])
    assert silent == Undefined("conger_kappa", "a rater gave no rating", 60)


def test_gwet_of_two_and_of_many() -> None:
    two = m.gwet_ac1(RATERS[0], RATERS[1])
    assert m.gwet_ac1(ratings=RATERS[:2]).value == pytest.approx(two.value)
    # With the weights of exact agreement AC2 is AC1.
    assert m.gwet_ac2(RATERS[0], RATERS[1], weights=np.eye(3)).value == pytest.approx(two.value)
    by_hand = m.gwet_ac2(counts=[[2, 0, 0], [0, 1, 1], [0, 0, 0]], weights="linear")
    # p_o = 3.5/4; shares 1/2, 3/8, 1/8: sum of p (1 - p) = 38/64; weights add up to 5, over 6
    chance = 5 / 6 * 38 / 64
    assert by_hand.value == pytest.approx((3.5 / 4 - chance) / (1 - chance))


def test_observed_agreement_by_hand() -> None:
    # Pairs that agree: 3 of 3, 1 of 3, 1 of 1; the last unit has no pair.
    ratings = [["a", "a", "b", "a"], ["a", "a", "b", None], ["a", "b", None, None]]
    found = m.observed_agreement(ratings)
    assert found.value == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert found.n_items == 3


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (m.fleiss_kappa, fleiss_kappa_standard_error),
        (m.krippendorff_alpha, krippendorff_alpha_standard_error),
    ],
)
def test_the_asymptotic_interval(function: object, error: object) -> None:
    votes = tally(np.array(RATERS), 3)
    found = function(votes=votes, method="asymptotic")  # type: ignore[operator]
    assert isinstance(found, Estimate)
    assert found.interval is not None
    reach = 1.959963984540054 * error(votes)  # type: ignore[operator]
    assert found.interval.length == pytest.approx(2 * reach)


def test_undefined_among_raters() -> None:
    assert m.fleiss_kappa([["a", None], [None, "a"]]) == Undefined(
        "fleiss_kappa", "no unit has two ratings", 0
    )
    one = m.fleiss_kappa([["a", "a"], ["a", "a"]])
    assert one == Undefined("fleiss_kappa", "only one option is ever used (2 units)", 2)


def test_another_rater_s_order_changes_nothing() -> None:
    found = m.krippendorff_alpha(ratings=HOLES)
    assert m.krippendorff_alpha(ratings=HOLES[::-1]) == found
    shuffled = np.random.default_rng(0).permutation(60)
    assert m.krippendorff_alpha(ratings=[rater[shuffled] for rater in HOLES]) == found
