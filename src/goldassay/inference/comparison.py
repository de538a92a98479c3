"""Paired uncertainty over several judges: draws of all their tables at once, and what they say.

Judges are scored on the same items, so their scores rise and fall together; comparing them one by
one throws that away. Every draw here weighs the items anew for all judges at once.

Each cluster gets a gamma weight (Rubin's Bayesian bootstrap), and a Dirichlet-process prior adds
to each reference class the weight of two items on which every judge's verdict is drawn evenly. With
one decision per cluster that is, for any pair of judges of a binary task, a Dirichlet posterior
with 1/2 added to each of the four cells, so that two judges that never differed are not said to be
equal for certain (but what is said of one of them is said of the other). With larger clusters the
added items weigh as much as the design effect, and the tails are moved out for few clusters, or
unequal ones, as Student's t does for a mean.

References: Ferguson, "A Bayesian analysis of some nonparametric problems" (1973); Westfall and
Young, "Resampling-Based Multiple Testing" (1993), for the joint critical value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import blocks, exponential_weights, gamma_process
from goldassay.inference.cells import MOST_OPTIONS, Cells, hits_and_sizes, several_decisions
from goldassay.inference.cluster_spread import ClusterSpread, reaches_by_size
from goldassay.inference.clusters import (
    design_effect_of_share,
    few_cluster_factor,
    worth_in_equal_clusters,
)
from goldassay.inference.posterior import influences

__all__ = [
    "MOST_APART",
    "Comparison",
    "compare",
    "items_needed",
    "joint_draws",
    "posterior_tables",
    "same_verdicts",
    "square_and_add",
    "widening",
]

Array = NDArray[np.float64]

#: Weight, in items, that the prior adds to each reference class.
PRIOR_ITEMS = 2.0
#: Beyond this many clusters, those with equal counts are merged before anything is drawn.
MOST_APART = 20_000
#: Atoms of the prior's part of a draw; the last one holds a share (2/3)^16 of .0015.
PRIOR_ATOMS = 16


def posterior_tables(
    counts: Array | Cells,
    weights: Array,
    *,
    rng: np.random.Generator,
    prior_items: float | Array = PRIOR_ITEMS,
) -> Array:
    """Draws [B, J, R, V] of all judges' tables from cluster counts [C, J, R, V] and weights [B, C].

    Reference classes that no item has stay empty: the data says nothing about them. `prior_items`
    is the weight added to each other class, one number or one for each judge.
    """
    if isinstance(counts, Cells):
        _, judges, verdicts = counts.shape
        references, present = verdicts, np.unique(counts.row[counts.value != 0])
        sums = counts.every_cell.under(weights)
    else:
        _, judges, references, verdicts = counts.shape
        present = np.flatnonzero(counts.any(axis=(0, 1, 3)))
        sums = weights @ counts.reshape(len(counts), -1)
    draws = len(weights)
    seen = sums.reshape(draws, judges, references, verdicts)
    tables = np.zeros_like(seen)
    judge, draw = np.arange(judges), np.arange(draws)[:, None]
    scale = np.broadcast_to(np.asarray(prior_items, dtype=float) / PRIOR_ITEMS, judges)
    for reference in present:
        mass = gamma_process(draws, PRIOR_ITEMS, PRIOR_ATOMS, rng)
        verdict = rng.integers(verdicts, size=(PRIOR_ATOMS, draws, judges))
        for atom in range(PRIOR_ATOMS):
            tables[draw, judge, reference, verdict[atom]] += mass[:, atom, None] * scale
    tables += seen
    # Sums over a small table are then sums of long rows.
    return tables if verdicts > MOST_OPTIONS else np.asfortranarray(tables)


def joint_draws(
    statistic: Callable[[Array], Array],
    counts: Array | Cells,
    times: NDArray[np.int64],
    *,
    draws: int,
    seed: int,
) -> Array:
    """A statistic of all judges' tables in every draw [B, ...].

    Tables [b, J, k, k] are drawn in blocks, so that memory stays bounded. `times` clusters have the
    counts [C, J, k, k] of each.
    """
    rng = np.random.default_rng(seed)
    prior: float | Array = PRIOR_ITEMS
    if several_decisions(counts):
        prior = PRIOR_ITEMS * design_effect_of_share(*hits_and_sizes(counts), times)
    width = counts.every_cell.width if isinstance(counts, Cells) else counts[:1].size
    values = [
        statistic(
            posterior_tables(
                counts, exponential_weights(times, rows, rng), rng=rng, prior_items=prior
            )
        )
        for rows in blocks(draws, max(len(times), width))
    ]
    return np.concatenate(values)


def same_verdicts(counts: Array | Cells) -> NDArray[np.intp]:
    """The first judge whose counts [C, J, R, V] are each judge's own in every cluster, [J]."""
    judges = counts.shape[1]
    if not isinstance(counts, Cells):
        keys = [np.ascontiguousarray(counts[:, judge]).tobytes() for judge in range(judges)]
    else:
        place = (counts.owner * counts.size + counts.row) * counts.size + counts.column
        order = np.lexsort((counts.value, place, counts.group))
        ends = np.searchsorted(counts.group[order], np.arange(judges + 1))
        spans = [order[a:b] for a, b in pairwise(ends)]
        keys = [place[at].tobytes() + counts.value[at].tobytes() for at in spans]
    first: dict[bytes, int] = {}
    return np.array([first.setdefault(key, judge) for judge, key in enumerate(keys)], np.intp)


def widening(
    statistic: Callable[[Array], Array],
    counts: Array | Cells,
    times: NDArray[np.int64],
    confidence_level: float,
) -> float:
    """The factor by which few clusters, or clusters of unequal sizes, stretch joint intervals.

    Of differences of a statistic of the judges' tables, from counts [C, J, R, V]: clusters move
    these by what their decisions move each judge's number by, less the mean over judges. One
    decision each needs none; of many options, clusters are known by their sizes alone. Infinite
    for one cluster, which says nothing of the spread. Where judges do better on large clusters, or
    worse, than others do, all reach as far as the furthest end (`reaches_by_size`).
    """
    if not several_decisions(counts):
        return 1.0
    clusters = float(times.sum())
    if clusters < 2:
        return math.inf
    if isinstance(counts, Cells):
        _, sizes = hits_and_sizes(counts)
        worth = float(worth_in_equal_clusters(sizes.sum(1), times))
        return few_cluster_factor(max(worth, 2.0), confidence_level, resampling="bayesian")
    counts = counts[:, counts.any((0, 2, 3))]
    totals: Array = np.tensordot(times.astype(float), counts, axes=1)
    found = [influences(statistic, table) for table in totals]
    moves = np.stack(
        [np.tensordot(counts[:, j], cells, axes=2) for j, (cells, _) in enumerate(found)], 1
    )
    own = moves - moves.mean(1, keepdims=True)
    apart = np.sqrt((own**2).sum(1))
    amounts = np.einsum("cjr,jr->c", counts.sum(3), np.stack([by for _, by in found]))
    if not (amounts > 0).any():
        amounts = counts.sum((1, 2, 3))
    spread = ClusterSpread.of_moves(apart, amounts, times, alike=False)
    usual = NormalDist().inv_cdf((1 + confidence_level) / 2)
    reach, sizes = spread.reach(clusters, confidence_level), counts.sum((2, 3)).max(1)
    number = times.astype(float)
    # The furthest end of all judges stands for each: one cluster that may be missing is enough.
    found_by_size = (reaches_by_size(one, sizes, number, reach, missing=1.0) for one in own.T)
    by_size = max(max(ends) for ends in found_by_size)
    return by_size * reach / usual


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs of judges: difference[a, b] = value[a] - value[b], with joint intervals.

    With probability `confidence_level` every interval holds its difference at the same time,
    however many judges there are and whichever looks best.
    """

    difference: Array  # [J, J]
    low: Array
    high: Array
    standard_error: Array
    critical: float  # standard errors on either side
    confidence_level: float

    def level_of_each(self, widen: float = 1.0) -> float:
        """The level of an interval of one judge as far out as these are, unless for `widen`."""
        return 2 * NormalDist().cdf(self.critical / widen) - 1

    def apart(self, first: int, second: int) -> bool:
        """Whether the joint interval of their difference excludes 0."""
        return bool(self.low[first, second] > 0 or self.high[first, second] < 0)


def compare(
    values: Array,
    draws: Array,
    *,
    confidence_level: float,
    widen: float = 1.0,
    same: NDArray[np.intp] | None = None,
    most: float = math.inf,
) -> Comparison:
    """Joint intervals of all differences from paired draws [B, J] (the max-|t| method).

    No two values differ by more than `most`.

    The critical value is the quantile, over the draws, of the largest studentised deviation of
    any pair. It uses the correlation of the judges and is thus at most Bonferroni's; with two
    judges the interval is an ordinary one. `widen` stretches it for few clusters
    (`widening`).

    Judges of one number in `same` [J] gave the same verdicts (`same_verdicts`). The prior drew for
    each of them apart, but what is said of one must be said of all: against others each is taken as
    the first, and among themselves they differ by 0, as surely as the first two do in the draws.
    """
    judges = len(values)
    alike = np.arange(judges) if same is None else same
    same = np.array([int(np.flatnonzero(alike == one)[0]) for one in alike], np.intp)
    at = np.ix_(same, same)
    difference = values[:, None] - values[None, :]
    mean = draws.mean(axis=0)
    center = (mean[:, None] - mean[None, :])[at]
    covariance = np.atleast_2d(np.cov(draws, rowvar=False))
    variance = np.diag(covariance)
    spread = np.sqrt(np.maximum(variance[:, None] + variance[None, :] - 2 * covariance, 0))
    error = spread[at]
    firsts = np.flatnonzero(same == np.arange(judges))
    pairs = [(a, b) for place, a in enumerate(firsts) for b in firsts[place + 1 :]]
    for first in firsts:
        group = np.flatnonzero(same == first)
        if len(group) > 1:
            error[np.ix_(group, group)] = spread[group[0], group[1]]
            pairs.append((group[0], group[1]))
    np.fill_diagonal(error, 0.0)
    largest = np.zeros(len(draws))
    for one, other in pairs:
        if spread[one, other] > 1e-12:
            moved = draws[:, one] - draws[:, other] - (mean[one] - mean[other])
            np.maximum(largest, np.abs(moved) / spread[one, other], out=largest)
    critical = float(np.quantile(largest, confidence_level)) * widen
    half = np.multiply(error, critical, out=np.zeros_like(error), where=error > 1e-12)
    return Comparison(
        difference,
        _within(np.minimum(center - half, difference), most),
        _within(np.maximum(center + half, difference), most),
        error,
        critical,
        confidence_level,
    )


def _within(ends: Array, most: float) -> Array:
    """Ends of intervals, none beyond `most`; those without a bound stay so."""
    return np.where(np.isfinite(ends), np.clip(ends, -most, most), ends)


def square_and_add(
    found: Comparison, draws: Array, reach: Array, same: NDArray[np.intp]
) -> Comparison:
    """Joint intervals from each judge's own (Zou and Donner 2008), where the draws know too little.

    A label that was drawn by verdict may stand for 30 items, and then neither the draws nor the two
    items that the prior adds tell of errors among the others; each judge's own interval does
    (`strata`). `reach` [J, 2] is how far it goes below and above the value at the level
    `found.level_of_each`; the draws [B, J] have the judges' correlation. Judges of the same
    verdicts, or without an interval, stay as they are.
    """
    below, above = reach[:, 0], reach[:, 1]
    # A judge whose draws never vary goes with nobody: 0, which makes a difference no shorter.
    correlation = np.atleast_2d(np.nan_to_num(np.corrcoef(draws, rowvar=False)))

    def added(mine: Array, other: Array) -> Array:
        both = mine[:, None] ** 2 + other**2 - 2 * correlation * mine[:, None] * other
        return np.asarray(np.sqrt(np.maximum(both, 0.0)))

    low, high = found.difference - added(below, above), found.difference + added(above, below)
    kept = (same[:, None] == same) | ~np.isfinite(low + high)
    low, high = np.where(kept, found.low, low), np.where(kept, found.high, high)
    error = np.where(kept, found.standard_error, (high - low) / (2 * found.critical))
    return replace(found, low=low, high=high, standard_error=error)


def items_needed(
    difference: float,
    standard_error: float,
    items: int,
    *,
    critical: float,
    classes: int = 0,
    power: float = 0.8,
) -> int | None:
    """Items with which this difference, if true, would be told from 0 with this `power`.

    The standard error falls with the root of the items, n' = n ((critical + z_power) se / d)^2,
    those that the prior adds to each of the reference `classes` counted on both sides.
    None when there is no difference to see, or one cluster only (`critical` is infinite).
    """
    if abs(difference) < 1e-12 or not math.isfinite(critical):
        return None
    reach = (critical + NormalDist().inv_cdf(power)) * standard_error / abs(difference)
    added = PRIOR_ITEMS * classes
    return math.ceil((items + added) * reach**2 - added)
