"""Two versions of a judge on the same items: what changed, with paired uncertainty.

The two verdicts on an item share the item's difficulty and its reference, so that the change of a
coefficient is known far better than the two coefficients are. Everything is a function of the
joint counts reference x old verdict x new verdict, a cluster axis in front: they give the old
table and the new table together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

import numpy as np
import numpy.typing as npt

from goldassay.counts import Resolution, Units, declared_modes, verdict_shares
from goldassay.formulas import agreement as coefficients
from goldassay.inference.changes import Joint, Statistic, change, change_limits
from goldassay.inference.clusters import cluster_sums, distinct_clusters
from goldassay.questions.cluster_sizes import doubt_said
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

#: Coefficients between -1 and 1; the others lie between 0 and 1.
FROM_MINUS_ONE = frozenset({"youden_j", "cohen_kappa", "scott_pi", "phi"})
#: What stands at a number whose interval may be too short.
ONE_SIDED_CLUSTERS = (
    "nearly all changed items changed the same way and they come by clusters: clusters not seen "
    "may hold more of them, and the interval may be too short"
)


def joint_counts(units: Units, old: str, new: str) -> Joint:
    """Count reference, old and new verdict of every unit that has all three.

    Reference, abstentions, invalid verdicts and ties follow the task's rules, as in `goldassay
    agree`. A judge that was sampled several times has a share of its samples for each verdict;
    given the item, samples of the two versions are independent, so that their joint share is the
    product.
    """
    shares = [verdict_shares(units, one) for one in (old, new)]
    cells = Resolution(units, declared_modes(units.task)).joint(*shares)
    used = cells.any((1, 2, 3))
    cells, n = cells[used], units.n[used]
    cluster = None if units.single else np.unique(units.cluster[used], return_inverse=True)[1]
    counts, multiplicity = distinct_clusters(*cluster_sums(cells, n, cluster))
    return Joint(counts, multiplicity, int(n.sum()), not units.single)


def statistics_of(task: Task) -> dict[str, Statistic]:
    """The coefficients of a table [..., K, K] that a change is reported for, by scale."""
    resolved = task.tie is not None and task.ties != "class"
    options = len(task.options) - resolved  # the classes beyond have no F1
    found: dict[str, Statistic] = {
        "accuracy": coefficients.accuracy,
        "balanced_accuracy": coefficients.balanced_accuracy,
        "youden_j": coefficients.youden_j,
        "macro_f1": partial(coefficients.macro_f1, options=options),
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
    joint: Joint, statistics: Mapping[str, Statistic], *, confidence_level: float
) -> dict[str, Result]:
    """The change (new minus old) of each statistic, with an interval over the shared items.

    The interval is that of `inference.changes`; one cluster gives none. Where nearly all changed
    items changed the same way and come by clusters, the number says that its interval may be too
    short: no method that was tried covers there. So it does of few clusters of unequal sizes, which
    hardly show whether large ones change otherwise, and of very unequal ones where these do.
    """
    if joint.n_items == 0:
        return {
            name: Undefined(name, "no item has both verdicts and a reference")
            for name in statistics
        }
    found: dict[str, Result] = {}
    for name, statistic in statistics.items():
        value = float(change(statistic, joint.total))
        if math.isnan(value):
            reason = "undefined for one of the two versions on the shared items"
            found[name] = Undefined(name, reason, joint.n_items)
            continue
        if joint.clustered and joint.n_clusters < 2:
            warning = "no interval: one cluster says nothing of others"
            found[name] = Estimate(name, value, None, joint.n_items, 1, warnings=(warning,))
            continue
        limits = change_limits(joint, statistic, confidence_level=confidence_level)
        most = 2.0 if name in FROM_MINUS_ONE else 1.0
        interval = Interval(
            max(limits.low, -most), min(limits.high, most), confidence_level, limits.method
        )
        warnings = (
            *((ONE_SIDED_CLUSTERS,) if limits.doubtful else ()),
            *doubt_said(limits.by_size),
        )
        found[name] = Estimate(
            name, value, interval, joint.n_items, joint.n_clusters, warnings=warnings
        )
    return found


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
