"""All designs side by side for a judge of given rates: lengths, costs, and against people alone."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.questions.plan.allocation import Split, algorithm_1
from goldassay.questions.plan.assurance import simulated_share
from goldassay.questions.plan.costs import FREE_VERDICTS, Costs, Plan, cheapest, cost_ratio, region
from goldassay.questions.plan.designs import (
    BY_LABEL,
    DESIGNS,
    PEOPLE,
    Design,
    Purpose,
    Shares,
    expected_length,
    labels_for_length,
    length_of_shares,
    on_average,
)
from goldassay.questions.plan.precision import JudgeRates

__all__ = ["ASSURANCE", "BUDGETS", "Budget", "Comparison", "CostRatios", "Goal", "compare_designs"]

Array = NDArray[np.float64]

#: The share of studies in which a planned length is reached.
ASSURANCE = 0.8
#: Numbers of labels whose lengths are always told.
BUDGETS = (25, 50, 100, 200, 400, 800, 1_600)


@dataclass(frozen=True, slots=True)
class Goal:
    """What is planned for: an interval's length, or what so many labels give; and prices."""

    length: float
    labels: int | None = None
    costs: Costs = FREE_VERDICTS
    #: The share of studies in which the length is to be reached.
    assurance: float = ASSURANCE


@dataclass(frozen=True, slots=True)
class Budget:
    """What a number of labels gives."""

    labels: int
    #: Designs that can spend so many, how they share them out, and the length with assurance.
    designs: tuple[tuple[Design, Shares | None, float], ...]
    #: The split of the paper's Algorithm 1 for a separate set, and its length; None where J <= 0.
    algorithm_1: tuple[Split, float] | None

    @property
    def shortest(self) -> tuple[Design, float]:
        design, _, length = min(self.designs, key=lambda one: one[2])
        return design, length


@dataclass(frozen=True, slots=True)
class CostRatios:
    """What designs cost over what people alone cost, at equal precision and these prices."""

    #: Over true rates, by design.
    true_rates: Array
    by_design: dict[str, Array]
    #: A separate set at the judge's true rate, over sensitivity (rows) and specificity.
    qualities: Array
    separate: Array
    #: Here, by design; infinite where a design cannot reach the precision.
    here: dict[str, float]
    #: Sensitivity and specificity on average, and between which true rates a judge with both of
    #: them so beats people by correction, verdicts being free; None where it never does.
    accuracy: float
    region: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All designs for a judge of these rates; `items` are judged, or as many as one likes."""

    rates: JudgeRates
    items: float
    goal: Goal
    confidence_level: float
    #: Those that reach the length, cheapest first.
    plans: tuple[Plan, ...]
    budget: Budget | None
    #: Expected lengths [B, D] by number of labels and design; infinite where the pool is too small.
    budgets: tuple[int, ...]
    lengths: Array
    ratios: CostRatios


def compare_designs(
    rates: JudgeRates, items: float, goal: Goal, confidence_level: float
) -> Comparison:
    """Lengths and costs of every design."""
    # Of known rates nothing but the luck of the draw is left to assure; a pilot's are as open as
    # those of a table, and planned for as these are.
    share = goal.assurance if rates.pilot is None else simulated_share(goal.assurance)
    purpose = Purpose(goal.length, items, confidence_level, share)
    plain = on_average(rates, purpose)
    plans = cheapest(rates, purpose, costs=goal.costs)
    longest = labels_for_length(PEOPLE, rates, plain)
    parts = (int((longest or BUDGETS[-1]) * share) for share in (0.25, 0.5, 1, 1.5))
    budgets = tuple(sorted({*BUDGETS, *parts} - {0, 1}))
    lengths = [[expected_length(one, rates, m, plain) for one in DESIGNS.values()] for m in budgets]
    return Comparison(
        rates=rates,
        items=items,
        goal=goal,
        confidence_level=confidence_level,
        plans=tuple(plans),
        budget=None
        if goal.labels is None or goal.labels < 2
        else _budget(rates, goal.labels, purpose),
        budgets=budgets,
        lengths=np.array(lengths),
        ratios=_cost_ratios(rates, goal.costs),
    )


def _budget(rates: JudgeRates, labels: int, purpose: Purpose) -> Budget:
    lengths = ((one, expected_length(one, rates, labels, purpose)) for one in DESIGNS.values())
    designs = tuple(
        (one, one.split(rates, labels, purpose) if one.split is not None else None, length)
        for one, length in lengths
        if math.isfinite(length)
    )
    if rates.youden_j <= 0:
        return Budget(labels, designs, None)
    split = algorithm_1(
        labels, rates.verdict_rate, specificity=rates.specificity, sensitivity=rates.sensitivity
    )
    theirs = length_of_shares(BY_LABEL, rates, (split.negatives, split.positives), purpose)
    return Budget(labels, designs, (split, theirs))


def _cost_ratios(rates: JudgeRates, costs: Costs) -> CostRatios:
    """Proposition 6.1 for these numbers and prices: where the judge beats people."""
    theta, grid = np.linspace(0.01, 0.99, 99), np.linspace(0.5, 1.0, 11)
    here = (rates.prevalence, rates.sensitivity, rates.specificity)
    judged = [one for one in DESIGNS.values() if one.variance is not None]
    accuracy = (rates.sensitivity + rates.specificity) / 2
    return CostRatios(
        true_rates=theta,
        by_design={
            one.name: cost_ratio(one, theta, rates.sensitivity, rates.specificity, costs=costs)
            for one in judged
        },
        qualities=grid,
        separate=cost_ratio(BY_LABEL, rates.prevalence, grid[:, None], grid[None, :], costs=costs),
        here={one.name: float(cost_ratio(one, *here, costs=costs)) for one in judged},
        accuracy=accuracy,
        region=region(accuracy) if costs.verdict == 0 else None,
    )
