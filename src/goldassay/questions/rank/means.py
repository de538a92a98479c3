"""Intervals of systems' mean scores on a scale without known ends.

No score there is an end that a prompt which was not drawn may have, so that the hedge of
`hedged_ends` reaches no further than the scores that were seen: three prompts may lie anywhere.
Student's t over clusters knows that, with a far end for skewed scores; the interval is the hull.
Where half of the scores are one number their skew is how rarely the others come, which is what the
hedge is for: no end is moved then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import by_cluster
from goldassay.frozen import dataclass
from goldassay.inference.clusters import effective_clusters, student_quantile
from goldassay.inference.skewed import SKEWED, skewed_reach, skewness

__all__ = ["SkewedMean", "skewed_mean"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SkewedMean:
    """The ends of a mean, and how skewed it is."""

    low: float
    high: float
    skew: float

    @property
    def too_skewed(self) -> bool:
        return abs(self.skew) > SKEWED


def skewed_mean(
    scores: Floats, cluster: Ints | None, *, confidence_level: float
) -> SkewedMean | None:
    """Of scores [I], NaN where there is none; None of fewer than two clusters.

    Student's t over clusters, the end on the side of a long tail further by Hall's transformation
    (`skewed_reach`) unless half of the scores or more are one number. Each cluster moves the mean
    by what its scores differ from it, over the root of one less its share of the scores.
    """
    known = ~np.isnan(scores)
    mean, total = float(scores[known].mean()), int(known.sum())
    moves, sizes = np.where(known, scores - mean, 0.0) / total, known / total
    if cluster is not None:
        moves, sizes = by_cluster(np.stack([moves, sizes], 1), cluster).T
    here = sizes > 0
    moves, sizes = moves[here], sizes[here]
    if len(sizes) < 2:
        return None
    moves = moves / np.sqrt(1 - sizes)
    error = float(np.sqrt((moves**2).sum()))
    degrees = max(float(effective_clusters(sizes, np.ones(len(sizes), np.int64))) - 1, 1.0)
    t = student_quantile(degrees, (1 + confidence_level) / 2)
    most_alike = int(np.unique(scores[known], return_counts=True)[1].max())
    skew = 0.0 if 2 * most_alike >= total > 2 else skewness(moves)
    far = error * skewed_reach(t, skew)
    return SkewedMean(
        mean - (far if skew < 0 else error * t), mean + (far if skew > 0 else error * t), skew
    )
