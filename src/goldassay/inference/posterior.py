"""Intervals that cover what they claim, for functions of a table of counts.

**The hedged posterior.** The textbook intervals fail where judges are usually tested: few items, a
rare class, a nearly perfect judge. goldassay's own is the posterior of the table of counts under
two nearly empty priors, one for each end. The lower end is read under a prior that leans towards
disagreement (1 pseudo-count off the diagonal, 1/4 on it), the upper end under its mirror image. For
a proportion this is the hedged interval of `proportions`.

**Clusters.** Give every cluster a standard exponential weight (Rubin's Bayesian bootstrap); for
clusters of one decision the summed counts are then exactly the Dirichlet draw above, so one method
serves both. With clusters the pseudo-counts weigh as a design effect does (a cautious one where the
errors come from few clusters), and the tails are moved out for a small number of clusters as
Student's t does for a mean; one giant cluster among small ones is worth few. Which clusters (or
items of unequal weight) a coefficient hangs on is its own matter: recall knows the clusters with
positives alone (`spread_of`, `share_draws`).

`docs/intervals.md` holds the measured coverage, beside the textbook intervals'.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.inference.bootstrap import weighted_sums
from goldassay.inference.clusters import (
    ClusterSpread,
    cautious_design_effect_of_share,
    distinct_clusters,
    few_cluster_tail,
)
from goldassay.inference.proportions import COUNTER, LEAN
from goldassay.inference.quantiles import quantile
from goldassay.results import Interval

__all__ = [
    "HedgedDraws",
    "hedged_draws",
    "hedged_interval",
    "hedged_tail",
    "influences",
    "leaning_on_each_option",
    "share_draws",
    "spread_of",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Step of the numerical derivative, in decisions.
STEP = 1e-4


@dataclass(frozen=True)
class HedgedDraws:
    """Draws of the table under the prior of the lower end and under that of the upper end."""

    lower: Array
    upper: Array
    n_clusters: int
    clustered: bool
    #: Every cluster holds whole decisions, so that shares of them are binomial.
    whole: bool = True
    #: How well the clusters know their spread; None where they are taken to be of equal size.
    spread: ClusterSpread | None = None
    #: Clusters with cases of a share of one margin; None: all.
    held: int | None = None

    @property
    def method(self) -> str:
        draws = len(self.lower)
        if self.clustered:
            return f"hedged Bayesian cluster bootstrap ({draws} draws, {self.n_clusters} clusters)"
        return f"hedged posterior of the counts ({draws} draws)"


def hedged_draws(
    counts: ArrayLike,
    multiplicity: ArrayLike,
    *,
    draws: int,
    seed: int,
    clustered: bool,
    merge: bool = True,
) -> HedgedDraws:
    """Draws of summed tables from cluster counts [C, ..., K, K], under both priors.

    `multiplicity[c]` clusters have the counts of c. Axes between the first and the last two are
    groups (criteria): they share the clusters' weights, and each has pseudo-counts of its own.
    Equal clusters are drawn together; without `merge` they are not, so that calls with other counts
    of the same clusters and the same seed share the weights.
    """
    table = np.asarray(counts, dtype=np.float64)
    multiples = np.asarray(multiplicity, dtype=np.int64)
    if merge:
        table, multiples = distinct_clusters(table, multiples)
    rng = np.random.default_rng(seed)
    flat = table.reshape(len(table), -1)
    summed = weighted_sums(flat, multiples, draws, rng, each_drawn=not merge)
    base = summed.reshape(draws, *table.shape[1:])
    size = table.shape[-1]
    diagonal = np.eye(size, dtype=bool)
    share = np.where(diagonal, 1 / size, 1 / max(size * (size - 1), 1))
    scale: float | Array = 1.0
    spread = None
    if clustered:  # a pseudo-count weighs as many decisions as are worth an independent one
        hits, sizes = np.trace(table, axis1=-2, axis2=-1), table.sum((-1, -2))
        scale = cautious_design_effect_of_share(hits, sizes, multiples)[..., None, None]
        if _lone(table):  # the design effect of weights is known: Kish's
            squares = (multiples.reshape(-1, *[1] * (sizes.ndim - 1)) * sizes**2).sum(0)
            known = squares / np.maximum(np.tensordot(multiples, sizes, axes=1), 1e-300)
            scale = np.maximum(known, 1.0)[..., None, None]
        together = tuple(range(1, hits.ndim))
        spread = ClusterSpread.of_share(
            hits.sum(together), sizes.sum(together), multiples, lone=_lone(table)
        )

    def pseudo(on: float, off: float) -> Array:
        shape = np.broadcast_to(share * np.where(diagonal, on, off), base.shape)
        return np.asarray(scale * rng.standard_gamma(shape))

    # Draws are next to each other in memory: sums over a small table are then sums of long rows.
    lower = np.asfortranarray(base + pseudo(COUNTER, LEAN))
    upper = np.asfortranarray(base + pseudo(LEAN, COUNTER))
    whole = bool(np.all(table == np.round(table)))
    return HedgedDraws(lower, upper, int(multiples.sum()), clustered, whole, spread)


def leaning_on_each_option(drawn: HedgedDraws) -> HedgedDraws:
    """Draws whose upper end leans towards agreement on every option, for a mean over options.

    The diagonal's pseudo-count is shared by K options, 1/K each: too little for the mean of numbers
    of which a rare option's has a handful of items. Here each has at least a half, as each of two
    options has. The lower end needs none of it.
    """
    size = drawn.upper.shape[-1]
    missing = LEAN / 2 - LEAN / size
    if missing <= 0:
        return drawn
    rng = np.random.default_rng(size)  # the same for the same draws, whoever asks
    more = rng.standard_gamma(missing, (*drawn.upper.shape[:-1], 1))
    return replace(drawn, upper=drawn.upper + more * np.eye(size))


def spread_of(
    drawn: HedgedDraws, statistic: Callable[[Array], Array], counts: Array, multiplicity: Ints
) -> HedgedDraws:
    """The draws with the spread of the clusters [C, K, K] that a statistic hangs on.

    A cluster moves it by the sum of its decisions' influences, the derivatives at the smoothed
    table. By how much it would if its decisions were independent is taken from the reference's
    classes: where the few errors fell is chance. Lone decisions have what they have.
    """
    if not drawn.clustered:
        return drawn
    times = multiplicity.astype(np.float64)
    cells, by_class = influences(statistic, np.tensordot(times, counts, axes=1))
    moves = np.tensordot(counts, cells, axes=2)
    lone = _lone(counts)
    amounts = counts.sum(2) @ (np.sqrt(by_class) if lone else by_class)
    if not (amounts > 0).any():
        return drawn
    spread = ClusterSpread.of_moves(moves, amounts, times, alike=lone)
    return replace(drawn, spread=replace(spread, lone=lone))


def influences(statistic: Callable[[Array], Array], table: Array) -> tuple[Array, Array]:
    """What one more decision of each cell [R, V] moves a statistic by, and its mean square by row.

    Derivatives at the smoothed table, centred so that as many more of each move nothing.
    """
    smooth = table + LEAN / table.size
    steps = STEP * np.eye(table.size).reshape(-1, *table.shape)
    slope = (statistic(smooth + steps) - statistic(smooth - steps)) / (2 * STEP)
    cells = np.nan_to_num(slope.reshape(table.shape))
    cells -= float((smooth * cells).sum() / smooth.sum())
    return cells, (smooth * cells**2).sum(1) / smooth.sum(1)


def _lone(counts: Array) -> bool:
    """Whether every cluster [C, ..., K, K] has one cell alone: an item of some weight."""
    return bool(((counts > 0).reshape(len(counts), -1).sum(1) <= 1).all())


def share_draws(
    drawn: HedgedDraws, share: Callable[[Array], tuple[Array, Array]], counts: Array, times: Ints
) -> HedgedDraws:
    """Draws of a share of one margin as tables [B, 2, 2] whose accuracy it is.

    Its clusters are those that have cases of the margin. Of its pseudo-counts the table's own draws
    hold half; the other half weighs as its own design effect does. A share of all decisions, whose
    pseudo-counts are the table's, needs none.
    """
    hits, cases = share(counts)
    held = cases > 0
    lone = _lone(counts)
    half = 0.0 if np.array_equal(cases, counts.sum((1, 2))) else 0.5
    scale = float(cautious_design_effect_of_share(hits, cases, times))
    spread = ClusterSpread.of_share(hits[held], cases[held], times[held], lone=lone)
    rng = np.random.default_rng(len(drawn.lower))  # the same for the same draws, whoever asks

    def with_more(tables: Array, on: float, off: float) -> Array:
        hit, of = share(tables)
        found = np.zeros((len(hit), 2, 2))
        found[:, 0, 0] = hit + scale * rng.standard_gamma(on * half, len(hit))
        found[:, 0, 1] = of - hit + scale * rng.standard_gamma(off * half, len(hit))
        return found

    return replace(
        drawn,
        lower=with_more(drawn.lower, COUNTER, LEAN),
        upper=with_more(drawn.upper, LEAN, COUNTER),
        held=max(int(times[held].sum()), 2),
        spread=spread,
    )


def hedged_interval(
    statistic: Callable[[Array], Array],
    drawn: HedgedDraws,
    value: float,
    *,
    confidence_level: float,
) -> Interval | None:
    """The interval of a statistic of the table, which grows with agreement; holds the estimate.

    None when the draws leave the statistic undefined, or there is one cluster only.
    """
    if drawn.clustered and drawn.n_clusters < 2:
        return None
    tail = hedged_tail(drawn, confidence_level)
    lower, upper = statistic(drawn.lower), statistic(drawn.upper)
    lower, upper = lower[np.isfinite(lower)], upper[np.isfinite(upper)]
    if min(len(lower), len(upper)) < max(20, len(drawn.lower) // 2):
        return None
    low = min(quantile(lower, tail), value)
    high = max(quantile(upper, 1 - tail), value)
    return Interval(low, high, confidence_level, drawn.method)


def hedged_tail(drawn: HedgedDraws, confidence_level: float) -> float:
    """The probability left in each tail: less than asked for when clusters are few, or unequal.

    0 for one cluster, which says nothing of the spread.
    """
    if not drawn.clustered:
        return (1 - confidence_level) / 2
    if drawn.spread is not None and drawn.n_clusters > 1:
        return drawn.spread.tail(drawn.held or drawn.n_clusters, confidence_level)
    return few_cluster_tail(drawn.n_clusters, confidence_level, resampling="bayesian")
