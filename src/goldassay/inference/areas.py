"""The intervals of areas: under the ROC curve, and of average precision.

An area is kept when it is no further from the estimate than the reach allows at the variance that
*it* would have (a score interval after Newcombe 2006, method 5): t with

    (area - t)^2 <= reach^2 x inflation x HM(t),

HM the variance of Hanley and McNeil. It stays within [0, 1], is skewed as the area is, and a
perfect area has one, too. The data's own variance (DeLong's; by clusters Obuchowski's, 1997) enters
as `inflation`, never below 1: few positives show less variance than they have. By clusters each
kind is held to the cluster's share of it, as the jackknife does, and the reach is Student's with
the effective number of clusters of the rarer kind.

Average precision is a mean of shares over the positives: its interval is Wilson's of a share of the
positives, with the variance of its influence (by clusters) as the inflation, never below 1. Few
items of the rarer kind show that variance as badly as any: of lone ones it is counted as Student's
t counts a variance. Of few positives it is too high on average; the lower end starts from the
precision among other clusters, which is not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.probabilities import (
    average_precision,
    hanley_mcneil,
    precision_among_others,
    roc_area,
)
from goldassay.frozen import dataclass
from goldassay.inference.clusters import effective_clusters, student_quantile
from goldassay.inference.proportions import normal_quantile
from goldassay.results import Interval

__all__ = ["PrecisionArea", "RocArea"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

#: By how much the degrees of freedom of the variance of an average precision exceed the number of
#: lone items of the rarer kind; by simulated coverage and length, of 1, 2 and 3.
DEGREES_MORE = 3
#: Halvings of the range in which an end lies.
STEPS = 60


@dataclass(frozen=True)
class _Reach:
    """How many standard errors an interval reaches, and the most that clusters may inflate them."""

    reach: float
    largest: float
    method: str = ""

    @classmethod
    def of(cls, positives: Array, negatives: Array, confidence_level: float) -> _Reach | None:
        """From the sizes of both kinds by cluster [C]; None where a kind is in one cluster only."""
        if (positives + negatives).max() <= 1:
            return cls(float(normal_quantile((1 + confidence_level) / 2)), 1.0)
        ones = np.ones(len(positives))
        of_positives = float(effective_clusters(positives, ones))
        of_negatives = float(effective_clusters(negatives, ones))
        fewest = min(of_positives, of_negatives)
        if fewest < 1 + 1e-9:
            return None
        return cls(
            student_quantile(fewest - 1, (1 + confidence_level) / 2),
            max(float(positives.sum()) / of_positives, float(negatives.sum()) / of_negatives),
            f", {fewest:.3g} effective clusters",
        )


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
        found = _Reach.of(self.positives, self.negatives, confidence_level)
        if found is None:
            return None
        reach, largest, method = found.reach, found.largest, found.method
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


@dataclass(frozen=True)
class PrecisionArea:
    """An average precision, what it is among other clusters, and its influence by cluster [C]."""

    value: float
    among_others: float
    positives: Array
    negatives: Array
    moved: Array

    @classmethod
    def of(cls, score: Array, positive: Bools, cluster: Ints | None) -> PrecisionArea:
        """Of scores; both kinds occur. `cluster` is None where every item stands alone."""
        value, influence = average_precision(score, positive)
        code = np.arange(len(score))
        if cluster is not None:
            code = np.unique(cluster, return_inverse=True)[1].reshape(-1)
        one = positive.astype(np.float64)
        sums = (np.bincount(code, weights=w).astype(np.float64) for w in (one, 1 - one, influence))
        return cls(value, precision_among_others(score, positive, code), *sums)

    @property
    def variance(self) -> float:
        """Squares of the clusters' influence, each scaled by what it leaves of the items."""
        sizes = self.positives + self.negatives
        left = 1 - sizes / sizes.sum()
        return float((self.moved**2 / np.maximum(left, 1e-300)).sum())

    def _known(self, reach: float, confidence_level: float) -> float:
        """How much more the variance counts that is seen than one that is known.

        By clusters the reach is Student's.
        """
        if (self.positives + self.negatives).max() > 1:
            return 1.0
        rarer = min(float(self.positives.sum()), float(self.negatives.sum()))
        degrees = rarer + DEGREES_MORE
        return (student_quantile(degrees, (1 + confidence_level) / 2) / reach) ** 2

    def interval(self, confidence_level: float) -> Interval | None:
        """Wilson's, of a share of the positives; None where a kind is in one cluster only."""
        found = _Reach.of(self.positives, self.negatives, confidence_level)
        if found is None:
            return None
        m, inflation = float(self.positives.sum()), found.largest
        if self.value < 1 - 1e-12:  # where nothing varies the data cannot tell the inflation
            inner = (self.value * m + 1) / (m + 2)
            seen = self.variance * m / (inner * (1 - inner))
            inflation = max(1.0, seen * self._known(found.reach, confidence_level))
        weight = found.reach**2 * inflation / m
        low, _ = _wilson(min(self.value, self.among_others), weight)
        _, high = _wilson(self.value, weight)
        return Interval(low, high, confidence_level, f"Wilson, of the positives{found.method}")


def _wilson(share: float, weight: float) -> tuple[float, float]:
    """Shares t with (share - t)^2 <= weight t (1 - t)."""
    middle = (share + weight / 2) / (1 + weight)
    reach = float(np.sqrt(weight * share * (1 - share) + weight**2 / 4)) / (1 + weight)
    return max(min(middle - reach, share), 0.0), min(max(middle + reach, share), 1.0)


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
