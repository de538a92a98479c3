"""The bootstrap on counts.

Clusters are resampled with replacement. Point estimates are functions of counts summed over
clusters, so that a resample is a row of weights, and the counts of all resamples are one matrix
product: weights[B, C] @ counts[C, ...]. That has the distribution of resampling rows (whole
clusters of them), at a cost that does not grow with the rows. Clusters with equal counts are
exchangeable and are drawn together, by a multinomial over the distinct ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from goldassay.results import Interval

__all__ = [
    "BLOCK",
    "Replicates",
    "bca",
    "distinct_clusters",
    "multiplicities",
    "percentile",
    "replicates",
    "resampled",
]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: Numbers held at once while weights are drawn: 32 MB of them.
BLOCK = 4_000_000


@dataclass(frozen=True)
class Replicates:
    """Values of a statistic over resamples [B, ...]; NaN where a resample leaves it undefined."""

    values: Floats
    resamples: int
    clusters: int

    @property
    def undefined(self) -> int:
        """Resamples in which some component is undefined."""
        flat = np.isnan(self.values.reshape(len(self.values), -1))
        return int(flat.any(axis=1).sum())


def distinct_clusters(counts: Floats, multiplicity: Ints) -> tuple[Floats, Ints]:
    """Clusters with equal counts [C, ...] merged, in lexicographic order, and how many have each.

    Equal clusters are exchangeable: drawn together, they cost no more than one of them.
    """
    if len(counts) < 2:
        return counts, multiplicity
    flat = counts.reshape(len(counts), -1)
    code, size = np.zeros(len(flat), np.int64), 1
    for column in flat.T:
        digit, base = _ordered_codes(column)
        if size * base >= 2**62:
            code = np.unique(code, return_inverse=True)[1].reshape(-1)
            size = int(code.max(initial=0)) + 1
        code, size = code * base + digit, size * base
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    if len(first) == len(counts) and np.array_equal(first, np.arange(len(first))):
        return counts, multiplicity
    times = np.zeros(len(first), np.int64)
    np.add.at(times, inverse.reshape(-1), multiplicity)
    return counts[first], times


def _ordered_codes(column: Floats) -> tuple[Ints, int]:
    """Numbers from 0 in the order of the values, and how many there may be."""
    low, high = column.min(), column.max()
    if high - low < 2**20 and np.all(column == np.floor(column)):
        return (column - low).astype(np.int64), int(high - low) + 1
    values, codes = np.unique(column, return_inverse=True)
    return codes.reshape(-1), len(values)


def multiplicities(
    multiplicity: Ints, resamples: int, rng: np.random.Generator, *, strata: Ints | None = None
) -> Iterator[Floats]:
    """Weights of the distinct clusters in each resample, in blocks [b, C].

    `multiplicity[c]` clusters have the counts of c. With `strata` (a code for each c), each
    stratum keeps its number of clusters.
    """
    size = len(multiplicity)
    step = max(1, BLOCK // max(size, 1))
    parts = (
        [np.arange(size)]
        if strata is None
        else [np.flatnonzero(strata == code) for code in np.unique(strata)]
    )
    for start in range(0, resamples, step):
        block = np.empty((min(step, resamples - start), size))
        for part in parts:
            block[:, part] = _drawn(multiplicity[part], len(block), rng)
        yield block


def _drawn(multiplicity: Ints, rows: int, rng: np.random.Generator) -> Floats:
    total, size = int(multiplicity.sum()), len(multiplicity)
    # A binomial draw costs about five times a uniform integer.
    if total > 5 * size:
        return rng.multinomial(total, multiplicity / total, size=rows).astype(float)
    owner = np.repeat(np.arange(size), multiplicity)
    picks = owner[rng.integers(0, total, size=(rows, total), dtype=np.int32)]
    picks += np.arange(rows)[:, None] * size
    return np.bincount(picks.reshape(-1), minlength=rows * size).reshape(rows, size).astype(float)


def resampled(
    counts: Floats, multiplicity: Ints, *, resamples: int, seed: int, strata: Ints | None = None
) -> Floats:
    """The summed counts of every resample, [B, ...], from counts [C, ...]."""
    rng = np.random.default_rng(seed)
    flat = counts.reshape(len(counts), -1)
    blocks = [w @ flat for w in multiplicities(multiplicity, resamples, rng, strata=strata)]
    return np.concatenate(blocks).reshape(resamples, *counts.shape[1:])


def replicates(
    counts: Floats,
    multiplicity: Ints,
    statistic: Callable[[Floats], Floats],
    *,
    resamples: int,
    seed: int,
    strata: Ints | None = None,
) -> Replicates:
    """A statistic over resamples of clusters.

    `statistic` maps summed counts with any leading axes, [..., *shape], to values [..., *out].
    """
    sums = resampled(counts, multiplicity, resamples=resamples, seed=seed, strata=strata)
    return Replicates(statistic(sums), resamples, int(multiplicity.sum()))


def percentile(drawn: Replicates, *, confidence_level: float) -> Interval | None:
    """The percentile interval of a scalar statistic; None when hardly a resample defines it."""
    values = drawn.values[~np.isnan(drawn.values)]
    if len(values) < max(20, drawn.resamples // 2):
        return None
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    method = f"cluster bootstrap (percentile, {drawn.resamples})"
    return Interval(float(low), float(high), confidence_level, method + _note(drawn))


def bca(
    drawn: Replicates,
    counts: Floats,
    multiplicity: Ints,
    statistic: Callable[[Floats], Floats],
    *,
    confidence_level: float,
) -> Interval | None:
    """The bias-corrected and accelerated interval of a scalar statistic (Efron 1987).

    The acceleration comes from leaving out one cluster at a time, once for each distinct one.
    None when a leave-one-out value or the bias is undefined.
    """
    from scipy.special import ndtr, ndtri

    total = np.tensordot(multiplicity, counts, axes=1)
    value = float(statistic(total[None])[0])
    left_out = statistic(total[None] - counts)
    values = drawn.values[~np.isnan(drawn.values)]
    if len(values) < max(20, drawn.resamples // 2) or np.isnan(left_out).any():
        return None
    below = (np.sum(values < value) + 0.5 * np.sum(values == value)) / len(values)
    if not 0 < below < 1:
        return None
    bias = float(ndtri(below))
    mean = np.average(left_out, weights=multiplicity)
    spread = mean - left_out
    second = np.sum(multiplicity * spread**2)
    if second == 0:
        return None
    acceleration = float(np.sum(multiplicity * spread**3) / (6 * second**1.5))
    tail = float(ndtri((1 - confidence_level) / 2))
    ends = []
    for z in (tail, -tail):
        shifted = bias + (bias + z) / (1 - acceleration * (bias + z))
        ends.append(float(np.quantile(values, ndtr(shifted))))
    method = f"cluster bootstrap (BCa, {drawn.resamples})"
    return Interval(min(ends), max(ends), confidence_level, method + _note(drawn))


def _note(drawn: Replicates) -> str:
    return f", {drawn.undefined} undefined resamples left out" if drawn.undefined else ""
