"""Kappa and its kin, by hand and beside scikit-learn and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sklearn
from statsmodels.stats.inter_rater import cohens_kappa

from goldassay import metrics as m
from goldassay.results import Estimate, Undefined

RNG = np.random.default_rng(1)
TRUTH = RNG.integers(1, 5, 150)
VERDICT = np.where(RNG.random(150) < 0.6, TRUTH, RNG.integers(1, 5, 150))


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_is_scikit_learn_s(weights: str | None) -> None:
    found = m.cohen_kappa(TRUTH, VERDICT, weights=weights)  # type: ignore[arg-type]
    expected = sklearn.cohen_kappa_score(TRUTH, VERDICT, weights=weights)
    assert found.value == pytest.approx(expected)
    assert found.name == ("weighted_kappa" if weights else "cohen_kappa")


def test_the_asymptotic_interval_is_statsmodels() -> None:
    table = np.zeros((4, 4))
    np.add.at(table, (TRUTH - 1, VERDICT - 1), 1)
    for weights, scores in (
        (None, {}),
        ("quadratic", {"weights": np.arange(4), "wt": "quadratic"}),
    ):
        found = m.cohen_kappa(TRUTH, VERDICT, weights=weights, method="asymptotic")
        theirs = cohens_kappa(table, **scores)
        assert isinstance(found, Estimate)
        assert found.interval is not None
        assert found.value == pytest.approx(theirs.kappa)
        ends = (found.interval.low, found.interval.high)
        assert ends == pytest.approx((theirs.kappa_low, theirs.kappa_upp))


def test_a_matrix_of_weights_is_what_it_names() -> None:
    at = np.arange(4) / 3
    matrix = 1 - np.abs(at[:, None] - at)
    named = m.weighted_kappa(TRUTH, VERDICT, weights="linear")
    given = m.weighted_kappa(TRUTH, VERDICT, weights=matrix)
    assert given.value == pytest.approx(named.value)
    assert named.declared["weights"] == "linear"
    assert m.weighted_kappa(TRUTH, VERDICT, weights=np.eye(4)).value == pytest.approx(
        m.cohen_kappa(TRUTH, VERDICT).value
    )


def test_mcc_is_scikit_learn_s_and_phi_of_two_labels() -> None:
    expected = sklearn.matthews_corrcoef(TRUTH, VERDICT)
    assert m.mcc(TRUTH, VERDICT).value == pytest.approx(expected)
    two = m.phi(TRUTH > 2, VERDICT > 2)
    assert two.value == m.mcc(TRUTH > 2, VERDICT > 2).value
    assert m.pearson(TRUTH > 2, VERDICT > 2).value == pytest.approx(two.value)


def test_scott_by_hand() -> None:
    # p_o = .85, mean rates .475 and .525: p_e = .475^2 + .525^2 = .50125
    found = m.scott_pi(counts=[[40, 10], [5, 45]])
    assert found.value == pytest.approx((0.85 - 0.50125) / (1 - 0.50125))


def test_the_gap_holds_zero_while_the_rates_may_be_equal() -> None:
    near = m.kappa_phi_gap(counts=[[40, 10], [8, 42]])
    far = m.kappa_phi_gap(counts=[[40, 60], [2, 98]])
    assert near.interval.low == 0 < near.value
    assert far.interval.low > 0


def test_the_gap_of_a_judge_at_chance_holds_zero() -> None:
    """Half of all verdicts are positive, whatever the label: kappa and phi are both 0 in truth."""
    rng = np.random.default_rng(7)
    held, lengths = 0, []
    for _ in range(100):
        positive = int(rng.binomial(200, 0.95))
        hits, false = rng.binomial([positive, 200 - positive], 0.5)
        found = m.kappa_phi_gap(
            counts=[[200 - positive - false, false], [positive - hits, hits]], draws=400
        )
        held += 0.0 in found.interval
        lengths.append(found.interval.high - found.interval.low)
    assert held >= 93
    assert np.mean(lengths) < 0.15


def test_one_option_is_undefined_or_zero_with_a_warning() -> None:
    found = m.cohen_kappa(["a", "a"], ["a", "a"])
    assert isinstance(found, Undefined)
    assert (
        found.reason
        == "people and judge use one and the same option only (both say the same on 2 of 2)"
    )
    constant = m.cohen_kappa(["a", "b", "a"], ["a", "a", "a"])
    assert constant.value == 0
    assert "single option" in constant.warnings[0]
    assert isinstance(m.phi(["a", "b", "a"], ["a", "a", "a"]), Undefined)
