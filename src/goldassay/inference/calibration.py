"""How far probabilities are from what comes true: Brier score, calibration error, their intervals.

The **Brier score** is the mean of (probability - outcome)^2. It lies between 0 and 1, and its
interval is a share's of as many items as have its variance over clusters, which bends where the
score is near 0; Student's t knows the clusters by their sizes. Costly surprises that come to few
clusters may have missed those at hand: the upper end is that of a cautious design effect, drawn
towards the size of a cluster by how few of them the losses come from.

The **calibration error** is the mean, over bins of about equally many items, of how far the mean
probability is from the share that came true. Chance alone moves the two apart, so that the plain
mean is too large: it is lessened by the part of the mean square that is chance (as Kumar, Liang
and Ma 2019 lessen the square itself). Its interval comes from draws of the bins' differences around
those observed, spread as Student's t for few clusters: the upper end from the draws as they are,
the lower one from draws lessened by the variance that observing and drawing add, and 0 where chance
explains the differences. A bin's variance is at least that of a share with half an item of each
kind added. Clusters that share their luck may hold hardly an outcome of the rarer kind, in all bins
alike: draws move all bins together by what such clusters hide.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.calibration import bins_of, fit_isotonic, fit_logistic
from goldassay.frozen import dataclass
from goldassay.inference.cluster_spread import ClusterSpread
from goldassay.inference.clusters import DOUBT, design_effect, effective_clusters
from goldassay.inference.normal_draws import correlated
from goldassay.inference.proportions import binomial, normal_quantile
from goldassay.inference.quantiles import quantile

__all__ = [
    "Forecasts",
    "Reliability",
    "brier_score",
    "calibration_error",
    "cross_fitted",
    "mean_difference",
    "reliability",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Ends = tuple[float, float]

#: Bins, and items that a bin has at least.
BINS, LEAST = 10, 15
DRAWS = 4000
#: Clusters with outcomes of the rarer kind that it takes to believe that luck is not shared as much
#: as that each cluster has one outcome; chosen by simulated coverage.
HIDDEN = 6.0
#: Parts of the clusters that are predicted by a fit to the others.
FOLDS = 5


@dataclass(frozen=True)
class Forecasts:
    """Probabilities of items, what came true (0 to 1), weights, and clusters numbered from 0."""

    probability: Array
    outcome: Array
    weight: Array
    cluster: Ints

    @property
    def clusters(self) -> int:
        return int(self.cluster.max(initial=-1)) + 1

    @property
    def losses(self) -> Array:
        return np.asarray((self.probability - self.outcome) ** 2)

    def influence(self, values: Array) -> tuple[float, Array]:
        """The weighted mean of values, and what each cluster moves it by."""
        total = self.weight.sum()
        mean = float(self.weight @ values / total)
        moved = self.weight * (values - mean) / total
        each = np.bincount(self.cluster, weights=moved, minlength=self.clusters)
        return mean, each.astype(np.float64)

    def spread(self, moved: Array) -> ClusterSpread:
        """How well the clusters, by what they weigh, know the spread of what they move."""
        weighed = np.bincount(self.cluster, weights=self.weight, minlength=self.clusters)
        sizes = weighed.astype(np.float64)
        alone = self.clusters == len(self.probability)
        return ClusterSpread.of_moves(moved, sizes, np.ones(len(sizes)), alike=alone)


def brier_score(given: Forecasts, confidence_level: float) -> tuple[float, Ends | None]:
    """The mean squared distance of probabilities from outcomes, and its interval.

    Few items show less variance than they have where a rare outcome would cost most: it is at least
    what it would be if the probabilities came true, sum of w^2 p (1 - p) (1 - 2 p)^2.
    """
    value, moved = given.influence(given.losses)
    p, w = given.probability, given.weight / given.weight.sum()
    expected = float((w**2 * p * (1 - p) * (1 - 2 * p) ** 2).sum())
    spread = given.spread(moved)
    variance = max(float((moved**2).sum()) * spread.stretch**2, expected)
    if given.clusters < 2 or variance <= 0:
        return value, None
    alone = max(float((w**2 * (given.losses - value) ** 2).sum()), expected)
    cautious = alone * _cautious_effect(given, variance / alone)

    def ends(of_variance: float) -> Ends:
        size = value * (1 - value) / of_variance / spread.student(confidence_level) ** 2
        low, high = binomial(
            value * max(size, 1.0), max(size, 1.0), confidence_level=confidence_level
        )
        return float(low), float(high)

    return value, (ends(variance)[0], ends(max(variance, cautious))[1])


def _cautious_effect(given: Forecasts, seen: float) -> float:
    """The design effect that is seen, drawn towards that of clusters of equal losses.

    A weighted geometric mean of the two, by how many clusters the losses come from.
    """
    caution = _caution(given, given.losses, DOUBT)
    worth = float(given.weight.sum() ** 2 / (given.weight**2).sum())
    alike = max(worth / given.clusters, 1.0)
    found: float = float(design_effect(seen, 1.0)) ** (1 - caution) * alike**caution
    return found


def _caution(given: Forecasts, losses: Array, doubt: float) -> float:
    """How likely clusters are taken to be of one luck each: nearly 1 where one has all losses."""
    each = np.bincount(given.cluster, weights=given.weight * losses).astype(np.float64)
    return doubt / (doubt + float(effective_clusters(each, np.ones(len(each)))))


def mean_difference(
    given: Forecasts, values: Array, confidence_level: float
) -> tuple[float, Ends | None]:
    """The mean of values, such as differences of losses, with Student's t over clusters."""
    value, moved = given.influence(values)
    if given.clusters < 2:
        return value, None
    error = math.sqrt(float((moved**2).sum()))
    normal = float(normal_quantile((1 + confidence_level) / 2))
    reach = normal * given.spread(moved).factor(confidence_level) * error
    return value, (value - reach, value + reach)


@dataclass(frozen=True)
class Reliability:
    """Bins by probability [B]: their share of the weight, mean probability, share that came true.

    `covariance` [B, B] is that of the differences between the last two, `hidden` [B] how far
    clusters like none of those at hand may move them, all the same way.
    """

    share: Array
    forecast: Array
    observed: Array
    items: Ints
    covariance: Array
    hidden: Array
    spread: ClusterSpread

    @property
    def off(self) -> Array:
        return np.asarray(self.observed - self.forecast)


def reliability(given: Forecasts) -> Reliability:
    """Items in bins of about equal numbers, by probability."""
    number = max(min(BINS, len(given.probability) // LEAST), 1)
    bins = bins_of(given.probability, number)
    size = int(bins.max(initial=0)) + 1
    weight = np.bincount(bins, weights=given.weight, minlength=size)
    forecast, observed = (
        np.bincount(bins, weights=given.weight * values, minlength=size) / weight
        for values in (given.probability, given.outcome)
    )
    off = given.outcome - given.probability
    moved = given.weight * (off - (observed - forecast)[bins]) / weight[bins]
    cell = given.cluster * size + bins
    each = np.bincount(cell, weights=moved, minlength=given.clusters * size)
    each = each.reshape(given.clusters, size)
    # Of a bin's own clusters the mean is known: one less counts.
    held = (np.bincount(cell, minlength=given.clusters * size).reshape(-1, size) > 0).sum(0)
    stretch = np.sqrt(held / np.maximum(held - 1, 1))
    each = each * stretch
    # A bin in which all came true, or nothing, shows less variance than it has.
    squares = np.bincount(bins, weights=given.weight**2, minlength=size)
    worth = weight**2 / squares
    smooth = (observed * worth + 0.5) / (worth + 1)
    least = smooth * (1 - smooth) / worth
    each *= np.sqrt(np.maximum(least / np.maximum((each**2).sum(0), 1e-300), 1.0))
    items = np.bincount(bins, minlength=size)
    spread = given.spread(np.abs(each).sum(1))
    covariance = each.T @ each
    rarer = np.abs(given.outcome - (observed > 0.5)[bins])
    left = worth / np.maximum(worth / held, 1.0) ** _caution(given, rarer, HIDDEN)
    smooth = (observed * left + 0.5) / (left + 1)
    hidden = np.sqrt(np.maximum(smooth * (1 - smooth) / left - covariance.diagonal(), 0.0))
    return Reliability(weight / weight.sum(), forecast, observed, items, covariance, hidden, spread)


def calibration_error(
    found: Reliability, confidence_level: float, *, seed: int
) -> tuple[float, Ends]:
    """The mean distance of probabilities from what comes true, by bins, and its interval."""
    off, share = found.off, found.share
    noise = float(share @ np.diag(found.covariance))
    rng = np.random.default_rng(seed)
    student = found.spread.student(confidence_level)
    drawn = off + student * correlated(found.covariance, DRAWS, rng)
    drawn += rng.standard_normal((DRAWS, 1)) * found.hidden
    unseen = float(share @ found.hidden**2)

    def lessened(differences: Array, by: float) -> Array:
        squares = differences**2 @ share
        kept = np.maximum(squares - by, 0.0) / np.maximum(squares, 1e-300)
        return np.asarray(np.sqrt(kept) * (np.abs(differences) @ share))

    value = float(lessened(off, noise))
    tail = (1 - confidence_level) / 2
    low = quantile(lessened(drawn, 2 * noise + unseen), tail)
    high = quantile(np.abs(drawn) @ share, 1 - tail)
    # Differences that chance explains are no sign of any.
    by_chance = float(((drawn - off) ** 2 @ share >= off**2 @ share).mean())
    if by_chance >= tail:
        low = 0.0
    return value, (min(low, value), max(high, value))


def cross_fitted(
    score: Array, given: Forecasts, *, odds: bool, seed: int
) -> dict[str, Array] | None:
    """Each item's recalibrated probability from fits to the other clusters, by kind of fit.

    None where a part would be left with one outcome only, or there are too few clusters.
    """
    if given.clusters < 2 * FOLDS:
        return None
    rng = np.random.default_rng(seed)
    fold = (rng.permutation(given.clusters) % FOLDS)[given.cluster]
    found = {kind: np.empty(len(score)) for kind in ("logistic", "isotonic")}
    for part in range(FOLDS):
        rest, mine = fold != part, fold == part
        y, w = given.outcome[rest], given.weight[rest]
        if not 0 < (w @ y) / w.sum() < 1:
            return None
        found["logistic"][mine] = fit_logistic(score[rest], y, w, odds=odds)(score[mine])
        found["isotonic"][mine] = fit_isotonic(score[rest], y, w)(score[mine])
    return found
