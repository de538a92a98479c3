"""The true rate behind a judge's rate: point estimates from counts.

Two arrays hold everything. `test[..., V]` counts the verdicts of items that nobody labelled, and
`calibration[..., R, V]` counts labelled items, rows = reference, columns = verdict. For a binary
task R = V = 2 and index 1 is the positive option. Leading axes are free: one study or ten thousand
simulated ones are the same call. Where an estimate does not exist the array holds NaN.

Numbers (i) to (v) are those of Lee et al. (2026), table 2. Each estimator needs one probability to
be the same among the labelled items and the test items; `estimate` says which (`estimators`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.agreement import ratio

__all__ = [
    "calibration_only",
    "conditional_calibration",
    "difference",
    "error_rates",
    "floats",
    "naive",
    "power_tuned",
    "power_tuning",
    "rogan_gladen",
    "stratified",
]

Array = NDArray[np.float64]


def floats(counts: ArrayLike) -> Array:
    """Counts as an array of floats."""
    return np.asarray(counts, dtype=np.float64)


def _share(counts: ArrayLike) -> Array:
    """The share of the positive option along the last axis."""
    counts = floats(counts)
    return ratio(counts[..., 1], counts.sum(-1))


def naive(test: ArrayLike) -> Array:
    """(i) The judge's own rate: right only when its two kinds of error happen to cancel."""
    return _share(test)


def calibration_only(calibration: ArrayLike) -> Array:
    """(ii) The rate among labelled items; the judge is not used."""
    return _share(floats(calibration).sum(-1))


def difference(test: ArrayLike, calibration: ArrayLike) -> Array:
    """(iii) The judge's rate plus its mean error on labelled items (prediction-powered inference,
    Angelopoulos et al. 2023)."""
    calibration = floats(calibration)
    return naive(test) + _share(calibration.sum(-1)) - _share(calibration.sum(-2))


def power_tuning(test: ArrayLike, calibration: ArrayLike) -> Array:
    """The weight of the judge that makes PPI++ shortest, within [0, 1] (Angelopoulos et al. 2023b).

    cov(reference, verdict) / ((1 + m / n) var(verdict)), with the covariance over m labelled items
    and the variance over all of them; 0 for a judge that gives one verdict only.
    """
    test, calibration = floats(test), floats(calibration)
    m, n = calibration.sum((-1, -2)), test.sum(-1)
    reference, verdict = calibration_only(calibration), _share(calibration.sum(-2))
    covariance = ratio(calibration[..., 1, 1], m) - reference * verdict
    everything = test + calibration.sum(-2)
    total = everything.sum(-1)
    rate = _share(everything)
    variance = rate * (1 - rate) * ratio(total, total - 1)
    weight = ratio(covariance * n, (n + m) * variance)
    return np.clip(np.where(variance > 0, weight, 0.0), 0.0, 1.0)


def power_tuned(test: ArrayLike, calibration: ArrayLike, weight: ArrayLike | None = None) -> Array:
    """PPI++: the labelled rate plus `weight` times what the judge adds (tuned when not given)."""
    calibration = floats(calibration)
    weight = power_tuning(test, calibration) if weight is None else floats(weight)
    return calibration_only(calibration) + weight * (naive(test) - _share(calibration.sum(-2)))


def conditional_calibration(test: ArrayLike, calibration: ArrayLike) -> Array:
    """(iv) The labelled rate within each verdict, weighted by the test's verdicts."""
    calibration, test = floats(calibration), floats(test)
    return stratified(test, calibration[..., 1, :], calibration.sum(-2))


def stratified(pool: ArrayLike, positives: ArrayLike, labelled: ArrayLike) -> Array:
    """The rate of a pool from labels drawn within its verdicts, or at random from it.

    Each of V verdicts is a stratum: of `labelled[..., V]` labels `positives[..., V]` are positive,
    and the stratum weighs as much as its share of the whole `pool[..., V]`, labelled items
    included. It is the maximum-likelihood, hence the efficient, estimate under both designs, and
    needs nothing of the judge. A verdict that no labelled item has borrows the rate of the others.
    """
    pool = floats(pool)
    positives, labelled = floats(positives), floats(labelled)
    overall = ratio(positives.sum(-1), labelled.sum(-1))
    rate = np.where(labelled > 0, ratio(positives, labelled), overall[..., None])
    return ratio((pool * rate).sum(-1), pool.sum(-1))


def error_rates(calibration: ArrayLike) -> tuple[Array, Array]:
    """Specificity and sensitivity, q0 and q1; NaN for a label that no item has.

    Specificity is the share of negatives not called positive: where a verdict may be neither (the
    judge abstained), that is more than the share called negative.
    """
    calibration = floats(calibration)
    negatives = calibration[..., 0, :]
    q0 = ratio(np.delete(negatives, 1, -1).sum(-1), negatives.sum(-1))
    q1 = ratio(calibration[..., 1, 1], calibration[..., 1, :].sum(-1))
    return q0, q1


def rogan_gladen(test: ArrayLike, calibration: ArrayLike) -> Array:
    """(v) The judge's rate corrected for its error rates, (p + q0 - 1) / (q0 + q1 - 1).

    Rogan and Gladen (1978), equation 5 of the paper; not clipped. NaN where q0 + q1 <= 1: a
    judge no better than a coin carries no information about the rate.
    """
    q0, q1 = error_rates(calibration)
    return ratio(naive(test) + q0 - 1, np.maximum(q0 + q1 - 1, 0))
