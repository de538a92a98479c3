"""Mean scores: ordinal options and real-valued scores, by PPI++ or by verdict.

Labelled items have a person's score and the judge's; unlabelled ones the judge's only. The mean of
people's scores over the pool is their mean over labelled items plus a weight times what the judge
adds. Right for labels drawn at random from the pool, whatever the judge (Angelopoulos et al. 2023).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.inference.clusters import effective_clusters, student_quantile

__all__ = [
    "LEAST_SKEW",
    "SKEWED",
    "SKEW_OF_GRADES",
    "Moments",
    "ScoreSums",
    "Spread",
    "cluster_influence",
    "clustered_ppi_mean",
    "clustered_ppi_spread",
    "degrees_of_clusters",
    "item_influence",
    "moments",
    "moments_of_counts",
    "ppi_mean",
    "ppi_spread",
    "skew_adjusted",
    "skewness",
    "stratified_mean",
    "tuned_weight",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: How much more skewed numbers are taken to be than they look (a few grades hide less), and how
#: many times further than Student's t the far end may lie; chosen by simulated coverage.
LARGER_SKEW, SKEW_OF_GRADES, FURTHEST = 1.5, 0.75, 2.5
#: From this skewness of the estimate on, an interval of its mean may be too short all the same.
SKEWED = 0.25
#: Below this skewness the adjustment is not worth a word.
LEAST_SKEW = 0.02


@dataclass(frozen=True, slots=True)
class Moments:
    """Number, means, variances and covariance (divisor n) of people's and the judge's scores."""

    n: float
    human: float
    judge: float
    human_variance: float
    judge_variance: float
    covariance: float


def moments(human: ArrayLike, judge: ArrayLike) -> Moments:
    """Moments of paired scores; for unlabelled items pass the judge's twice."""
    y, f = np.asarray(human, dtype=float), np.asarray(judge, dtype=float)
    return moments_of_counts(np.ones(len(y)), y, f)


def moments_of_counts(counts: ArrayLike, human: ArrayLike, judge: ArrayLike) -> Moments:
    """Moments of pairs (human, judge) that occur `counts` times each."""
    n, y, f = (np.asarray(a, dtype=float) for a in (counts, human, judge))
    total = float(n.sum())
    if total <= 0:
        return Moments(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    w = n / total
    mean_y, mean_f = float(w @ y), float(w @ f)
    return Moments(
        total,
        mean_y,
        mean_f,
        float(w @ (y - mean_y) ** 2),
        float(w @ (f - mean_f) ** 2),
        float(w @ ((y - mean_y) * (f - mean_f))),
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """A corrected mean, its standard error and degrees of freedom, and the judge's weight in it."""

    value: float
    error: float
    degrees: float
    weight: float

    def ends(self, confidence_level: float) -> tuple[float, float]:
        """Limits by Student's t."""
        half = student_quantile(self.degrees, (1 + confidence_level) / 2) * self.error
        return self.value - half, self.value + half


def ppi_mean(
    labelled: Moments,
    unlabelled: Moments,
    *,
    weight: float | None = None,
    confidence_level: float = 0.95,
) -> tuple[float, float, float, float]:
    """The corrected mean, its limits, and the weight of the judge (tuned when not given)."""
    found = ppi_spread(labelled, unlabelled, weight=weight)
    return found.value, *found.ends(confidence_level), found.weight


def ppi_spread(labelled: Moments, unlabelled: Moments, *, weight: float | None = None) -> Spread:
    """The corrected mean of independent items.

    Student's quantile with m - 1 degrees of freedom: the m labelled items carry the uncertainty.
    """
    m, n = labelled.n, unlabelled.n
    if weight is None:
        weight = tuned_weight(labelled, unlabelled)
    value = labelled.human + weight * (unlabelled.judge - labelled.judge) * (n > 0)
    weight = weight if n > 0 else 0.0
    rectifier = (
        labelled.human_variance
        + weight**2 * labelled.judge_variance
        - 2 * weight * labelled.covariance
    )
    # The divisor m - 1 for the few, labelled items.
    variance = max(rectifier, 0.0) / max(m - 1, 1e-300)
    if n > 0:
        variance += weight**2 * unlabelled.judge_variance / n
    return Spread(float(value), float(np.sqrt(variance)), max(m - 1, 1e-3), float(weight))


@dataclass(frozen=True, slots=True)
class ScoreSums:
    """Scores summed by cluster [C]; `times` clusters are like each.

    Of labelled items their number, people's scores and the judge's; of the others their number and
    the judge's scores.
    """

    labelled: Array
    human: Array
    judge: Array
    unlabelled: Array
    judge_unlabelled: Array
    times: Ints

    @property
    def labelled_clusters(self) -> int:
        return int(self.times[self.labelled > 0].sum())

    @property
    def unlabelled_clusters(self) -> int:
        return int(self.times[self.unlabelled > 0].sum())


def clustered_ppi_mean(
    labelled: Moments, unlabelled: Moments, sums: ScoreSums, *, confidence_level: float = 0.95
) -> tuple[float, float, float, float]:
    """`ppi_mean` of items in clusters, at least two of them with labels."""
    found = clustered_ppi_spread(labelled, unlabelled, sums)
    return found.value, *found.ends(confidence_level), found.weight


def clustered_ppi_spread(labelled: Moments, unlabelled: Moments, sums: ScoreSums) -> Spread:
    """`ppi_spread` of items in clusters, at least two of them with labels.

    What each cluster adds to the estimate, by its labelled and its unlabelled items together: an
    item that the judge overrates and its neighbours in the pool move the mean as one. Each part is
    divided by the root of what it leaves to the other clusters (as the jackknife does), since a
    cluster draws the mean towards itself. Degrees of freedom: the effective number of clusters
    with labels, less one. Unlabelled items of one cluster alone say nothing of how clusters vary:
    they are not used.
    """
    weight = tuned_weight(labelled, unlabelled) if sums.unlabelled_clusters > 1 else 0.0
    value = labelled.human + weight * (unlabelled.judge - labelled.judge)
    variance = float(sums.times @ cluster_influence(sums, weight) ** 2)
    return Spread(float(value), float(np.sqrt(variance)), degrees_of_clusters(sums), weight)


def cluster_influence(sums: ScoreSums, weight: float) -> Array:
    """What each cluster [C] adds to the corrected mean, by its labelled and unlabelled items."""
    influence = _jackknifed(sums.human - weight * sums.judge, sums.labelled, sums.times)
    if weight > 0:
        influence += weight * _jackknifed(sums.judge_unlabelled, sums.unlabelled, sums.times)
    return influence


def item_influence(human: Array, judge: Array, unlabelled: Array, weight: float) -> Array:
    """What each item adds to the corrected mean: the labelled ones, then the others."""
    known = human - weight * judge
    parts = [(known - known.mean()) / len(known)]
    if weight > 0 and len(unlabelled):
        parts.append(weight * (unlabelled - unlabelled.mean()) / len(unlabelled))
    return np.concatenate(parts)


def degrees_of_clusters(sums: ScoreSums) -> float:
    """The effective number of clusters with labels, less one; at least one."""
    return max(float(effective_clusters(sums.labelled, sums.times)) - 1, 1.0)


def skew_adjusted(
    spread: Spread, gamma: float, *, confidence_level: float, larger: float = LARGER_SKEW
) -> tuple[float, float]:
    """Limits of a mean whose far end reaches further where its influences are skewed.

    With gamma the skewness of the estimate, the end on the side of the long tail lies at
    |(3/g)((1 + g(x - g/6))^(1/3) - 1)| standard errors (Hall's 1992 transformation of t) with
    g = 1.5 gamma (`larger`), since small samples show too little skew, and x = -t; between t and
    2.5 t.
    """
    low, high = spread.ends(confidence_level)
    t = student_quantile(spread.degrees, (1 + confidence_level) / 2)
    g = larger * abs(gamma)
    if g < 1e-6 or spread.error <= 0:
        return low, high
    reach = abs(3 / g * (np.cbrt(1 - g * (t + g / 6)) - 1))
    far = spread.error * min(max(float(reach), t), FURTHEST * t)
    return (low, spread.value + far) if gamma > 0 else (spread.value - far, high)


def skewness(influence: Array, times: Ints | None = None) -> float:
    """The skewness of a sum of independent influences; `times` clusters are like each."""
    weight = np.ones(len(influence)) if times is None else times
    variance = float(weight @ influence**2)
    return float(weight @ influence**3) / variance**1.5 if variance > 0 else 0.0


def _jackknifed(sums: Array, sizes: Array, times: Ints) -> Array:
    """The influence of clusters [C] on the mean of their items, over the root of 1 - its share.

    NaN for a cluster that has all items: what others would say is not known.
    """
    total = float(times @ sizes)
    influence = (sums - sizes * float(times @ sums) / total) / total
    with np.errstate(invalid="ignore"):
        found: Array = influence / np.sqrt(1 - sizes / total)
    return found


def stratified_mean(
    pool: ArrayLike,
    counts: ArrayLike,
    scores: ArrayLike,
    *,
    confidence_level: float = 0.95,
    inflation: float = 1.0,
) -> tuple[float, float, float]:
    """The mean score of a pool from labels drawn within its verdicts (or at random), with limits.

    `pool[V]` counts the verdicts of all items, `counts[K, V]` the labelled ones by label and
    verdict. Two labels, the lowest and the highest, are added to each verdict for the variance, so
    that a verdict with few labels does not pass for certain. A verdict without labels borrows
    the mean of the others; the limits suppose it to be the lowest score, and the highest.
    """
    n, table, score = (np.asarray(a, dtype=float) for a in (pool, counts, scores))
    labelled = table.sum(0)
    overall = float((table.sum(1) @ score) / labelled.sum())
    mean = np.where(labelled > 0, (score @ table) / np.maximum(labelled, 1e-300), overall)
    share = n / n.sum()
    unknown = (labelled <= 0) & (n > 0)
    padded = table.copy()
    padded[[0, -1]] += 1.0
    size = padded.sum(0)
    rough = (score @ padded) / size
    within = np.where(unknown, 0.0, ((score**2) @ padded) / size - rough**2)
    freedom = max(labelled.sum() / inflation - np.count_nonzero(n), 1.0)
    student = student_quantile(freedom, (1 + confidence_level) / 2)

    def around(means: Array) -> tuple[float, float]:
        value = float(share @ means)
        variance = float(
            (share**2 * within / size).sum() + (share @ (means - value) ** 2) / n.sum()
        )
        return value, float(student * np.sqrt(variance * inflation))

    lowest, below = around(np.where(unknown, score.min(), mean))
    highest, above = around(np.where(unknown, score.max(), mean))
    return float(share @ mean), lowest - below, highest + above


def tuned_weight(labelled: Moments, unlabelled: Moments) -> float:
    """The weight in [0, 1] that makes the interval shortest."""
    m, n = labelled.n, unlabelled.n
    if n <= 0 or m <= 0:
        return 0.0
    total = m + n
    mean = (m * labelled.judge + n * unlabelled.judge) / total
    spread = (
        m * (labelled.judge_variance + (labelled.judge - mean) ** 2)
        + n * (unlabelled.judge_variance + (unlabelled.judge - mean) ** 2)
    ) / max(total - 1, 1)
    if spread <= 0:
        return 0.0
    return float(np.clip(labelled.covariance / ((1 + m / n) * spread), 0, 1))
