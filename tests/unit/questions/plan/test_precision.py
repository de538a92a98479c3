"""Expected interval lengths against the paper's code, statsmodels' Wilson, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from goldassay.questions.plan.precision import (
    JudgeRates,
    by_verdict_length,
    people_length,
    rogan_gladen_length,
)


@pytest.mark.parametrize(
    ("p", "q0", "q1", "n", "m", "expected"),
    [
        (0.4, 0.7, 0.9, 1000, 200, (0.0563507248, 0.2627330258)),
        (0.5, 0.9, 0.9, 100, 50, (0.3516712993, 0.6483287007)),
        (0.5, 1.0, 1.0, 100, 50, (0.3962861685, 0.6037138315)),
    ],
)
def test_rogan_gladen_length_is_that_of_the_papers_interval(
    p: float, q0: float, q1: float, n: int, m: int, expected: tuple[float, float]
) -> None:
    rates = JudgeRates.from_verdicts(p, q1, q0)
    ours = rogan_gladen_length(rates, m, m, items=n, confidence_level=0.95)
    assert ours == pytest.approx(expected[1] - expected[0], abs=1e-9)


def test_figure_3_a_length_of_a_tenth_takes_200_labels_of_each_kind() -> None:
    """The paper's text has "m about 200" for p-hat .3, q0 .7, q1 .9 and an endless test set.

    Equation 6 gives .130 with 200 in all and .096 with 200 of either label: so counts the figure.
    """
    rates = JudgeRates.from_verdicts(0.3, 0.9, 0.7)
    in_all, of_each = rogan_gladen_length(rates, [100, 200], [100, 200], confidence_level=0.95)
    assert in_all == pytest.approx(0.130, abs=5e-4)
    assert of_each == pytest.approx(0.096, abs=5e-4)


def test_a_judge_without_information_bounds_nothing() -> None:
    assert (
        rogan_gladen_length(JudgeRates(0.3, 0.5, 0.5), 100, 100, items=1000, confidence_level=0.95)
        == np.inf
    )


def test_people_length_is_wilsons() -> None:
    low, high = proportion_confint(40, 200, method="wilson")
    assert people_length(0.2, 200, confidence_level=0.95) == pytest.approx(high - low)


def test_the_parts_of_the_variance_add_up() -> None:
    """Within and between verdicts make theta (1 - theta)."""
    rates = JudgeRates(0.23, 0.81, 0.67)
    assert rates.within_variance + rates.between_variance == pytest.approx(0.23 * 0.77)
    assert rates.within_deviation**2 <= rates.within_variance


def test_a_judge_that_calls_all_alike_leaves_an_empty_stratum() -> None:
    rates = JudgeRates(0.3, 1.0, 0.0)
    assert rates.strata.tolist() == [0, 1]
    length = by_verdict_length(rates, [0, 200], confidence_level=0.95)
    assert length == pytest.approx(people_length(0.3, 200, confidence_level=0.95), rel=0.02)


def test_by_verdict_length_is_what_simulation_finds() -> None:
    rates, rng = JudgeRates(0.3, 0.85, 0.8), np.random.default_rng(0)
    weights, shares = rates.strata, rates.positive_shares
    m = np.array([120, 80])
    called = rng.binomial(1000, weights[1], 20_000)[:, None]
    sampled = rng.binomial(m, shares, (20_000, 2)) / m
    estimate = (np.hstack([1000 - called, called]) / 1000 * sampled).sum(-1)
    spread = 2 * 1.959964 * estimate.std()
    ours = by_verdict_length(rates, m, items=1000, confidence_level=0.95)
    assert ours == pytest.approx(spread, rel=0.02)


def test_shares_outside_0_and_1_are_refused() -> None:
    with pytest.raises(ValueError, match="prevalence is a share"):
        JudgeRates(1.2, 0.9, 0.9)
