"""More than two classes: the true rates of all options behind a judge's.

The counts are those of `points`, with K references and V verdicts. The rates lie on the simplex:
none is negative and they sum to 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import rates as points
from goldassay.inference import rates as limits

__all__ = ["posterior_method", "rates_by_confusion", "rates_by_verdict", "unmixed"]

Array = NDArray[np.float64]

#: Half a count in each cell, as for the binomial's Jeffreys prior.
PRIOR = 0.5
SINGULAR = 1e-8
#: A rate under this is 0: what rounding leaves of one, or the steps of a maximisation that ends at
#: the simplex' edge.
NOTHING = 1e-9


def rates_by_verdict(
    pool: ArrayLike,
    calibration: ArrayLike,
    *,
    confidence_level: float = 0.95,
    inflation: ArrayLike = 1.0,
) -> tuple[Array, Array, Array]:
    """Rates [K] with limits for labels drawn at random or by verdict: nothing of the judge.

    Each option against the rest is `points.stratified` over the V verdicts of the whole pool, its
    counts divided by an `inflation` for all or for each.
    """
    pool, calibration = points.floats(pool), points.floats(calibration)
    labelled = calibration.sum(-2, keepdims=True)
    each = np.broadcast_to(pool[..., None, :], calibration.shape)
    value = points.stratified(each, calibration, np.broadcast_to(labelled, calibration.shape))
    low, high = limits.stratified_limits(
        each,
        calibration,
        np.broadcast_to(labelled, calibration.shape),
        confidence_level=confidence_level,
        inflation=inflation,
    )
    return value, low, high


def unmixed(verdicts: ArrayLike, confusion: ArrayLike, *, iterations: int = 2_000) -> Array:
    """Rates t on the simplex with `verdicts[v] = sum_k t[k] confusion[k, v]`.

    The inverse of the confusion matrix where its answer lies on the simplex; where it does not, the
    point of the simplex under which the verdicts are most likely (by expectation-maximisation).
    Rows of `confusion` sum to 1; leading axes are free. NaN where no rates make the verdicts
    possible: all of them are such as the confusion matrix never has.
    """
    shares, matrix = points.floats(verdicts), points.floats(confusion)
    shares = shares / shares.sum(-1, keepdims=True)
    shares = np.broadcast_to(shares, (*matrix.shape[:-2], shares.shape[-1]))
    transposed = np.swapaxes(matrix, -1, -2)
    inverse = np.einsum("...kv,...v->...k", np.linalg.pinv(transposed), shares)
    solved = _to_one(inverse)
    outside = ~(solved >= 0).all(-1)
    if not outside.any():
        return solved
    result = np.array(solved)
    some, seen = matrix[outside], shares[outside]
    rates = np.full((*some.shape[:-1],), 1.0 / some.shape[-2])
    for _ in range(iterations):
        mixed = np.einsum("...k,...kv->...v", rates, some)
        change = np.einsum("...kv,...v->...k", some, seen / np.maximum(mixed, 1e-300))
        updated = rates * change
        if np.abs(updated - rates).max() < 1e-10:
            rates = updated
            break
        rates = updated
    result[outside] = _to_one(rates)
    return result


def _to_one(rates: Array) -> Array:
    """Rates [..., K] as shares of their sum; NaN where that is no positive number."""
    rates = np.where(np.abs(rates) < NOTHING, 0.0, rates)
    total = rates.sum(-1, keepdims=True)
    shares = np.full_like(rates, np.nan)
    np.divide(rates, total, out=shares, where=total > SINGULAR)
    return shares


def posterior_method(draws: int) -> str:
    """The limits of `rates_by_confusion` in words."""
    return f"posterior of the confusion matrix ({draws} draws)"


def rates_by_confusion(
    test: ArrayLike,
    calibration: ArrayLike,
    *,
    confidence_level: float = 0.95,
    inflation: float = 1.0,
    draws: int = 4_000,
    seed: int = 1,
) -> tuple[Array, Array, Array]:
    """Rates [K] with limits when only the judge's confusion carries over (label shift).

    The multi-class Rogan-Gladen. Limits are quantiles of the rates over draws of the verdicts and
    of every row of the confusion matrix from their posteriors (half a count in each cell). NaN
    where an option has no label, the confusion matrix cannot be inverted, or the judge gave the
    pool only verdicts that it gave no labelled item.
    """
    test = points.floats(test) / inflation
    calibration = points.floats(calibration) / inflation
    size = calibration.shape[-2]
    labels = calibration.sum(-1)
    unknown = np.full(size, np.nan)
    if (labels <= 0).any() or test.sum() <= 0:
        return unknown, np.zeros(size), np.ones(size)
    confusion = calibration / labels[:, None]
    if np.linalg.svd(confusion, compute_uv=False)[-1] < SINGULAR:
        return unknown, np.zeros(size), np.ones(size)
    value = unmixed(test, confusion)
    if np.isnan(value).any():
        return unknown, np.zeros(size), np.ones(size)
    rng = np.random.default_rng(seed)
    seen = rng.dirichlet(test + PRIOR, draws)
    rows = np.stack([rng.dirichlet(row + PRIOR, draws) for row in calibration], axis=1)
    drawn = unmixed(seen, rows, iterations=300)
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return value, np.minimum(low, value), np.maximum(high, value)
