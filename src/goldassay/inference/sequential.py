"""Evidence of a change that may be looked at as often as one likes: e-processes for rates.

An e-process is a running measure of evidence against "nothing changed", with a mean of at most 1 at
every moment, foreseen or not, as long as nothing changes. That it ever reaches 1/a then has a
probability of at most a, however often one looks (Ville 1939; Ramdas, Grünwald, Vovk and Shafer
2023, "Game-theoretic statistics and safe anytime-valid inference"). Several of them, dependent or
not, are combined by a weighted mean, which is one again.

**A known rate p.** A sequence with h hits in n is weighed by a mixture of rates around p against p
itself (`log_evidence`): Beta(k p, k (1 - p)) for the mixture gives a closed form. Hits may be
fractions: for numbers in [0, 1] with mean p the same product has a mean of at most 1, since
(q/p)^x ((1-q)/(1-p))^(1-x) is at most x q/p + (1 - x)(1-q)/(1-p); and so it has for items of
different rates whose mean is p (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random
variables by betting", bet on the same bound). Inverted, it gives a band that holds at all moments
at once (`anytime_limits`).

**An unknown rate, before and after.** At every p the evidence of the time before (against p) times
that of the time after is an e-process; what was true has some p, so that the least over p is one
(`log_evidence_of_change`). It carries the sampling error of both sides: neither is taken as known.

**An unknown moment.** A mean over candidate moments, weighted by `candidate_moments` whose weights
sum to at most 1 over all time to come (`change_path`). Any weights would do: these fall so slowly
that a change at batch 1,000 costs 5 nats more than one at batch 10. Shin, Ramdas and Rinaldo
(2024, "E-detectors") add such evidence up without weights: that bounds how often alarms come, not
whether one ever comes, which is what is promised here.

**Fixed items, judged again and again.** Each has a rate of its own, so that a judge's own noise on
it is no change (`repeated_path`): a mixture of rates before and after against the best single rate
(universal inference; Wasserman, Ramdas and Balakrishnan 2020).

Clusters enter as numbers of hits and trials divided by a design effect (`contrast_effect`), and so
does what batches vary by beyond that (`spread_between_batches`). Both are estimated: what is
promised holds as well as they are known.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import special
from goldassay.frozen import dataclass

__all__ = [
    "Moments",
    "Path",
    "anytime_factor",
    "anytime_limits",
    "anytime_stratified_limits",
    "candidate_moments",
    "change_factor",
    "change_limits",
    "change_path",
    "contrast_effect",
    "joined",
    "log_evidence",
    "log_evidence_of_change",
    "moment_fits",
    "repeated_change_factor",
    "repeated_moment_fits",
    "repeated_path",
    "spread_between_batches",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Hits and trials.
Counts = tuple[ArrayLike, ArrayLike]

#: Strength of the mixture of rates after a change, in trials: rates of 70 % move by 8 points.
AFTER = 30.0
#: Strength of the mixture before it, as a share of the trials before.
BEFORE = 0.25
#: Strength of the mixture of a band; narrowest, for its width, at about ten times as many trials.
BAND = 30.0
#: Pseudo-counts of an item's rates: most items have a verdict that hardly ever changes.
ITEM = 0.25
#: Shares of the items that a change of the judge may move.
MOVED = (0.05, 0.2, 0.5)
#: Candidates in each octave of time: the moment of a change is met within a thirtieth of its age.
PER_OCTAVE = 16
#: At least the sum over j >= 1 of 1 / ((j + 1) log(j + 1)^2), 2.11, with the steps of candidates.
TOTAL = 2.2
#: Terms of a sum that could not reach this are left out of it, which only lowers the evidence.
NEGLIGIBLE = -1.0
#: Ways in which two strata share a bound that are tried.
SPLITS = 25
#: Rates are kept this far from 0 and 1.
EDGE = 1e-9
#: Steps of the search for the least evidence, each of which shortens the interval by 0.618.
STEPS = 12
#: Halvings of an interval of length 2, after which an end is known to 4e-6.
HALVINGS = 19
_GOLDEN = (5**0.5 - 1) / 2


# --- a known rate -----------------------------------------------------------------------------


def log_evidence(hits: ArrayLike, trials: ArrayLike, rate: ArrayLike, strength: ArrayLike) -> Array:
    """The log e-value of h hits in n trials against a rate p, elementwise.

    B(k p + h, k (1 - p) + n - h) / B(k p, k (1 - p)) / (p^h (1 - p)^(n - h)).
    """
    from goldassay.formulas.compiled import gammaln

    h, n, k = (np.asarray(one, dtype=np.float64) for one in (hits, trials, strength))
    p = np.clip(np.asarray(rate, dtype=np.float64), EDGE, 1 - EDGE)
    misses, a, b = n - h, k * p, k * (1 - p)
    mixed = gammaln(a + h) - gammaln(a) + gammaln(b + misses) - gammaln(b)
    mixed -= gammaln(k + n) - gammaln(k)
    return np.asarray(mixed - h * np.log(p) - misses * np.log1p(-p))


def anytime_limits(
    hits: ArrayLike, trials: ArrayLike, *, confidence_level: float = 0.95, strength: float = BAND
) -> tuple[Array, Array]:
    """Both ends of a band for a rate that holds at all moments at once, elementwise.

    All rates against which the evidence is below 1 / (1 - confidence level); 0 and 1 where there
    are no trials.
    """
    return _limits(hits, trials, -np.log(1 - confidence_level), strength)


def _limits(
    hits: ArrayLike, trials: ArrayLike, log_bound: ArrayLike, strength: float
) -> tuple[Array, Array]:
    """The rates against which the evidence is below exp(log_bound), elementwise."""
    h, n, bound = np.broadcast_arrays(
        *(np.asarray(one, dtype=np.float64) for one in (hits, trials, log_bound))
    )
    middle = (h + 0.5) / (n + 1)

    def end(outside: float) -> Array:
        inner, outer = middle.copy(), np.full(h.shape, outside)
        for _ in range(40):
            half = (inner + outer) / 2
            held = log_evidence(h, n, half, strength) < bound
            inner, outer = np.where(held, half, inner), np.where(held, outer, half)
        return np.asarray(outer)

    low = np.where(h <= 0, 0.0, end(0.0))
    high = np.where(h >= n, 1.0, end(1.0))
    return np.asarray(low), np.asarray(high)


def anytime_stratified_limits(
    pool: ArrayLike, hits: ArrayLike, trials: ArrayLike, *, confidence_level: float = 0.95
) -> tuple[Array, Array]:
    """A band for a rate made of strata that holds at all moments at once; hits, trials [..., K].

    `pool` [K] are the sizes of the strata. The evidence of independent strata multiplies; of two
    strata the ends are the least and largest rate that their product does not refute, of more
    each has its share of the error.
    """
    share = np.asarray(pool, dtype=np.float64) / np.sum(pool)
    h, n = (np.asarray(one, dtype=np.float64) for one in (hits, trials))
    bound = -np.log(1 - confidence_level)
    if len(share) != 2:
        low, high = _limits(h, n, bound + np.log(len(share)), BAND)
        return low @ share, high @ share
    # The least evidence of each stratum is about that at its share; the other may have the rest.
    least = np.minimum(log_evidence(h, n, (h + 0.5) / (n + 1), BAND), 0.0)
    low, high = np.ones(h.shape[:-1]), np.zeros(h.shape[:-1])
    for part in np.linspace(0, 1, SPLITS):
        first = least[..., 0] + part * (bound - least.sum(-1))
        budget = np.stack([first, bound - first], -1)
        lows, highs = _limits(h, n, budget, BAND)
        low, high = np.minimum(low, lows @ share), np.maximum(high, highs @ share)
    return low, high


def anytime_factor(trials: float, confidence_level: float) -> float:
    """How many times as many trials a band needs that is as short as an interval of `trials`.

    Of a normal rate: the band's half length is sqrt((1 + k/n) (2 log(1/a) + log(1 + n/k))) standard
    errors (Robbins 1970), with the strength k of `anytime_limits`.
    """
    from goldassay.formulas.special import normal_quantile

    usual = normal_quantile((1 + confidence_level) / 2) ** 2
    n = max(float(trials), 1.0)
    for _ in range(100):
        reach = (1 + BAND / n) * (-2 * np.log(1 - confidence_level) + np.log1p(n / BAND))
        n = max(float(trials), 1.0) * float(reach) / usual
    return n / max(float(trials), 1.0)


# --- a rate before and after ------------------------------------------------------------------


def log_evidence_of_change(before: Counts, after: Counts, change: ArrayLike = 0.0) -> Array:
    """The log e-value against a rate that grew by `change` (0: it stayed), elementwise.

    `before` and `after` are hits and trials. The least, over the rate p before, of the evidence of
    both sides; it lies between the rates that the two sides show.
    """
    h0, n0, h1, n1, grown = np.broadcast_arrays(
        *(np.asarray(one, dtype=np.float64) for one in (*before, *after, change))
    )
    shares = np.stack([h0 / np.maximum(n0, EDGE), h1 / np.maximum(n1, EDGE) - grown])
    within = np.maximum(0.0, -grown), np.minimum(1.0, 1.0 - grown)
    low, high = np.clip(shares.min(0), *within), np.clip(shares.max(0), *within)

    def at(p: Array) -> Array:
        mine = log_evidence(h0, n0, p, np.maximum(BEFORE * n0, EDGE))
        return mine + log_evidence(h1, n1, p + grown, AFTER)

    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = at(left), at(right)
    for _ in range(STEPS):
        lower = at_left < at_right
        high, low = np.where(lower, right, high), np.where(lower, low, left)
        new = np.where(lower, high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
        value = at(new)
        left, right = np.where(lower, new, right), np.where(lower, left, new)
        at_left, at_right = np.where(lower, value, at_right), np.where(lower, at_left, value)
    found = np.minimum(at_left, at_right)
    return np.where((n0 > 0) & (n1 > 0), found, 0.0)


def change_limits(before: Counts, after: Counts, *, log_bound: float) -> tuple[Array, Array]:
    """The changes of a rate against which the evidence is below exp(log_bound), elementwise.

    Low and high; -1 and 1 where a side has no trials.
    """
    h0, n0, h1, n1 = np.broadcast_arrays(
        *(np.asarray(one, dtype=np.float64) for one in (*before, *after))
    )
    empty = (n0 <= 0) | (n1 <= 0)
    middle = h1 / np.maximum(n1, EDGE) - h0 / np.maximum(n0, EDGE)
    outer = np.stack([np.full(middle.shape, -1 + EDGE), np.full(middle.shape, 1 - EDGE)])
    inner = np.stack([middle, middle])
    held = log_evidence_of_change((h0, n0), (h1, n1), outer) < log_bound
    inner = np.where(held, outer, inner)
    for _ in range(HALVINGS):
        half = (inner + outer) / 2
        held = log_evidence_of_change((h0, n0), (h1, n1), half) < log_bound
        inner, outer = np.where(held, half, inner), np.where(held, outer, half)
    return np.where(empty, -1.0, outer[0]), np.where(empty, 1.0, outer[1])


def _fit(hits: Array, trials: Array) -> Array:
    """The largest log likelihood of hits in trials."""
    from goldassay.formulas.compiled import xlogy

    share = hits / np.maximum(trials, EDGE)
    return np.asarray(xlogy(hits, share) + xlogy(trials - hits, 1 - share))


# --- an unknown moment ------------------------------------------------------------------------


@dataclass(frozen=True)
class Moments:
    """Batches before which a change may have come (number of batches before it), with log weights.

    The weights of all that may ever come sum to at most 1.
    """

    at: Ints
    log_weight: Array


def candidate_moments(batches: int, *, reference: int = 0) -> Moments:
    """Moments that are tried in so many batches: every one at first, sixteen an octave later.

    With a `reference` of so many batches nothing changed within it: half of the weight is on its
    end, the rest as if time began there.
    """
    from_here = max(batches - max(reference, 1), 0)
    ages, age = [], 1
    while age <= from_here:
        ages.append(age)
        age += max(1, 2 ** int(np.log2(age)) // PER_OCTAVE)
    steps = np.diff([*ages, age]).astype(np.float64)
    each = np.array(ages, dtype=np.float64)
    log_weight = np.log(steps) - np.log(TOTAL * (each + 1) * np.log(each + 1) ** 2)
    at = np.array(ages, dtype=np.int64) + max(reference, 1) - 1
    if not reference:
        return Moments(at, log_weight)
    known = np.array([reference], dtype=np.int64)[: from_here > 0]
    # Age 1 is the end of the reference, already among the moments: it takes the other half too.
    half = np.logaddexp(log_weight[:1], 0.0) if len(known) else log_weight[:1]
    return Moments(at, np.concatenate([half, log_weight[1:]]) - np.log(2))


@dataclass(frozen=True)
class Path:
    """Evidence after each batch [..., T], and for each moment at the end [..., C].

    `moments` are the candidates; `at_end[..., c]` is the log evidence, unweighted, of a change
    there, and -inf where it was not worth computing.
    """

    log_e: Array
    at_end: Array
    moments: Moments


def change_path(hits: ArrayLike, trials: ArrayLike, moments: Moments) -> Path:
    """Evidence that a rate changed at some moment, after each batch; hits and trials [..., T]."""
    h = np.cumsum(np.asarray(hits, dtype=np.float64), -1)
    n = np.cumsum(np.asarray(trials, dtype=np.float64), -1)
    whole = _fit(h, n)
    log_e = np.full(h.shape, -np.inf)
    at_end = np.full((*h.shape[:-1], len(moments.at)), -np.inf)
    for c, (moment, log_weight) in enumerate(zip(moments.at, moments.log_weight, strict=True)):
        before = h[..., moment - 1, None], n[..., moment - 1, None]
        after = h[..., moment:] - before[0], n[..., moment:] - before[1]
        # No evidence exceeds the ratio of the largest likelihoods.
        most = _fit(*before) + _fit(*after) - whole[..., moment:]
        worth = np.nonzero(most + log_weight > NEGLIGIBLE)
        if not len(worth[0]):
            continue
        side = tuple(np.broadcast_to(one, most.shape)[worth] for one in before)
        found = log_evidence_of_change((side[0], side[1]), (after[0][worth], after[1][worth]))
        term = np.full(most.shape, -np.inf)
        term[worth] = found
        log_e[..., moment:] = np.logaddexp(log_e[..., moment:], term + log_weight)
        at_end[..., c] = term[..., -1]
    return Path(log_e, at_end, moments)


def moment_fits(hits: ArrayLike, trials: ArrayLike) -> Array:
    """The largest log likelihood of a change after each batch but the last, [T - 1]."""
    h, n = (np.cumsum(np.asarray(one, dtype=np.float64)) for one in (hits, trials))
    return _fit(h[:-1], n[:-1]) + _fit(h[-1] - h[:-1], n[-1] - n[:-1])


# --- fixed items, judged again -----------------------------------------------------------------


def repeated_path(hits: ArrayLike, trials: ArrayLike, moments: Moments) -> Path:
    """Evidence that some of the items [I, T] changed at one moment, after each batch.

    Each item has a rate of its own (a judge's noise on it), the same in all batches unless it is
    among those that changed. Hits and trials are whole numbers, 0 trials where it was not judged.
    """
    h = np.cumsum(np.asarray(hits, dtype=np.int64), -1)
    n = np.cumsum(np.asarray(trials, dtype=np.int64), -1)
    tables = _Tables(int(n.max(initial=0)))
    whole = tables.fit(h, n)
    batches = h.shape[-1]
    log_e, at_end = np.full(batches, -np.inf), np.full(len(moments.at), -np.inf)
    for c, (moment, log_weight) in enumerate(zip(moments.at, moments.log_weight, strict=True)):
        h0, n0 = h[:, moment - 1, None], n[:, moment - 1, None]
        h1, n1 = h[:, moment:] - h0, n[:, moment:] - n0
        least = tables.fit(h0, n0) + tables.fit(h1, n1) - whole[:, moment:]
        worth = np.flatnonzero(least.sum(0) + log_weight > NEGLIGIBLE)
        if not len(worth):
            continue
        each = tables.mixed(h0, n0) + tables.mixed(h1[:, worth], n1[:, worth])
        term = np.full(batches - moment, -np.inf)
        term[worth] = _some_moved(each - whole[:, moment:][:, worth])
        log_e[moment:] = np.logaddexp(log_e[moment:], term + log_weight)
        at_end[c] = term[-1]
    return Path(log_e, at_end, moments)


def repeated_moment_fits(hits: ArrayLike, trials: ArrayLike) -> Array:
    """The log likelihood of a change of some of the items [I, T] after each batch but the last."""
    h, n = (np.cumsum(np.asarray(one, dtype=np.int64), -1) for one in (hits, trials))
    tables = _Tables(int(n.max(initial=0)))
    whole = tables.mixed(h[:, -1:], n[:, -1:])
    before = tables.mixed(h[:, :-1], n[:, :-1])
    after = tables.mixed(h[:, -1:] - h[:, :-1], n[:, -1:] - n[:, :-1])
    return _some_moved(before + after - whole)


class _Tables:
    """Log likelihoods of whole numbers of hits, looked up rather than computed."""

    def __init__(self, most: int) -> None:
        from goldassay.formulas.compiled import gammaln, xlogy

        number = np.arange(most + 1, dtype=np.float64)
        self._part = gammaln(number + ITEM) - gammaln(ITEM)
        self._whole = gammaln(number + 2 * ITEM) - gammaln(2 * ITEM)
        self._power = xlogy(number, number)

    def mixed(self, hits: Ints, trials: Ints) -> Array:
        """Under a mixture of rates."""
        found: Array = self._part[hits] + self._part[trials - hits] - self._whole[trials]
        return found

    def fit(self, hits: Ints, trials: Ints) -> Array:
        """Under the best rate."""
        found: Array = self._power[hits] + self._power[trials - hits] - self._power[trials]
        return found


def _some_moved(each: Array) -> Array:
    """Items' evidence [I, ...] as that of all: a share of them moved, of unknown size."""
    of_share = [np.logaddexp(np.log1p(-one), np.log(one) + each).sum(0) for one in MOVED]
    return np.asarray(np.logaddexp.reduce(of_share, axis=0) - np.log(len(MOVED)))


# --- who it was, given that something changed ---------------------------------------------------


def change_factor(before: tuple[float, float], after: tuple[float, float]) -> float:
    """The log Bayes factor of two rates against one behind hits and trials, Jeffreys' prior each.

    Not an e-value: it weighs explanations against each other once a change is known of.
    """
    from goldassay.formulas.compiled import betaln

    def mixed(hits: float, trials: float) -> float:
        return float(betaln(hits + 0.5, trials - hits + 0.5) - betaln(0.5, 0.5))

    both = mixed(before[0] + after[0], before[1] + after[1])
    return mixed(*before) + mixed(*after) - both


def repeated_change_factor(before: tuple[Ints, Ints], after: tuple[Ints, Ints]) -> float:
    """The same of items [I] judged again and again, of which some changed."""
    tables = _Tables(int((before[1] + after[1]).max(initial=0)))
    both = tables.mixed(before[0] + after[0], before[1] + after[1])
    return float(_some_moved(tables.mixed(*before) + tables.mixed(*after) - both))


# --- together, and clusters ---------------------------------------------------------------------


def joined(log_e: ArrayLike, axis: int = 0) -> Array:
    """The mean of e-values, from their logs: one e-value, whatever their dependence."""
    values = np.asarray(log_e, dtype=np.float64)
    return np.asarray(np.logaddexp.reduce(values, axis=axis) - np.log(values.shape[axis]))


def contrast_effect(hits: Array, trials: Array, batch: Ints, cluster: NDArray[Any]) -> float:
    """By how much clusters widen a difference between earlier and later batches; at least 1.

    One entry for each cluster in a batch [N]. The variance over clusters of the difference of two
    rates (a cluster may lie on both sides, and then counts against itself), against that of
    independent trials: the largest of the splits after a quarter, a half and three quarters of the
    trials. Residuals are from the rate of a quarter, so that a change is no spread.
    """
    order = np.argsort(batch, kind="stable")
    h, n, b = hits[order], trials[order], batch[order]
    names, c = np.unique(cluster[order], return_inverse=True)
    if len(names) < 4 or n.sum() <= 0:
        return 1.0
    done = np.cumsum(n)
    # Whole batches: a quarter ends with the batch in which its last trial lies.
    ends = [b[min(int(np.searchsorted(done, q * done[-1])), len(b) - 1)] for q in (0.25, 0.5, 0.75)]
    quarter = np.searchsorted(np.array(ends), b, side="left")
    rate = np.bincount(quarter, h, 4) / np.maximum(np.bincount(quarter, n, 4), EDGE)
    residual = h - rate[quarter] * n
    spread = rate[quarter] * (1 - rate[quarter]) * n
    worst = 1.0
    for end in sorted(set(ends)):
        late = b > end
        sizes = n[~late].sum(), n[late].sum()
        if min(sizes) <= 0:
            continue
        share = np.where(late, 1 / sizes[1], -1 / sizes[0])
        over = (np.bincount(c, residual * share) ** 2).sum() * len(names) / (len(names) - 1)
        alone = (spread * share**2).sum()
        worst = max(worst, over / alone if alone > 0 else 1.0)
    return float(worst)


def spread_between_batches(hits: Array, trials: Array) -> float:
    """By how much rates of batches [T] vary beyond chance, from one to the next; at least 1.

    Days and traffic differ, and no clusters show it. The mean of the squared differences of
    neighbours over their variance by chance (von Neumann, Kent, Bellinson and Hart 1941), divided
    by 1 plus its relative standard error, sqrt(3 / (T - 1)), so that batches which vary by chance
    alone are seldom taken for others. A drift adds hardly anything to it; the largest difference,
    which may be the change that is looked for, is left out, and so is what the largest is by
    chance.
    """
    held = trials > 0
    h, n = hits[held], trials[held]
    if len(n) < 5:
        return 1.0
    rate = float(h.sum() / n.sum())
    if not EDGE < rate < 1 - EDGE:
        return 1.0
    chance = rate * (1 - rate) * (1 / n[1:] + 1 / n[:-1])
    squares = np.diff(h / n) ** 2 / chance
    number = len(squares)
    # About the mean of the largest of so many squares of normal numbers.
    largest = special.normal_quantile(1 - 0.28 / number) ** 2
    seen = float((squares.sum() - squares.max()) / (number - largest))
    return max(seen / (1 + math.sqrt(3 / number)), 1.0)
