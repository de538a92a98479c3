"""Two versions of a judge on the same items: what changed, with paired uncertainty.

The two verdicts on an item share the item's difficulty and its reference, so that the change of a
coefficient is known far better than the two coefficients are. Everything is a function of the
joint counts reference x old verdict x new verdict, a cluster axis in front: their draws give the
old table and the new table together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units, reference_weights
from goldassay.formulas import agreement as coefficients
from goldassay.inference.bootstrap import exponential_weights
from goldassay.inference.clusters import cluster_sums, distinct_clusters, few_cluster_tail
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = [
    "Joint",
    "Statistic",
    "independent_change",
    "joint_counts",
    "paired_changes",
    "statistics_of",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Statistic = Callable[[Floats], Floats]

#: Pseudo-counts of items on which only one version agrees with people: towards the end of the
#: interval in question, and away from it.
LEAN, COUNTER = 1.0, 0.25


@dataclass(frozen=True)
class Joint:
    """`counts[c, r, o, n]`: clusters of c with reference r, old verdict o and new verdict n.

    The last class of o and n is "no option" (abstained, invalid, failed); `multiplicity[c]`
    clusters have these counts; `clustered` when a cluster may hold several units.
    """

    counts: Floats
    multiplicity: Ints
    n_items: int
    clustered: bool

    @property
    def n_clusters(self) -> int:
        return int(self.multiplicity.sum())


def joint_counts(units: Units, old: str, new: str) -> Joint:
    """Count reference, old and new verdict of every unit that has all three.

    The reference follows the task's rule. A judge that was sampled several times has a share of its
    samples for each verdict, as in `goldassay agree`; given the item, samples of the two versions
    are independent, so that their joint share is the product.
    """
    size = len(units.options)
    reference, _, _ = reference_weights(units)
    before, after = (_shares(units.verdict[:, units.columns_of(one)], size) for one in (old, new))
    used = before.any(axis=1) & after.any(axis=1) & reference[:, :size].any(axis=1)
    weights, n = reference[used, :size] * units.weight[used, None], units.n[used]
    cells = np.einsum("pr,po,pn->pron", weights, before[used], after[used])
    cluster = None if units.single else np.unique(units.cluster[used], return_inverse=True)[1]
    counts, multiplicity = distinct_clusters(*cluster_sums(cells, n, cluster))
    return Joint(counts, multiplicity, int(n.sum()), not units.single)


def _shares(verdict: Ints, size: int) -> Floats:
    """Each unit's share of samples by option, and last of those that are none; 0 without any."""
    counts = np.stack(
        [(verdict == k).sum(axis=1) for k in range(size)] + [(verdict >= size).sum(axis=1)], axis=1
    ).astype(np.float64)
    shares: Floats = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return shares


def statistics_of(task: Task) -> dict[str, Statistic]:
    """The coefficients of a table [..., K, K] that a change is reported for, by scale."""
    found: dict[str, Statistic] = {
        "accuracy": coefficients.accuracy,
        "balanced_accuracy": coefficients.balanced_accuracy,
        "youden_j": coefficients.youden_j,
        "macro_f1": coefficients.macro_f1,
        "cohen_kappa": coefficients.cohen_kappa,
        "scott_pi": coefficients.scott_pi,
    }
    if task.scale == "binary" and task.positive is not None:
        positive = task.options.index(task.positive)
        found["phi"] = coefficients.phi
        for name in ("sensitivity", "specificity", "precision", "f1"):
            found[name] = partial(getattr(coefficients, name), positive=positive)
        found["recall"] = found["sensitivity"]
    return found


def paired_changes(
    joint: Joint,
    statistics: Mapping[str, Statistic],
    *,
    draws: int,
    seed: int,
    confidence_level: float,
) -> dict[str, Result]:
    """The change (new minus old) of each statistic, with an interval over the shared items.

    Every cluster gets a standard exponential weight (Rubin 1981); for clusters of one unit that
    is a Dirichlet draw of the joint table. As in `intervals`, the ends are hedged: the lower is
    read with one pseudo-item that only the old version gets right (and a quarter of one that
    only the new does), the upper with the mirror image, so that "no item changed" is not taken
    for certainty. Tails are moved out for few clusters as Student's t does for a mean; one cluster
    gives no interval.
    """
    if joint.n_items == 0:
        return {
            name: Undefined(name, "no item has both verdicts and a reference")
            for name in statistics
        }
    rng = np.random.default_rng(seed)
    total = np.tensordot(joint.multiplicity, joint.counts, axes=1)
    flat = joint.counts.reshape(len(joint.counts), -1)
    weights = exponential_weights(joint.multiplicity, draws, rng)
    base = (weights @ flat).reshape(draws, *joint.counts.shape[1:])
    scale, tail = 1.0, (1 - confidence_level) / 2
    if joint.clustered:
        scale = total.sum() / joint.n_clusters
        tail = few_cluster_tail(joint.n_clusters, confidence_level, resampling="bayesian")
    lower = base + scale * _pseudo(base.shape, rng, for_old=LEAN, for_new=COUNTER)
    upper = base + scale * _pseudo(base.shape, rng, for_old=COUNTER, for_new=LEAN)
    found: dict[str, Result] = {}
    for name, statistic in statistics.items():
        value = float(_change(statistic, total[None])[0])
        if math.isnan(value):
            reason = "undefined for one of the two versions on the shared items"
            found[name] = Undefined(name, reason, joint.n_items)
            continue
        if joint.clustered and joint.n_clusters < 2:
            warning = "no interval: one cluster says nothing of others"
            found[name] = Estimate(name, value, None, joint.n_items, 1, warnings=(warning,))
            continue
        below, above = _change(statistic, lower), _change(statistic, upper)
        low = min(float(np.nanquantile(below, tail)), value)
        high = max(float(np.nanquantile(above, 1 - tail)), value)
        unit = f"{joint.n_clusters} clusters" if joint.clustered else "items"
        method = f"paired hedged posterior ({draws} draws over {unit})"
        interval = Interval(low, high, confidence_level, method)
        found[name] = Estimate(name, value, interval, joint.n_items, joint.n_clusters)
    return found


def _change(statistic: Statistic, joint: Floats) -> Floats:
    """The statistic of the new table minus that of the old; each on the items it covers."""
    size = joint.shape[-3]
    old = joint.sum(axis=-1)[..., :size]
    new = joint.sum(axis=-2)[..., :size]
    return statistic(new) - statistic(old)


def _pseudo(
    shape: tuple[int, ...], rng: np.random.Generator, *, for_old: float, for_new: float
) -> Floats:
    """Pseudo-items on which one version alone agrees with the reference, spread evenly."""
    size = shape[1]
    reference, old, new = np.ogrid[:size, : size + 1, : size + 1]
    options = (old < size) & (new < size)
    only_old = options & (old == reference) & (new != reference)
    only_new = options & (new == reference) & (old != reference)
    mean = for_old * only_old / only_old.sum() + for_new * only_new / only_new.sum()
    return rng.standard_gamma(np.broadcast_to(mean, shape))


def independent_change(
    name: str,
    old: tuple[float, float | None, float | None],
    new: tuple[float, float | None, float | None],
    *,
    confidence_level: float,
) -> Estimate:
    """The change between two estimates (value, low, high) of different items.

    The square-and-add interval (MOVER; Zou and Donner 2008): each end recovers the variance from
    the end of each interval that lies towards it. On the same items it is usually too long.
    """
    change = new[0] - old[0]
    ends = [end for end in (*old[1:], *new[1:]) if end is not None]
    if len(ends) < 4:
        return Estimate(name, change)
    old_low, old_high, new_low, new_high = ends
    low = change - math.hypot(new[0] - new_low, old_high - old[0])
    high = change + math.hypot(new_high - new[0], old[0] - old_low)
    method = "square-and-add, as if on different items"
    return Estimate(name, change, Interval(low, high, confidence_level, method))
