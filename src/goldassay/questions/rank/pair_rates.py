"""True win rates of pairs of systems, drawn given the rates that are seen.

Noise pushes win rates away from one half, and a curve that is fitted to them (decisiveness) feels
that: where systems are close, resampled curves miss the truth nearly always. So the systems' mean
win rates (their Borda effects) go through the model of two noisy orders (`inference.order_model`),
and each draw of the effects becomes win rates of the pairs: Phi(slope x difference), plus as much
of what a pair departs from that as is not noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Pairs, mean_per_system
from goldassay.inference.order_model import OrderModel, Orders
from goldassay.inference.orders import Side, seen_orders

__all__ = ["PairRates", "borda"]

Floats = NDArray[np.float64]

#: Slopes that link a difference of two systems' mean win rates to the pair's own.
SLOPES = np.geomspace(0.5, 40.0, 60)


def borda(pairs: Pairs, rates: Floats) -> Floats:
    """Mean win rate of each system over its pairs, less one half: rates [..., P] to [..., S]."""
    return mean_per_system(pairs, rates - 0.5)


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
    n_clusters: int

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
    from scipy.special import ndtr

    return np.asarray(ndtr(slope * gaps))
