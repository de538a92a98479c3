"""A plan as typed results: how many labels, on which items, at what cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units, Unlabelled, unit_word
from goldassay.errors import RatingsError, TaskError, nearest
from goldassay.frozen import dataclass
from goldassay.questions.compare.best_judge import BestJudge, best_of_options
from goldassay.questions.estimate.classes import largest_inflation
from goldassay.questions.estimate.counting import sample_of
from goldassay.questions.estimate.estimators import ROGAN_GLADEN
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.shift import ShiftTest, shift_of
from goldassay.questions.plan.assurance import EVEN, Lengths, fewest_labels, simulated_share
from goldassay.questions.plan.comparison import Comparison, Goal, compare_designs
from goldassay.questions.plan.forecast import Known, from_pool, separate_set
from goldassay.questions.plan.golden_set import GoldenSet, Sureness, golden_set, items_to_tell_apart
from goldassay.questions.plan.interval import Rule, length_of, rate_now, rule_of
from goldassay.questions.plan.pool import Pool, chosen_units, pool_of, two_options
from goldassay.questions.plan.precision import JudgeRates
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result, Row, Undefined
from goldassay.words import points

__all__ = [
    "Chosen",
    "NextItems",
    "PlanStudy",
    "PoolPlan",
    "Step",
    "ToldApart",
    "Unlisted",
    "Way",
    "judge_to_plan_for",
    "study_rates",
    "study_ratings",
]

Ints = NDArray[np.int64]
Way = Literal["random", "by_verdict", "separate", "by_label"]

#: Why no length is told.
NO_INTERVAL = "no number of labels assures any interval: the clusters are too few"
#: Labels of a separate set beyond which a length counts as out of reach.
MOST_OF_A_SET = 100_000

# --- a judge's pool ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """The judge that is planned for, and why it is this one."""

    judge: str
    #: It was asked for by name, or is the only one.
    given: bool
    #: Judges that there are.
    of: int
    #: Its balanced accuracy so far; None where it was given, or no label tells it.
    best: BestJudge | None


@dataclass(frozen=True, slots=True)
class Step:
    """So many more labels: how they fall on the strata (None: at random), and the lengths then."""

    labels: int
    falls: Ints | None
    #: The length that is not exceeded with the assurance asked for, and in half of all studies.
    length: float
    expected: float


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """How many more labels of a judge's pool reach the length, and how they should fall."""

    chosen: Chosen
    criterion: str | None
    pool: Pool
    #: How labels were drawn, as the task declares, and how the next ones are: "random" and
    #: "by_verdict" from the pool, "separate" and "by_label" as more of a separate set.
    design: str | None
    way: Way
    n_clusters: int
    #: The rate with the labels so far, as `estimate` gives it.
    rate: Result
    #: The fewest labels with assurance; 0 where the length is reached; None where none do.
    reach: Step | None
    #: The fewest labels for an even chance.
    plain: int | None
    #: With every item labelled, or as many of a separate set as anybody would; None: no forecast.
    everything: Step | None
    #: What the labels asked for give.
    after: Step | None
    #: Where more labels are drawn at random: what it takes if they are drawn by verdict.
    by_verdict: Step | None = None
    #: What is labelled once (`counts/units.unit_word`).
    unit: str = "item"
    #: Which judge's verdicts say surest that the labels so far are no random draw, as declared.
    unlike_others: tuple[str, ShiftTest] | None = None

    @property
    def about(self) -> dict[str, str]:
        named = {"judge": self.chosen.judge}
        return named if self.criterion is None else {**named, "criterion": self.criterion}

    @property
    def now(self) -> float | None:
        """The length of the interval with the labels so far; None where there is none."""
        length = length_of(self.rate)
        return length if math.isfinite(length) else None

    @property
    def errs_alike(self) -> bool:
        """Whether the rate takes it that the judge errs on its items as on the labelled ones."""
        return self.way in ("separate", "by_label")

    @property
    def items(self) -> int:
        """The items whose rate is planned for: of a separate set those beside it."""
        return self.pool.left if self.errs_alike else int(self.pool.items.sum())

    @property
    def rates(self) -> JudgeRates:
        """What the labels so far suggest of the judge; a separate set is a pilot, as counts are."""
        pilot = self.pool.pilot if self.errs_alike else None
        if pilot is None or not (pilot.sensitivity and pilot.specificity):
            return self.pool.rates
        (right1, m1), (right0, m0) = pilot.sensitivity, pilot.specificity
        try:
            return JudgeRates.from_pilot(pilot, None, right1 / m1, right0 / m0)
        except ValueError:  # counts that contradict one another
            return self.pool.rates

    @property
    def labelled(self) -> int:
        """Labels so far: of a rate that is people's of every item, those without a verdict too."""
        decided = int(self.pool.labelled.sum())
        of_rate = self.rate.declared.get("labelled") if isinstance(self.rate, Estimate) else None
        return decided if self.pool.left or of_rate is None else max(decided, round(of_rate))

    def rows(self) -> tuple[Row, ...]:
        items, results = self.items, list[Result]()
        if self.now is not None:
            results.append(Estimate("length_now", self.now, None, items))
        if self.reach is None:
            results.append(Undefined("labels_needed", self._why, items))
        elif self.reach.labels:
            results.append(Estimate("labels_needed", self.reach.labels, None, items))
        if self.plain:
            results.append(Estimate("labels_for_even_chance", self.plain, None, items))
        if self.after is not None and math.isfinite(self.after.length):
            results.append(Estimate("length_after", self.after.length, None, items))
        elif self.after is not None:
            results.append(Undefined("length_after", NO_INTERVAL, items))
        assumed = (ROGAN_GLADEN.assumes,) if self.errs_alike else ()
        told = (replace(o, assumptions=assumed) if isinstance(o, Estimate) else o for o in results)
        return tuple(Row(one, self.about) for one in told)

    @property
    def _why(self) -> str:
        if self.everything is None:
            return "no forecast for more than two verdicts and a separate set"
        if not math.isfinite(self.everything.length):
            return NO_INTERVAL
        if not self.everything.labels:
            return "no number of labels can be assured: every item is labelled"
        give = "gives" if self.everything.labels == 1 else "give"
        return (
            f"no number of labels can be assured: {self.everything.labels:,} more {give} an "
            f"interval of {points(self.everything.length)}"
        )


def judge_to_plan_for(units: Units, judge: str | None = None) -> Chosen:
    """The named judge, or the one that `select` would name so far; without any, the first."""
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
    best = None if given else best_of_options(units, names)
    if best is None:
        return Chosen(judge or names[0], given, len(names), None)
    return Chosen(best.judge, given, len(names), best)


def plan_pool(
    units: Units, chosen: Chosen, goal: Goal, *, criterion: str | None = None, seed: int = 1
) -> PoolPlan:
    """The labels of a judge's pool so far, and the next ones.

    The pool is every item with a verdict that counts. `goal.labels` asks also how long the
    interval is after so many more.
    """
    task = units.task
    if task.scale == "continuous" or (task.scale != "binary" and task.positive is None):
        raise TaskError(
            "the task",
            "planning is for the rate of a positive option",
            next_step="Declare the options, and positive = one of them",
        )
    patterns = two_options(units, chosen.judge)
    if not patterns.used.any():
        raise RatingsError("the ratings", f"{chosen.judge} has no verdict that counts")
    sample, pool = patterns.sample(), pool_of(patterns)
    rule, rate = rule_of(units, sample), rate_now(units, chosen.judge)
    known = Known(patterns, sample, pool, rule, _scale(units, chosen.judge, sample, rule), seed)
    way, dear = _way(rule), not sample.independent
    now = length_of(rate)

    def search(drawn: Way) -> _Search:
        return _Search(_lengths(known, drawn, now, dear=dear), pool, drawn, goal)

    mine = search(way)
    # What labels drawn by verdict would save is worth knowing where it costs nothing to know.
    other = search("by_verdict").reach if way == "random" and not dear else None
    return PoolPlan(
        chosen=chosen,
        criterion=criterion,
        pool=pool,
        design=task.calibration,
        way=way,
        n_clusters=sample.n_clusters,
        rate=rate,
        reach=mine.reach,
        plain=mine.plain,
        everything=mine.everything,
        after=None if goal.labels is None else mine.step(goal.labels),
        by_verdict=other,
        unit=unit_word(task.scale, criteria=1, systems=_systems(units)),
        unlike_others=_unlike_others(units, rule) if way == "random" else None,
    )


def _unlike_others(units: Units, rule: Rule) -> tuple[str, ShiftTest] | None:
    """Who refutes that the labels were drawn at random; of many judges one seems to by chance."""
    tested = {
        judge: shift
        for judge in units.judge_names
        if (shift := shift_of(two_options(units, judge).sample(), rule.drawn)) is not None
    }
    if not tested:
        return None
    judge = min(tested, key=lambda one: tested[one].p_value)
    surest = replace(tested[judge], tests=len(tested))
    return (judge, surest) if surest.shifted else None


def _systems(units: Units) -> int:
    found = units.by.get("system")
    return 0 if found is None else len(found.labels)


def _way(rule: Rule) -> Way:
    """How more labels are drawn: as declared; from a pool by verdict, where nothing is."""
    if rule.by_label:
        return "by_label" if rule.drawn.declared == "by_label" else "separate"
    return "random" if rule.drawn.declared == "random" else "by_verdict"


def _lengths(known: Known, way: Way, now: float, *, dear: bool) -> Lengths | None:
    """The forecast of a way to draw more labels; None where nothing can be forecast."""
    so_far, left, more = round(known.sample.n_labelled), known.pool.left, known.pool.more
    if known.rule.by_label:
        if len(known.sample.verdicts) > 2 or so_far == 0:
            return None
        forecast = separate_set(known, by_label=way == "by_label")
        return Lengths(forecast, so_far, now, MOST_OF_A_SET, dear=dear)
    forecast = from_pool(known)
    if way == "random":
        return Lengths(forecast, so_far, now, left, dear=dear)
    return Lengths(lambda labels: forecast(more(int(labels))), so_far, now, left, dear=dear)


def _scale(units: Units, judge: str, sample: Sample, rule: Rule) -> float:
    """By how much the design effect is larger than that of the positive option.

    Of several options `estimate` takes the largest for all.
    """
    if len(units.options) <= 2 or sample.independent:
        return 1.0
    level = rule.confidence_level
    own = sample.inflation(rule.rate_of_cells, confidence_level=level)
    largest = largest_inflation(sample_of(units, judge), level)
    return max(largest / own, 1.0) if own > 0 else 1.0  # of one label or none it is not known


@dataclass(frozen=True)
class _Search:
    """Looks for numbers of labels, drawn in one way."""

    lengths: Lengths | None
    pool: Pool
    way: Way
    goal: Goal

    @property
    def reach(self) -> Step | None:
        if self.lengths is None:
            return None
        share = simulated_share(self.goal.assurance)
        found = fewest_labels(self.lengths, self.goal.length, share)
        return None if found is None else self.step(found)

    @property
    def plain(self) -> int | None:
        return None if self.lengths is None else fewest_labels(self.lengths, self.goal.length, EVEN)

    @property
    def everything(self) -> Step | None:
        return None if self.lengths is None else self.step(self.lengths.most)

    def step(self, labels: int) -> Step | None:
        if self.lengths is None:
            return None
        labels = min(labels, self.lengths.most)
        share = simulated_share(self.goal.assurance)
        return Step(
            labels,
            self.pool.more(labels) if self.way == "by_verdict" else None,
            self.lengths.of(labels, share),
            self.lengths.of(labels, EVEN),
        )


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
    """A plan from ratings (`pools`, by criterion) or from rates alone."""

    comparison: Comparison
    pools: tuple[PoolPlan, ...] = ()
    golden: GoldenSet | None = None
    following: NextItems | None = None
    against: ToldApart | None = None

    @property
    def pool(self) -> PoolPlan | None:
        """The plan of the criterion that needs the most labels."""
        return _widest(self.pools) if self.pools else None

    def rows(self) -> tuple[Row, ...]:
        return tuple(row for pool in self.pools for row in pool.rows())


def _widest(pools: Sequence[PoolPlan]) -> PoolPlan:
    return max(pools, key=lambda one: math.inf if one.reach is None else one.reach.labels)


def study_ratings(
    units: Units, chosen: Chosen, goal: Goal, unlisted: Unlisted | None = None, *, seed: int = 1
) -> PlanStudy:
    """The plan for a judge's pool, by criterion; with `unlisted`, the items to label next."""
    criteria = _criteria(units, chosen.judge)
    if unlisted is not None and goal.labels is None:
        goal = replace(goal, labels=-(-unlisted.number // len(criteria)))
    pools = tuple(
        plan_pool(
            units if len(criteria) == 1 else units.only("criterion", criterion or ""),
            chosen,
            goal,
            criterion=criterion,
            seed=seed,
        )
        for criterion in criteria
    )
    planned = [pool for pool in pools if pool.items]
    if not planned:
        raise RatingsError(
            "the ratings",
            "have no item beside the separate set of labels: every item with a verdict has a label",
            next_step="Add the verdicts on the items whose rate is wanted, or declare how labels "
            'were drawn from these: calibration = "random"',
        )
    widest = _widest(planned)
    return PlanStudy(
        compare_designs(widest.rates, widest.items, goal, units.task.confidence_level),
        pools=pools,
        golden=golden_set(units),
        following=None if unlisted is None else _following(pools, unlisted, units.task),
    )


def _criteria(units: Units, judge: str) -> tuple[str | None, ...]:
    """The criteria for which the judge gave a verdict; one without a name where there are none."""
    if "criterion" not in units.by:
        return (None,)
    by, columns = units.by["criterion"], units.columns_of(judge)
    judged = by.codes[(units.verdict[:, columns] >= 0).any(axis=1)]
    return tuple(by.labels[code] or None for code in np.unique(judged)) or (None,)


def _following(pools: tuple[PoolPlan, ...], unlisted: Unlisted, task: Task) -> NextItems:
    """The next units of each criterion, in equal numbers."""
    columns, listed = unlisted.units.columns, []
    shares = [len(part) for part in np.array_split(np.arange(unlisted.number), len(pools))]
    for plan, number in zip(pools, shares, strict=True):
        mine = unlisted.units
        if plan.criterion is not None:
            place = columns.index("criterion")
            rows = [k for k, unit in enumerate(mine.units) if unit[place] == plan.criterion]
            mine = replace(
                mine,
                units=tuple(mine.units[k] for k in rows),
                strata=tuple(mine.strata[k] for k in rows),
                code=mine.code[rows],
            )
        falls = number if plan.way == "random" else plan.pool.more(number)
        listed += chosen_units(plan.pool, mine, falls, task, seed=unlisted.seed)
    return NextItems(columns, tuple(listed), unlisted.number)


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
