"""What each cluster contributes to an estimate: variances, covariances and design effects.

An estimate is a smooth function of counts summed over clusters. Its influence function, taken
numerically by leaving out a thousandth of one cluster at a time (the infinitesimal jackknife,
Efron 1982), gives the variance of any such estimate under the declared clusters, and the
covariance of estimates that share items or labels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.inference.clusters import design_effect, effective_clusters, few_cluster_factor

__all__ = ["Designs", "covariance", "designs", "inflation", "inflations", "influence", "variance"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Functional = Callable[[Array], Array]

STEP = 1e-3
#: The least share of the variance that one cluster is taken to leave to the others.
LEAST_LEFT = 0.05
#: Clusters that carry the variance of lone items which it takes to believe the design effect they
#: show as much as the largest possible one; chosen by simulated coverage among 1, 2, 4 and 8.
DOUBT = 2.0


class Designs(NamedTuple):
    """What clusters do to the estimates of R studies, each [R].

    `carriers` is the effective number of clusters that what varies among the items comes from: of
    a rare option, the clusters with it. `cautious` is the design effect drawn towards the largest
    possible one (all items of a cluster alike) by how few they are: an option that was seen in two
    clusters does not tell how it hangs together.
    """

    effect: Array
    effective: Array
    cautious: Array
    carriers: Array

    def inflations(self, confidence_level: float) -> Array:
        """What to divide counts by: the effect with Student's t, or the cautious one if larger."""
        t = [few_cluster_factor(float(one), confidence_level) for one in self.effective]
        found: Array = np.maximum(self.effect * np.square(t), self.cautious)
        return found


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
    kinds: Ints | None = None,
    confidence_level: float,
) -> float:
    """By how much to divide counts so that an interval for independent items fits clusters.

    The design effect of the estimate (its variance over clusters against that over independent
    items, at least 1), times the square of Student's to the normal quantile. NaN where either
    variance is unknown.

    Clusters do not weigh alike: labelled items move an estimate more than others, and large
    clusters more than small ones. `shares` says how much of the variance each cluster would have if
    its items were independent, those of one of the `kinds` varying alike. A cluster's influence is
    divided by the root of what it leaves to the others, and the degrees of freedom are the
    effective number of clusters behind the variance (sum^2 / sum of squares) less one: eight
    labelled clusters among forty are eight. A cluster of m items varies as its share times
    1 + rho (m - 1), rho the correlation that makes their sum the design effect. It is no less than
    the `cautious` effect of `Designs`.
    """
    counts, times = clustered
    lone = (independent[0], independent[1][None])
    found = inflations(
        (counts[None], times), lone, functional, kinds=kinds, confidence_level=confidence_level
    )
    return float(found[0])


def inflations(
    clustered: tuple[Array, Ints],
    independent: tuple[Array, Array | Ints],
    functional: Functional,
    *,
    kinds: Ints | None = None,
    confidence_level: float,
) -> Array:
    """`inflation` of R studies at once: counts [R, C, ...], and weights [R, L] of L lone items."""
    return designs(clustered, independent, functional, kinds=kinds).inflations(confidence_level)


def designs(
    clustered: tuple[Array, Ints],
    independent: tuple[Array, Array | Ints],
    functional: Functional,
    *,
    kinds: Ints | None = None,
) -> Designs:
    """What is behind `inflations`."""
    (counts, times), (items, weight) = clustered, independent
    studies = len(counts)
    flat, cells = counts.reshape(studies, len(times), -1), items.reshape(len(items), -1)
    alone = _influences(
        (weight @ cells).reshape(studies, 1, *items.shape[1:]), items[None], functional
    )
    alone = np.where(weight > 0, alone, 0.0)
    size = weight.sum(-1)
    mean = (weight * alone).sum(-1) / np.maximum(size, 1e-300)
    within = (weight * (alone - mean[:, None]) ** 2).sum(-1)
    within = ratio(within * size, size - 1)
    squares = alone**2 if kinds is None else _mean_by(kinds, alone**2, weight)
    shares = np.einsum("rcx,rx->rc", flat, squares @ cells)
    varied = np.maximum(shares @ times, 1e-300)
    shares = shares / varied[:, None]
    total = np.einsum("c,rcx->rx", times.astype(float), flat)
    moved = _influences(total.reshape(studies, 1, *counts.shape[2:]), counts, functional)
    between = (moved**2 / np.maximum(1 - shares, LEAST_LEFT)) @ times
    # Items of one cluster that are alike make large clusters vary more than their shares.
    together = shares * np.maximum(flat.sum(-1) - 1, 0.0)
    alike = ratio(ratio(moved**2 @ times, within) - 1, together @ times)
    varying = shares + np.clip(np.nan_to_num(alike), 0.0, 1.0)[:, None] * together
    effective = np.maximum(effective_clusters(varying.T, times), 2.0)
    known = (times.sum() >= 2) & np.isfinite(within) & np.isfinite(between)
    effect = np.where(known, design_effect(between, within), np.nan)
    # Where an influence is unknown the effect is, too, and with it all that follows.
    carried = np.einsum("rcx,rx->rc", flat, np.nan_to_num(alone) ** 2 @ cells)
    carriers = np.maximum(effective_clusters(carried.T, times), 1.0)
    largest = np.einsum("rcx,rx->rc", flat, np.sqrt(squares) @ cells) ** 2 @ times / varied
    caution = DOUBT / (DOUBT + carriers)
    cautious = effect ** (1 - caution) * np.fmax(effect, largest) ** caution
    return Designs(effect, effective, cautious, carriers)


def _influences(total: Array, parts: Array, functional: Functional) -> Array:
    """The influence of every part [R, C, ...] on `functional` of the totals [R, 1, ...]."""
    result: Array = (functional(total) - functional(total - STEP * parts)) / STEP
    return result


def _mean_by(kinds: Ints, values: Array, weights: Array | Ints) -> Array:
    """The weighted mean of each value's kind, along the last axis."""
    member = np.eye(int(kinds.max(initial=0)) + 1)[kinds]
    sums, size = (values * weights) @ member, weights @ member
    result: Array = (sums / np.maximum(size, 1e-300))[..., kinds]
    return result
