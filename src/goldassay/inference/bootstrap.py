"""The bootstrap on counts: how often each cluster counts in each resample.

Point estimates are functions of counts summed over clusters, so that a resample is a row of
weights, and the counts of all resamples are one matrix product: weights[B, C] @ counts[C, ...].
That has the distribution of resampling rows (whole clusters of them), at a cost that does not grow
with the rows. Clusters with equal counts are exchangeable (`clusters.distinct_clusters`) and are
drawn together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from goldassay.inference.normal_draws import correlated

__all__ = [
    "BLOCK",
    "blocks",
    "exponential_weights",
    "gamma_process",
    "multiplicities",
    "resampled",
    "weighted_sums",
]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: Numbers held at once while weights are drawn: 32 MB of them.
BLOCK = 4_000_000
#: Clusters picked at once, so that what is counted stays in the processor's cache.
IN_CACHE = 32_768
#: Up to so many distinct clusters, and so wide a sum, each cluster's weight is drawn.
EACH_DRAWN = 20_000
WIDEST_NORMAL = 200


def multiplicities(
    multiplicity: Ints, resamples: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Weights of the distinct clusters in each resample with replacement, in blocks [b, C].

    `multiplicity[c]` clusters have the counts of c: a resample is a multinomial draw over them.
    """
    for rows in blocks(resamples, len(multiplicity)):
        yield resampled(multiplicity, rows, rng)


def resampled(multiplicity: Ints, rows: int, rng: np.random.Generator) -> Floats:
    """The weights of so many resamples [rows, C] at once: see `multiplicities`."""
    total, size = int(multiplicity.sum()), len(multiplicity)
    # A binomial draw costs about five times a uniform integer.
    if total > 5 * size:
        return rng.multinomial(total, multiplicity / total, size=rows).astype(float)
    owner, alone = np.repeat(np.arange(size), multiplicity), bool(np.all(multiplicity == 1))
    drawn = np.empty((rows, size))
    step = max(1, IN_CACHE // max(total, 1))
    for start in range(0, rows, step):
        some = drawn[start : start + step]
        picks = rng.integers(0, total, size=(len(some), total), dtype=np.int32)
        at = (picks if alone else owner[picks]) + np.arange(len(some))[:, None] * size
        some[:] = np.bincount(at.reshape(-1), minlength=some.size).reshape(some.shape)
    return drawn


def exponential_weights(multiplicity: Ints, draws: int, rng: np.random.Generator) -> Floats:
    """Weights [B, C] of the distinct clusters in draws of the Bayesian bootstrap (Rubin 1981).

    Every cluster has a standard exponential weight; the sum over m equal ones is a gamma variate of
    shape m. Divided by their sum, the weights are a Dirichlet draw.
    """
    shape = (draws, len(multiplicity))
    if np.all(multiplicity == 1):
        return rng.standard_exponential(shape)  # the same numbers, faster
    return rng.standard_gamma(multiplicity.astype(float), shape)


def weighted_sums(
    counts: Floats,
    multiplicity: Ints,
    draws: int,
    rng: np.random.Generator,
    *,
    each_drawn: bool = False,
) -> Floats:
    """Sums [B, W] over clusters of counts [C, W] in draws of the Bayesian bootstrap.

    Of more than `EACH_DRAWN` distinct clusters, half as many are drawn, those that move some sum
    most; the sum over the others, tens of thousands of small independent terms, is drawn from the
    normal with its mean, m x, and covariance, m x x', summed over them. With `each_drawn` every
    cluster's weight is drawn, so that calls with the same seed share the weights.
    """
    clusters, width = counts.shape
    if each_drawn or clusters <= EACH_DRAWN or width > WIDEST_NORMAL:
        parts = [
            exponential_weights(multiplicity, rows, rng) @ counts
            for rows in blocks(draws, clusters)
        ]
        return np.concatenate(parts)
    scale = np.sqrt(multiplicity @ counts**2)
    scaled = counts / np.where(scale > 0, scale, 1.0)
    by_size = np.argsort(-np.abs(scaled).max(1), kind="stable")
    large, small = np.sort(by_size[: EACH_DRAWN // 2]), np.sort(by_size[EACH_DRAWN // 2 :])
    drawn = weighted_sums(scaled[large], multiplicity[large], draws, rng)
    rest, times = scaled[small], multiplicity[small].astype(float)
    drawn += times @ rest + correlated((rest * times[:, None]).T @ rest, draws, rng)
    return drawn * scale


def gamma_process(draws: int, concentration: float, atoms: int, rng: np.random.Generator) -> Floats:
    """Masses [B, atoms] of draws of a gamma process: Sethuraman's (1994) broken stick.

    All atoms but a share (c / (1 + c))^atoms are drawn exactly; the last one takes that rest. Where
    they fall is drawn from the base measure.
    """
    left = np.cumprod(rng.random((draws, atoms)) ** (1 / concentration), axis=1)
    left[:, -1] = 0.0
    masses: Floats = -np.diff(left, axis=1, prepend=1.0)
    masses *= rng.standard_gamma(concentration, (draws, 1))
    return masses


def blocks(rows: int, width: int) -> Iterator[int]:
    """Numbers of rows of `width` numbers that are held at once, `rows` together."""
    step = max(1, BLOCK // max(width, 1))
    for start in range(0, rows, step):
        yield min(step, rows - start)
