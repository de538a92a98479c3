"""In which order judges, and their criteria and systems, are told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.scores import JudgeMean
from goldassay.questions.estimate.study import JudgeRate, Unknown
from goldassay.results import Estimate, Result

__all__ = ["in_order", "length_of"]

One = TypeVar("One", JudgeRate | JudgeOptions | Unknown, JudgeMean)


def length_of(result: Result) -> float:
    """The length of a result's interval; endless where it has no value or no interval."""
    known = hasattr(result, "value") and result.interval is not None
    return result.interval.length if known and result.interval is not None else math.inf


def in_order(judges: Sequence[One]) -> list[One]:
    """The judge that tells best first, and of each where correcting it changes most.

    Judges estimate the same rates, so that the one with the shortest intervals (on average over
    those of its criteria and systems that have one) is who to go by. Between criteria or systems
    the length of an interval is no merit: who asks for true rates wants to know where the judge's
    own mislead. What cannot be told comes last.
    """
    lengths: dict[str, list[float]] = {}
    for one in judges:
        lengths.setdefault(one.subject.judge, []).append(_length(one))
    known = {}
    for judge, every in lengths.items():
        finite = [one for one in every if math.isfinite(one)]
        known[judge] = sum(finite) / len(finite) if finite else math.inf
    return sorted(
        judges, key=lambda one: (isinstance(one, Unknown), known[one.subject.judge], -_change(one))
    )


def _change(one: JudgeRate | JudgeOptions | Unknown | JudgeMean) -> float:
    """How far the judge's own rate, or mean, is from the corrected one; below 0 if unknown."""
    match one:
        case JudgeMean():
            return _apart(one.judged, one.mean)
        case JudgeOptions():
            own = (Estimate("", float(value)) for value in one.judged)
            return max(map(_apart, own, one.rates), default=-1.0)
        case JudgeRate():
            return _apart(one.own_rate, one.rate)
        case Unknown():
            return -1.0


def _apart(own: Result | None, true: Result) -> float:
    if isinstance(own, Estimate) and isinstance(true, Estimate):
        return abs(own.value - true.value)
    return -1.0


def _length(one: JudgeRate | JudgeOptions | Unknown | JudgeMean) -> float:
    match one:
        case JudgeMean():
            return length_of(one.mean)
        case JudgeOptions():
            return max((length_of(rate) for rate in one.rates), default=math.inf)
        case JudgeRate() | Unknown():
            return length_of(one.rate)
