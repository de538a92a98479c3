"""In which order judges are told: the one whose correction is known best comes first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.scores import JudgeMean
from goldassay.questions.estimate.study import JudgeRate, Unknown
from goldassay.results import Result

__all__ = ["in_order", "length_of"]

One = TypeVar("One", JudgeRate | JudgeOptions | Unknown, JudgeMean)


def length_of(result: Result) -> float:
    """The length of a result's interval; endless where it has no value or no interval."""
    known = hasattr(result, "value") and result.interval is not None
    return result.interval.length if known and result.interval is not None else math.inf


def in_order(judges: Sequence[One]) -> list[One]:
    """The shortest interval first: all estimate the same rate, and this judge tells it best."""
    return sorted(judges, key=_length)


def _length(one: JudgeRate | JudgeOptions | Unknown | JudgeMean) -> float:
    match one:
        case JudgeMean():
            return length_of(one.mean)
        case JudgeOptions():
            return max((length_of(rate) for rate in one.rates), default=math.inf)
        case JudgeRate() | Unknown():
            return length_of(one.rate)
