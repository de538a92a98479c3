"""Estimates that vary together: values, limits at any level, and the influence of every cluster.

Systems answer the same prompts, and what one cluster of them moves, it moves in several estimates
at once. Whatever is made of them (differences, sums) needs no more than this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.contrasts import Limits, Recovered, cautious_correlation

__all__ = ["Estimates", "chosen", "remembered", "stacked"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Estimates:
    """Estimates [E], NaN where there is none, their limits, and the influence of clusters [C, E].

    `times` clusters are like each, of which those `held[C, E]` have an item that an estimate is of;
    `shares[C, E]` is the share of an estimate's labels that a
    cluster has. `bounds` are the least and the largest possible value.
    """

    value: Array
    limits: Limits
    influence: Array
    times: Ints
    held: Mask
    shares: Array
    bounds: tuple[float, float] = (0.0, 1.0)
    #: How many times as far [2, E] both ends of an estimate lie where large clusters are of another
    #: kind than small ones (`reaches_by_size`). Differences of such estimates are held
    #: without it.
    further: Array | None = None
    #: Whether the same labels tell all of them.
    jointly_told: bool = False

    def alone(self, confidence_level: float) -> tuple[Array, Array]:
        """Limits of each estimate that stands by itself."""
        low, high = self.limits(confidence_level)
        if self.further is None:
            return low, high
        (down, up), (least, most), value = self.further, self.bounds, np.nan_to_num(self.value)
        ends = value - down * (value - low), value + up * (high - value)
        return np.fmin(low, np.fmax(ends[0], least)), np.fmax(high, np.fmin(ends[1], most))

    def clusters_of(self, *estimates: int) -> int:
        """How many clusters have an item that one of these estimates is of."""
        return int(self.times[self.held[:, list(estimates)].any(1)].sum())

    @property
    def recovered(self) -> Recovered:
        """With the correlation over clusters."""
        correlation = cautious_correlation(self.influence, self.times)
        return Recovered(
            np.nan_to_num(self.value), self.limits, correlation, self.bounds, self.jointly_told
        )

    def only(self, kept: Sequence[int]) -> Estimates:
        """Some of the estimates."""
        chosen = list(kept)

        def limits(confidence_level: float) -> tuple[Array, Array]:
            low, high = self.limits(confidence_level)
            return low[chosen], high[chosen]

        return replace(
            self,
            value=self.value[chosen],
            limits=limits,
            influence=self.influence[:, chosen],
            held=self.held[:, chosen],
            shares=self.shares[:, chosen],
            further=None if self.further is None else self.further[:, chosen],
        )


def remembered(limits: Limits) -> Limits:
    """The same limits, found once for each level: p-values ask for the same ones again."""
    found: dict[float, tuple[Array, Array]] = {}

    def once(confidence_level: float) -> tuple[Array, Array]:
        if confidence_level not in found:
            found[confidence_level] = limits(confidence_level)
        return found[confidence_level]

    return once


def stacked(parts: Sequence[Estimates]) -> Estimates:
    """Estimates over the same clusters, one after the other."""

    def limits(confidence_level: float) -> tuple[Array, Array]:
        ends = [part.limits(confidence_level) for part in parts]
        return np.concatenate([one[0] for one in ends]), np.concatenate([one[1] for one in ends])

    return Estimates(
        np.concatenate([part.value for part in parts]),
        limits,
        np.concatenate([part.influence for part in parts], 1),
        parts[0].times,
        np.concatenate([part.held for part in parts], 1),
        np.concatenate([part.shares for part in parts], 1),
        parts[0].bounds,
        np.concatenate([_further(part) for part in parts], 1),
        parts[0].jointly_told,
    )


def chosen(where: Mask, one: Estimates, other: Estimates) -> Estimates:
    """Each estimate as `one` has it where that is asked for, else as the other has it."""

    def limits(confidence_level: float) -> tuple[Array, Array]:
        ends = zip(one.limits(confidence_level), other.limits(confidence_level), strict=True)
        low, high = (np.where(where, a, b) for a, b in ends)
        return low, high

    return replace(
        one,
        value=np.where(where, one.value, other.value),
        limits=limits,
        influence=np.where(where, one.influence, other.influence),
        held=np.where(where, one.held, other.held),
        shares=np.where(where, one.shares, other.shares),
        further=np.where(where, _further(one), _further(other)),
    )


def _further(estimates: Estimates) -> Array:
    """As far as ever, unless said otherwise."""
    found = estimates.further
    return np.ones((2, len(estimates.value))) if found is None else found
