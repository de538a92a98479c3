"""From rating distributions to rating vectors: hard, soft, hard and soft response set.

The four aggregation functions of Guerdan et al. (2025), section 4, on `(..., K)` arrays. A row of
NaN is an item without such a rating; it stays NaN through every aggregation and metric.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import reduce
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.rating_model import multi_label
from goldassay.frozen import dataclass

__all__ = ["AGGREGATIONS", "Reading", "Side", "hard", "hard_response_set", "normalised", "side"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Ties = Literal["exclude", "half", "first"]

#: Abbreviation -> what it is called in full.
AGGREGATIONS = {
    "h": "hard (the most chosen option)",
    "s": "soft (the distribution of forced choices)",
    "hrs": "hard response set (options that enough raters find reasonable)",
    "srs": "soft response set (per option, the share of raters who find it reasonable)",
}

#: Shares are quotients of small integers and sums of these: equal up to rounding means equal.
ROUNDING = 1e-9
#: Items that are looked at before all are.
FEW = 16


def normalised(counts: ArrayLike) -> Array:
    """Counts as distributions along the last axis; NaN where there is no rating."""
    values = np.asarray(counts, dtype=np.float64)
    total = values.sum(-1, keepdims=True)
    return np.asarray(np.where(total > 0, values / np.where(total > 0, total, 1.0), np.nan))


def hard(distribution: ArrayLike, *, ties: Ties = "exclude") -> Array:
    """One-hot mode. A tied mode is no hard rating (NaN), a part of one for each tied option (half),
    or the first of these, as an argmax is."""
    values = np.asarray(distribution, dtype=np.float64)
    most = _most(values)
    least = most - ROUNDING
    mode = np.empty(values.shape, bool)
    for option in range(values.shape[-1]):  # few of them: loops over items are the long ones
        np.greater_equal(values[..., option], least, out=mode[..., option])
    if ties == "first":
        mode &= mode.cumsum(-1) == 1
    out: Array = mode.astype(np.float64)
    number = np.einsum("...k->...", out)
    if ties == "half":
        out /= np.maximum(number, 1)[..., None]
        number = np.minimum(number, 1)
    # The largest of values with a NaN among them is NaN.
    out[np.isnan(most) | (number != 1)] = np.nan
    return np.asarray(out)


def hard_response_set(omega: ArrayLike, *, threshold: float) -> Array:
    """1 for every option that at least `threshold` of the raters find reasonable."""
    values = np.asarray(omega, dtype=np.float64)
    out = (values >= threshold - ROUNDING).astype(np.float64)
    out[np.isnan(np.einsum("...k->...", values))] = np.nan  # a sum with a NaN in it is one
    return out


def _are_equal(one: Array, two: Array) -> bool:
    """Whether all vectors are; most that are not differ among the first few items."""
    if one is two or one.shape != two.shape:
        return one is two
    few = (..., slice(FEW), slice(None))
    if not np.array_equal(one[few], two[few], equal_nan=True):
        return False
    return bool((one == two).all()) or np.array_equal(one, two, equal_nan=True)


def _most(values: Array) -> Array:
    """The largest along the last axis, which is short: option by option is several times faster."""
    return reduce(np.maximum, np.moveaxis(values, -1, 0))


@dataclass(frozen=True, slots=True)
class Side:
    """People or judges: forced-choice distribution and multi-label vector of every item."""

    forced: Array
    omega: Array
    threshold: float = 0.5
    ties: Ties = "exclude"
    #: Share of the raters whose set holds one of several counted options, (..., U). Omega does not
    #: have it: a rater may accept two of them.
    accepts: Array | None = None
    _made: dict[object, Array] = field(default_factory=dict, repr=False, compare=False)
    _kinds: dict[str, Ints] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, aggregation: str) -> Array:
        """The rating vectors under an aggregation (h, s, hrs, srs), each made once."""
        return self._once(aggregation, lambda: self._make(aggregation))

    def _once(self, key: object, make: Callable[[], Array]) -> Array:
        """Vectors made once. Equal ones are the same array: so may be what follows from them.

        A judge that names one option on every item has one vector under all four aggregations.
        """
        if key not in self._made:
            made = make()
            equal = (one for one in self._made.values() if _are_equal(one, made))
            self._made[key] = next(equal, made)
        return self._made[key]

    def kinds(self, most: int) -> tuple[Ints, Ints]:
        """Places of the different vectors, the first of each, and the kind (..., U) of every one.

        Both are empty where there are more than so many. Found once.
        """
        if (name := f"first of {most} kinds") not in self._kinds:
            self._kinds[name], self._kinds[f"{most} kinds"] = self._different(most)
        return self._kinds[name], self._kinds[f"{most} kinds"]

    def _different(self, most: int) -> tuple[Ints, Ints]:
        parts = [self.forced, *([] if self.omega is self.forced else [self.omega])]
        parts += [] if self.accepts is None else [self.accepts[..., None]]
        columns = [column for part in parts for column in np.moveaxis(part, -1, 0)]
        kind = np.full(self.forced.shape[:-1], -1, np.int64)
        rest = kind.reshape(-1)
        first: list[int] = []
        at = 0
        while at < len(rest):
            if len(first) == most:
                return np.empty(0, np.int64), np.empty(0, np.int64)
            place = np.unravel_index(at, kind.shape)
            alike = np.ones(kind.shape, bool)
            for column in columns:
                value = column[place]
                alike &= np.isnan(column) if np.isnan(value) else column == value
            kind[alike] = len(first)
            first.append(at)
            after = rest[at:] < 0
            at = at + int(after.argmax()) if after.any() else len(rest)
        return np.array(first, np.int64), kind

    def part(self, which: slice) -> Side:
        """Some of the judges."""
        accepts = None if self.accepts is None else self.accepts[which]
        return Side(self.forced[which], self.omega[which], self.threshold, self.ties, accepts)

    def at(self, items: NDArray[np.int64]) -> Side:
        """Some of the items; all in their order are this side itself, with what was made of it."""
        if np.array_equal(items, np.arange(self.forced.shape[-2])):
            return self
        accepts = None if self.accepts is None else self.accepts[..., items]
        forced, omega = self.forced[..., items, :], self.omega[..., items, :]
        return Side(forced, omega, self.threshold, self.ties, accepts)

    def counted(self, aggregation: str, options: tuple[int, ...]) -> Array:
        """The share of raters, (..., U, 1), who choose (or accept) one of the options."""

        def share() -> Array:
            if aggregation == "srs" and len(options) > 1:
                assert self.accepts is not None
                return self.accepts[..., None]
            return np.asarray(self[aggregation][..., list(options)].sum(-1, keepdims=True))

        return self._once((aggregation, options), share)

    def _make(self, aggregation: str) -> Array:
        if aggregation == "h":
            return hard(self.forced, ties=self.ties)
        if aggregation == "s":
            return self.forced
        if aggregation == "hrs":
            return hard_response_set(self.omega, threshold=self.threshold)
        if aggregation == "srs":
            return self.omega
        raise ValueError(f"an aggregation is one of {', '.join(AGGREGATIONS)}, not {aggregation!r}")


@dataclass(frozen=True, slots=True)
class Reading:
    """How ratings become vectors: Lambda, the share that makes a set, ties, what is counted."""

    lambda_: Array
    threshold: float = 0.5
    ties: Ties = "exclude"
    counted: tuple[int, ...] = ()

    def made(self, forced: Array, theta_to_omega: Callable[[Array], Array]) -> Side:
        """A `Side`, given what maps rows of Lambda, (R, S), to shares of raters, (..., U, R)."""
        omega = np.minimum(theta_to_omega(self.lambda_), 1.0)
        accepts = None
        if len(self.counted) > 1:
            one_of = self.lambda_[list(self.counted)].max(0, keepdims=True)
            accepts = np.minimum(theta_to_omega(one_of)[..., 0], 1.0)
        return Side(forced, omega, self.threshold, self.ties, accepts)


def side(
    forced: ArrayLike, sets: ArrayLike | None, reverse_forced: ArrayLike, reading: Reading
) -> Side:
    """A `Side` from distributions over options and, where they were asked, over response sets.

    Items (or sides) without response-set ratings get Omega = Lambda F' O; each judge may have its
    own F', (J, S, K).
    """
    choices = np.asarray(forced, dtype=np.float64)
    reverse = np.asarray(reverse_forced, dtype=np.float64)

    def shares(lambda_: Array) -> Array:
        through = choices @ np.swapaxes(lambda_ @ reverse, -1, -2)
        if sets is None:
            return np.asarray(through)
        asked = multi_label(lambda_, sets)
        return np.where(np.isnan(asked), through, asked)

    return reading.made(choices, shares)
