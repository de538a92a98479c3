"""Win rates of pairs of systems: what resamples say of them, and true ones given those seen.

Noise pushes win rates away from one half, and a curve that is fitted to them (decisiveness) feels
that: where systems are close, resampled curves miss the truth nearly always. So the systems' mean
win rates (their Borda effects) go through the model of two noisy orders (`inference.order_model`),
and each draw of the effects becomes win rates of the pairs: Phi(slope x difference), plus as much
of what a pair departs from that as is not noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.formulas.comparisons import (
    Comparisons,
    Outcomes,
    Pairs,
    mean_per_system,
    resamples_held,
    untied_shares,
    win_rates,
)
from goldassay.formulas.orders import win_rate_error
from goldassay.frozen import dataclass
from goldassay.inference.order_model import OrderModel, Orders
from goldassay.inference.orders import Side, seen_orders
from goldassay.questions.rank.behaviour import decisiveness, decisiveness_resamples, system_bias
from goldassay.questions.rank.gold import CountedRates, Gold

__all__ = ["PairRates", "PairSides", "PeopleSide", "borda"]

Floats = NDArray[np.float64]

#: Slopes that link a difference of two systems' mean win rates to the pair's own.
SLOPES = np.geomspace(0.5, 40.0, 60)
#: Win rates of pairs that are held at once.
HELD = 1_000_000


def borda(pairs: Pairs, rates: Floats) -> Floats:
    """Mean win rate of each system over its pairs, less one half: rates [..., P] to [..., S]."""
    return mean_per_system(pairs, rates - 0.5)


@dataclass(frozen=True)
class PeopleSide:
    """People's win rates of the pairs that they compared, and what resamples say of them.

    They are the same beside every judge that compared these pairs.
    """

    pairs: Pairs
    rates: Floats
    #: Resampled rates [B, P], and the systems' effects in them [B, S].
    resampled: Floats | CountedRates
    n_clusters: float

    @cached_property
    def effects(self) -> Floats:
        step = resamples_held(len(self.pairs))
        starts = range(0, len(self.resampled), step)
        return np.concatenate(
            [borda(self.pairs, self.resampled[low : low + step]) for low in starts]
        )

    @cached_property
    def link(self) -> _Link:
        some = self.resampled[: resamples_held(len(self.pairs))]
        return _link(self.pairs, self.rates, (some, self.effects[: len(some)]), self.n_clusters)


class PairSides:
    """Win rates of the pairs of systems by a judge and by people, and what resamples say of them.

    `some` [b, P] are the rates of both in the first resamples. `people` is there where the judge
    has a rate of every pair that people have one of.
    """

    def __init__(
        self, compared: Comparisons, gold: Gold | None, people: PeopleSide | None = None
    ) -> None:
        self.pairs = compared.pairs
        self.rates = win_rates(compared.observed())
        self.gold = gold
        theirs = np.full_like(self.rates, np.nan) if gold is None else gold.rates
        self.common = ~(np.isnan(self.rates) | np.isnan(theirs))
        self.people = people if np.array_equal(self.common, ~np.isnan(theirs)) else None
        self.shape = decisiveness(self.rates, theirs) if self.common.any() else None
        self.some: Orders = (np.empty(0), np.empty(0))
        share = untied_shares(compared.observed())
        if gold is not None and gold.untied is not None:
            share = np.fmin(share, gold.untied)
        known, number = np.where(self.common, share, 0.0), self.common.astype(np.float64)
        of_pairs = (self.pairs.per_system(one, one) for one in (known, number))
        #: The share of a system's [S] comparisons that are no tie.
        self.untied = ratio(*of_pairs)

    def statistics(self, rows: slice, outcomes: Outcomes) -> dict[str, Floats]:
        """What the outcomes [b, P] of some resamples come to beside people's: [b] or [b, S]."""
        if self.gold is None or not self.common.any():
            return {}
        rates, drawn = win_rates(outcomes), self.gold.resampled_rates
        # An order that is given, not sampled, is the same in all resamples.
        people = np.broadcast_to(self.gold.rates, rates.shape) if drawn is None else drawn[rows]
        shared = rates, people
        if not self.common.all():
            shared = np.where(self.common, rates, np.nan), np.where(self.common, people, np.nan)
        found = {
            "error": win_rate_error(rates, people),
            "effects": borda(self.pairs, shared[0]),
            "people_effects": borda(self.pairs, shared[1])
            if self.people is None
            else self.people.effects[rows],
        }
        if rows.start == 0:
            self.some = shared
        del shared
        if self.shape is not None:
            found["shape"], curves = decisiveness_resamples(rates, people)
            found["corrected_bias"] = system_bias(self.pairs, rates, curves)
            if np.isnan(rates).any() or np.isnan(people).any():
                found["bias"] = system_bias(self.pairs, rates, people)
            else:  # a difference of two means over the same pairs, which are made already
                found["bias"] = found["effects"] - found["people_effects"]
        return found


@dataclass(frozen=True)
class PairRates:
    """Win rates [P] of the pairs that judge and people share, NaN elsewhere, and their noise."""

    pairs: Pairs
    judge: Floats
    people: Floats
    #: Resampled effects [B, S] of judge and of people.
    effects: Orders
    #: Resampled rates [b, P] of both. Of many pairs some resamples are enough: one number is made
    #: of them, a mean over all pairs.
    some: Orders
    n_clusters: float
    #: People's side, where it is the same beside other judges.
    theirs: PeopleSide | None = None

    @cached_property
    def systems(self) -> NDArray[np.intp]:
        """The systems that have a pair."""
        return np.flatnonzero(~np.isnan(borda(self.pairs, self.judge)))

    @cached_property
    def model(self) -> OrderModel:
        sides = [
            Side(borda(self.pairs, rates)[self.systems], drawn[:, self.systems])
            for rates, drawn in zip((self.judge, self.people), self.effects, strict=True)
        ]
        return OrderModel(seen_orders(sides[0], sides[1], self.n_clusters))

    @cached_property
    def _links(self) -> tuple[_Link, _Link]:
        judge, people = (
            (some, effects[: len(some)])  # some resamples are the first of all
            for some, effects in zip(self.some, self.effects, strict=True)
        )
        own = _link(self.pairs, self.judge, judge, self.n_clusters)
        if self.theirs is not None:
            return own, self.theirs.link
        return own, _link(self.pairs, self.people, people, self.n_clusters)

    def accuracy(self, effects: Orders) -> Floats:
        """The share of pairs [n] that both sides order alike, (1 + tau) / 2, from effects [n, S].

        Where orders are close, what a pair's own rate departs from them by is noise for the most
        part, and would name a winner by itself.
        """
        known = ~(np.isnan(self.judge) | np.isnan(self.people))
        found = []
        for some in self._rows(effects):
            first, second = (self.pairs.gaps(self._every(drawn)) > 0 for drawn in some)
            same = first == second
            same &= known
            found.append(np.count_nonzero(same, axis=-1) / known.sum())
        return np.concatenate(found)

    def statistic(self, effects: Orders, of: Callable[[Floats, Floats], Floats]) -> Floats:
        """A statistic [n] of both sides' win rates, from effects [n, S]."""
        return np.concatenate([of(*rates) for rates in self.drawn(effects)])

    def drawn(self, effects: Orders) -> Iterator[Orders]:
        """Win rates of both sides, some rows of effects at a time."""
        return (self.rates(some) for some in self._rows(effects))

    def _rows(self, effects: Orders) -> Iterator[Orders]:
        """Some rows at a time: the rates of all pairs in all rows may be gigabytes."""
        step = max(1, HELD // max(len(self.pairs), 1))
        for low in range(0, len(effects[0]), step):
            yield effects[0][low : low + step], effects[1][low : low + step]

    def _every(self, drawn: Floats) -> Floats:
        """Effects of the systems that have a pair as those of all systems, NaN for the others."""
        every = np.full((len(drawn), self.pairs.n_systems), np.nan)
        every[:, self.systems] = drawn
        return every

    def rates(self, effects: Orders) -> Orders:
        """Win rates [n, P] of both sides from effects [n, S]; NaN where a pair is not shared."""
        known = ~(np.isnan(self.judge) | np.isnan(self.people))
        found = []
        for drawn, link in zip(effects, self._links, strict=True):
            rates = _curve(link.slope, self.pairs.gaps(self._every(drawn)))
            rates += link.rest
            np.clip(rates, 0.0, 1.0, out=rates)
            rates[:, ~known] = np.nan
            found.append(rates)
        return found[0], found[1]


@dataclass(frozen=True)
class _Link:
    """How a side's rates follow from effects: a slope, and each pair's departure [P]."""

    slope: float
    rest: Floats


def _link(pairs: Pairs, rates: Floats, resampled: Orders, n_clusters: float) -> _Link:
    """The slope that fits the observed rates [P] best, and the departures that are not noise.

    `resampled` are rates [b, P] and effects [b, S] in some resamples.
    """
    gaps = pairs.gaps(borda(pairs, rates))
    errors = [np.nansum((rates - _curve(slope, gaps)) ** 2) for slope in SLOPES]
    slope = float(SLOPES[int(np.argmin(errors))])
    rest = rates - _curve(slope, gaps)
    again = _curve(slope, pairs.gaps(resampled[1]))
    np.subtract(resampled[0], again, out=again)
    inside = ~np.isnan(rest)
    again = again if inside.all() else again[:, inside]
    missing = np.isnan(again)
    number: Any = len(again)
    if missing.any():
        number = np.maximum((~missing).sum(axis=0), 1)
        again[missing] = 0.0
    mean = again.sum(axis=0) / number
    again -= mean
    again[missing] = 0.0
    variance = np.square(again, out=again).sum(axis=0) / number
    noise = variance.mean() * n_clusters / max(n_clusters - 1, 1)
    size = float(np.nanmean(rest**2))
    kept = max(0.0, 1 - float(noise) / size) if size > 0 else 0.0
    return _Link(slope, kept * np.nan_to_num(rest))


def _curve(slope: float, gaps: Floats) -> Floats:
    from goldassay.formulas.compiled import ndtr

    return np.asarray(ndtr(slope * gaps))
