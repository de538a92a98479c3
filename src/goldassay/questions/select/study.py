"""Counts in, a choice out: which judge to use, and how sure that is.

Judges, panels and cut scores are ranked by the criterion of the goal, with paired uncertainty over
the same clusters. After Collot et al., "Balanced Accuracy: The Right Metric for Evaluating LLM
Judges".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import PairedScores, ScoreMatrix, Tables, Units, only_divided
from goldassay.errors import RatingsError, TaskError
from goldassay.frozen import dataclass
from goldassay.inference.comparison import (
    Comparison,
    compare,
    items_needed,
    joint_draws,
    same_verdicts,
    widening,
)
from goldassay.inference.draw import Draw
from goldassay.questions.agree.judges import Reading, counted, estimates
from goldassay.questions.agree.modes import declared_mode
from goldassay.questions.agree.standing import Silence, on_shared, within_strata
from goldassay.questions.select.candidates import Candidates, Cut, gather
from goldassay.questions.select.criteria import (
    BEHIND,
    CRITERIA,
    METRICS,
    RIVALS,
    Criterion,
    metrics_of,
)
from goldassay.questions.select.ordering import Orders, orders_of
from goldassay.questions.select.stability import Distortion, Stability, distortions, stabilities
from goldassay.questions.select.thresholds import CutScores, cut_scores, cuts_of, tuned_thresholds
from goldassay.ratings.task import Goal
from goldassay.results import Estimate, Interval, Result, Row, Undefined
from goldassay.words import named, rounded_up

__all__ = ["Merit", "Otherwise", "Rival", "SelectStudy", "Settings", "study"]

Array = NDArray[np.float64]

#: More items than this, or than so many times those that there are, are not worth naming as a way
#: to tell two judges apart.
MOST_ITEMS, MOST_TIMES = 1_000_000, 100


@dataclass(frozen=True, slots=True)
class Settings:
    """What is chosen for and among, and how much is drawn for it."""

    #: None takes the task's goal.
    goal: Goal | None = None
    #: Majority panels, and scores cut at a threshold, are candidates too. The joint intervals pay
    #: for every candidate more; cut scores need units counted by item.
    panels: bool = False
    thresholds: bool = False
    draws: int = 2000
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Merit:
    """What one candidate is worth."""

    name: str
    #: Its place among the candidates as they were counted.
    place: int
    #: Items that it decides.
    n_items: int
    #: The criterion on these, as `agree` has it.
    criterion: Result
    #: J, sensitivity and specificity, where the scale has them.
    behind: tuple[Result, ...]
    coverage: Result | None = None
    #: The criterion on the items that all compared candidates decide, where these are others.
    shared: Result | None = None

    @property
    def comparable(self) -> Result:
        """The number that it is compared by."""
        return self.criterion if self.shared is None else self.shared

    def rows(self) -> tuple[Row, ...]:
        more = (self.coverage,) if self.coverage is not None else ()
        results = (self.criterion, *self.behind, *more)
        rows = tuple(Row(result, {"judge": self.name}) for result in results)
        if self.shared is None:
            return rows
        return (*rows, Row(self.shared, {"judge": self.name}))


@dataclass(frozen=True, slots=True)
class Rival:
    """Whom another metric would have chosen; the leader, where that is as good by it."""

    metric: str
    judge: str
    value: float | None
    leader_value: float | None
    #: Whether that is another judge than the criterion's.
    otherwise: bool


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Who comes first of the compared candidates with no verdict counted as wrong."""

    judge: str
    value: float
    leader_value: float


@dataclass(frozen=True, slots=True)
class SelectStudy:
    """The candidates in order of merit, and all that stands beside that."""

    criterion: Criterion
    #: Best first; those whose criterion is undefined come last.
    merits: tuple[Merit, ...]
    #: Of the candidates whose criterion is defined, best first; None where it is for none.
    comparison: Comparison | None
    #: Empty where fewer than two candidates are compared.
    rivals: tuple[Rival, ...]
    distortions: tuple[Distortion, ...]
    stabilities: tuple[Stability, ...]
    cut_scores: tuple[CutScores, ...]
    #: Why cut scores are not among the candidates, though they were asked for.
    no_cuts: str | None
    #: What a verdict costs, or how long it takes: "cost" or "latency" -> candidate -> mean.
    spending: Mapping[str, Mapping[str, float]]
    n_options: int
    #: Items that all compared candidates decide, and whether each of them decides just these.
    n_items: int
    all_alike: bool
    #: What is decided once: an item, or one of its criteria ("decision").
    unit: str
    #: Clusters behind the comparison; None where every item is a cluster of its own.
    n_clusters: int | None
    confidence_level: float
    #: Candidates that are not compared because they leave out what people label so.
    silences: Mapping[str, Silence] = field(default_factory=dict)
    #: Who would come first with no verdict counted as wrong, where that is another.
    otherwise: Otherwise | None = None
    #: Judges that never say which of two is better, where a tie counts half.
    only_ties: tuple[str, ...] = ()
    #: Whether verdicts are compared of which some judge gave several to an item.
    repeated: bool = False
    #: What stands at the differences, of judges that are compared by their verdicts.
    at_differences: tuple[str, ...] = ()

    @property
    def compared(self) -> tuple[Merit, ...]:
        """The candidates whose criterion is defined, best first, as in `comparison`."""
        return self.merits[: len(self.comparison.difference)] if self.comparison else ()

    @property
    def leader(self) -> Merit | None:
        return self.compared[0] if self.comparison else None

    @property
    def guessing(self) -> float | None:
        """What blind guessing among the options reaches, where that is one number."""
        return 1 / self.n_options if self.criterion.even_by_guessing else None

    def items_to_tell(self, first: int, second: int) -> int | None:
        """Items that would tell two of the compared apart, if they differ as much as it looks.

        To two digits, as many as such a forecast deserves; None where no number of items is known
        to do, or so many more than there are that the difference seen is a tenth of what could be
        told from none: nothing to make a forecast from.
        """
        found = self.comparison
        assert found is not None
        needed = items_needed(
            float(found.difference[first, second]),
            float(found.standard_error[first, second]),
            self.n_items,
            critical=found.critical,
            classes=self.n_options,
        )
        if needed is None or needed > min(MOST_ITEMS, MOST_TIMES * self.n_items):
            return None
        return rounded_up(needed)

    def rows(self) -> tuple[Row, ...]:
        """Candidate by candidate, best first; then the thresholds of scores."""
        merits = (row for one in self.merits for row in one.rows())
        cuts = (Row(one.result, {"judge": one.judge}) for one in self.cut_scores)
        return (*merits, *cuts)


def study(
    units: Units,
    settings: Settings | None = None,
    *,
    scored: PairedScores | None = None,
    spending: Mapping[str, Mapping[str, float]] | None = None,
    matrix: ScoreMatrix | None = None,
) -> SelectStudy:
    """Rank judges by the criterion of the goal, with paired uncertainty over the same clusters.

    `scored` adds thresholds for judges with scores, `spending` what verdicts cost and how
    long they take; `matrix` holds the scores that systems are ordered by.
    """
    settings, task = settings or Settings(), units.task
    criterion = CRITERIA[settings.goal or task.goal]
    _check(units, criterion)
    seed = settings.seed
    tuned = tuned_thresholds(scored, task, seed=seed) if scored is not None else []
    cuts: list[Cut] | None = []
    if settings.thresholds and scored is not None and not criterion.of_systems:
        cuts = cuts_of(units, scored, tuned)
    candidates = gather(units, panels=settings.panels, cuts=cuts or ())
    if not candidates.n_items.any():
        if only_divided(units):
            raise RatingsError(
                "the ratings",
                "people are divided on every item that they rated, so that none has a label",
                next_step='reference = "each" in the task keeps all of their ratings',
            )
        raise RatingsError(
            "the ratings",
            "no item has both a reference from people and a verdict of a judge that counts",
            next_step="Label some judged items: goldassay plan RATINGS --next 50 lists which",
        )
    measured = _measured(candidates, criterion, settings, matrix)
    merits = _merits(candidates, criterion, measured, settings)
    comparison = (
        _comparison(candidates, criterion, measured, settings) if measured.known.size else None
    )
    no_cuts = None
    if settings.thresholds and not cuts:
        untuned = "no threshold could be tuned" if tuned else "no judge has scores"
        no_cuts = "the units are not counted by item" if cuts is None else untuned
        if criterion.of_systems:
            no_cuts = "systems are ordered by the scores themselves"
    return SelectStudy(
        criterion=criterion,
        merits=merits,
        comparison=comparison,
        rivals=_rivals(candidates, criterion, merits[0]) if measured.known.size > 1 else (),
        distortions=distortions(candidates),
        stabilities=stabilities(candidates, seed=seed),
        cut_scores=cut_scores(tuned, task, draws=settings.draws, seed=seed),
        no_cuts=no_cuts,
        spending=candidates.spent(spending or {}),
        n_options=candidates.size,
        n_items=candidates.shared.n_items,
        all_alike=candidates.shared.all_alike,
        silences={
            candidates.names[j]: Silence.of(lack, task.options)
            for j, lack in candidates.shared.lacks.items()
        },
        otherwise=_otherwise(candidates, criterion, merits) if measured.known.size > 1 else None,
        unit=units.word,
        n_clusters=candidates.n_clusters if candidates.clustered else None,
        confidence_level=task.confidence_level,
        only_ties=units.only_ties if task.ties == "half" else (),
        repeated=candidates.repeated and not measured.orders,
        at_differences=() if measured.orders else candidates.size_warnings,
    )


def _check(units: Units, criterion: Criterion) -> None:
    task = units.task
    if task.scale == "continuous":
        raise TaskError(
            'scale = "continuous"',
            "judges are selected by their verdicts, which have declared options",
            next_step="Use goldassay rank for real-valued scores, or declare binary options "
            "and scores",
        )
    if not units.judge_names:
        raise RatingsError("the ratings", "have no judge", next_step='Set kind to "judge" in rows')
    if not criterion.of_systems:
        return
    if task.positive is None and task.scale != "ordinal":
        raise TaskError(
            "the task",
            "goal ranking orders systems by the rate of a positive option",
            next_step=f"Add positive = {task.options[0]!r}, or whichever option you count",
        )
    if "system" not in units.by or len(units.by["system"].labels) < 2:
        raise RatingsError(
            "the ratings",
            "goal ranking needs a column system with two systems or more",
            next_step='Add it, or choose the goal "prevalence" or "filter"',
        )


@dataclass(frozen=True)
class _Measured:
    """The criterion of every candidate [J], and in every joint draw [B, J]."""

    values: Array
    #: None where orders of systems are compared.
    sample: Array | None
    #: Where the criterion compares orders of systems.
    orders: Orders | None

    @property
    def known(self) -> NDArray[np.intp]:
        return np.flatnonzero(np.isfinite(self.values))

    def best_first(self, n_items: NDArray[np.int64]) -> NDArray[np.intp]:
        """All candidates by falling value, level ones by how much they decide; the rest last."""
        merit = np.where(np.isfinite(self.values), np.round(self.values, 12), -np.inf)
        return np.lexsort((-n_items, -merit))


def _measured(
    candidates: Candidates, criterion: Criterion, settings: Settings, matrix: ScoreMatrix | None
) -> _Measured:
    if criterion.of_systems:
        if matrix is None:
            raise ValueError("an order of systems needs their scores")
        found = orders_of(matrix, candidates.members, draws=settings.draws, seed=settings.seed)
        return _Measured(found.values, None, found)
    if not candidates.shared.n_items:  # judges of different items: there is nothing to compare on
        return _Measured(np.full(len(candidates.names), np.nan), None, None)
    metric, setting = METRICS[criterion.name], candidates.setting
    values = metric.compute(candidates.totals, setting)
    drawn = joint_draws(
        lambda t: metric.compute(t, setting),
        candidates.counts,
        candidates.multiplicity,
        draws=settings.draws,
        seed=settings.seed,
    )
    sample = np.where(np.isfinite(values), drawn, np.nan)
    return _Measured(values, sample, None)


def _merits(
    candidates: Candidates, criterion: Criterion, measured: _Measured, settings: Settings
) -> tuple[Merit, ...]:
    """The criterion and what stands behind it, for every candidate, with agree's own intervals."""
    level = candidates.units.task.confidence_level
    orders = measured.orders.intervals(level) if measured.orders else None
    names = BEHIND if criterion.of_systems else (criterion.name, *BEHIND)
    out = []
    draw = Draw(settings.draws, settings.seed, level)
    alike = candidates.shared.all_alike
    for place in map(int, measured.best_first(candidates.n_items)):
        found = _of_tables(candidates, candidates.tables(place), place, names, draw)
        if orders is not None:
            value = float(measured.values[place])
            assert measured.orders is not None
            order = _of_order(measured.orders, criterion, value, orders[place])
            found = [order, *found]
        name, n_items = candidates.names[place], int(candidates.n_items[place])
        shared = None
        if not (alike or orders) and candidates.shared.compared[place]:
            only = candidates.shared_tables(place)
            (result,) = _of_tables(candidates, only, place, (criterion.name,), draw)
            shared = on_shared(result)
        covered = candidates.coverage(place, draw)
        out.append(Merit(name, place, n_items, found[0], tuple(found[1:]), covered, shared))
    return tuple(out)


def _of_tables(
    candidates: Candidates, tables: Tables, place: int, names: Sequence[str], draw: Draw
) -> list[Result]:
    """The metrics of a candidate's table of verdicts, as `agree` gives them."""
    task = candidates.units.task
    known = metrics_of(candidates.setting)
    metrics = [known[name] for name in names if name in known]
    reading = Reading(task, declared_mode(task), draw)
    # A class that other candidates alone use has no part in this one's table.
    classes = len(tables.labels)
    weights = candidates.setting.weights[:classes, :classes]
    found = counted(tables, replace(candidates.setting, weights=weights), reading.draw)
    n_items, seen = int(candidates.n_items[place]), ", ".join(_classes(candidates, place))
    reason = _one_class(candidates, place) or f"the reference has {seen} only"
    results = estimates(found, metrics, reading) if found is not None else ()
    known_results = {one.name: one for one in results if isinstance(one, Estimate)}
    return [
        known_results.get(metric.name, Undefined(metric.name, reason, n_items))
        for metric in metrics
    ]


def _of_order(
    orders: Orders, criterion: Criterion, value: float, interval: Interval | None
) -> Result:
    """The agreement of a candidate's order of the systems with people's."""
    if not np.isfinite(value):
        reason = "people and the judge put no two systems in an order"
        return Undefined(criterion.name, reason, orders.n_prompts)
    return Estimate(criterion.name, value, interval, orders.n_prompts, orders.n_clusters)


def _one_class(candidates: Candidates, place: int) -> str | None:
    """Why hardly any metric of a candidate is defined, where that is so."""
    seen = _classes(candidates, place)
    if not seen:
        return "the judge has no verdict that counts on an item with a reference"
    return f"the reference has one class only ({named(seen[0])})" if len(seen) == 1 else None


def _classes(candidates: Candidates, place: int) -> list[str]:
    """The classes that the reference of a candidate's items has."""
    own = candidates.tables(place)
    rows = zip(own.labels, own.total, strict=True)
    return [name for name, row in rows if row.sum() > 0]


def _comparison(
    candidates: Candidates, criterion: Criterion, measured: _Measured, settings: Settings
) -> Comparison:
    """All differences between the candidates whose criterion is defined, best first."""
    level, known = candidates.units.task.confidence_level, measured.known
    if measured.orders is not None:
        found = measured.orders.comparison(known, level)
    else:
        assert measured.sample is not None
        sample = measured.sample[:, known]
        metric = METRICS[criterion.name]
        widen = widening(
            lambda t: metric.compute(t, candidates.setting),
            candidates.counts,
            candidates.multiplicity,
            level,
        )
        sample = sample[np.isfinite(sample).all(axis=1)]
        same = same_verdicts(candidates.counts)[known]
        found = compare(
            measured.values[known],
            sample,
            confidence_level=level,
            widen=widen,
            same=same,
            most=1.0,  # every criterion of verdicts is a share
        )
        tables = [candidates.shared_tables(int(place)) for place in known]
        how = metric, candidates.setting, Draw(settings.draws, settings.seed, level)
        found = within_strata(found, sample, tables, how, widen, same)
    every = measured.best_first(candidates.n_items)
    order = np.array([int(np.flatnonzero(known == place)[0]) for place in every if place in known])
    pairs = np.ix_(order, order)
    return replace(
        found,
        difference=found.difference[pairs],
        low=found.low[pairs],
        high=found.high[pairs],
        standard_error=found.standard_error[pairs],
    )


#: A lead of less is not worth a sentence.
WORTH_SAYING = 0.02


def _otherwise(
    candidates: Candidates, criterion: Criterion, merits: Sequence[Merit]
) -> Otherwise | None:
    """Who would come first with no verdict counted as wrong, of all that a candidate was asked.

    Nothing where the first surely decides as much, for orders of systems, where units weigh unlike,
    and where no verdict is a verdict: the task declares what it is worth.
    """
    units, shared = candidates.units, candidates.shared
    task = units.task
    declared = {task.abstentions, task.invalids} != {"exclude"}
    declared = declared or (task.tie is not None and task.ties != "class")
    weighs = np.ptp(units.weight) > 0 or units.stands_for is not None
    if shared.all_alike or criterion.of_systems or weighs or declared:
        return None
    values = {
        j: candidates.with_no_verdict_wrong(j, decisions=not criterion.even_by_guessing)
        for j in map(int, np.flatnonzero(shared.compared))
    }
    leader, by_place = merits[0], {one.place: one for one in merits}
    if leader.place not in values:
        return None
    first = max(values, key=lambda j: values[j])
    behind = values[first] - values[leader.place] >= WORTH_SAYING
    if not behind or not _covers_less(leader, by_place[first]):
        return None
    return Otherwise(candidates.names[first], values[first], values[leader.place])


def _covers_less(one: Merit, other: Merit) -> bool:
    """Whether a candidate surely decides less of what it was asked than another."""
    own, theirs = one.coverage, other.coverage
    if own is None or theirs is None or own.interval is None or theirs.interval is None:
        return False
    return own.interval.high < theirs.interval.low


def _rivals(candidates: Candidates, criterion: Criterion, leader: Merit) -> tuple[Rival, ...]:
    """Which candidate each other metric would have chosen."""
    setting, out = candidates.setting, []
    totals = [candidates.shared_tables(place).total for place in range(len(candidates.names))]
    for name in RIVALS:
        if name not in metrics_of(setting) or name == criterion.name:
            continue
        values = np.array([float(METRICS[name].compute(total, setting)) for total in totals])
        if not np.isfinite(values).any():
            continue
        pick = int(np.nanargmax(values))
        otherwise = not np.isclose(values[leader.place], values[pick])
        pick = pick if otherwise else leader.place
        own, its = (
            float(value) if np.isfinite(value) else None
            for value in (values[pick], values[leader.place])
        )
        out.append(Rival(name, candidates.names[pick], own, its, otherwise))
    return tuple(out)
