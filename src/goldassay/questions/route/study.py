"""What each judge may decide alone: a threshold for all its verdicts, and one for each of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

import numpy as np
import numpy.typing as npt

from goldassay.errors import RatingsError, TaskError, UsageError, shown
from goldassay.frozen import dataclass
from goldassay.inference.clusters import cluster_sums
from goldassay.inference.draw import Draw
from goldassay.inference.shares import share
from goldassay.questions.route.shift import Shift, shift_of
from goldassay.questions.route.signals import Signal
from goldassay.questions.route.thresholds import METHOD, Limit, Part, part_of
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = ["JudgeRoute", "RouteStudy", "Settings", "study"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Draws behind the interval of the share decided.
DRAWS = 2000


@dataclass(frozen=True)
class Settings:
    """The limit on the error of what is decided, how sure of it, and whether sides are apart."""

    risk: float = 0.05
    confidence: float = 0.95
    by_side: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        for name, value, meaning in (
            ("--risk", self.risk, "the largest error allowed among decided items, as 0.05"),
            ("--confidence", self.confidence, "how sure of it, as 0.95"),
        ):
            if not 0 < value < 1:
                raise UsageError(name, f"lies between 0 and 1: {meaning}", found=shown(value))


@dataclass(frozen=True)
class JudgeRoute:
    """A judge's decisions and the rule that says which of them stand.

    `common` is the threshold of all verdicts together, None where they cannot share one; `sides`
    those of each verdict, which hold together. The rule is the common one, unless sides are apart.
    """

    signal: Signal
    common: Part | None
    sides: tuple[Part, ...]
    by_side: bool
    #: Least sureness of each option that is decided; infinite where none is.
    rule: Floats
    #: The share of the units to be decided that are.
    share_decided: Result
    #: Whether labelled items are like those to be decided; None where that cannot be told.
    shift: Shift | None = None

    @property
    def judge(self) -> str:
        return self.signal.judge

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the rule is made of."""
        return self.sides if self.by_side or self.common is None else (self.common,)

    @property
    def holds(self) -> bool:
        """Whether something may be decided."""
        return bool(np.isfinite(self.rule).any())

    @property
    def risk_instead(self) -> float | None:
        """The lowest limit that would be held, where the one that was asked for is not."""
        risks = (part.risk_instead for part in self.parts if part.steps is not None)
        return min((risk for risk in risks if risk is not None), default=None)

    @property
    def unknown(self) -> dict[str, int]:
        """Verdicts of which none has a label, and how many units to be decided have them."""
        signal = self.signal
        given, known = np.unique(signal.verdict), np.unique(signal.verdict[signal.labelled])
        return {
            signal.options[v]: int((signal.pool & (signal.verdict == v)).sum())
            for v in np.setdiff1d(given, known)
        }

    @property
    def beyond(self) -> Bools:
        """The decisions that stand."""
        return np.asarray(self.signal.sure >= self.rule[self.signal.verdict])

    @property
    def items(self) -> int:
        """Units to be decided, those without a verdict or a score among them."""
        return int(self.signal.pool.sum()) + self.signal.unjudged

    @property
    def decided(self) -> int:
        return int((self.beyond & self.signal.pool).sum())

    @property
    def left_unlabelled(self) -> int:
        """Units that are not decided, and that nobody has labelled."""
        waiting = self.signal.pool & ~self.signal.labelled & ~self.beyond
        return int(waiting.sum()) + self.signal.unjudged_unlabelled

    @property
    def labels(self) -> int:
        return int(self.signal.labelled.sum())

    def error_beyond(self) -> Result:
        """The error among labelled decisions that stand, and its bound."""
        if len(self.parts) == 1 or not self.holds:
            return self.parts[0].error() if self.parts else Undefined("error_beyond", "no verdict")
        # Every side is within the limit, and so is what they decide together.
        held = [(p.decided, p.error()) for p in self.parts]
        weighed = [(d, one.value) for d, one in held if isinstance(one, Estimate)]
        value = sum(d * share for d, share in weighed) / max(sum(d for d, _ in weighed), 1)
        limit = self.parts[0].limit
        interval = Interval(0.0, limit.risk, 1 - limit.level * len(self.parts), METHOD)
        labels = sum(part.labels_beyond for part in self.parts)
        return Estimate("error_beyond", value, interval, labels)

    def rows(self) -> list[Row]:
        about = {"judge": self.judge}
        found = [Row(self.share_decided, about), Row(self.error_beyond(), about)]
        if self.common is not None and not self.by_side:
            found.append(Row(self.common.threshold(), about))
        for part in self.sides:
            inside = {**about, "option": part.verdict}
            found += [Row(part.threshold(), inside), Row(part.error(), inside)]
        return found


@dataclass(frozen=True)
class RouteStudy:
    """All judges, the one that may decide most first."""

    judges: tuple[JudgeRoute, ...]
    settings: Settings
    task: Task
    #: What is decided: an item, or a decision where an item has several.
    unit: str = "item"
    #: Judges left out, and why.
    left_out: tuple[tuple[str, str], ...] = field(default=())

    def rows(self) -> tuple[Row, ...]:
        return tuple(row for one in self.judges for row in one.rows())


def study(
    signals: Sequence[Signal],
    task: Task,
    settings: Settings,
    *,
    place: str,
    unit: str = "item",
    divided: bool = False,
) -> RouteStudy:
    """The rule of every judge; an error where none has labels and scores that differ."""
    if task.calibration == "by_label":
        raise TaskError(
            'calibration = "by_label"',
            "cannot tell the error beyond a threshold: so many of each true label were drawn",
            next_step='Have people label items drawn at random (calibration = "random") or by the '
            'judge\'s verdict ("by_verdict")',
        )
    usable, left_out = [], []
    for signal in signals:
        if reason := _unusable(signal):
            left_out.append((signal.judge, reason))
        else:
            usable.append(signal)
    if not usable:
        raise _nothing(signals, place, divided=divided)
    found = [_route(signal, task, settings) for signal in usable]
    # Of those that may decide nothing, the one that would hold the lowest limit first.
    found.sort(
        key=lambda one: (-one.decided / max(one.items, 1), _or_endless(one.risk_instead), one.judge)
    )
    return RouteStudy(tuple(found), settings, task, unit, tuple(left_out))


def _or_endless(risk: float | None) -> float:
    return math.inf if risk is None else risk


def _unusable(signal: Signal) -> str:
    if not signal.labelled.any():
        return "no item that it judged has a label"
    # Of two that vote, the items on which they differ are told from the others.
    alike = len(np.unique(signal.sure)) < 2 and not (signal.both and signal.unjudged)
    return "it is as sure of every verdict" if alike else ""


def _nothing(signals: Sequence[Signal], place: str, *, divided: bool) -> RatingsError:
    """Why no judge can be routed; `divided`: people are, on all that they rated."""
    first = signals[0]
    if divided:
        return RatingsError(
            place,
            "people are divided on every item that they rated, so that none has a label",
            next_step='reference = "each" in the task keeps all of their ratings',
        )
    if not any(one.labelled.any() for one in signals):
        return RatingsError(
            place,
            "must have people's labels of items that the judge rated with a score",
            found="none",
            next_step="Have people label 60 items or more, drawn at random",
        )
    what = {"repeats": "the judge's answers to an item", "judges": "the judges"}
    told = what.get(first.name)
    return RatingsError(
        f"{place}, column score" if told is None else place,
        f"{told or 'scores'} must differ, to tell the sure verdicts from the others",
        found=f"{shown(round(float(first.sure[0]), 3))} everywhere"
        if len(first.sure)
        else "nothing",
        next_step="Use another column of scores, or "
        + " or ".join(f"--signal {one}" for one in what if one != first.name),
    )


def _route(signal: Signal, task: Task, settings: Settings) -> JudgeRoute:
    level = 1 - settings.confidence
    within, weight = design_weights(signal, task)
    shift = shift_of(signal, weight, within=within)
    if shift is not None and shift.found:
        weight = shift.weight
    given = np.unique(signal.verdict)
    each = Limit(settings.risk, level / len(given))
    sides = tuple(
        part_of(signal, signal.verdict == v, signal.options[v], each, weight) for v in given
    )
    common = None
    if signal.symmetric and task.calibration != "by_verdict":
        known = np.unique(signal.verdict[signal.labelled])
        judged = np.isin(signal.verdict, known)  # labels tell nothing of a verdict without any
        common = part_of(signal, judged, None, Limit(settings.risk, level), weight)
    by_side = settings.by_side or common is None
    rule = np.full(len(signal.options), np.inf)
    if common is not None and not by_side:
        rule[known] = np.inf if common.at_least is None else common.at_least
    else:
        for v, part in zip(given, sides, strict=True):
            rule[v] = np.inf if part.at_least is None else part.at_least
    decided = _share_decided(signal, rule, task, settings.seed)
    return JudgeRoute(signal, common, sides, by_side, rule, decided, shift)


def _share_decided(signal: Signal, rule: Floats, task: Task, seed: int) -> Result:
    """The share of units to be decided that the rule decides, those without a verdict among them,
    and what it may be among more units like these."""
    pool = signal.pool
    hits = np.concatenate([(signal.sure >= rule[signal.verdict])[pool], np.zeros(signal.unjudged)])
    both, cluster = np.stack([hits, np.ones_like(hits)], 1), None
    if signal.cluster is not None:
        cluster = np.concatenate([signal.cluster[pool], signal.unjudged_cluster])
        cluster = np.unique(cluster, return_inverse=True)[1].reshape(-1)
    sums, times = cluster_sums(both, np.ones(len(both), np.int64), cluster)
    draw = Draw(DRAWS, seed, task.confidence_level)
    return share("share_decided", sums, times, task.cluster, draw)


def design_weights(signal: Signal, task: Task) -> tuple[Ints, Floats]:
    """The group within which a unit's label was drawn, and how many units a label stands for.

    Groups are the declared strata, and verdicts where labels were drawn by these. Without any,
    every label counts once.
    """
    cell = signal.stratum
    if task.calibration == "by_verdict":
        cell = cell * len(signal.options) + signal.verdict
    _, cell = np.unique(cell, return_inverse=True)
    cell = cell.reshape(-1)
    units = np.bincount(cell)
    if len(units) < 2:
        return cell, np.ones(len(cell))
    labels = np.bincount(cell, weights=signal.labelled, minlength=len(units))
    return cell, np.asarray((units / np.maximum(labels, 1))[cell])
