"""How a judge departs from people on pairs of systems: decisiveness and bias.

Win rates are given once per unordered pair, [..., P] for the pair's first system; the other
orientation is its mirror image (WR(b, a) = 1 - WR(a, b), F(1 - x) = 1 - F(x)) and adds nothing to
the fit. Gera et al. (2025), section 6 and Appendix F.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Pairs, mean_per_system
from goldassay.frozen import dataclass

__all__ = [
    "BOUNDS",
    "PairedTest",
    "at_lower_end",
    "at_upper_end",
    "beta_curve",
    "bias_delta",
    "decisiveness",
    "decisiveness_resamples",
    "paired_t_test",
    "shapes_of_resamples",
    "system_bias",
]

Floats = NDArray[np.float64]

#: Range of the shape parameter (Appendix F).
BOUNDS = (0.1, 10_000.0)
#: Steps of the table of curves: neighbouring shapes differ by 1.1 %, gold rates by 0.0005.
SHAPE_STEPS = 1024
RATE_STEPS = 1024
COARSE_STEP = 32
#: Of fewer rates than these the curves are made there alone: a small table has few.
FEW_RATES = 256
#: Of fewer cells than these that a step of the search asks for, these alone are made.
FEW_CELLS = 10_000
#: From so many pairs on a curve is read row by row: to number the cells of all would take longer.
WIDE = 1500
#: Pairs that are enough to find the valley; its bottom is then searched on all of them.
COARSE_PAIRS = 256
#: Numbers that are worked on at once in finding it.
CACHED = 250_000
#: Widths of the bracket: each new point leaves the next smaller Fibonacci number of steps.
BRACKETS = (144, 89, 55, 34, 21, 13, 8, 5, 3, 2, 1)
GOLDEN = (np.sqrt(5) - 1) / 2


def at_lower_end(shape: float) -> bool:
    """Whether a shape is where the search begins (within the table's step): it may be any less."""
    return shape <= BOUNDS[0] * 1.02


def at_upper_end(shape: float) -> bool:
    """Whether a shape is where the search ends (within the table's step): it may be any more."""
    return shape >= BOUNDS[1] / 1.02


def beta_curve(gold: Floats, shape: Floats | float) -> Floats:
    """F_Beta(x; shape, shape): the judge's win rate expected at a gold win rate of x.

    The identity for shape 1, a sigmoid above, flatter than the identity below.
    """
    from goldassay.formulas.compiled import betainc

    # Exact mirror images about one half, and no rounding at the middle.
    gold = np.asarray(gold, np.float64)
    upper = np.maximum(gold, 1 - gold)
    value = betainc(shape, shape, upper)
    return np.where(gold == 0.5, 0.5, np.where(gold > 0.5, value, 1 - value))


class _Table:
    """F_Beta [G, X] by shape and by gold win rates from one half to one; few cells are needed."""

    def __init__(self) -> None:
        self.logs = np.linspace(np.log(BOUNDS[0]), np.log(BOUNDS[1]), SHAPE_STEPS + 1)
        self._rates = np.linspace(0.5, 1.0, RATE_STEPS + 1)
        self._made = np.zeros(SHAPE_STEPS + 1, np.bool_)
        self._curves = np.empty((SHAPE_STEPS + 1, RATE_STEPS + 1))
        self.single = np.empty(self._curves.shape, np.float32)
        #: Cells that are made in rows that are not.
        self._some = np.zeros(self._curves.shape, np.bool_)

    def make(self, rows: NDArray[np.int64], rates: NDArray[np.intp] | None = None) -> None:
        """Have the curves of these shapes in the table, at the places of all rates or of some."""
        if self._made[rows].all():
            return
        new = np.unique(rows[~self._made[rows]])
        if rates is None:
            self._curves[new] = beta_curve(self._rates[None, :], np.exp(self.logs[new])[:, None])
            self.single[new] = self._curves[new]
            self._made[new] = True  # last: another thread may look
            return
        row, place = np.nonzero(~self._some[np.ix_(new, rates)])
        self._fill(new[row], rates[place])

    def make_cells(self, rows: NDArray[np.int64], cells: NDArray[np.intp]) -> None:
        """Have these cells of some shapes in the table, by their numbers in the flat one."""
        if self._made[rows].all():
            return
        row, place = np.divmod(cells.ravel(), RATE_STEPS + 1)
        new = ~(self._made[row] | self._some[row, place])
        if new.any():  # hardly ever: to sort them takes longer than all else
            self._fill(*np.divmod(np.unique(cells.ravel()[new]), RATE_STEPS + 1))

    def _fill(self, row: NDArray[np.int64], place: NDArray[np.intp]) -> None:
        if not len(row):
            return
        self._curves[row, place] = beta_curve(self._rates[place], np.exp(self.logs[row]))
        self.single[row, place] = self._curves[row, place]
        self._some[row, place] = True

    def every(self, step: int, rates: NDArray[np.intp]) -> Floats:
        """The curves of every `step`-th shape; only these places of rates are filled for sure."""
        self.make(np.arange(0, len(self._made), step), _few(rates))
        return self._curves[::step]


def _few(rates: NDArray[np.intp]) -> NDArray[np.intp] | None:
    """The places that occur, or None where they are many."""
    places = np.flatnonzero(np.bincount(rates.ravel(), minlength=RATE_STEPS + 1))
    return places if len(places) < FEW_RATES else None


@lru_cache(maxsize=1)
def _table() -> _Table:
    return _Table()


def _curves(gold: Floats, step: int = 1) -> NDArray[np.float32]:
    """Every `step`-th tabulated curve, interpolated at gold win rates [P]: [G, P]."""
    place = (np.maximum(gold, 1 - gold) - 0.5) * 2 * RATE_STEPS
    left = np.minimum(place.astype(np.int64), RATE_STEPS - 1)
    table = _table().every(step, np.concatenate([left, left + 1]))
    share = place - left
    upper = table[:, left] * (1 - share) + table[:, left + 1] * share
    return np.where(gold >= 0.5, upper, 1 - upper).astype(np.float32)


def decisiveness(judge: Floats, gold: Floats) -> float | None:
    """The shape alpha = beta of the beta distribution that best links gold to judge win rates.

    Minimises sum_m |WR^p_m - 1/2| |WR^p_m - F_Beta(WR^g_m; alpha)| over BOUNDS. The objective need
    not have one valley, so a table finds the lowest and a golden section search its bottom. None
    when no pair of systems can tell: no common pairs, or only gold rates of 0, one half and 1,
    through which every curve goes.
    """
    both = ~(np.isnan(judge) | np.isnan(gold))
    judge, gold = judge[both], gold[both]
    weight = np.abs(judge - 0.5)
    if not (weight[(gold > 0) & (gold < 1) & (gold != 0.5)] > 0).any():
        return None

    different, place = np.unique(gold, return_inverse=True)  # of many pairs few are

    def error(log_shape: float) -> float:
        curve = beta_curve(different, np.exp(log_shape))[place]
        return float(weight @ np.abs(judge - curve))

    logs = _table().logs
    step = 8
    at = step * int((np.abs(_curves(gold, step) - judge) @ weight).argmin())
    low, high = logs[max(at - step, 0)], logs[min(at + step, SHAPE_STEPS)]
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    e_left, e_right = error(left), error(right)
    while high - low > 1e-10:
        if e_left <= e_right:
            high, right, e_right = right, left, e_left
            left = high - GOLDEN * (high - low)
            e_left = error(left)
        else:
            low, left, e_left = left, right, e_right
            right = low + GOLDEN * (high - low)
            e_right = error(right)
    return float(np.exp((low + high) / 2))


def decisiveness_resamples(judge: Floats, gold: Floats) -> tuple[Floats, Floats]:
    """`decisiveness` of resampled win rates [B, P] of judge and gold ([P] when gold is fixed).

    Also the fitted curves' values at the gold rates, [B, P]. A search over the tabulated curves (a
    coarse pass for the valley, then a Fibonacci search) and a parabola through the lowest three.
    """
    shapes, fitted = np.empty(len(judge)), np.empty(judge.shape)
    missing = _missing(judge, gold)
    for rows, search, near in _searches(judge, gold, missing):
        shapes[rows], centre = search.lowest(near=near)
        fitted[rows] = search.fitted(centre)
    if missing is not None:
        fitted[missing] = np.nan
    return shapes, fitted


def shapes_of_resamples(judge: Floats, gold: Floats) -> Floats:
    """The shapes alone."""
    shapes = np.empty(len(judge))
    for rows, search, near in _searches(judge, gold, _missing(judge, gold)):
        shapes[rows], _ = search.lowest(near=near)
    return shapes


def _missing(judge: Floats, gold: Floats) -> NDArray[np.bool_] | None:
    """Where one of the two has no rate, None for nowhere."""
    if not any(np.isnan(rates.min(initial=np.inf)) for rates in (judge, gold)):
        return None
    missing = np.isnan(judge)
    missing |= np.isnan(gold)
    return missing


def _searches(
    judge: Floats, gold: Floats, missing: NDArray[np.bool_] | None = None
) -> Iterator[tuple[slice, _Search, NDArray[np.int64]]]:
    """For some rows at a time the search over all pairs, and the curve that it begins near."""
    rates = judge.astype(np.float32)
    fixed, known = gold.ndim == 1, gold
    if missing is not None:
        rates[missing] = 0.5
        known = np.where(np.isnan(gold), 0.5, gold)
    shared = _curves(known) if fixed else _table().single
    few = max(1, rates.shape[1] // COARSE_PAIRS)
    near = np.empty(len(rates), np.int64)
    made = _Made()
    for part in _parts(len(rates), len(range(0, rates.shape[1], few))):
        some = _Search(
            rates[part, ::few],
            shared[:, ::few] if fixed else shared,
            None if fixed else known[part, ::few],
            made,
        )
        near[part] = some.valley()
    for part in _parts(*rates.shape):
        yield part, _Search(rates[part], shared, None if fixed else known[part], made), near[part]


def _parts(rows: int, pairs: int) -> Iterator[slice]:
    """So many rows at a time that the numbers of their pairs stay in the processor's cache."""
    step = max(1, 80_000 // max(1, pairs))
    for low in range(0, rows, step):
        yield slice(low, low + step)


class _Made:
    """The curves that the table has at all places of rates that were met."""

    def __init__(self) -> None:
        self._places = np.zeros(RATE_STEPS + 1, np.bool_)
        self._rows = np.zeros(SHAPE_STEPS + 1, np.bool_)
        #: So many places were met that curves are made at all.
        self._all = False

    def meet(self, places: NDArray[np.intp]) -> None:
        if self._all:
            return
        new = np.bincount(places.ravel(), minlength=RATE_STEPS + 1) > 0
        if (new & ~self._places).any():
            self._places |= new
            self._rows[:] = False
            self._all = bool(np.count_nonzero(self._places) >= FEW_RATES)

    def make(self, rows: NDArray[np.int64]) -> None:
        """Have the curves of these shapes in the table, at least at the places met."""
        if self._rows[rows].all():
            return
        _table().make(rows, None if self._all else np.flatnonzero(self._places))
        self._rows[rows] = True


class _Search:
    """The least weighted absolute error over a table of curves, for several rows at once."""

    def __init__(
        self,
        rates: NDArray[np.float32],
        curves: NDArray[np.float32],
        gold: Floats | None,
        made: _Made,
    ) -> None:
        self.curves, self.gold, self.made = curves, gold, made
        if gold is not None:  # turn each pair so that the gold rate is at least one half
            rates = np.where(gold >= 0.5, rates, 1 - rates)
            place = np.abs(gold - 0.5)
            place *= 2 * RATE_STEPS
            self.place = np.rint(place, out=place).astype(np.intp)
            self.flat = curves.reshape(-1)
            self.at = np.empty_like(self.place)
            self.seen = np.empty(self.place.shape, curves.dtype)
            made.meet(self.place)
        self.rates = rates
        self.weights = np.abs(rates - np.float32(0.5))

    def of(self, rows: NDArray[np.intp]) -> _Search:
        """The search for some of the rows."""
        some = copy(self)
        some.rates, some.weights = self.rates[rows], self.weights[rows]
        if self.gold is not None:
            some.gold, some.place = self.gold[rows], self.place[rows]
            some.at, some.seen = np.empty_like(some.place), self.seen[rows]
        return some

    def curve(self, at: NDArray[np.int64]) -> NDArray[np.float32]:
        """A curve for each row, [b, P], in an array that the next call may use again."""
        if self.gold is None:
            return np.asarray(self.curves[at])
        few = self.place.size <= FEW_CELLS
        if self.place.shape[1] >= WIDE and not few:
            self.made.make(at)
            for row, place, seen in zip(at.tolist(), self.place, self.seen, strict=True):
                self.curves[row].take(place, out=seen, mode="clip")
            return self.seen
        np.add(self.place, (at * self.curves.shape[1])[:, None], out=self.at)
        if few:
            _table().make_cells(at, self.at)
        else:
            self.made.make(at)
        return self.flat.take(self.at, out=self.seen, mode="clip")  # unbuffered: it cannot raise

    def errors(self, at: NDArray[np.int64]) -> NDArray[np.float32]:
        """The errors [b] of a curve for each row."""
        gap = self.curve(at)
        np.subtract(gap, self.rates, out=gap)
        np.abs(gap, out=gap)
        return np.asarray(np.einsum("bp,bp->b", gap, self.weights))

    def valley(self) -> NDArray[np.int64]:
        """The lowest of every COARSE_STEP-th curve."""
        coarse = np.arange(0, SHAPE_STEPS + 1, COARSE_STEP)
        if self.gold is not None:
            self.made.make(coarse)
        # All curves at a pair stand together, so that one is fetched with all, and one product
        # weighs them; rows by rows, as many as stay in the processor's cache.
        table = np.ascontiguousarray(self.curves[coarse].T)
        errors = np.empty((len(self.rates), len(coarse)), np.float32)
        step = max(1, CACHED // max(self.rates.shape[1] * len(coarse), 1))
        for low in range(0, len(errors), step):
            rows = slice(low, low + step)
            gap = table if self.gold is None else table.take(self.place[rows], 0, mode="clip")
            gap = gap - self.rates[rows, :, None]
            np.abs(gap, out=gap)
            errors[rows] = (self.weights[rows, None, :] @ gap)[:, 0]
        return np.asarray(coarse[np.argmin(errors, axis=1)])

    def lowest(self, *, near: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
        """The shapes of the least errors about `near`, and the curves next to them.

        NaN where every rate is one half.
        """
        low = np.clip(near - BRACKETS[0] // 2, 0, SHAPE_STEPS - BRACKETS[0])
        left, right = self.errors(low + BRACKETS[2]), self.errors(low + BRACKETS[1])
        ends = np.full((2, len(low)), np.nan, left.dtype)  # of the bracket, where they were met
        for outer, inner in pairwise(BRACKETS[2:]):
            kept = left <= right  # the lower part; its right point is the old left one
            ends = np.where([~kept, kept], [left, right], ends)
            low = np.where(kept, low, low + outer)
            new = self.errors(low + np.where(kept, inner, outer))
            left, right = np.where(kept, new, right), np.where(kept, left, new)
        first = left <= right
        centre = np.where(first, low + 1, low + 2)
        aside = np.where(first, ends[0], ends[1])
        if len(rest := np.flatnonzero(np.isnan(aside))):
            aside[rest] = self.of(rest).errors(np.where(first, low, low + 3)[rest])
        sides = np.stack([aside, left, right]), np.stack([left, right, aside])
        before, here, after = np.where(first, *sides).astype(float)
        bend = before - 2 * here + after
        shift = np.where(bend > 0, 0.5 * (before - after) / np.where(bend > 0, bend, 1), 0.0)
        logs = _table().logs
        shapes = np.exp(logs[centre] + np.clip(shift, -1, 1) * (logs[1] - logs[0]))
        return np.where(self.weights.any(axis=1), shapes, np.nan), centre

    def fitted(self, at: NDArray[np.int64]) -> Floats:
        """Curves at the gold rates, [b, P]."""
        found = self.curve(at).astype(np.float64)
        return found if self.gold is None else np.where(self.gold >= 0.5, found, 1 - found)


def system_bias(pairs: Pairs, judge: Floats, gold: Floats) -> Floats:
    """B_s: mean over opponents of the judge's minus the gold's win rate of system s, [..., S].

    With beta_curve(gold, alpha) in the place of gold this is the decisiveness-corrected B'. NaN
    for a system that shares no pair with the gold.
    """
    return mean_per_system(pairs, judge - gold)


def bias_delta(bias: Floats) -> Floats:
    """delta: the standard deviation over systems (divisor n) of the corrected bias [..., S]."""
    known = ~np.isnan(bias)
    number = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    filled = np.where(known, bias, 0.0)
    mean = filled.sum(axis=-1, keepdims=True) / number
    squares = np.where(known, (filled - mean) ** 2, 0.0)
    delta = np.sqrt(squares.sum(axis=-1) / number[..., 0])
    return np.where(known.sum(axis=-1) > 1, delta, np.nan)


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A paired t-test: mean difference, t, degrees of freedom, one- and two-sided p."""

    difference: float
    t: float
    degrees: int
    p_greater: float
    p_two_sided: float


def paired_t_test(one: Floats, two: Floats) -> PairedTest | None:
    """Student's paired t-test of one - two; None with fewer than two pairs or no variation."""
    from goldassay.formulas.compiled import stdtr

    gap = one - two
    gap = gap[~np.isnan(gap)]
    if len(gap) < 2 or np.ptp(gap) == 0:
        return None
    degrees = len(gap) - 1
    t = float(gap.mean() / (gap.std(ddof=1) / np.sqrt(len(gap))))
    return PairedTest(
        float(gap.mean()), t, degrees, float(stdtr(degrees, -t)), float(2 * stdtr(degrees, -abs(t)))
    )
