"""Which design reaches a target at the least cost, and when a judge beats people alone.

Reference for the regions: Lee et al., "How to Correctly Report LLM-as-a-Judge Evaluations",
section 6 (proposition 6.1, figure 4). The paper compares Rogan-Gladen with people at equal
labels and free verdicts; costs, and the designs that draw labels from the judged pool, are ours.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.frozen import dataclass
from goldassay.questions.plan.designs import (
    DESIGNS,
    Design,
    Purpose,
    Shares,
    expected_length,
    fewest,
    labels_for_length,
    on_average,
)
from goldassay.questions.plan.precision import JudgeRates, normal_quantile

__all__ = ["FREE_VERDICTS", "Costs", "Plan", "cheapest", "cost_ratio", "region"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Costs:
    """What one label by a person and one verdict of the judge cost, in any currency."""

    label: float = 1.0
    verdict: float = 0.0

    def __post_init__(self) -> None:
        if not (self.label > 0 and self.verdict >= 0):
            raise ValueError(f"a label costs more than 0 and a verdict 0 or more, not {self}")


#: A label costs 1, a verdict nothing.
FREE_VERDICTS = Costs()


@dataclass(frozen=True, slots=True)
class Plan:
    """A design with its numbers: labels (and how they are shared), judged items, length, cost.

    `labels` reach the length in the share of studies asked for, `expected` on average.
    """

    design: Design
    labels: int
    expected: int
    shares: Shares | None
    items: float
    length: float
    cost: float


def cheapest(rates: JudgeRates, purpose: Purpose, *, costs: Costs) -> list[Plan]:
    """Every design that reaches the length, cheapest first, with its labels and judged items.

    `purpose.items` is the number of items already judged (their verdicts cost nothing more); where
    it is infinite, each design judges as many as pay for themselves: the least c m + d n (labels
    at c, verdicts at d) with a / m + b / n = variance has n = (b + sqrt(a b c / d)) / variance.
    """
    plans = (_plan(design, rates, purpose, costs) for design in DESIGNS.values())
    return sorted((plan for plan in plans if plan is not None), key=lambda plan: plan.cost)


def _plan(design: Design, rates: JudgeRates, purpose: Purpose, costs: Costs) -> Plan | None:
    """The fewest labels of a design that reach the length, and what they cost; None: none do."""
    if design.separate and rates.youden_j <= 0:
        return None
    judged_already = math.isfinite(purpose.items)
    if not judged_already:
        purpose = replace(purpose, items=_items_worth_judging(design, rates, purpose, costs))
    plain = on_average(rates, purpose)
    labels, expected = labels_for_length(design, rates, purpose), None
    if labels is not None:
        expected = labels_for_length(design, rates, plain)
    elif not judged_already and design.from_pool:
        # Labels must lie in the judged pool: judge as many items as are labelled.
        expected, labels = (_all_labelled(design, rates, one) for one in (plain, purpose))
        if labels is not None:
            purpose = replace(purpose, items=float(labels))
    if labels is None or expected is None:
        return None
    judged = 0.0 if design.variance is None else purpose.items
    verdicts = judged * costs.verdict if not judged_already and costs.verdict else 0.0
    if design.separate:
        verdicts += labels * costs.verdict
    return Plan(
        design,
        labels,
        min(expected, labels),
        design.split(rates, labels, purpose) if design.split is not None else None,
        judged,
        expected_length(design, rates, labels, purpose),
        labels * costs.label + verdicts,
    )


def _all_labelled(design: Design, rates: JudgeRates, purpose: Purpose) -> int | None:
    """The fewest judged items that reach the length, every one of them labelled."""

    def reached(labels: int) -> bool:
        pool = replace(purpose, items=labels)
        return expected_length(design, rates, labels, pool) <= purpose.length

    return fewest(reached)


def _items_worth_judging(
    design: Design, rates: JudgeRates, purpose: Purpose, costs: Costs
) -> float:
    """How many verdicts pay for themselves."""
    if design.variance is None or costs.verdict == 0:
        return math.inf
    theta, q1, q0 = (np.array(v) for v in (rates.prevalence, rates.sensitivity, rates.specificity))
    a, b = (float(part) for part in design.variance(theta, q1, q0))
    if design.best_variance is not None:
        a = design.best_variance(rates)
    variance = (purpose.length / (2 * normal_quantile(purpose.confidence_level))) ** 2
    n = (b + math.sqrt(a * b * costs.label / costs.verdict)) / variance
    return max(math.ceil(n), 2)


def cost_ratio(
    design: Design,
    prevalence: ArrayLike,
    sensitivity: ArrayLike,
    specificity: ArrayLike,
    *,
    costs: Costs,
) -> Array:
    """What a design costs over what people alone cost, at equal precision: figure 4 with prices.

    A variance a / m + b / n bought with m labels at price c and n verdicts at price d costs at
    least (sqrt(a c) + sqrt(b d))^2 / variance. Labels of a separate set need a verdict too. A pool
    holds its labelled items: where fewer verdicts than labels would be best, the judge is useless.
    With free verdicts it is the ratio of variances at equal labels, and for `by_label` figure 4
    itself: labels fall as a random draw gives them (m1 = m theta). Infinite where J <= 0 and the
    design needs J.
    """
    theta, q1, q0 = np.broadcast_arrays(
        *(np.asarray(v, dtype=float) for v in (prevalence, sensitivity, specificity))
    )
    own = theta * (1 - theta)
    if design.variance is None:
        return np.ones(theta.shape)
    a, b = design.variance(theta, q1, q0)
    c, d = costs.label, costs.verdict
    label = c + d if design.separate else c
    least = (np.sqrt(a * label) + np.sqrt(b * d)) ** 2
    ratio: Array = np.divide(least, own * c, out=np.ones(theta.shape), where=own > 0)
    if design.from_pool:
        ratio = np.where(b * c < a * d, (c + d) / c, ratio)
    return ratio


def region(accuracy: float) -> tuple[float, float] | None:
    """Proposition 6.1 as m grows: the true rates at which a judge of this accuracy beats people.

    None below 1/2 + 1/(2 sqrt 2) = 0.854, where there are none.

    >>> low, high = region(0.9)
    >>> round(low, 4), round(high, 4)
    (0.1693, 0.8307)
    """
    if not 0.5 < accuracy <= 1:
        return None
    inside = 0.5 - 1 / (4 * (2 * accuracy - 1) ** 2)
    if inside < 0:
        return None
    half = math.sqrt(inside)
    return 0.5 - half, 0.5 + half
