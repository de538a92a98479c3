"""Decisions that come in clusters: equal clusters merged, design effects, and few clusters.

Items that share a prompt, a thread or a document are not independent: what would be drawn anew is
the cluster. Counts therefore keep a leading axis of clusters, and everything that follows from it
is here, on arrays alone:

- **Sums and merging.** Clusters with equal counts are exchangeable: they are held once, with the
  number of clusters that have them, and drawn together.
- **The design effect** (Kish, "Survey Sampling", 1965): the variance of an estimate over clusters
  against that over as many independent items; how many items are worth one independent one.
- **Effective numbers**: how many independent clusters, or raters, those at hand are worth.
- **Few clusters** know their own spread badly. An interval reaches as far as Student's t with
  clusters - 1 degrees of freedom; percentiles of draws are moved out to do the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import special
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass

__all__ = [
    "Resampling",
    "cautious_design_effect_of_share",
    "cluster_sums",
    "degrees_of",
    "design_effect",
    "design_effect_of_share",
    "design_factor",
    "distinct_clusters",
    "distinct_rows",
    "effective_clusters",
    "effective_size",
    "few_cluster_factor",
    "few_cluster_tail",
    "rao_scott_effect",
    "shortfall_of_draws",
    "student_quantile",
    "student_quantiles",
    "student_reach",
    "worth_in_equal_clusters",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: How draws weigh clusters: each counted as often as it is drawn (Efron 1979), or with exponential
#: weights (the Bayesian bootstrap of Rubin 1981).
Resampling = Literal["bootstrap", "bayesian"]

#: Clusters with errors that it takes to believe the design effect they show as much as the largest
#: possible one; chosen by simulated coverage. Other estimates have a `DOUBT` of their own (shares
#: won 2, advantages and item accuracy 1, changes 0.5; corrected rates 4 times the share of the
#: clusters that carry nothing): this one weighs pseudo-counts alone, beside tails that clusters
#: move, while theirs multiplies the whole variance or stands beside a cautious test.
DOUBT = 4.0
#: The largest share of the items that one cluster is taken to have.
LARGEST_SHARE = 0.95
#: A share (1 - share) up to this is rounding: every decision is a hit, or none is.
ROUNDING = 1e-12


# --- sums and merging -------------------------------------------------------------------------


def cluster_sums(
    values: Array, times: Ints, cluster: Ints | None, alike: Ints | None = None
) -> tuple[Array, Ints]:
    """Sums by cluster [C, ...] of values [P, ...], and how many clusters have each row.

    `times[p]` units have the values of p. `cluster[p]` is their cluster, numbered from 0; None
    where every unit is its own cluster, so that p stands for `times[p]` equal ones. `alike[c]`
    clusters have the units of c, which `times` counts in all of them; one, where it is None.
    """
    if cluster is None:
        return values, times
    clusters, width = int(cluster.max(initial=-1)) + 1, math.prod(values.shape[1:])
    if alike is not None:
        times = times // alike[cluster]
    columns = (values * _column(times, values.ndim)).reshape(len(values), width).T
    sums = np.empty((clusters, width))
    for k, column in enumerate(columns):
        sums[:, k] = np.bincount(cluster, column, clusters)
    number = np.ones(clusters, np.int64) if alike is None else alike[:clusters]
    return sums.reshape(clusters, *values.shape[1:]), number


def distinct_clusters(
    counts: Array, multiplicity: Ints, *, apart_up_to: int = 1
) -> tuple[Array, Ints]:
    """Clusters with equal counts [C, ...] merged, in lexicographic order, and how many have each.

    Equal clusters are exchangeable: drawn together, they cost no more than one of them. Up to
    `apart_up_to` clusters are left as they are, where drawing few of them apart is wanted.
    """
    if len(counts) <= apart_up_to:
        return counts, multiplicity
    flat = counts.reshape(len(counts), -1)
    code, size = np.zeros(len(flat), np.int64), 1
    for column in _columns(flat):
        digit, base = _ordered_codes(column)
        if size * base >= 2**62:
            code = np.unique(code, return_inverse=True)[1].reshape(-1)
            size = int(code.max(initial=0)) + 1
            if size == len(code):  # all differ: further columns change neither this nor the order
                break
        code, size = code * base + digit, size * base
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    if len(first) == len(counts) and np.array_equal(first, np.arange(len(first))):
        return counts, multiplicity
    times = np.zeros(len(first), np.int64)
    np.add.at(times, inverse.reshape(-1), multiplicity)
    return counts[first], times


def _columns(matrix: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """The columns of a matrix, each in one piece: some at a time are copied."""
    for first in range(0, matrix.shape[1], 64):
        yield from np.ascontiguousarray(matrix[:, first : first + 64].T)


def _ordered_codes(column: NDArray[Any]) -> tuple[Ints, int]:
    """Numbers from 0 in the order of the values, and how many there may be."""
    low, high = column.min(), column.max()
    if high - low < 2**20 and np.all(column == np.floor(column)):
        return (column - low).astype(np.int64), int(high - low) + 1
    values, codes = np.unique(column, return_inverse=True)
    return codes.reshape(-1), len(values)


def distinct_rows(matrix: Any) -> tuple[Ints, Ints]:
    """The first of each kind of equal rows of a sparse (CSR) matrix, and how many are like it.

    `distinct_clusters` for counts too wide to be held dense; rows keep the order in which they are
    first met, and empty rows (clusters without a count) are left out. The matrix has sorted
    indices and no explicit zeros.
    """
    seen: dict[bytes, int] = {}
    keep: list[int] = []
    times: list[int] = []
    for row in range(matrix.shape[0]):
        low, high = matrix.indptr[row], matrix.indptr[row + 1]
        if low == high:
            continue
        key = matrix.indices[low:high].tobytes() + matrix.data[low:high].tobytes()
        place = seen.setdefault(key, len(keep))
        if place == len(keep):
            keep.append(row)
            times.append(0)
        times[place] += 1
    return np.array(keep, np.int64), np.array(times, np.int64)


def _column(times: ArrayLike, ndim: int) -> NDArray[Any]:
    """`times` [C] as an array that multiplies arrays [C, ...] of `ndim` axes."""
    column = np.asarray(times)
    return column.reshape(-1, *[1] * (ndim - 1))


# --- design effects ---------------------------------------------------------------------------


def design_effect(
    over_clusters: ArrayLike, alone: ArrayLike, largest: ArrayLike | None = None
) -> Array:
    """The variance of an estimate over clusters against that over as many independent items.

    Kish's deff, elementwise, at least 1: clusters that vary less than lone items would do so by
    chance. At most `largest` where that is known; where no item varies (`alone` is 0) the data
    cannot tell, and it is `largest`, or 1 where none is given.
    """
    most, unknown = (np.inf, 1.0) if largest is None else (largest, largest)
    effect = ratio(over_clusters, alone)
    within: Array = np.clip(np.where(np.isnan(effect), unknown, effect), 1.0, most)
    return within


@dataclass(frozen=True)
class _Share:
    """A share of hits among the decisions of clusters, and its variances.

    `over_clusters` is that of a ratio of sums, from the residuals hits - share x size (Kish 1965,
    chapter 6), with the divisor C; `alone` the binomial one. `usual` is the mean size of a
    cluster, `largest` the mean size of a decision's cluster: the design effect of clusters of equal
    decisions, where they are of one size, and of these sizes (or weights).
    """

    value: Array
    over_clusters: Array
    alone: Array
    clusters: Array
    usual: Array
    largest: Array

    @property
    def design_effect(self) -> Array:
        variance = self.over_clusters * self.clusters / np.maximum(self.clusters - 1, 1)
        found = design_effect(variance, self.alone, self.largest)
        return np.where(self.alone > 0, found, self.usual)


def _share(hits: Array, sizes: Array, multiplicity: ArrayLike) -> _Share:
    times = _column(multiplicity, sizes.ndim).astype(np.float64)
    clusters = np.maximum((times * (sizes > 0)).sum(0), 1)
    total = np.maximum((times * sizes).sum(0), 1e-150)  # its square is still above 0
    share = (times * hits).sum(0) / total
    spread = share * (1 - share)
    return _Share(
        share,
        (times * (hits - share * sizes) ** 2).sum(0) / total**2,
        np.where(spread > ROUNDING, spread, 0.0) / total,
        clusters,
        np.maximum(total / clusters, 1.0),
        np.maximum((times * sizes**2).sum(0) / total, 1.0),
    )


def design_effect_of_share(hits: Array, sizes: Array, multiplicity: ArrayLike) -> Array:
    """The design effect of a share of `hits` among `sizes`, by cluster [C, ...] each.

    Between 1 and the mean size of a decision's cluster; the mean size of a cluster where all are
    hits, or none, and the data cannot tell how the decisions of one hang together.
    `multiplicity[c]` clusters are like c.
    """
    return _share(hits, sizes, multiplicity).design_effect


def cautious_design_effect_of_share(
    hits: Array, sizes: Array, multiplicity: ArrayLike, *, doubt: float = DOUBT
) -> Array:
    """`design_effect_of_share` drawn towards the size of a cluster by how little it is known.

    A weighted geometric mean of the two, by the effective number of clusters that the errors (the
    rarer outcome) come from: three errors in one cluster do not tell how errors hang together,
    fifty in thirty do. With `doubt` of these both weigh alike.
    """
    one = _share(hits, sizes, multiplicity)
    errors = np.where(one.value > 0.5, sizes - hits, hits)
    caution = doubt / (doubt + effective_clusters(errors, multiplicity))
    return np.asarray(one.design_effect ** (1 - caution) * one.usual**caution)


def rao_scott_effect(hits: Array, sizes: Array, multiplicity: ArrayLike) -> Array:
    """The design effect of a share that divides a chi-square (Rao and Scott 1981, first order).

    The plain ratio of variances, at least 1: large samples of clusters are assumed, no bound is put
    on it from above, and where all are hits, or none, there is nothing to correct.
    """
    one = _share(hits, sizes, multiplicity)
    return design_effect(one.over_clusters, one.alone)


def design_factor(over_clusters: Array, alone: Array) -> float | None:
    """How many times longer standard errors over clusters are than those of independent items.

    Kish's deft, the root of the design effect, as a mean over several estimates, not held above 1;
    None where no estimate varies.
    """
    known = alone > 0
    return float(np.mean(over_clusters[known] / alone[known])) if known.any() else None


# --- effective numbers ------------------------------------------------------------------------


def effective_clusters(amounts: Array, multiplicity: ArrayLike) -> Array:
    """The effective number of clusters behind amounts [C, ...], `multiplicity` like each.

    Kish's (sum)^2 / sum of squares: C for equal amounts, 1 where one cluster has it all, 0 where
    there is nothing.
    """
    times = _column(multiplicity, amounts.ndim)
    number = ratio((times * amounts).sum(0) ** 2, (times * amounts**2).sum(0))
    return np.nan_to_num(number)


def effective_size(size: int, correlation: ArrayLike) -> Array:
    """How many independent ones `size` equally correlated ones are worth, elementwise.

    size / (1 + (size - 1) correlation), by the variance of a mean (Kish 1965, chapter 5); at most
    `size`: chance negative correlations are no reason to believe in more than there are.
    """
    return np.asarray(size / (1 + (size - 1) * np.maximum(correlation, 0.0)))


# --- few clusters -----------------------------------------------------------------------------


@lru_cache(maxsize=1024)  # every interval of a table asks for the same one
def student_quantile(degrees: float, probability: float) -> float:
    """The quantile of Student's t; degrees of freedom may be a fraction."""
    return special.student_quantile(degrees, probability)


def student_quantiles(degrees: ArrayLike, probability: float) -> Array:
    """`student_quantile` elementwise."""
    from goldassay.formulas.compiled import stdtrit

    return np.asarray(stdtrit(degrees, probability))


def shortfall_of_draws(n_clusters: float, resampling: Resampling) -> float:
    """The factor by which draws of a mean over n >= 2 clusters spread less than its standard error.

    The variance of the bootstrap has the divisor n where that of the standard error has n - 1; of
    the Bayesian bootstrap, whose weights vary less, it is (n - 1) / (n + 1) times the usual one.
    """
    more = n_clusters if resampling == "bootstrap" else n_clusters + 1
    return math.sqrt(more / (n_clusters - 1))


def student_reach(
    n_clusters: float, confidence_level: float, *, resampling: Resampling | None = None
) -> float:
    """How many standard errors an interval of a mean over n >= 2 clusters reaches on either side.

    Of the usual standard error, with the divisor n - 1; with `resampling` of the spread of draws,
    which falls short of it.
    """
    reach = -student_quantile(n_clusters - 1, (1 - confidence_level) / 2)
    return reach if resampling is None else reach * shortfall_of_draws(n_clusters, resampling)


def worth_in_equal_clusters(sizes: Array, multiplicity: ArrayLike | None = None) -> Array:
    """How many clusters of one size would know their spread as well as these of sizes [C, ...].

    One more than Satterthwaite's degrees of freedom for a mean over items (`cluster_spread`): C for
    C equal ones, about 2 where one has nearly all items; 1 or 0 where there are no more clusters.
    """
    times = np.ones(len(sizes)) if multiplicity is None else np.asarray(multiplicity)
    times = _column(times, sizes.ndim).astype(np.float64)
    found = (times * (sizes > 0)).sum(0)
    total = np.maximum((times * sizes).sum(0), 1e-300)
    return np.asarray(
        np.minimum(1 + degrees_of(np.minimum(sizes / total, LARGEST_SHARE), times), found)
    )


def degrees_of(h: Array, times: Array) -> Array:
    """Satterthwaite's degrees of freedom of clusters [C, ...] with these shares of the items."""
    left = 1 - h
    inverse = (times * h**2).sum(0) + (times * h**2 / left).sum(0) ** 2
    inverse -= (times * h**4 / left**2).sum(0)
    return np.asarray(np.maximum(1 / np.maximum(inverse, 1e-12), 1.0))


def few_cluster_factor(
    n_clusters: float, confidence_level: float, *, resampling: Resampling | None = None
) -> float:
    """The factor (1 or more) by which few clusters lengthen a normal interval.

    Infinite for one cluster, which says nothing of the spread.
    """
    if n_clusters < 2:
        return math.inf
    reach = student_reach(n_clusters, confidence_level, resampling=resampling)
    return reach / -special.normal_quantile((1 - confidence_level) / 2)


def few_cluster_tail(
    n_clusters: float, confidence_level: float, *, resampling: Resampling | None = None
) -> float:
    """The probability to leave in each tail: less than asked for when clusters are few.

    With `resampling` the tail of draws, which fall short of the standard error.

    The normal tail beyond Student's reach, so that percentiles go as far ("expanded percentile",
    Hesterberg 2015). 0 for one cluster, which says nothing of the spread.
    """
    if n_clusters < 2:
        return 0.0
    reach = student_reach(n_clusters, confidence_level, resampling=resampling)
    return special.normal_cdf(-reach)
