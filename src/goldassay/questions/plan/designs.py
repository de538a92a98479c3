"""Which design reaches a target at the least cost, and when a judge beats people alone.

Reference for the regions: Lee et al., "How to Correctly Report LLM-as-a-Judge Evaluations",
section 6 (proposition 6.1, figure 4). The paper compares Rogan-Gladen with people at equal
labels and free verdicts; costs, and the designs that draw labels from the judged pool, are ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.questions.plan.allocation import best_split
from goldassay.questions.plan.precision import (
    JudgeRates,
    by_verdict_length,
    normal_quantile,
    people_length,
    rogan_gladen_length,
)

__all__ = [
    "DESIGNS",
    "FREE_VERDICTS",
    "Costs",
    "Design",
    "Plan",
    "beats_people",
    "cheapest",
    "cost_ratio",
    "expected_length",
    "labels_for_length",
    "region",
    "split_labels",
    "variance_ratio",
]

Array = NDArray[np.float64]
Design = Literal["people", "by_label", "random", "by_verdict"]

DESIGNS: tuple[Design, ...] = ("by_verdict", "random", "by_label", "people")

#: Beyond this many labels a target counts as out of reach.
MOST_LABELS = 10_000_000


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
    """A design with its numbers: labels (and how they are shared), judged items, length, cost."""

    design: Design
    labels: int
    shares: tuple[int, int] | None  # by_verdict: on negative, positive verdicts; by_label: labels
    items: float
    length: float
    cost: float


def split_labels(
    design: Design, rates: JudgeRates, labels: int, *, items: float = math.inf
) -> tuple[int, int] | None:
    """How a design shares its labels out: by verdict, by true label, or not at all.

    Labels drawn from the judged pool cannot be more than its `items` of either verdict.
    """
    if design == "people":
        return None
    if design == "by_label":
        split = best_split(
            labels,
            rates.prevalence,
            specificity=rates.specificity,
            sensitivity=rates.sensitivity,
            least=min(10, labels // 2),
        )
        return split.negatives, split.positives
    strata = rates.strata
    least, most = int(strata[1] > 0), labels - int(strata[0] > 0)
    if math.isfinite(items):  # a verdict has no more labels than items
        least = max(least, math.ceil(labels - strata[0] * items - 0.5))
        most = min(most, math.floor(strata[1] * items + 0.5))
    if design == "random":
        ones = min(max(round(labels * strata[1]), least), most)
        return labels - ones, ones
    ones_tried = np.unique(np.linspace(least, max(most, least), 401).round())
    tried = np.stack([labels - ones_tried, ones_tried], axis=-1)
    best = int(by_verdict_length(rates, tried, items=items, confidence_level=0.95).argmin())
    return int(tried[best, 0]), int(tried[best, 1])


def expected_length(
    design: Design,
    rates: JudgeRates,
    labels: int,
    *,
    items: float = math.inf,
    confidence_level: float = 0.95,
) -> float:
    """Length to expect of the interval for the true rate. Labels are shared out by the design."""
    if design == "people":
        return float(people_length(rates.prevalence, labels, confidence_level=confidence_level))
    shares = split_labels(design, rates, labels, items=items)
    assert shares is not None
    if design == "by_label":
        return float(
            rogan_gladen_length(rates, *shares, items=items, confidence_level=confidence_level)
        )
    return float(
        by_verdict_length(rates, np.array(shares), items=items, confidence_level=confidence_level)
    )


def labels_for_length(
    design: Design,
    rates: JudgeRates,
    length: float,
    *,
    items: float = math.inf,
    confidence_level: float = 0.95,
) -> int | None:
    """The fewest labels whose interval is expected to be no longer than `length`.

    None where no number of labels will do: the judged items themselves are too few (their own
    chance remains), or labels drawn from the pool would be more than the pool holds.
    """
    most = MOST_LABELS
    if design in ("random", "by_verdict") and items < most:
        most = int(items)

    def reached(labels: int) -> bool:
        found = expected_length(
            design, rates, labels, items=items, confidence_level=confidence_level
        )
        return found <= length

    return _fewest(reached, 2, most)


def cheapest(
    rates: JudgeRates,
    length: float,
    *,
    costs: Costs,
    items: float | None = None,
    confidence_level: float = 0.95,
) -> list[Plan]:
    """Every design that reaches `length`, cheapest first, with its labels and judged items.

    `items` is the number of items already judged (their verdicts cost nothing more); None lets
    each design judge as many as pay for themselves: the least c m + d n (labels at c, verdicts
    at d) with a / m + b / n = variance has n = (b + sqrt(a b c / d)) / variance.
    """
    plans = []
    for design in DESIGNS:
        if design == "by_label" and rates.youden_j <= 0:
            continue
        n = _items_worth_judging(
            design, rates, length, costs=costs, confidence_level=confidence_level, items=items
        )
        labels = labels_for_length(
            design, rates, length, items=n, confidence_level=confidence_level
        )
        if labels is None and items is None and design in ("random", "by_verdict"):
            # Labels must lie in the judged pool: judge as many items as are labelled.
            labels = _fewest(
                lambda m, design=design: (  # type: ignore[misc]
                    expected_length(design, rates, m, items=m, confidence_level=confidence_level)
                    <= length
                ),
                2,
                MOST_LABELS,
            )
            n = float(labels) if labels else n
        if labels is None:
            continue
        new_items = n if items is None and design != "people" else 0.0
        verdicts = new_items * costs.verdict if costs.verdict else 0.0
        if design == "by_label":  # a separate set is judged too
            verdicts += labels * costs.verdict
        reached = expected_length(design, rates, labels, items=n, confidence_level=confidence_level)
        plans.append(
            Plan(
                design,
                labels,
                split_labels(design, rates, labels, items=n),
                0.0 if design == "people" else n,
                reached,
                labels * costs.label + verdicts,
            )
        )
    return sorted(plans, key=lambda plan: plan.cost)


def variance_ratio(
    design: Design, prevalence: ArrayLike, sensitivity: ArrayLike, specificity: ArrayLike
) -> Array:
    """Variance of a design over that of people alone, at equal labels and with free verdicts.

    Below 1 the judge beats people. For `by_label` the labels fall as a random draw gives them
    (m1 = m theta), which is figure 4 of the paper. Infinite where J <= 0 and the design needs J.
    """
    return cost_ratio(design, prevalence, sensitivity, specificity, costs=FREE_VERDICTS)


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
    """
    theta, q1, q0 = np.broadcast_arrays(
        *(np.asarray(v, dtype=float) for v in (prevalence, sensitivity, specificity))
    )
    own = theta * (1 - theta)
    if design == "people":
        return np.ones(theta.shape)
    a, b = _variance_parts(design, theta, q1, q0)
    c, d = costs.label, costs.verdict
    label = c + d if design == "by_label" else c
    least = (np.sqrt(a * label) + np.sqrt(b * d)) ** 2
    ratio: Array = np.divide(least, own * c, out=np.ones(theta.shape), where=own > 0)
    if design != "by_label":
        ratio = np.where(b * c < a * d, (c + d) / c, ratio)
    return ratio


def _variance_parts(design: Design, theta: Array, q1: Array, q0: Array) -> tuple[Array, Array]:
    """a and b of a variance a / labels + b / judged items; infinite where J is needed and <= 0."""
    j = q0 + q1 - 1
    p = j * theta + 1 - q0
    if design == "by_label":
        informative = j > 0
        square = np.where(informative, j, 1.0) ** 2
        a = ((1 - theta) * q0 * (1 - q0) + theta * q1 * (1 - q1)) / square
        return np.where(informative, a, np.inf), np.where(informative, p * (1 - p) / square, 0.0)
    strata = np.stack([1 - p, p])
    true = np.stack([theta * (1 - q1), theta * q1])
    share = np.divide(true, strata, out=np.zeros_like(true), where=strata > 0)
    deviation = np.sqrt(np.clip(share * (1 - share), 0, None))
    within = (strata * deviation**2).sum(0)
    between = np.clip(theta * (1 - theta) - within, 0, None)
    return (strata * deviation).sum(0) ** 2 if design == "by_verdict" else within, between


def beats_people(
    prevalence: float, accuracy: float, *, labels: float = math.inf, probability: float = 0.95
) -> bool:
    """Proposition 6.1: with q0 = q1 = `accuracy`, is Rogan-Gladen at least as exact as people?

    For finite `labels` the condition (eq. 11) is sufficient, with at least this `probability` over
    how many of the labels turn out positive.
    """
    theta, q = prevalence, accuracy
    if not 0.5 < q <= 1:
        return False
    factor = 1.0
    if math.isfinite(labels):
        epsilon = math.sqrt(math.log(2 / (1 - probability)) / (2 * labels))
        if epsilon >= min(theta, 1 - theta):
            return False
        factor += (1 - theta) * epsilon / (1 - theta - epsilon)
        factor += theta * epsilon / (theta - epsilon)
    return theta * (1 - theta) >= q * (1 - q) / (2 * q - 1) ** 2 * factor


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


def _items_worth_judging(
    design: Design,
    rates: JudgeRates,
    length: float,
    *,
    costs: Costs,
    confidence_level: float,
    items: float | None,
) -> float:
    if items is not None or design == "people":
        return math.inf if items is None else items
    if costs.verdict == 0:
        return math.inf
    variance = (length / (2 * normal_quantile(confidence_level))) ** 2
    theta, q1, q0 = (np.array(v) for v in (rates.prevalence, rates.sensitivity, rates.specificity))
    a, b = (float(part) for part in _variance_parts(design, theta, q1, q0))
    if design == "by_label":  # the labels are shared out as is best, not as they fall
        deviation = (1 - theta) * np.sqrt(q0 * (1 - q0)) + theta * np.sqrt(q1 * (1 - q1))
        a = float((deviation / rates.youden_j) ** 2)
    return max(math.ceil((b + math.sqrt(a * b * costs.label / costs.verdict)) / variance), 2)


def _fewest(reached: Callable[[int], bool], least: int, most: int) -> int | None:
    """The smallest number from `least` to `most` for which `reached` holds, by halving."""
    if most < least:
        return None
    high = least
    while not reached(high):
        if high == most:
            return None
        high = min(2 * high, most)
    low = least - 1 if high == least else high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
