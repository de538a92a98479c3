"""Mean scores: ordinal options and real-valued scores, by PPI++ or by verdict.

Labelled items have a person's score and the judge's; unlabelled ones the judge's only. The mean of
people's scores over the pool is their mean over labelled items plus a weight times what the judge
adds. Right for labels drawn at random from the pool, whatever the judge (Angelopoulos et al. 2023).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import special
from goldassay.frozen import dataclass
from goldassay.inference.cluster_spread import (
    LONGEST_REACH,
    ClusterSpread,
    degrees_of_variances,
    reaches_by_size,
    variances_of_moves,
)
from goldassay.inference.clusters import (
    LARGEST_SHARE,
    cautious_design_effect_of_share,
    effective_clusters,
    student_quantile,
)
from goldassay.inference.skewed import LARGER_SKEW, skewed_reach

__all__ = [
    "Moments",
    "ScoreSums",
    "Spread",
    "cluster_influence",
    "clustered_ppi_mean",
    "clustered_ppi_spread",
    "clustered_weight",
    "degrees_of_clusters",
    "item_influence",
    "moments",
    "moments_of_counts",
    "padded_clusters",
    "ppi_mean",
    "ppi_spread",
    "skew_adjusted",
    "stratified_mean",
    "tuned_weight",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


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
    """A corrected mean, its standard error and degrees of freedom, and the judge's weight in it.

    `heavy` says how well clusters know it, the large ones among them: the degrees of freedom that
    they leave, by how much the standard error falls short on average, and how many times as far the
    ends lie where large clusters are of another kind.
    """

    value: float
    error: float
    degrees: float
    weight: float
    heavy: ClusterSpread | None = None

    def reach(self, confidence_level: float) -> float:
        """How many standard errors an end by Student's t lies away."""
        upper = (1 + confidence_level) / 2
        usual = student_quantile(self.degrees, upper)
        if self.heavy is None:
            return usual
        longest = LONGEST_REACH / special.normal_quantile(0.975)
        further = min(self.heavy.factor(confidence_level), longest)
        return max(usual, further * special.normal_quantile(upper))

    @property
    def unmoved(self) -> Spread:
        """With no end moved by sizes: differences of means are held so."""
        if self.heavy is None:
            return self
        return replace(self, heavy=replace(self.heavy, down=1.0, up=1.0))

    def ends(self, confidence_level: float) -> tuple[float, float]:
        """Limits by Student's t, as far out as sizes tell."""
        half = self.reach(confidence_level) * self.error
        down, up = (1.0, 1.0) if self.heavy is None else (self.heavy.down, self.heavy.up)
        return self.value - down * half, self.value + up * half


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

    def by_size(self, weight: float) -> tuple[Array, Ints, Array]:
        """Sizes of clusters, how many there are of each, and what it moves the mean by."""
        return self.labelled + self.unlabelled, self.times, cluster_influence(self, weight)


def clustered_ppi_mean(
    labelled: Moments, unlabelled: Moments, sums: ScoreSums, *, confidence_level: float = 0.95
) -> tuple[float, float, float, float]:
    """`ppi_mean` of items in clusters, at least two of them with labels."""
    found = clustered_ppi_spread(labelled, unlabelled, sums)
    return found.value, *found.ends(confidence_level), found.weight


def clustered_ppi_spread(
    labelled: Moments,
    unlabelled: Moments,
    sums: ScoreSums,
    *,
    weight: float | None = None,
    by_size: bool = True,
) -> Spread:
    """`ppi_spread` of items in clusters, at least two of them with labels.

    What each cluster adds to the estimate, by its labelled and its unlabelled items together: an
    item that the judge overrates and its neighbours in the pool move the mean as one. Each part is
    divided by the root of what it leaves to the other clusters (as the jackknife does), since a
    cluster draws the mean towards itself. Degrees of freedom: the effective number of clusters
    with labels, less one, or what large clusters leave of them (`_heavy`). `by_size` unless what a
    cluster sums to is no size, but what an item weighs.
    """
    if weight is None:
        weight = clustered_weight(labelled, unlabelled, sums)
    value = labelled.human + weight * (unlabelled.judge - labelled.judge)
    influence = cluster_influence(sums, weight)
    variance = float(sums.times @ influence**2)
    heavy = _heavy(labelled, unlabelled, sums, weight)
    degrees = degrees_of_clusters(sums)
    found = Spread(float(value), float(np.sqrt(variance)), degrees, weight, heavy)
    if not by_size or not np.isfinite(variance):
        return found
    number, sizes = sums.times.astype(np.float64), sums.labelled + sums.unlabelled
    # How many times as far at 95 % stands for every level, as for other estimates.
    down, up = reaches_by_size(influence, sizes, number, found.reach(0.95))
    return replace(found, heavy=replace(heavy, down=down, up=up))


def _heavy(labelled: Moments, unlabelled: Moments, sums: ScoreSums, weight: float) -> ClusterSpread:
    """Degrees of freedom of the variance by clusters, and the root of its shortfall.

    Both parts of the estimate, of labelled and of unlabelled items, have a variance V with df
    degrees of freedom by Satterthwaite, of clusters that vary as their sizes and what their items
    have in common say (`cluster_spread`); of the sum 1/df is the sum of (V/sum V)^2 / df of the
    parts and, as far as the same clusters carry them, of what they share. One giant cluster of the
    pool, labelled or not, thus leaves about one.
    """
    rectifier = (
        labelled.human_variance
        + weight**2 * labelled.judge_variance
        - 2 * weight * labelled.covariance
    )
    own = _Part.of(sums.human - weight * sums.judge, sums.labelled, sums.times, rectifier)
    if weight <= 0:
        return ClusterSpread(own.degrees, float(np.sqrt(own.shortfall)))
    judge = weight * sums.judge_unlabelled
    pool = _Part.of(judge, sums.unlabelled, sums.times, weight**2 * unlabelled.judge_variance)
    seen = max(own.variance + pool.variance, 1e-300)
    expected = own.shortfall * own.variance + pool.shortfall * pool.variance
    first = own.shortfall * own.variance / max(expected, 1e-300)
    second = 1 - first
    times = sums.times
    shared = (
        float(times @ (own.varying * pool.varying))
        / max(float(times @ own.varying**2) * float(times @ pool.varying**2), 1e-300) ** 0.5
    )
    inverse = first**2 / own.degrees + second**2 / pool.degrees
    inverse += 2 * first * second * shared / np.sqrt(own.degrees * pool.degrees)
    return ClusterSpread(max(1 / float(inverse), 1.0), float(np.sqrt(max(expected / seen, 1.0))))


@dataclass(frozen=True, slots=True)
class _Part:
    """What clusters [C] add to the mean by one kind of their items, and how well that is known."""

    #: By the jackknife, its degrees of freedom, and what to multiply it by to be right on average.
    variance: float
    degrees: float
    shortfall: float
    #: Variances of the clusters, up to a factor.
    varying: Array

    @classmethod
    def of(cls, sums: Array, sizes: Array, times: Ints, of_item: float) -> _Part:
        """`of_item` is the variance of an item."""
        number, total = times.astype(np.float64), float(times @ sizes)
        moves = (sums - sizes * float(times @ sums) / total) / total
        share = np.minimum(sizes / total, LARGEST_SHARE)
        amounts = sizes * max(of_item, 1e-150) / total**2
        varying = variances_of_moves(moves, amounts, sizes, number)
        degrees, shortfall = map(float, degrees_of_variances(share, varying, number))
        return cls(float(number @ (moves**2 / (1 - share))), degrees, shortfall, varying)


def padded_clusters(
    items: tuple[Array, Array, Array],
    unlabelled: Moments,
    sums: ScoreSums,
    ends: ArrayLike,
    *,
    weight: float,
) -> Spread:
    """`clustered_ppi_spread` with two clusters more, of the lowest score and of the highest.

    For labels of one or two different scores, of which the rarer may be rarer still or missing.
    `items` are numbers, people's scores and the judge's. A cluster more has the judge's mean of the
    pool, and as many items as one independent item is worth by a cautious design effect: clusters
    in which all labels are the same do not tell how labels hang together.
    """
    number, human, judge = items
    low, *other = np.unique(human[number > 0])
    hits = (sums.human - low * sums.labelled) / (other[0] - low) if other else sums.labelled
    more = np.full(2, float(cautious_design_effect_of_share(hits, sums.labelled, sums.times)))
    score, middle, none = np.asarray(ends), np.full(2, unlabelled.judge), np.zeros(2)
    if unlabelled.n <= 0:
        middle = np.full(2, float(number @ judge) / float(number.sum()))
    padded = ScoreSums(
        labelled=np.append(sums.labelled, more),
        human=np.append(sums.human, more * score),
        judge=np.append(sums.judge, more * middle),
        unlabelled=np.append(sums.unlabelled, none),
        judge_unlabelled=np.append(sums.judge_unlabelled, none),
        times=np.append(sums.times, [1, 1]),
    )
    labelled = moments_of_counts(
        np.append(number, more), np.append(human, score), np.append(judge, middle)
    )
    return clustered_ppi_spread(labelled, unlabelled, padded, weight=weight, by_size=False)


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

    With gamma the skewness of the estimate: see `skewed_reach`.
    """
    low, high = spread.ends(confidence_level)
    if spread.error <= 0 or not gamma:
        return low, high
    far = spread.error * skewed_reach(spread.reach(confidence_level), gamma, larger)
    ends = (low, spread.value + far) if gamma > 0 else (spread.value - far, high)
    return min(low, ends[0]), max(high, ends[1])


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


def clustered_weight(labelled: Moments, unlabelled: Moments, sums: ScoreSums) -> float:
    """`tuned_weight` of items in clusters.

    With p and q the clusters' shares of the labelled and of the other items, and rho how far
    scores of one cluster are alike, the means of m labelled and n other items vary as
    P = rho sum(p^2) + (1 - rho)/m and Q, and together as R = rho sum(p q): the weight for lone
    items has (P - R)/(P + Q - 2R) instead of n/(m + n). These are the same where clusters are of
    one size, or labels drawn item by item; a giant cluster without labels weighs less than its
    items.
    Unlabelled items of one cluster alone say nothing of how clusters vary: they are not used.
    """
    if sums.unlabelled_clusters < 2:
        return 0.0
    m, n, times = labelled.n, unlabelled.n, sums.times
    p, q, rho = sums.labelled / m, sums.unlabelled / n, _alike(unlabelled, sums)
    known, rest = (rho * float(times @ x**2) + (1 - rho) / size for x, size in ((p, m), (q, n)))
    both = rho * float(times @ (p * q))
    share = (known - both) / max(known + rest - 2 * both, 1e-300)
    return float(np.clip(tuned_weight(labelled, unlabelled) * (1 + m / n) * share, 0, 1))


def _alike(unlabelled: Moments, sums: ScoreSums) -> float:
    """The correlation of the judge's scores within clusters, in [0, 1].

    By the variance of the clusters' means, each of s items weighing 1 - 1/s, as a single item tells
    nothing of it: one giant cluster counts as one.
    """
    size = sums.labelled + sums.unlabelled
    mean = (sums.judge + sums.judge_unlabelled) / size
    weight = sums.times * (1 - 1 / size)
    total = float(weight.sum())
    if total <= 0 or unlabelled.judge_variance <= 0:
        return 0.0
    # A cluster that is held once weighs as each of those that are like it.
    spare = total - float(sums.times @ (1 - 1 / size) ** 2) / total
    between = float(weight @ (mean - float(weight @ mean) / total) ** 2) / max(spare, 1e-300)
    alone = float(weight @ (1 / size)) / total
    return float(np.clip((between / unlabelled.judge_variance - alone) / (1 - alone), 0, 1))


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
