"""Ways to spend labels: each design is one record, named as the task's `calibration` names it.

    people      label items drawn at random, do without the judge
    by_label    a separate set with chosen numbers of true negatives and positives; the judge's
                rate is corrected by its error rates (Rogan and Gladen)
    random      label items drawn at random from the judged pool; combine within verdicts
    by_verdict  draw the labels separately among the items called positive and called negative

A record says how labels fall and which estimator of `estimate` makes the interval. Its length is
that of the counts to expect, or of simulated ones, given to that very estimator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    ROGAN_GLADEN,
    STRATIFIED,
    Counts,
    Estimator,
)
from goldassay.questions.plan.allocation import algorithm_1
from goldassay.questions.plan.assurance import EVEN
from goldassay.questions.plan.precision import (
    JudgeRates,
    Likely,
    normal_quantile,
    spread_by_verdict,
)

__all__ = [
    "BY_LABEL",
    "BY_VERDICT",
    "DESIGNS",
    "PEOPLE",
    "RANDOM",
    "Design",
    "Purpose",
    "Shares",
    "expected_length",
    "fewest",
    "labels_for_length",
    "length_of_shares",
    "on_average",
]

Array = NDArray[np.float64]

#: Labels on negatives and on positives: by verdict, or by true label.
Shares = tuple[int, int]

#: As many judged items as one likes.
ENDLESS = 1e9
#: Simulated studies at known rates, and over all that a pilot leaves open.
STUDIES, OPEN_STUDIES = 300, 500
#: Labels of each true label in a separate set, where there are twice as many: with fewer, an error
#: rate is not known at all.
LEAST_OF_LABEL = 10
#: Splits that are tried first, before those next to the best of them.
FIRST_TRIED = 16
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
    #: How a number of labels is shared out, for what purpose; None without a judge.
    split: Callable[[JudgeRates, int, Purpose], Shares] | None = None
    #: What makes the interval.
    estimator: Estimator
    #: a and b of a variance a / labels + b / judged items, of true rate, sensitivity and
    #: specificity, labels as they fall; None without a judge.
    variance: Callable[[Array, Array, Array], tuple[Array, Array]] | None = None
    #: a where labels are shared out as is best, if that is another.
    best_variance: Callable[[JudgeRates], float] | None = None

    @property
    def separate(self) -> bool:
        """The labelled items are a set beside the pool: they are judged too, and J is needed."""
        return self.variance is not None and not self.from_pool


# --- a separate set ---------------------------------------------------------------------------


def _label_split(rates: JudgeRates, labels: int, purpose: Purpose) -> Shares:
    """The shares of true labels with the shortest interval: proposition 5.2 for the very interval
    that is used, which is not that of large samples.

    The length has no closed form, so splits are tried: some over the whole range, Algorithm 1's and
    halves among them, then those next to the best until none of these is shorter.
    """
    before = np.zeros(2) if rates.pilot is None else rates.pilot.confusion.sum(1)
    room = np.maximum(min(LEAST_OF_LABEL, (labels + int(before.sum())) // 2) - before, 0)
    least = min(int(room[1]), labels)
    most = max(labels - int(room[0]), least)
    theirs = algorithm_1(
        max(labels, 2),
        rates.verdict_rate,
        specificity=rates.specificity,
        sensitivity=rates.sensitivity,
    )
    seen = dict[int, float]()

    def tried(numbers: Iterable[int]) -> int:
        for ones in sorted({min(max(one, least), most) for one in numbers} - seen.keys()):
            seen[ones] = length_of_shares(BY_LABEL, rates, (labels - ones, ones), purpose)
        return min(seen, key=lambda one: (seen[one], one))

    step = max((most - least) // FIRST_TRIED, 1)
    best = tried([*range(least, most + 1, step), most, labels // 2, theirs.positives])
    while True:
        step = max(step // 4, 1)
        nearest = tried(best + k * step for k in range(-3, 4))
        if nearest == best and step == 1:
            return labels - best, best
        best = nearest


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
    strata = _strata(rates)
    least, most = int(strata[1] > 0), labels - int(strata[0] > 0)
    if math.isfinite(items):
        least = max(least, math.ceil(labels - strata[0] * items - 0.5))
        most = min(most, math.floor(strata[1] * items + 0.5))
    return least, most


def _strata(rates: JudgeRates) -> Array:
    """Shares of the items by verdict: as they were called, or as the rates suggest."""
    if rates.pilot is None or rates.pilot.called is None:
        return rates.strata
    called, items = rates.pilot.called
    return np.array([1 - called / items, called / items])


def _random_split(rates: JudgeRates, labels: int, purpose: Purpose) -> Shares:
    least, most = _verdict_room(rates, labels, purpose.items)
    ones = min(max(round(labels * _strata(rates)[1]), least), most)
    return labels - ones, ones


def _verdict_split(rates: JudgeRates, labels: int, purpose: Purpose) -> Shares:
    """The shares with the shortest interval, of up to 401 that are tried; where rates are open, not
    longer than at random."""
    items = purpose.items
    least, most = _verdict_room(rates, labels, items)
    ones = np.unique(np.linspace(least, max(most, least), 401).round())
    tried = np.stack([labels - ones, ones], axis=-1)
    best = int(spread_by_verdict(rates, tried, items=items).argmin())
    shares = int(tried[best, 0]), int(tried[best, 1])
    if rates.pilot is None:
        return shares
    likely = {shares, _random_split(rates, labels, purpose)}
    return min(sorted(likely), key=lambda one: length_of_shares(BY_VERDICT, rates, one, purpose))


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
    estimator=STRATIFIED,
    variance=_verdict_variance,
)
RANDOM = Design(
    name="random",
    words="label at random, use verdicts",
    from_pool=True,
    split=_random_split,
    estimator=STRATIFIED,
    variance=_random_variance,
)
BY_LABEL = Design(
    name="by_label",
    words="separate set, correct the rate",
    shared_by="truly",
    split=_label_split,
    estimator=ROGAN_GLADEN,
    variance=_label_variance,
    best_variance=_label_best_variance,
)
PEOPLE = Design(name="people", words="label at random, no judge", estimator=CALIBRATION_ONLY)

DESIGNS: Mapping[str, Design] = {one.name: one for one in (BY_VERDICT, RANDOM, BY_LABEL, PEOPLE)}


@dataclass(frozen=True, slots=True)
class Purpose:
    """An interval of so many items' true rate: how long, how sure, of which level.

    Without a share of studies in which it is to be reached, the length is that to expect.
    """

    length: float
    items: float = math.inf
    confidence_level: float = 0.95
    share: float | None = None
    seed: int = 1


def on_average(rates: JudgeRates, purpose: Purpose) -> Purpose:
    """The same without assurance: the length to expect, or where rates are open that of an even
    chance."""
    return replace(purpose, share=None if rates.pilot is None else EVEN)


def expected_length(
    design: Design, rates: JudgeRates, labels: int, purpose: Purpose | None = None
) -> float:
    """The length of the interval with so many labels: of expected counts, or of a share of studies.

    Infinite where labels drawn from the pool would be more than the pool holds.
    """
    purpose = purpose or Purpose(1.0)
    if design.from_pool and labels > purpose.items:
        return math.inf
    shares = (labels, 0) if design.split is None else design.split(rates, labels, purpose)
    return length_of_shares(design, rates, shares, purpose)


def length_of_shares(design: Design, rates: JudgeRates, shares: Shares, purpose: Purpose) -> float:
    """The same, where it is known how labels fall."""
    if design.separate and rates.youden_j <= 0:
        return math.inf
    if purpose.share is None and rates.pilot is not None:
        raise ValueError("rates of a pilot have no one length to expect: give a share of studies")
    counts = (
        _expected(design, rates, shares, purpose.items)
        if purpose.share is None
        else _simulated(design, rates, shares, purpose)
    )
    value, low, high = design.estimator.corrected(counts, purpose.confidence_level, 1.0)[:3]
    value = np.clip(value, 0, 1)
    length = np.maximum(high, value) - np.minimum(low, value)
    if purpose.share is None:
        return float(length[0]) if np.isfinite(length[0]) else math.inf
    ordered = np.sort(np.where(np.isfinite(length), length, np.inf))
    return float(ordered[math.ceil(purpose.share * len(ordered)) - 1])


def _expected(design: Design, rates: JudgeRates, shares: Shares, items: float) -> Counts:
    """The counts to expect, as one study."""
    n = items if math.isfinite(items) else ENDLESS
    m = np.array(shares, dtype=float)
    pool = n * rates.strata
    if design.from_pool:
        return _pooled(np.maximum(pool, m)[None], m[None], (m * rates.positive_shares)[None])
    if design.separate:
        right = m * (rates.specificity, rates.sensitivity)
        return Counts(pool[None], _confusion(m[None], right[None]))
    return _people(np.array([m.sum() * rates.prevalence]), m.sum())


def _simulated(design: Design, rates: JudgeRates, shares: Shares, purpose: Purpose) -> Counts:
    """Studies [R] drawn at these rates, or at those that a pilot leaves open."""
    rng = np.random.default_rng(purpose.seed)
    runs = STUDIES if rates.pilot is None else OPEN_STUDIES
    likely, m = rates.likely(runs, purpose.seed), np.array(shares, dtype=np.int64)
    pool = _judged(rates, likely, purpose, rng)
    if design.from_pool:
        falls = np.broadcast_to(m, (runs, 2))
        if design.shared_by is None:
            ones = rng.binomial(m.sum(), likely.strata[:, 1])
            if math.isfinite(purpose.items):
                whole = pool.astype(np.int64)
                ones = rng.hypergeometric(whole[:, 1], whole[:, 0], int(m.sum()))
            falls = np.stack([m.sum() - ones, ones], axis=1)
        falls = np.minimum(falls, pool).astype(np.int64)
        return _pooled(pool, falls.astype(float), rng.binomial(falls, likely.positive_shares))
    if design.separate:
        right = rng.binomial(m, np.stack([likely.specificity, likely.sensitivity], axis=1))
        cells = _confusion(np.broadcast_to(m, right.shape), right)
        before = 0.0 if rates.pilot is None else rates.pilot.confusion
        return Counts(pool, cells + before)
    return _people(rng.binomial(m.sum(), likely.prevalence), m.sum())


def _judged(rates: JudgeRates, likely: Likely, purpose: Purpose, rng: np.random.Generator) -> Array:
    """The judged items by verdict [R, 2]: as they were counted, or as they may turn out."""
    if rates.pilot is not None and rates.pilot.called is not None:
        called, items = rates.pilot.called
        return np.broadcast_to(np.array([items - called, called], float), likely.strata.shape)
    if math.isfinite(purpose.items):
        return rng.multinomial(int(purpose.items), likely.strata).astype(float)
    return ENDLESS * likely.strata


def _pooled(pool: Array, labelled: Array, positives: NDArray[np.generic]) -> Counts:
    """Labels drawn from a pool, by verdict [R, 2]."""
    positive = np.asarray(positives, dtype=float)
    return Counts(pool - labelled, np.stack([labelled - positive, positive], axis=1), pooled=True)


def _confusion(labels: NDArray[np.generic], right: NDArray[np.generic]) -> Array:
    """Labelled items [R, 2, 2] of a judge that is right on so many of each label [R, 2]."""
    m, hits = np.asarray(labels, dtype=float), np.asarray(right, dtype=float)
    rows = [hits[:, 0], m[:, 0] - hits[:, 0], m[:, 1] - hits[:, 1], hits[:, 1]]
    return np.stack(rows, axis=1).reshape(-1, 2, 2)


def _people(positives: NDArray[np.generic], labels: float) -> Counts:
    """Labels [R] without verdicts: all in one column."""
    positive = np.asarray(positives, dtype=float)
    cells = np.zeros((len(positive), 2, 2))
    cells[:, 0, 0], cells[:, 1, 0] = labels - positive, positive
    return Counts(np.tile([ENDLESS, 0.0], (len(positive), 1)), cells, pooled=True)


def labels_for_length(design: Design, rates: JudgeRates, purpose: Purpose) -> int | None:
    """The fewest labels whose interval is no longer than the purpose's length.

    None where no number of labels will do: the judged items themselves are too few (their own
    chance remains), or labels drawn from the pool would be more than the pool holds.
    """
    most = MOST_LABELS
    if design.from_pool and purpose.items < most:
        most = int(purpose.items)

    def reached(labels: int) -> bool:
        return expected_length(design, rates, labels, purpose) <= purpose.length

    if design.separate and not reached(most):  # the judged items' own chance remains
        return None
    return fewest(reached, most=most, near=_likely(design, rates, purpose))


def _likely(design: Design, rates: JudgeRates, purpose: Purpose) -> int:
    """The labels that a normal interval of the length would need: where the search begins."""
    theta, q1, q0 = (np.array(v) for v in (rates.prevalence, rates.sensitivity, rates.specificity))
    a, b = float(theta * (1 - theta)), 0.0
    if design.variance is not None:
        a, b = (float(part) for part in design.variance(theta, q1, q0))
    left = (
        purpose.length / (2 * normal_quantile(purpose.confidence_level))
    ) ** 2 - b / purpose.items
    return math.ceil(min(a / left, MOST_LABELS)) if left > 0 else MOST_LABELS


def fewest(
    reached: Callable[[int], bool], least: int = 2, most: int = MOST_LABELS, near: int = 2
) -> int | None:
    """The smallest number from `least` to `most` for which `reached` holds.

    By growing steps away from where it is likely, then by halving.
    """
    if most < least:
        return None
    low, high = least - 1, most + 1
    at = min(max(near, least), most)
    step = max(at // 16, 1)
    while high - low > 1:
        if reached(at):
            high, at = at, max(at - step, least)
        else:
            low, at = at, min(at + step, most)
        step *= 4
        if low >= least and high <= most:  # it lies between
            at = (low + high) // 2
    return None if high > most else high
