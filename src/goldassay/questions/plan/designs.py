"""Ways to spend labels: each design is one record, named as the task's `calibration` names it.

`precision` says what the four designs do, and has their lengths; a new one is a record here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.questions.plan.allocation import best_split
from goldassay.questions.plan.precision import (
    JudgeRates,
    by_verdict_length,
    people_length,
    rogan_gladen_length,
)

__all__ = [
    "BY_LABEL",
    "BY_VERDICT",
    "DESIGNS",
    "PEOPLE",
    "RANDOM",
    "Design",
    "Shares",
    "expected_length",
    "fewest",
    "labels_for_length",
]

Array = NDArray[np.float64]

#: Labels on negatives and on positives: by verdict, or by true label.
Shares = tuple[int, int]

#: Beyond this many labels a target counts as out of reach.
MOST_LABELS = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A way to spend labels."""

    name: str
    #: What is done, in few words.
    words: str
    #: Labels are drawn from the judged items, and cannot be more than these.
    from_pool: bool = False
    #: Who is known to be negative or positive before labels are shared out: those that the judge
    #: calls so, or that truly are; None where labels fall as they come.
    shared_by: Literal["called", "truly"] | None = None
    #: How a number of labels is shared out, with so many judged items; None without a judge.
    split: Callable[[JudgeRates, int, float], Shares] | None = None
    #: The length to expect: of rates, labels, judged items and a confidence level.
    length: Callable[[JudgeRates, int, float, float], float]
    #: a and b of a variance a / labels + b / judged items, of true rate, sensitivity and
    #: specificity, labels as they fall; None without a judge.
    variance: Callable[[Array, Array, Array], tuple[Array, Array]] | None = None
    #: a where labels are shared out as is best, if that is another.
    best_variance: Callable[[JudgeRates], float] | None = None

    @property
    def separate(self) -> bool:
        """The labelled items are a set beside the pool: they are judged too, and J is needed."""
        return self.variance is not None and not self.from_pool


# --- people alone -----------------------------------------------------------------------------


def _people_length(rates: JudgeRates, labels: int, items: float, level: float) -> float:
    return float(people_length(rates.prevalence, labels, confidence_level=level))


# --- a separate set ---------------------------------------------------------------------------


def _label_split(rates: JudgeRates, labels: int, items: float) -> Shares:
    split = best_split(
        labels,
        rates.prevalence,
        specificity=rates.specificity,
        sensitivity=rates.sensitivity,
        least=min(10, labels // 2),
    )
    return split.negatives, split.positives


def _label_length(rates: JudgeRates, labels: int, items: float, level: float) -> float:
    shares = _label_split(rates, labels, items)
    return float(rogan_gladen_length(rates, *shares, items=items, confidence_level=level))


def _label_variance(theta: Array, q1: Array, q0: Array) -> tuple[Array, Array]:
    """Infinite where J <= 0."""
    j = q0 + q1 - 1
    p = j * theta + 1 - q0
    informative = j > 0
    square = np.where(informative, j, 1.0) ** 2
    a = ((1 - theta) * q0 * (1 - q0) + theta * q1 * (1 - q1)) / square
    return np.where(informative, a, np.inf), np.where(informative, p * (1 - p) / square, 0.0)


def _label_best_variance(rates: JudgeRates) -> float:
    theta, q1, q0 = (np.array(v) for v in (rates.prevalence, rates.sensitivity, rates.specificity))
    deviation = (1 - theta) * np.sqrt(q0 * (1 - q0)) + theta * np.sqrt(q1 * (1 - q1))
    return float((deviation / rates.youden_j) ** 2)


# --- labels from the pool ---------------------------------------------------------------------


def _verdict_room(rates: JudgeRates, labels: int, items: float) -> tuple[int, int]:
    """The fewest and the most labels on positive verdicts: a verdict has no more than items."""
    strata = rates.strata
    least, most = int(strata[1] > 0), labels - int(strata[0] > 0)
    if math.isfinite(items):
        least = max(least, math.ceil(labels - strata[0] * items - 0.5))
        most = min(most, math.floor(strata[1] * items + 0.5))
    return least, most


def _random_split(rates: JudgeRates, labels: int, items: float) -> Shares:
    least, most = _verdict_room(rates, labels, items)
    ones = min(max(round(labels * rates.strata[1]), least), most)
    return labels - ones, ones


def _verdict_split(rates: JudgeRates, labels: int, items: float) -> Shares:
    """The shares with the shortest interval, of up to 401 that are tried."""
    least, most = _verdict_room(rates, labels, items)
    ones = np.unique(np.linspace(least, max(most, least), 401).round())
    tried = np.stack([labels - ones, ones], axis=-1)
    best = int(by_verdict_length(rates, tried, items=items, confidence_level=0.95).argmin())
    return int(tried[best, 0]), int(tried[best, 1])


def _pool_length(
    split: Callable[[JudgeRates, int, float], Shares],
) -> Callable[[JudgeRates, int, float, float], float]:
    def length(rates: JudgeRates, labels: int, items: float, level: float) -> float:
        shares = np.array(split(rates, labels, items))
        return float(by_verdict_length(rates, shares, items=items, confidence_level=level))

    return length


def _within(theta: Array, q1: Array, q0: Array) -> tuple[Array, Array]:
    """Shares of the verdicts [2, ...], and the deviation of labels within each."""
    p = (q0 + q1 - 1) * theta + 1 - q0
    strata = np.stack([1 - p, p])
    true = np.stack([theta * (1 - q1), theta * q1])
    share = np.divide(true, strata, out=np.zeros_like(true), where=strata > 0)
    return strata, np.sqrt(np.clip(share * (1 - share), 0, None))


def _random_variance(theta: Array, q1: Array, q0: Array) -> tuple[Array, Array]:
    strata, deviation = _within(theta, q1, q0)
    within = (strata * deviation**2).sum(0)
    return within, np.clip(theta * (1 - theta) - within, 0, None)


def _verdict_variance(theta: Array, q1: Array, q0: Array) -> tuple[Array, Array]:
    strata, deviation = _within(theta, q1, q0)
    _, between = _random_variance(theta, q1, q0)
    return (strata * deviation).sum(0) ** 2, between


# --- the records ------------------------------------------------------------------------------

BY_VERDICT = Design(
    name="by_verdict",
    words="label some of each verdict",
    from_pool=True,
    shared_by="called",
    split=_verdict_split,
    length=_pool_length(_verdict_split),
    variance=_verdict_variance,
)
RANDOM = Design(
    name="random",
    words="label at random, use verdicts",
    from_pool=True,
    split=_random_split,
    length=_pool_length(_random_split),
    variance=_random_variance,
)
BY_LABEL = Design(
    name="by_label",
    words="separate set, correct the rate",
    shared_by="truly",
    split=_label_split,
    length=_label_length,
    variance=_label_variance,
    best_variance=_label_best_variance,
)
PEOPLE = Design(name="people", words="label at random, no judge", length=_people_length)

DESIGNS: Mapping[str, Design] = {one.name: one for one in (BY_VERDICT, RANDOM, BY_LABEL, PEOPLE)}


def expected_length(
    design: Design,
    rates: JudgeRates,
    labels: int,
    *,
    items: float = math.inf,
    confidence_level: float = 0.95,
) -> float:
    """Length to expect of the interval for the true rate. Labels are shared out by the design.

    Infinite where labels drawn from the pool would be more than the pool holds.
    """
    if design.from_pool and labels > items:
        return math.inf
    return design.length(rates, labels, items, confidence_level)


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
    if design.from_pool and items < most:
        most = int(items)

    def reached(labels: int) -> bool:
        found = expected_length(
            design, rates, labels, items=items, confidence_level=confidence_level
        )
        return found <= length

    return fewest(reached, most=most)


def fewest(reached: Callable[[int], bool], least: int = 2, most: int = MOST_LABELS) -> int | None:
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
