"""Does a judge put systems in people's order? The share of pairs, and how sure that is.

Noise in either ranking only hides agreement, and a resample adds the same noise again, so that the
percentiles of resampled agreements miss the truth where systems are close (they covered 0 to 3 % in
places). `goldassay.inference.orders` tests instead how much closer to full agreement the truth
could be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Tables, Units
from goldassay.formulas import agreement as coefficients
from goldassay.inference.clusters import distinct_clusters
from goldassay.inference.comparison import Comparison
from goldassay.inference.orders import SeenAgreement, Side, agreement_interval, order_worlds
from goldassay.questions.select.candidates import MOST_APART, Candidates
from goldassay.results import Interval

__all__ = [
    "Orders",
    "candidates_sums",
    "order_agreement",
    "order_differences",
    "order_interval",
    "system_sums",
]

Array = NDArray[np.float64]


def system_sums(units: Units, found: Tables) -> Array:
    """For each cluster and system: decisions, people's and the judge's sum of values [C, S, 3].

    `found` are the candidate's tables of the units. The value of an option is 1 for the positive
    one and 0 for the others, or its position on an ordinal scale. Clusters are patterns where each
    unit is one (times their multiplicity).
    """
    task, systems = units.task, units.by["system"]
    tables, value = found.cells, np.zeros(len(found.labels))
    if task.scale == "ordinal":
        value[: found.size] = np.arange(found.size)
    elif task.positive in found.labels:
        value[found.labels.index(task.positive)] = 1.0
    people = np.einsum("prv,r->p", tables, value)
    judge = np.einsum("prv,v->p", tables, value)
    sums = np.stack([tables.sum((1, 2)), people, judge], axis=-1)
    clusters = len(units.n) if units.single else units.n_clusters
    out = np.zeros((clusters, len(systems.labels), 3))
    where = np.arange(clusters) if units.single else units.cluster
    times = np.ones(len(units.n)) if units.single else units.n
    np.add.at(out, (where, systems.codes), sums * times[:, None])
    return out


def candidates_sums(candidates: Candidates) -> tuple[Array, NDArray[np.int64]]:
    """Sums by cluster, candidate and system [C, J, S, 3], and how many clusters have each."""
    units = candidates.units
    clusters = len(units.n) if units.single else units.n_clusters
    times = units.n if units.single else np.ones(clusters, dtype=np.int64)
    sums = [system_sums(units, candidates.shared_tables(j)) for j in range(len(candidates.names))]
    return distinct_clusters(np.stack(sums, 1), times, apart_up_to=MOST_APART)


def _gaps(sums: Array) -> Array:
    """Differences of the systems' means, people's and the judge's: [..., 2, pairs]."""
    means = coefficients.ratio(np.moveaxis(sums[..., 1:], -1, -2), sums[..., None, :, 0])
    first, second = np.triu_indices(sums.shape[-2], 1)
    return np.asarray(means[..., first] - means[..., second])


def order_agreement(sums: Array) -> Array:
    """Share of pairs of systems in people's order, from sums [..., S, 3]; a tie counts half.

    Systems without decisions are left out of all pairs; NaN when fewer than two remain, or when
    people put all of them level.
    """
    gaps = np.sign(np.round(_gaps(sums), 12))
    people, judge = gaps[..., 0, :], gaps[..., 1, :]
    known = np.isfinite(people) & (people != 0)
    right = np.where(judge == 0, 0.5, judge == people)
    return coefficients.ratio(np.where(known, right, 0.0).sum(-1), known.sum(-1))


def _agreement(judge: Array, people: Array) -> Array:
    """The same from the systems' means [..., S] on each side."""
    ones = np.ones(np.broadcast_shapes(judge.shape, people.shape))
    return order_agreement(np.stack([ones, people * ones, judge * ones], -1))


def order_interval(
    total: Array, drawn: Array, value: float, *, n_clusters: int, confidence_level: float
) -> Interval | None:
    """The interval of one judge's agreement, from sums [S, 3] and their draws [B, S, 3].

    Systems without decisions are left out; None when a draw of the others leaves none.
    """
    used = total[:, 0] > 0
    people, judge = (coefficients.ratio(total[used, k], total[used, 0]) for k in (1, 2))
    draws = [coefficients.ratio(drawn[:, used, k], drawn[:, used, 0]) for k in (1, 2)]
    whole = np.isfinite(draws[0]).all(1) & np.isfinite(draws[1]).all(1)
    if not np.isfinite(value) or n_clusters < 2 or whole.sum() < 20:
        return None
    sides = Side(judge, draws[1][whole]), Side(people, draws[0][whole])
    low, high = agreement_interval(
        SeenAgreement(_agreement, value, _agreement(draws[1][whole], draws[0][whole]), null=0.5),
        lambda towards: order_worlds(*sides, towards=towards),
        confidence_level=confidence_level,
        n_clusters=n_clusters,
    )
    if not np.isfinite(low + high):
        return None
    low, high = max(0.0, min(low, value)), min(1.0, max(high, value))
    return Interval(low, high, confidence_level, "tested against closer orders of the systems")


def order_differences(values: Array, ends: Array) -> tuple[Array, Array]:
    """Joint ends [J, J] of differences of agreements from each judge's own ends [J, 2].

    Zou and Donner's (2008) square-and-add, which wants ends at a level that holds for all pairs
    at once, and is on the safe side for judges that rise and fall together.
    """
    down, up = values - ends[:, 0], ends[:, 1] - values
    difference = values[:, None] - values[None, :]
    low = difference - np.hypot(down[:, None], up[None, :])
    high = difference + np.hypot(up[:, None], down[None, :])
    return low, high


@dataclass(frozen=True)
class Orders:
    """Systems as people and the candidates order them: sums [J, S, 3], in draws [B, J, S, 3]."""

    total: Array
    drawn: Array
    n_clusters: int

    @property
    def values(self) -> Array:
        return order_agreement(self.total)

    @property
    def sample(self) -> Array:
        return order_agreement(self.drawn)

    def intervals(self, confidence_level: float) -> list[Interval | None]:
        """The interval of each candidate's agreement."""
        return [
            order_interval(
                self.total[j],
                self.drawn[:, j],
                float(value),
                n_clusters=self.n_clusters,
                confidence_level=confidence_level,
            )
            for j, value in enumerate(self.values)
        ]

    def joint(self, found: Comparison, known: NDArray[np.intp]) -> Comparison:
        """The comparison of the `known` candidates with differences that cover, all at once."""
        pairs = max(len(known) * (len(known) - 1) // 2, 1)
        intervals = self.intervals(1 - (1 - found.confidence_level) / pairs)
        ends = np.array([[one.low, one.high] if one else [0.0, 1.0] for one in intervals])[known]
        low, high = order_differences(self.values[known], ends)
        return replace(found, low=low, high=high)
