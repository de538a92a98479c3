"""Two orders of the same systems: percentile ends of resamples, and intervals of their agreement.

Whatever compares a judge's order of systems with people's, in any verb, asks `agreement_ends`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.clusters import few_cluster_tail
from goldassay.inference.order_model import (
    Ends,
    Seen,
    Statistics,
    noise_of,
    normal_scores,
    order_intervals,
)

__all__ = [
    "TELLS_NOTHING",
    "Side",
    "agreement_ends",
    "joint_differences",
    "joint_level",
    "percentile_ends",
    "seen_orders",
]

Floats = NDArray[np.float64]

#: An interval of tau that goes this far to both sides says nothing about how far orders agree.
TELLS_NOTHING = 0.5


@dataclass(frozen=True)
class Side:
    """One side of a comparison: observed [S], resampled [B, S] (None when it is given)."""

    observed: Floats
    resampled: Floats | None


def seen_orders(judge: Side, people: Side, n_clusters: float) -> Seen:
    """What two sides show of the systems, with the noise that their resamples have."""
    assert judge.resampled is not None
    given = people.resampled is None
    return Seen(
        judge.observed,
        normal_scores(people.observed) if given else people.observed,
        noise_of(judge.resampled, people.resampled, n_clusters),
        n_clusters,
    )


def agreement_ends(
    judge: Side,
    people: Side,
    statistics: Statistics,
    *,
    n_clusters: float,
    confidence_levels: Sequence[float],
) -> tuple[Mapping[str, Ends], ...]:
    """Ends of the intervals, at each level, of statistics that rise with two orders' agreement.

    Estimated is the agreement that unlimited prompts would show (`order_model`). Where people's
    order is given it stands as it is, ties too. An interval holds what was seen. `n_clusters` are
    as many equal ones as the clusters are worth.
    """

    def of(one: Floats, other: Floats) -> Mapping[str, Floats]:
        return statistics(one, people.observed if people.resampled is None else other)

    seen = seen_orders(judge, people, n_clusters)
    value = statistics(judge.observed[None], people.observed[None])
    return tuple(
        {
            name: (min(low, float(value[name][0])), max(high, float(value[name][0])))
            for name, (low, high) in found.items()
        }
        for found in order_intervals(seen, of, confidence_levels=confidence_levels)
    )


def joint_level(confidence_level: float, judges: int) -> float:
    """The level of each judge's interval with which all differences between them hold at once."""
    return 1 - (1 - confidence_level) / max(judges * (judges - 1) // 2, 1)


def joint_differences(values: Floats, ends: Floats) -> tuple[Floats, Floats]:
    """Joint ends [J, J] of differences of agreements from each judge's own ends [J, 2].

    Zou and Donner's (2008) square-and-add, which wants ends at a level that holds for all pairs
    at once, and is on the safe side for judges that rise and fall together.
    """
    down, up = values - ends[:, 0], ends[:, 1] - values
    difference = values[:, None] - values[None, :]
    low = difference - np.hypot(down[:, None], up[None, :])
    high = difference + np.hypot(up[:, None], down[None, :])
    return low, high


def percentile_ends(
    replicates: Floats, *, confidence_level: float, n_clusters: float
) -> tuple[Floats, Floats]:
    """Percentile ends of replicates [B, ...], widened for few clusters; infinities are kept.

    The tails are those of Student's t with n - 1 degrees of freedom and the divisor n - 1 instead
    of n ("expanded percentile", Hesterberg 2015): plain percentiles are too short for few clusters.
    NaN replicates are left out; NaN where fewer than half remain.
    """
    tail = (1 - confidence_level) / 2
    if n_clusters > 1:
        tail = few_cluster_tail(n_clusters, confidence_level, resampling="bootstrap")
    ordered = np.sort(replicates, axis=0)  # NaN last
    known = (~np.isnan(ordered)).sum(axis=0)
    ends = []
    for share in (tail, 1 - tail):
        place = share * np.maximum(known - 1, 0)
        below = np.floor(place).astype(np.int64)
        above = np.minimum(below + 1, np.maximum(known - 1, 0))
        low, high = (np.take_along_axis(ordered, i[None, ...], axis=0)[0] for i in (below, above))
        finite = np.isfinite(low) & np.isfinite(high)
        with np.errstate(invalid="ignore"):
            value = low + np.where(finite, high - low, 0.0) * (place - below)
        outer = low if share < 0.5 else high  # next to an infinity, the outer neighbour
        value = np.where(finite, value, outer)
        ends.append(np.where(2 * known >= len(replicates), value, np.nan))
    return ends[0], ends[1]
