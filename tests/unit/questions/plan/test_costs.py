"""Targets, costs, and proposition 6.1."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.plan.costs import FREE_VERDICTS, Costs, cheapest, cost_ratio, region
from goldassay.questions.plan.designs import (
    BY_LABEL,
    BY_VERDICT,
    PEOPLE,
    RANDOM,
    Design,
    Purpose,
    labels_for_length,
)
from goldassay.questions.plan.precision import JudgeRates

RATES = JudgeRates(0.2, 0.9, 0.7)


def test_by_verdict_is_never_longer_than_people_or_random() -> None:
    theta, q1, q0 = np.meshgrid(*[np.linspace(0.02, 0.98, 25)] * 3)
    by_verdict = cost_ratio(BY_VERDICT, theta, q1, q0, costs=FREE_VERDICTS)
    random = cost_ratio(RANDOM, theta, q1, q0, costs=FREE_VERDICTS)
    assert (by_verdict <= random + 1e-12).all()
    assert (random <= 1 + 1e-12).all()


@pytest.mark.parametrize("accuracy", [0.86, 0.9, 0.95, 0.99])
def test_proposition_6_1_is_the_variance_ratio_of_equal_error_rates(accuracy: float) -> None:
    low, high = region(accuracy) or (0.0, 0.0)
    for theta in np.linspace(0.01, 0.99, 99):
        inside = low <= theta <= high
        ratio = cost_ratio(BY_LABEL, theta, accuracy, accuracy, costs=FREE_VERDICTS)
        assert (ratio <= 1) == inside


def test_proposition_6_1_needs_an_accuracy_of_854() -> None:
    assert region(0.853) is None
    assert region(0.854) is not None
    assert region(1.0) == (0.0, 1.0)
    assert region(0.4) is None


@pytest.mark.parametrize("design", [BY_LABEL, RANDOM, BY_VERDICT], ids=lambda one: one.name)
@pytest.mark.parametrize("verdict", [0.001, 0.05, 0.3])
def test_cost_ratio_is_the_cheapest_way_to_the_variance(design: Design, verdict: float) -> None:
    """Against a search over the number of judged items for each label."""
    rates, costs = JudgeRates(0.3, 0.85, 0.8), Costs(label=2, verdict=verdict)
    ours = cost_ratio(design, 0.3, 0.85, 0.8, costs=costs)
    if design is BY_LABEL:
        a = (0.7 * 0.8 * 0.2 + 0.3 * 0.85 * 0.15) / 0.65**2
        b = rates.verdict_rate * (1 - rates.verdict_rate) / 0.65**2
    else:
        a = rates.within_variance if design is RANDOM else rates.within_deviation**2
        b = rates.between_variance
    per_label = np.geomspace(1 if design is not BY_LABEL else 0.01, 1e5, 200_001)
    labels = a + b / per_label  # for a variance of 1
    if design is not BY_LABEL:
        labels[0] = 0.3 * 0.7  # every judged item labelled: as people alone
    price = labels * (2 + (verdict if design is BY_LABEL else 0) + per_label * verdict)
    assert ours == pytest.approx(price.min() / (0.3 * 0.7 * 2), rel=1e-4)


def test_free_verdicts_make_the_cost_ratio_the_variance_ratio() -> None:
    # Rogan-Gladen: (q1 (1 - q1) theta + q0 (1 - q0) (1 - theta)) / J^2 over theta (1 - theta)
    # = (.1275 x .3 + .16 x .7) / .65^2 / .21
    ratio = cost_ratio(BY_LABEL, 0.3, 0.85, 0.8, costs=FREE_VERDICTS)
    assert ratio == pytest.approx(0.15025 / 0.4225 / 0.21)


def test_cheapest_orders_by_cost_and_reaches_the_target() -> None:
    plans = cheapest(RATES, Purpose(0.1), costs=Costs(label=1, verdict=0.01))
    assert [plan.design for plan in plans] == [BY_VERDICT, RANDOM, PEOPLE, BY_LABEL]
    assert all(plan.length <= 0.1 for plan in plans)
    # 996 items pay for themselves; people alone need 259 labels
    assert plans[0].cost < 200 < plans[2].cost


def test_dear_verdicts_make_people_the_cheapest() -> None:
    assert cheapest(RATES, Purpose(0.05), costs=Costs(label=1, verdict=0.5))[0].design is PEOPLE


def test_the_number_of_judged_items_is_the_cheapest_one() -> None:
    costs = Costs(label=1, verdict=0.01)
    best = cheapest(RATES, Purpose(0.1), costs=costs)[0]
    for items in (best.items * 0.6, best.items * 1.6):
        labels = labels_for_length(BY_VERDICT, RATES, Purpose(0.1, items))
        assert labels is not None
        assert labels + items * costs.verdict >= best.cost - 0.5


def test_a_worthless_judge_is_left_out_where_it_cannot_be_inverted() -> None:
    plans = cheapest(JudgeRates(0.3, 0.5, 0.5), Purpose(0.1), costs=Costs())
    assert {plan.design.name for plan in plans} == {"by_verdict", "random", "people"}


def test_costs_must_make_sense() -> None:
    with pytest.raises(ValueError, match="a label costs more than 0"):
        Costs(label=0)
