"""A plan as typed results: how many labels, on which items, at what cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units, Unlabelled, declared_modes, resolved_tables, verdict_shares
from goldassay.errors import RatingsError, TaskError, nearest
from goldassay.formulas.agreement import balanced_accuracy
from goldassay.questions.plan.comparison import Comparison, Goal, compare_designs
from goldassay.questions.plan.golden_set import GoldenSet, Sureness, golden_set, items_to_tell_apart
from goldassay.questions.plan.pool import Pool, chosen_units, pool_of
from goldassay.questions.plan.precision import JudgeRates
from goldassay.results import Estimate, Result, Row, Undefined

__all__ = [
    "Chosen",
    "NextItems",
    "PlanStudy",
    "PoolPlan",
    "Step",
    "ToldApart",
    "Unlisted",
    "judge_to_plan_for",
    "study_rates",
    "study_ratings",
]

Ints = NDArray[np.int64]

# --- a judge's pool ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """The judge that is planned for, and why it is this one."""

    judge: str
    #: It was asked for by name, or is the only one.
    given: bool
    #: Judges that there are.
    of: int
    #: Its balanced accuracy so far; None where no label tells it.
    balanced_accuracy: float | None


@dataclass(frozen=True, slots=True)
class Step:
    """So many more labels: how they fall on the strata, and the length to expect then."""

    labels: int
    falls: Ints
    length: float


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """How many more labels of a judge's pool reach the length, and how they should fall."""

    chosen: Chosen
    pool: Pool
    #: How labels were drawn, as the task declares.
    design: str | None
    #: The length with the labels so far; None where there are none.
    now: float | None
    #: The fewest labels that reach the length; None where all items would not.
    reach: Step | None
    #: The length with every item labelled.
    least: float
    #: What the labels asked for give.
    after: Step | None

    @property
    def items(self) -> int:
        return int(self.pool.items.sum())

    @property
    def labelled(self) -> int:
        return int(self.pool.labelled.sum())

    def rows(self) -> tuple[Row, ...]:
        items, results = self.items, list[Result]()
        if self.now is not None:
            results.append(Estimate("length_now", self.now, None, items))
        if self.reach is None:
            reason = f"all {items:,} items give {self.least:.3f}"
            results.append(Undefined("labels_needed", reason, items))
        elif self.reach.labels:
            results.append(Estimate("labels_needed", float(self.reach.labels), None, items))
        if self.after is not None:
            results.append(Estimate("length_after", self.after.length, None, items))
        return tuple(Row(one, {"judge": self.chosen.judge}) for one in results)


def judge_to_plan_for(units: Units, judge: str | None = None) -> Chosen:
    """The named judge, or that of the greatest balanced accuracy so far; without any, the first."""
    names = units.judge_names
    if not names:
        raise RatingsError("the ratings", "have no judge", next_step='Set kind to "judge" in rows')
    if judge is not None and judge not in names:
        near = nearest(judge, names)
        raise TaskError(
            f"--judge {judge}",
            f"is not a judge of the ratings: {', '.join(names)}",
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    given = judge is not None or len(names) == 1
    modes = declared_modes(units.task)
    quality = {
        name: float(
            balanced_accuracy(resolved_tables(units, verdict_shares(units, name), modes).total)
        )
        for name in ((judge,) if judge is not None else names)
    }
    best = max(quality, key=lambda name: np.nan_to_num(quality[name], nan=-1.0))
    known = None if math.isnan(quality[best]) else quality[best]
    return Chosen(best, given, len(names), known)


def plan_pool(units: Units, chosen: Chosen, goal: Goal) -> PoolPlan:
    """The labels of a judge's pool so far, and the next ones.

    The pool is every item with a verdict that counts; its labels so far say how spread out each
    verdict's items are. `goal.labels` asks also how long the interval is after so many more.
    """
    task = units.task
    if task.scale == "continuous" or (task.scale != "binary" and task.positive is None):
        raise TaskError(
            "the task",
            "planning is for the rate of a positive option",
            next_step="Declare the options, and positive = one of them",
        )
    pool = pool_of(units, chosen.judge)
    if not len(pool.items):
        raise RatingsError("the ratings", f"{chosen.judge} has no verdict that counts")
    left = int((pool.items - pool.labelled).sum())

    def step(labels: int) -> Step:
        falls = pool.more(labels) if labels else np.zeros(len(pool.items), dtype=np.int64)
        length = pool.length_after(labels, confidence_level=task.confidence_level)
        return Step(labels, falls, length)

    needed = _fewest_more(pool, goal.length, task.confidence_level)
    return PoolPlan(
        chosen=chosen,
        pool=pool,
        design=task.calibration,
        now=step(0).length if pool.labelled.any() else None,
        reach=None if needed is None else step(needed),
        least=step(left).length,
        after=None if goal.labels is None else step(min(goal.labels, left)),
    )


def _fewest_more(pool: Pool, length: float, level: float) -> int | None:
    """More labels until the interval is expected to be no longer than `length`."""
    left = int((pool.items - pool.labelled).sum())
    if pool.labelled.any() and pool.length_after(0, confidence_level=level) <= length:
        return 0
    if left == 0 or pool.length_after(left, confidence_level=level) > length:
        return None
    low, high = 0, left
    while high - low > 1:
        middle = (low + high) // 2
        if pool.length_after(middle, confidence_level=level) <= length:
            high = middle
        else:
            low = middle
    return high


# --- the whole --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unlisted:
    """Unlabelled units, of which so many are to be listed."""

    units: Unlabelled
    number: int
    seed: int


@dataclass(frozen=True, slots=True)
class NextItems:
    """The units to label next, named by these columns; `asked` for so many."""

    columns: tuple[str, ...]
    units: tuple[tuple[str, ...], ...]
    asked: int


@dataclass(frozen=True, slots=True)
class ToldApart:
    """Labelled items that would tell two judges of given rates apart; None: no number would."""

    items: int | None
    power: float


@dataclass(frozen=True, slots=True)
class PlanStudy:
    """A plan from ratings (`pool`) or from rates alone."""

    comparison: Comparison
    pool: PoolPlan | None = None
    golden: GoldenSet | None = None
    following: NextItems | None = None
    against: ToldApart | None = None

    def rows(self) -> tuple[Row, ...]:
        return self.pool.rows() if self.pool is not None else ()


def study_ratings(
    units: Units, chosen: Chosen, goal: Goal, unlisted: Unlisted | None = None
) -> PlanStudy:
    """The plan for a judge's pool; with `unlisted`, the items to label next."""
    planned = plan_pool(units, chosen, goal)
    pool, task = planned.pool, units.task
    following = None
    if unlisted is not None:
        listed = chosen_units(pool, unlisted.units, unlisted.number, task, seed=unlisted.seed)
        following = NextItems(unlisted.units.columns, tuple(listed), unlisted.number)
    return PlanStudy(
        compare_designs(pool.rates, int(pool.items.sum()), goal, task.confidence_level),
        pool=planned,
        golden=golden_set(units),
        following=following,
    )


def study_rates(
    rates: JudgeRates,
    goal: Goal,
    *,
    items: float = math.inf,
    against: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
) -> PlanStudy:
    """The plan from a guess of the rates alone, for a pool of `items` judged items.

    `against` is another judge's sensitivity and specificity.
    """
    told = None
    if against is not None:
        sure = Sureness(confidence_level)
        number = items_to_tell_apart(
            (rates.sensitivity, rates.specificity), against, prevalence=rates.prevalence, sure=sure
        )
        told = ToldApart(number, sure.power)
    return PlanStudy(compare_designs(rates, items, goal, confidence_level), against=told)
