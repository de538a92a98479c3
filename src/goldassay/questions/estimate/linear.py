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
from goldassay.inference.cluster_spread import degrees_of_variances, reaches_by_sizes
from goldassay.inference.clusters import LARGEST_SHARE, effective_clusters, few_cluster_factor
from goldassay.inference.proportions import normal_quantile

__all__ = ["Designs", "covariance", "designs", "inflation", "inflations", "influence", "variance"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Functional = Callable[[Array], Array]

STEP = 1e-3
#: The least share of the variance that one cluster is taken to leave to the others.
LEAST_LEFT = 0.05
#: Of an item in every cell, where what is there does not vary.
HALF = 0.5
#: How far what few clusters show is doubted, where all that varies comes from a few of many: so
#: many carriers are believed as much as the largest possible effect. By simulated coverage.
DOUBT = 4.0
#: How far degrees of freedom go (in logarithms) from those of clusters whose items are unlike to
#: those of clusters as alike as these look, which is itself a guess. On drawn settings 0 fell short
#: where sizes are heavy-tailed and items alike, and a half was longer than need be with one giant
#: cluster; a third lies between a quarter, which held there, and a half, and was not itself tuned.
ALIKE = 1 / 3
#: With fewer effective clusters behind what varies they do not tell how clusters differ, unless
#: there are so few in all that Student's t reaches far.
FEWEST_CARRIERS, FEW_CLUSTERS = 3.0, 8.0


class Designs(NamedTuple):
    """What clusters do to the estimates of R studies, each [R].

    `effect` is the variance over clusters against that of lone items; by chance it may be below 1.
    `effective` clusters of one size know their spread as well. `carriers` is the effective number
    of clusters that what varies among the items comes from: of a rare option, the clusters with
    it. `cautious` is the design effect (at least 1) drawn towards the largest possible one (all
    items of a cluster alike) where carriers are few among those that could be: an option that was
    seen in two clusters of forty does not tell how it hangs together. Where large clusters are of
    another kind than small ones, ends lie `down` and `up` times as far (`reaches_by_size`; at 95 %,
    which stands for every level).
    """

    effect: Array
    effective: Array
    cautious: Array
    carriers: Array
    down: Array
    up: Array

    @property
    def hang_on_few(self) -> NDArray[np.bool_]:
        """Whether what varies comes from one or two of many clusters."""
        return (self.carriers < FEWEST_CARRIERS) & (self.effective > FEW_CLUSTERS)

    def inflations(self, confidence_level: float) -> Array:
        """What to divide counts by: the effect with Student's t, or the cautious one if larger."""
        t = [few_cluster_factor(float(one), confidence_level) for one in self.effective]
        found: Array = np.maximum(self.effect * np.square(t), self.cautious)
        return found

    def moved(self, value: Array, low: Array, high: Array) -> tuple[Array, Array]:
        """Ends of rates as far out as sizes tell."""
        further = value - self.down * (value - low), value + self.up * (high - value)
        return np.fmin(low, np.fmax(further[0], 0.0)), np.fmax(high, np.fmin(further[1], 1.0))


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
    items) times the square of Student's to the normal quantile, and no less than the `cautious`
    effect of `Designs`: clusters that vary less than lone items do so by chance, and an interval
    is no shorter than that of lone items. NaN where either variance is unknown.

    Clusters do not weigh alike: labelled items move an estimate more than others, and large
    clusters more than small ones. What a cluster moves is its influence times what the estimate
    changes by when it is left out, which is the square of the influence over what the cluster
    leaves to the others (CR2 divides residuals so), whichever of labels and verdicts it has many
    of. `shares` says how much of the variance each cluster would have if its items were
    independent, those of one of the `kinds` varying alike; from them Satterthwaite's degrees of
    freedom: eight labelled clusters among forty are eight. Like items make large clusters vary
    more than their shares, which takes degrees of freedom away (`ALIKE`).
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
    carried = np.einsum("rcx,rx->rc", flat, np.nan_to_num(alone) ** 2 @ cells)
    nothing = within <= 0
    if nothing.any():  # nobody has the option, or all: what would vary if some had it
        few = (weight @ cells + HALF).reshape(studies, 1, *items.shape[1:])
        alone = np.where(nothing[:, None], _influences(few, items[None], functional), alone)
    squares = alone**2 if kinds is None else _mean_by(kinds, alone**2, weight)
    shares = np.einsum("rcx,rx->rc", flat, squares @ cells)
    varied = np.maximum(shares @ times, 1e-300)
    shares = shares / varied[:, None]
    total = np.einsum("c,rcx->rx", times.astype(float), flat)
    total = total.reshape(studies, 1, *counts.shape[2:])
    moved = _influences(total, counts, functional)
    between = _between(moved, total, counts, functional) @ times
    effect = np.where(times.sum() >= 2, np.where(nothing, 1.0, ratio(between, within)), np.nan)
    # Were all items of a cluster alike, the largest variances that clusters can have.
    most = np.einsum("rcx,rx->rc", flat, np.sqrt(squares) @ cells) ** 2 / varied[:, None]
    largest, more = most @ times, np.maximum(most - shares, 0.0)
    alike = np.clip(np.nan_to_num(ratio(effect - 1, more @ times)), 0.0, 1.0)
    effective = 1 + _degrees(shares, shares + alike[:, None] * more, times)
    # Where an influence is unknown the effect is, too, and with it all that follows.
    carriers = np.maximum(effective_clusters(carried.T, times), 1.0)
    missing = 1 - ratio(carriers, effective_clusters(shares.T, times))
    doubt = DOUBT * np.clip(np.nan_to_num(missing), 0.0, 1.0)
    caution = np.where(nothing, 1.0, doubt / (doubt + carriers))
    least = np.maximum(effect, 1.0)
    cautious = least ** (1 - caution) * np.fmax(least, largest) ** caution
    t = [few_cluster_factor(float(one), 0.95) for one in np.nan_to_num(effective, nan=2.0)]
    reach = float(normal_quantile(0.975)) * np.array(t)
    down, up = reaches_by_sizes(np.nan_to_num(moved), flat.sum(-1), times, reach)
    return Designs(effect, effective, cautious, carriers, down, up)


def _degrees(shares: Array, varying: Array, times: Ints) -> Array:
    """Degrees of freedom of clusters [R, C] with these shares that vary like this."""
    h, number = np.minimum(shares, LARGEST_SHARE).T, times.astype(float)
    unlike, alike = (degrees_of_variances(h, v.T, number)[0] for v in (shares, varying))
    found: Array = unlike ** (1 - ALIKE) * alike**ALIKE
    return found


def _between(moved: Array, total: Array, counts: Array, functional: Functional) -> Array:
    """What clusters [R, C] add to the variance: their influence times what leaving them out does.

    Where nothing is left without a cluster, as much as one is taken to add at most.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        without = functional(total) - functional(total - counts)
    most = moved**2 / LEAST_LEFT
    return np.clip(np.where(np.isnan(without), most, moved * without), moved**2, most)


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
