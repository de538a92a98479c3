"""Which system is better: every difference of true rates, its verdict, and what would tell more.

Systems are compared on the same prompts. For each judge the true rate (mean, win rate) of every
system is that of `estimate`; a difference of two has the limits of `inference/contrasts.py`, and
all differences of a judge hold at once. With slices, the differences within all of them are one
family more, and so is what each has over the difference of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.contrasts import Contrasts, Family, Recovered, family_of, pairs_of
from goldassay.questions.compare.estimates import Kinds
from goldassay.questions.compare.needed import Needed, Spread, labels_needed
from goldassay.questions.compare.record import (
    Asked,
    JudgeComparison,
    Pair,
    SlicePair,
    Systems,
    UnlikeOthers,
    verdict_of,
)
from goldassay.questions.estimate.label_use import OR_SHARED, Lengths
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.together import Estimates, stacked
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Undefined
from goldassay.words import counted, listed, named

__all__ = ["compared", "with_unlike_labels"]

Array = NDArray[np.float64]
#: Indices of two estimates: a system, and the one that it is held against.
Both = Sequence[tuple[int, int]]


def compared(subject: Subject, systems: Systems, asked: Asked) -> JudgeComparison:
    """All differences of one judge, and those of its slices."""
    both = _both(systems, asked)
    slices: list[SlicePair] = []
    slice_family = 0
    pairs, family = _pairs(systems, asked, systems.whole, both)
    if systems.sliced is not None:
        slices, slice_family = _slices(systems, asked, both, systems.sliced)
    return JudgeComparison(
        subject,
        systems,
        asked,
        tuple(pairs),
        tuple(slices),
        family.size,
        slice_family,
        _lengths(systems, both, family.level(asked.confidence_level)),
    )


def with_unlike_labels(found: Sequence[JudgeComparison], task: Task) -> list[JudgeComparison]:
    """The comparisons of a criterion with whose verdicts refute the declared draw of its labels.

    Of each system's: one may have more of its items labelled than another.
    """
    tests = sum(len(one.systems.shifts) for one in found)
    unlike: dict[str | None, UnlikeOthers] = {}
    option = str(task.positive or (task.options[0] if task.options else ""))
    for one in found:
        for system, shift in one.systems.shifts.items():
            tested, known = replace(shift, tests=tests), unlike.get(one.subject.criterion)
            if tested.shifted and (known is None or tested.p_value < known.shift.p_value):
                unlike[one.subject.criterion] = UnlikeOthers(
                    one.subject.judge, system, option, tested
                )
    return [
        replace(one, unlike_others=unlike.get(one.subject.criterion)) if one.systems.shifts else one
        for one in found
    ]


def _lengths(systems: Systems, both: Both, level: float) -> Lengths | None:
    """Lengths of the intervals; of a difference that is not known it is 2, all that it can be."""
    if systems.if_shared is None:
        return None
    pairs = pairs_of(*np.array(both, np.int64).reshape(-1, 2).T)
    found = []
    for rates in (systems.whole.corrected, systems.if_shared):
        low, high = rates.recovered.contrast_limits(pairs, level)
        unknown = np.isnan(rates.value)[pairs.index].any(1)
        found.append(float(np.where(unknown, 2.0, high - low).mean()))
    return Lengths(*found)


def _both(systems: Systems, asked: Asked) -> list[tuple[int, int]]:
    """Each system with the baseline, or the later name with the earlier one."""
    if asked.baseline is None:
        return [(b, a) for a, b in combinations(range(len(systems.systems)), 2)]
    base = systems.systems.index(asked.baseline)
    return [(s, base) for s in range(len(systems.systems)) if s != base]


@dataclass(frozen=True)
class _Gaps:
    """Contrasts that hold at once: their values, ends and p-values."""

    value: Array
    low: Array
    high: Array
    p_value: Array
    #: Against a loss of the margin or more: below 1 - the level where the low end is above it.
    p_no_worse: Array | None
    variance: Array
    family: Family
    #: The distance that none exceeds, with the confidence that was asked for.
    critical: float

    @classmethod
    def of(cls, contrasts: Contrasts, together: Recovered, asked: Asked) -> _Gaps:
        level, margin = asked.confidence_level, asked.margin
        covariance = together.covariance(level)
        family = Family(1, None)
        if len(contrasts):
            family = family_of(contrasts, covariance, seed=asked.seed)
        value, critical = contrasts.of(together.value), family.critical(level)
        low, high = together.contrast_limits(contrasts, family.level(level))
        above, below = together.distances(contrasts, exact_at=critical)
        no_worse = None
        if margin is not None:
            beyond, _ = together.distances(contrasts, -margin, exact_at=critical)
            no_worse = np.array([family.tail(float(one)) for one in beyond])
        return cls(
            value,
            np.minimum(low, value),
            np.maximum(high, value),
            np.array([family.tail(float(one)) for one in np.maximum(above, below)]),
            no_worse,
            contrasts.variance(covariance),
            family,
            critical,
        )

    def interval(self, k: int, asked: Asked, method: str) -> Interval:
        return Interval(float(self.low[k]), float(self.high[k]), asked.confidence_level, method)


def _known(values: Array, index: NDArray[np.int64]) -> list[int]:
    """The contrasts whose estimates all exist."""
    return [int(k) for k in np.flatnonzero(~np.isnan(values[index]).any(1))]


def _pairs(systems: Systems, asked: Asked, kinds: Kinds, both: Both) -> tuple[list[Pair], Family]:
    """A pair for each of `both`; all hold at once."""
    index = np.array(both, np.int64).reshape(-1, 2)
    known = _known(kinds.corrected.value, index)
    place = {k: at for at, k in enumerate(known)}
    contrasts = pairs_of(index[known, 0], index[known, 1])
    gaps = _Gaps.of(contrasts, kinds.corrected.recovered, asked)
    level = gaps.family.level(asked.confidence_level)
    judge = _beside(kinds.judge, kinds.decided, both, "difference_naive", (level, asked))
    labels = _beside(kinds.labels, kinds.labelled, both, "difference_labels_only", (level, asked))
    found = []
    for k, (a, b) in enumerate(both):
        names = (_name(systems, a), _name(systems, b))
        items = round(min(kinds.items[a], kinds.items[b]))
        if k not in place:
            gap = Undefined("difference", _missing(systems, kinds, (a, b)), items)
            found.append(Pair(*names, gap, judge[k], labels[k], None, None, "cannot tell"))
            continue
        at = place[k]
        p, verdict = float(gaps.p_value[at]), _verdict(gaps, at, asked)
        p_no_worse = None if gaps.p_no_worse is None else float(gaps.p_no_worse[at])
        declared: dict[str, Any] = {
            "p_value": p,
            "verdict": verdict,
            "simultaneous": gaps.family.size,
        }
        if asked.margin is not None:
            declared |= {"margin": asked.margin, "p_no_worse": p_no_worse}
        difference = Estimate(
            "difference",
            float(gaps.value[at]),
            gaps.interval(at, asked, systems.method),
            items,
            kinds.corrected.clusters_of(a, b),
            declared=declared,
            assumptions=(systems.assumption,),
        )
        needed = None
        if verdict == "cannot tell" and kinds is systems.whole:
            needed = _needed(gaps, at, kinds, (a, b), asked.margin)
        found.append(Pair(*names, difference, judge[k], labels[k], p, p_no_worse, verdict, needed))
    return found, gaps.family


def _verdict(gaps: _Gaps, at: int, asked: Asked) -> Any:
    return verdict_of(float(gaps.low[at]), float(gaps.high[at]), asked.margin)


def _needed(
    gaps: _Gaps, at: int, kinds: Kinds, pair: tuple[int, int], margin: float | None
) -> Needed | None:
    """What would tell a difference that is not told yet."""
    a, b = pair
    labelled = kinds.labelled[a], kinds.labelled[b]
    if not min(labelled):  # others' labels stand in: how many of its own is no question
        return None
    known = Spread(
        float(gaps.variance[at]),
        float(min(kinds.items[a], kinds.items[b])),
        float(sum(labelled)) / 2,
        gaps.critical,
    )
    found = labels_needed(kinds.corrected, pair, float(gaps.value[at]), known, margin)
    return found and replace(found, on_average=labelled[0] != labelled[1])


def _name(systems: Systems, index: int) -> str:
    return systems.systems[index % len(systems.systems)]


def _missing(systems: Systems, kinds: Kinds, pair: tuple[int, int]) -> str:
    """Why there is no difference: which system lacks what."""
    lacking = [i for i in pair if math.isnan(kinds.corrected.value[i])]
    few = [(named(_name(systems, i)), int(kinds.labelled[i])) for i in lacking]
    each = [f"{name} has {counted(labels, 'labelled item')}" for name, labels in few if labels < 2]
    if each:
        more = f", {OR_SHARED}" if systems.use is not None else ""
        return f"{listed(each)}; label 30 of each system{more}"
    return f"the labels of {listed([name for name, _ in few])} do not tell the true rate"


def _beside(
    estimates: Estimates | None,
    number: NDArray[np.float64],
    both: Both,
    name: str,
    told: tuple[float, Asked],
) -> list[Result]:
    """Differences of another kind of estimate, at the level of the family's; `number` of items."""
    if estimates is None:
        reason = "labels that were not drawn at random from the pool say nothing by themselves"
        return [Undefined(name, reason) for _ in both]
    level, asked = told
    index = np.array(both, np.int64).reshape(-1, 2)
    low, high = estimates.recovered.contrast_limits(pairs_of(index[:, 0], index[:, 1]), level)
    found: list[Result] = []
    for k, (a, b) in enumerate(both):
        value = float(estimates.value[a] - estimates.value[b])
        items = round(min(number[a], number[b]))
        if math.isnan(value):
            found.append(Undefined(name, "a system has no such rating", items))
            continue
        ends = min(float(low[k]), value), max(float(high[k]), value)
        interval = Interval(*ends, asked.confidence_level, "paired by prompt, simultaneous")
        found.append(Estimate(name, value, interval, items, estimates.clusters_of(a, b)))
    return found


def _slices(
    systems: Systems, asked: Asked, both: Both, sliced: Kinds
) -> tuple[list[SlicePair], int]:
    """Pairs within slices, one family; and their differences from the whole, one family more."""
    size = len(systems.systems)
    inside = [(t * size + a, t * size + b) for t in range(len(systems.slices)) for a, b in both]
    pairs, family = _pairs(systems, asked, sliced, inside)
    together = stacked([systems.whole.corrected, sliced.corrected])
    index = np.array([(size + a, size + b, a % size, b % size) for a, b in inside], np.int64)
    known = _known(together.value, index.reshape(-1, 4))
    weight = np.broadcast_to(np.array([1.0, -1.0, -1.0, 1.0]), (len(known), 4))
    beyond_whole = Contrasts(index.reshape(-1, 4)[known], weight)
    gaps = _Gaps.of(beyond_whole, together.recovered, _without_margin(asked))
    place = {k: at for at, k in enumerate(known)}
    found = []
    for k, pair in enumerate(pairs):
        name = systems.slices[k // len(both)]
        if k not in place:
            reason = "the difference is not known in this slice, or in the whole"
            found.append(SlicePair(name, pair, Undefined("difference_from_whole", reason), None))
            continue
        at = place[k]
        p = float(gaps.p_value[at])
        beyond = Estimate(
            "difference_from_whole",
            float(gaps.value[at]),
            gaps.interval(at, asked, "MOVER with covariance, simultaneous"),
            pair.difference.n_items,
            sliced.corrected.clusters_of(*inside[k]),
            declared={"p_value": p, "simultaneous": gaps.family.size},
        )
        found.append(SlicePair(name, pair, beyond, p))
    return found, family.size


def _without_margin(asked: Asked) -> Asked:
    return Asked(asked.confidence_level, None, asked.baseline, asked.seed)
