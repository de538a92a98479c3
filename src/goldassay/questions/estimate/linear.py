"""What each cluster contributes to an estimate: variances, covariances and design effects.

An estimate is a smooth function of counts summed over clusters. Its influence function, taken
numerically by leaving out a thousandth of one cluster at a time (the infinitesimal jackknife,
Efron 1982), gives the variance of any such estimate under the declared clusters, and the
covariance of estimates that share items or labels.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.clusters import design_effect, few_cluster_factor

__all__ = ["covariance", "inflation", "influence", "variance"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Functional = Callable[[Array], Array]

STEP = 1e-3


def influence(counts: Array, multiplicity: Ints, functional: Functional) -> Array:
    """The influence of each distinct cluster [C, ...] on `functional` of the summed counts.

    `functional` maps counts with free leading axes [..., *shape] to values [..., *out]. An entry
    is NaN where the estimate is.
    """
    total = np.tensordot(multiplicity.astype(float), counts, axes=1)
    value = functional(total[None])[0]
    result: Array = (value - functional(total[None] - STEP * counts)) / STEP
    return result


def covariance(influences: Array, multiplicity: Ints) -> Array:
    """The covariance matrix of estimates from their influences [C, E] over independent clusters."""
    clusters = float(multiplicity.sum())
    mean = np.average(influences, axis=0, weights=multiplicity)
    centred = influences - mean
    result: Array = (centred * multiplicity[:, None]).T @ centred
    return result * (clusters / (clusters - 1) if clusters > 1 else np.nan)


def variance(counts: Array, multiplicity: Ints, functional: Functional) -> float:
    """The variance of one estimate over independent clusters; NaN where it is unknown."""
    return float(
        covariance(influence(counts, multiplicity, functional)[:, None], multiplicity)[0, 0]
    )


def inflation(
    clustered: tuple[Array, Ints],
    independent: tuple[Array, Ints],
    functional: Functional,
    *,
    confidence_level: float,
) -> float:
    """By how much to divide counts so that an interval for independent items fits clusters.

    The design effect of the estimate (its variance over clusters against that over independent
    items, at least 1), times the square of Student's to the normal quantile with as many degrees of
    freedom as clusters less one. NaN where either variance is unknown.
    """
    between, within = variance(*clustered, functional), variance(*independent, functional)
    clusters = int(clustered[1].sum())
    if clusters < 2 or not np.isfinite(between) or not np.isfinite(within):
        return float("nan")
    effect = float(design_effect(between, within))
    return effect * few_cluster_factor(clusters, confidence_level) ** 2
