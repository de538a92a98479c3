"""Does a judge put systems in people's order? The share of pairs, and how sure that is.

What is counted, and its interval, are those of `goldassay rank`: the mean score of each system over
all prompts that a side has (a row's `score`; else 1 for the positive option, or the place of a
grade), prompts resampled whole, and the model of two noisy orders (`goldassay.inference.orders`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import ScoreMatrix
from goldassay.formulas.agreement import ratio
from goldassay.formulas.orders import mean_scores
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import multiplicities
from goldassay.inference.clusters import worth_in_equal_clusters
from goldassay.inference.comparison import Comparison
from goldassay.inference.order_model import Ends
from goldassay.inference.orders import Side, agreement_ends, joint_differences, joint_level
from goldassay.results import Interval

__all__ = ["Orders", "order_agreement", "orders_of"]

Array = NDArray[np.float64]


def order_agreement(judge: Array, people: Array) -> Array:
    """Share of pairs of systems in people's order, from scores [..., S]; a judge's tie is half.

    Systems without a score on either side are left out of all pairs; NaN when fewer than two
    remain, or when people put all of them level.
    """
    first, second = np.triu_indices(np.shape(judge)[-1], 1)
    ours, theirs = (np.sign(one[..., first] - one[..., second]) for one in (judge, people))
    known = np.isfinite(theirs) & np.isfinite(ours) & (theirs != 0)
    right = np.where(ours == 0, 0.5, ours == theirs)
    return ratio(np.where(known, right, 0.0).sum(-1), known.sum(-1))


def _agreement(judge: Array, people: Array) -> Mapping[str, Array]:
    return {"pairs": order_agreement(judge, people)}


@dataclass(frozen=True)
class Orders:
    """Scores of the systems by candidates [J, S] and people [S], and resamples of them [B, ...]."""

    judges: Array
    people: Array
    drawn_judges: Array
    drawn_people: Array
    n_prompts: int
    n_clusters: int
    #: How many clusters of equally many prompts would know their spread as well.
    worth: float

    @property
    def values(self) -> Array:
        return order_agreement(self.judges, self.people)

    def intervals(self, confidence_level: float) -> list[Interval | None]:
        """The interval of each candidate's agreement."""
        method = f"prompt bootstrap (model of two noisy orders, {len(self.drawn_people)})"
        return [
            None if ends is None else Interval(*ends, confidence_level, method)
            for ends in self._ends(confidence_level)
        ]

    def _ends(self, confidence_level: float) -> list[Ends | None]:
        return [
            self._ends_of(j, confidence_level) if np.isfinite(value) else None
            for j, value in enumerate(self.values)
        ]

    def _ends_of(self, candidate: int, confidence_level: float) -> Ends | None:
        common = ~(np.isnan(self.judges[candidate]) | np.isnan(self.people))
        if self.n_clusters < 2:
            return None
        (found,) = agreement_ends(
            Side(self.judges[candidate, common], self.drawn_judges[:, candidate, common]),
            Side(self.people[common], self.drawn_people[:, common]),
            _agreement,
            n_clusters=self.worth,
            confidence_levels=[confidence_level],
        )
        return found["pairs"]

    def comparison(self, known: NDArray[np.intp], confidence_level: float) -> Comparison:
        """Differences between the `known` candidates that hold all at once.

        No number of items is forecast to tell two apart: what an order needs is prompts on which
        close systems differ, and the interval does not shrink with the root of their number.
        """
        values = self.values[known]
        found = self._ends(joint_level(confidence_level, len(known)))
        ends = np.array([found[j] or (0.0, 1.0) for j in known])
        low, high = joint_differences(values, ends)
        return Comparison(
            values[:, None] - values[None, :],
            low,
            high,
            np.full(low.shape, np.nan),
            np.inf,
            confidence_level,
        )


def orders_of(
    matrix: ScoreMatrix, candidates: Sequence[Sequence[str]], *, draws: int, seed: int
) -> Orders:
    """The orders by candidates, each one judge or several whose scores are averaged."""
    kept = [at for at, name in enumerate(matrix.systems) if name]
    n_clusters = int(matrix.cluster.max(initial=-1)) + 1
    own = np.array_equal(matrix.cluster, np.arange(len(matrix.items)))
    cluster = None if own else matrix.cluster
    # The very draw of `rank`, so that one seed gives one interval.
    rng = np.random.default_rng(seed)
    drawn = multiplicities(np.ones(n_clusters, np.int64), draws, rng)
    weights = np.concatenate([np.ones((1, n_clusters)), *drawn])
    at = {name: place for place, name in enumerate(matrix.judges)}
    nobody = np.full((len(matrix.items), len(kept)), np.nan)
    sides = []
    for members in candidates:
        cubes = [matrix.judge[at[name]][:, kept] for name in members if name in at]
        number = np.sum([~np.isnan(one) for one in cubes], axis=0) if cubes else nobody
        total = np.sum([np.nan_to_num(one) for one in cubes], axis=0) if cubes else nobody
        sides.append(mean_scores(ratio(total, number), weights, cluster))
    people = matrix.people
    theirs = mean_scores(nobody if people is None else people[:, kept], weights, cluster)
    judges = np.stack(sides, axis=1)
    worth = float(worth_in_equal_clusters(np.bincount(matrix.cluster).astype(np.float64)))
    sizes = len(matrix.items), n_clusters, worth
    return Orders(judges[0], theirs[0], judges[1:], theirs[1:], *sizes)
