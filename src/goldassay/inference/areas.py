"""The interval of an area under the ROC curve.

An area is kept when it is no further from the estimate than the reach allows at the variance that
*it* would have (a score interval after Newcombe 2006, method 5): t with

    (area - t)^2 <= reach^2 x inflation x HM(t),

HM the variance of Hanley and McNeil. It stays within [0, 1], is skewed as the area is, and a
perfect area has one, too. The data's own variance (DeLong's; by clusters Obuchowski's, 1997) enters
as `inflation`, never below 1: few positives show less variance than they have. By clusters each
kind is held to the cluster's share of it, as the jackknife does, and the reach is Student's with
the effective number of clusters of the rarer kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.probabilities import hanley_mcneil, roc_area
from goldassay.inference.clusters import effective_clusters, student_quantile
from goldassay.inference.proportions import normal_quantile
from goldassay.results import Interval

__all__ = ["RocArea"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

#: Halvings of the range in which an end lies.
STEPS = 60


@dataclass(frozen=True)
class RocArea:
    """An area, the sizes of both kinds by cluster [C], and its influence summed by cluster."""

    value: float
    positives: Array
    negatives: Array
    moved_by_positives: Array
    moved_by_negatives: Array

    @classmethod
    def of(cls, score: Array, positive: Bools, cluster: Ints | None) -> RocArea:
        """The area of scores; both kinds occur. `cluster` is None where every item stands alone."""
        value, influence = roc_area(score, positive)
        code = np.arange(len(score))
        if cluster is not None:
            code = np.unique(cluster, return_inverse=True)[1].reshape(-1)

        def sums(weights: Array) -> Array:
            return np.bincount(code, weights=weights).astype(np.float64)

        one = positive.astype(np.float64)
        return cls(
            value, sums(one), sums(1 - one), sums(influence * one), sums(influence * (1 - one))
        )

    @property
    def alone(self) -> bool:
        """Whether no cluster holds more than one item."""
        return bool((self.positives + self.negatives).max() <= 1)

    @property
    def variance(self) -> float:
        """DeLong's, by clusters Obuchowski's, with each cluster's sum scaled by what it leaves."""
        parts = []
        for sizes, moved in (
            (self.positives, self.moved_by_positives),
            (self.negatives, self.moved_by_negatives),
        ):
            left = 1 - sizes / sizes.sum()
            parts.append(np.where(left > 0, moved / np.sqrt(np.maximum(left, 1e-300)), 0.0))
        return float((np.sum(parts, 0) ** 2).sum())

    def interval(self, confidence_level: float) -> Interval | None:
        """All areas that the scores do not contradict; None where a kind is in one cluster only."""
        m, n = float(self.positives.sum()), float(self.negatives.sum())
        if self.alone:
            reach, largest, method = float(normal_quantile((1 + confidence_level) / 2)), 1.0, ""
        else:
            ones = np.ones(len(self.positives))
            of_positives = float(effective_clusters(self.positives, ones))
            of_negatives = float(effective_clusters(self.negatives, ones))
            fewest = min(of_positives, of_negatives)
            if fewest < 1 + 1e-9:
                return None
            reach = student_quantile(fewest - 1, (1 + confidence_level) / 2)
            largest = max(m / of_positives, n / of_negatives)
            method = f", {fewest:.3g} effective clusters"
        # Where scores separate the kinds no pair varies, and the data cannot tell the inflation.
        inflation = largest
        if 0 < self.value < 1:
            inner = (self.value * m * n + (m + n) / 4) / (m * n + (m + n) / 2)
            inflation = max(1.0, self.variance / hanley_mcneil(inner, m, n))
        spread = reach**2 * inflation

        def kept(t: float) -> bool:
            return (self.value - t) ** 2 <= spread * hanley_mcneil(t, m, n)

        low, high = (_last_kept(kept, self.value, end) for end in (0.0, 1.0))
        return Interval(low, high, confidence_level, f"score interval, Hanley-McNeil{method}")


def _last_kept(kept: Callable[[float], bool], start: float, end: float) -> float:
    """Where from `start` (kept, or the edge of what is) to `end` areas are no longer kept."""
    if start == end:
        return end
    inside, outside = start, end
    for _ in range(STEPS):
        middle = (inside + outside) / 2
        if kept(middle):
            inside = middle
        else:
            outside = middle
    return inside
