"""Win rates of pairs of systems: what resamples say of them, and true ones given those seen.

Noise pushes win rates away from one half, and a curve that is fitted to them (decisiveness) feels
that: where systems are close, resampled curves miss the truth nearly always. So the systems' mean
win rates (their Borda effects) go through the model of two noisy orders (`inference.order_model`),
and each draw of the effects becomes win rates of the pairs: Phi(slope x difference), plus as much
of what a pair departs from that as is not noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Comparisons, Outcomes, Pairs, mean_per_system, win_rates
from goldassay.formulas.orders import win_rate_error
from goldassay.inference.order_model import OrderModel, Orders
from goldassay.inference.orders import Side, seen_orders
from goldassay.questions.rank.behaviour import decisiveness, decisiveness_resamples, system_bias
from goldassay.questions.rank.gold import Gold

__all__ = ["PairRates", "PairSides", "borda"]

Floats = NDArray[np.float64]

#: Slopes that link a difference of two systems' mean win rates to the pair's own.
SLOPES = np.geomspace(0.5, 40.0, 60)
#: Win rates of pairs that are held at once.
HELD = 1_000_000


def borda(pairs: Pairs, rates: Floats) -> Floats:
    """Mean win rate of each system over its pairs, less one half: rates [..., P] to [..., S]."""
    return mean_per_system(pairs, rates - 0.5)


class PairSides:
    """Win rates of the pairs of systems by a judge and by people, and what resamples say of them.

    `some` [b, P] are the rates of both in the first resamples.
    """

    def __init__(self, compared: Comparisons, gold: Gold | None) -> None:
        self.pairs = compared.pairs
        self.rates = win_rates(compared.observed())
        self.gold = gold
        people = np.full_like(self.rates, np.nan) if gold is None else gold.rates
        self.common = ~(np.isnan(self.rates) | np.isnan(people))
        self.shape = decisiveness(self.rates, people) if self.common.any() else None
        self.some: Orders = (np.empty(0), np.empty(0))

    def statistics(self, rows: slice, outcomes: Outcomes) -> dict[str, Floats]:
        """What the outcomes [b, P] of some resamples come to beside people's: [b] or [b, S]."""
        if self.gold is None or not self.common.any():
            return {}
        rates, drawn = win_rates(outcomes), self.gold.resampled_rates
        # An order that is given, not sampled, is the same in all resamples.
        people = np.broadcast_to(self.gold.rates, rates.shape) if drawn is None else drawn[rows]
        shared = [np.where(self.common, one, np.nan) for one in (rates, people)]
        found = {
            "error": win_rate_error(rates, people),
            "effects": borda(self.pairs, shared[0]),
            "people_effects": borda(self.pairs, shared[1]),
        }
        if rows.start == 0:
            self.some = shared[0], shared[1]
        del shared
        if self.shape is not None:
            found["shape"], curves = decisiveness_resamples(rates, people)
            found["corrected_bias"] = system_bias(self.pairs, rates, curves)
            found["bias"] = system_bias(self.pairs, rates, people)
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
        return self._link(self.judge, self.some[0]), self._link(self.people, self.some[1])

    def _link(self, rates: Floats, resampled: Floats) -> _Link:
        """The slope that fits the observed rates best, and the departures that are not noise."""
        gaps = self.pairs.gaps(borda(self.pairs, rates))
        errors = [np.nansum((rates - _curve(slope, gaps)) ** 2) for slope in SLOPES]
        slope = float(SLOPES[int(np.argmin(errors))])
        rest = rates - _curve(slope, gaps)
        drawn = self.pairs.gaps(borda(self.pairs, resampled))
        again = (resampled - _curve(slope, drawn))[:, ~np.isnan(rest)]
        known = ~np.isnan(again)
        number = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, again, 0.0).sum(axis=0) / number
        variance = np.where(known, (again - mean) ** 2, 0.0).sum(axis=0) / number
        noise = variance.mean() * self.n_clusters / max(self.n_clusters - 1, 1)
        size = float(np.nanmean(rest**2))
        kept = max(0.0, 1 - float(noise) / size) if size > 0 else 0.0
        return _Link(slope, kept * np.nan_to_num(rest))

    def statistic(self, effects: Orders, of: Callable[[Floats, Floats], Floats]) -> Floats:
        """A statistic [n] of both sides' win rates, from effects [n, S].

        Some rows at a time: the rates of all pairs in all rows may be gigabytes.
        """
        step = max(1, HELD // max(len(self.pairs), 1))
        parts = [slice(low, low + step) for low in range(0, len(effects[0]), step)]
        return np.concatenate([of(*self.rates((effects[0][s], effects[1][s]))) for s in parts])

    def rates(self, effects: Orders) -> Orders:
        """Win rates [n, P] of both sides from effects [n, S]; NaN where a pair is not shared."""
        known = ~(np.isnan(self.judge) | np.isnan(self.people))
        found = []
        for drawn, link in zip(effects, self._links, strict=True):
            every = np.full((len(drawn), self.pairs.n_systems), np.nan)
            every[:, self.systems] = drawn
            rates = _curve(link.slope, self.pairs.gaps(every))
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


def _curve(slope: float, gaps: Floats) -> Floats:
    from goldassay.formulas.compiled import ndtr

    return np.asarray(ndtr(slope * gaps))
