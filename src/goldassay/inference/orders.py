"""Agreement of two rankings of systems: intervals that cover where systems are close.

Agreement of two rankings jumps when two close systems change places, and noise makes both rankings
look less alike than they are: the estimate is biased towards no agreement, and resampling adds the
same noise once more. The percentile interval of Kendall's tau therefore misses the truth nearly
always when many systems are close (docs/intervals.md has the table). `agreement_interval` tests
instead how much closer to full agreement the truth could be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.clusters import few_cluster_tail

__all__ = [
    "TEST_RESAMPLES",
    "SeenAgreement",
    "Side",
    "Worlds",
    "agreement_interval",
    "isotonic",
    "order_worlds",
    "percentile_ends",
]

Floats = NDArray[np.float64]

#: Resamples used for each world of a test.
TEST_RESAMPLES = 200


@dataclass(frozen=True)
class Side:
    """One side of a comparison: observed [K], resampled [B, K] (None when fixed), and its error."""

    observed: Floats
    resampled: Floats | None

    @cached_property
    def error(self) -> Floats:
        if self.resampled is None:
            return np.zeros(self.observed.shape)
        return np.asarray(self.resampled[:TEST_RESAMPLES].std(axis=0))


def percentile_ends(
    replicates: Floats, *, confidence_level: float, n_clusters: int
) -> tuple[Floats, Floats]:
    """Percentile ends of replicates [B, ...], widened for few clusters; infinities are kept.

    The tails are those of Student's t with n - 1 degrees of freedom and the divisor n - 1 instead
    of n ("expanded percentile", Hesterberg 2015): plain percentiles are too short for few clusters.
    NaN replicates are left out; NaN where fewer than half remain.
    """
    tail = (1 - confidence_level) / 2
    if n_clusters > 1:
        tail = few_cluster_tail(n_clusters, confidence_level, resampling="bootstrap")
    ordered = np.sort(replicates, axis=0)  # NaN last
    known = (~np.isnan(ordered)).sum(axis=0)
    ends = []
    for share in (tail, 1 - tail):
        place = share * np.maximum(known - 1, 0)
        below = np.floor(place).astype(np.int64)
        above = np.minimum(below + 1, np.maximum(known - 1, 0))
        low, high = (np.take_along_axis(ordered, i[None, ...], axis=0)[0] for i in (below, above))
        finite = np.isfinite(low) & np.isfinite(high)
        with np.errstate(invalid="ignore"):
            value = low + np.where(finite, high - low, 0.0) * (place - below)
        outer = low if share < 0.5 else high  # next to an infinity, the outer neighbour
        value = np.where(finite, value, outer)
        ends.append(np.where(2 * known >= len(replicates), value, np.nan))
    return ends[0], ends[1]


def isotonic(values: Floats) -> Floats:
    """The nondecreasing sequence nearest to `values` (pool adjacent violators)."""
    means: list[float] = []
    sizes: list[int] = []
    for value in values:
        means.append(float(value))
        sizes.append(1)
        while len(means) > 1 and means[-2] > means[-1]:
            size = sizes[-2] + sizes[-1]
            means[-2:] = [(means[-2] * sizes[-2] + means[-1] * sizes[-1]) / size]
            sizes[-2:] = [size]
    return np.repeat(means, sizes)


@dataclass(frozen=True, slots=True)
class Worlds:
    """Truths between the observed and full agreement (or full disagreement).

    In the world of distance c no value is further than c of its standard errors from what was
    observed. `nudge` breaks the ties of a world towards agreement, so that its truth is the
    greatest (or least) that the world allows.
    """

    judge: Side
    gold: Side
    judge_target: Floats
    gold_target: Floats
    judge_nudge: Floats
    gold_nudge: Floats

    def distances(self) -> Floats:
        needed = [
            np.abs(target - side.observed)[side.error > 0] / side.error[side.error > 0]
            for side, target in ((self.judge, self.judge_target), (self.gold, self.gold_target))
        ]
        return np.unique(np.concatenate([*needed, [0.0]]))

    def at(self, distance: float) -> tuple[Floats, Floats]:
        moved = []
        for side, target in ((self.judge, self.judge_target), (self.gold, self.gold_target)):
            reach = distance * side.error
            moved.append(side.observed + np.clip(target - side.observed, -reach, reach))
        return moved[0], moved[1]


def order_worlds(judge: Side, gold: Side, *, towards: int) -> Worlds:
    """Worlds for rankings: both moved towards a common order (opposite ones for towards = -1).

    The common order is gold's when gold is fixed, otherwise that of both, weighted by precision.
    """
    # A side that puts all systems level has no scale of its own.
    scale = [float(np.std(side.observed)) or 1.0 for side in (judge, gold)]
    combined = towards * gold.observed / scale[1]
    if gold.resampled is not None:
        noise = [
            float(np.mean((side.error / s) ** 2))
            for side, s in zip((judge, gold), scale, strict=True)
        ]
        combined = judge.observed / scale[0] / max(noise[0], 1e-12) + combined / max(
            noise[1], 1e-12
        )
    order = np.argsort(combined, kind="stable")
    place = np.empty(len(order))
    place[order] = np.arange(len(order)) / len(order)

    def target(observed: Floats) -> Floats:
        fitted = np.empty(len(order))
        fitted[order] = isotonic(observed[order])
        return fitted

    gold_target = (
        gold.observed if gold.resampled is None else towards * target(towards * gold.observed)
    )
    tiny = 1e-9
    return Worlds(
        judge,
        gold,
        target(judge.observed),
        gold_target,
        tiny * scale[0] * place,
        np.zeros(len(order)) if gold.resampled is None else towards * tiny * scale[1] * place,
    )


@dataclass(frozen=True)
class SeenAgreement:
    """An agreement as it was seen: a statistic of two sides, its value, and its resamples [B].

    `null` is the value of no agreement, towards which noise pulls.
    """

    statistic: Callable[[Floats, Floats], Floats]
    value: float
    replicates: Floats
    null: float = 0.0


def agreement_interval(
    seen: SeenAgreement,
    worlds: Callable[[int], Worlds],
    *,
    confidence_level: float,
    n_clusters: int,
) -> tuple[float, float]:
    """An interval for the agreement that endlessly many prompts would show.

    Away from no agreement: the greatest truth, among worlds ever nearer to full agreement, in which
    an estimate as low as the one seen still happens with half of 1 - confidence_level. Towards it:
    the bootstrap's own spread on that side of the estimate, which the bias makes safe.
    Conservative: it covered at least what it claims in every simulated setting.
    """
    tail = (1 - confidence_level) / 2
    low, high = (
        float(end)
        for end in percentile_ends(
            seen.replicates, confidence_level=confidence_level, n_clusters=n_clusters
        )
    )
    if not np.isfinite(low + high):
        return low, high
    middle = float(np.nanmedian(seen.replicates))
    ends = {}
    for towards, end in ((1, high), (-1, low)):
        if towards * (end - seen.null) > 0:
            limit = _tested_limit(seen, worlds(towards), towards, tail)
            ends[towards] = max(end, limit) if towards > 0 else min(end, limit)
        else:
            ends[towards] = seen.value + end - middle
    return ends[-1], ends[1]


def _tested_limit(seen: SeenAgreement, worlds: Worlds, towards: int, tail: float) -> float:
    """The truth of the furthest world in which the estimate is not too surprising (bisection)."""
    value = seen.value
    distances = worlds.distances()

    def plausible(distance: float) -> bool:
        drawn = [
            centre
            if side.resampled is None
            else centre + side.resampled[:TEST_RESAMPLES] - side.observed
            for centre, side in zip(worlds.at(distance), (worlds.judge, worlds.gold), strict=True)
        ]
        there = seen.statistic(drawn[0], drawn[1])
        return bool(np.mean(towards * there <= towards * value + 1e-12) >= tail)

    low, high = 0, len(distances) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if plausible(distances[middle]) else (low, middle - 1)
    judge, gold = worlds.at(float(distances[low]))
    truth = float(seen.statistic(judge + worlds.judge_nudge, gold + worlds.gold_nudge))
    return max(value, truth) if towards > 0 else min(value, truth)
