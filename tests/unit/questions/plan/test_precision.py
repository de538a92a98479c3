"""A judge's rates and the spread of an estimate through it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.questions.plan.precision import JudgeRates, spread_by_verdict


def test_the_parts_of_the_variance_add_up() -> None:
    """Within and between verdicts make theta (1 - theta)."""
    rates = JudgeRates(0.23, 0.81, 0.67)
    assert rates.within_variance + rates.between_variance == pytest.approx(0.23 * 0.77)
    assert rates.within_deviation**2 <= rates.within_variance


def test_a_judge_that_calls_all_alike_leaves_an_empty_stratum() -> None:
    rates = JudgeRates(0.3, 1.0, 0.0)
    assert rates.strata.tolist() == [0, 1]
    # As 200 labels without a judge: sqrt(.3 x .7 / 200) = .0324.
    assert spread_by_verdict(rates, [0, 200]) == pytest.approx(0.0324, rel=0.02)


def test_the_spread_by_verdict_is_what_simulation_finds() -> None:
    rates, rng = JudgeRates(0.3, 0.85, 0.8), np.random.default_rng(0)
    weights, shares = rates.strata, rates.positive_shares
    m = np.array([120, 80])
    called = rng.binomial(1000, weights[1], 20_000)[:, None]
    sampled = rng.binomial(m, shares, (20_000, 2)) / m
    estimate = (np.hstack([1000 - called, called]) / 1000 * sampled).sum(-1)
    ours = spread_by_verdict(rates, m, items=1000)
    assert ours == pytest.approx(estimate.std(), rel=0.02)


def test_shares_outside_0_and_1_are_refused() -> None:
    with pytest.raises(ValueError, match="prevalence is a share"):
        JudgeRates(1.2, 0.9, 0.9)


@given(st.lists(st.floats(0, 1e12), min_size=4, max_size=4))
def test_rates_of_any_cells_are_shares(cells: list[float]) -> None:
    hits, misses, false_alarms, rejections = cells
    if hits + misses and false_alarms + rejections:
        rates = JudgeRates.from_cells(*cells)
        assert rates.sensitivity <= 1
        assert rates.specificity <= 1
