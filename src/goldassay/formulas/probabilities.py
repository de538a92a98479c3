"""A judge's score or probability against yes-or-no outcomes: does it rank them, does it fit them?

Arrays hold one entry for each item: `score` is the judge's, `positive` the reference as true or
false, `outcome` the reference as a share from 0 to 1 (of people who say positive).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.correlation import ranks
from goldassay.formulas.special import normal_cdf

__all__ = [
    "average_precision",
    "hanley_mcneil",
    "kuiper_statistic",
    "precision_among_others",
    "range_of_brownian_motion",
    "risk_curve",
    "roc_area",
]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def roc_area(score: Array, positive: Bools) -> tuple[float, Array]:
    """The area under the ROC curve, and what each item moves it by [N] to first order.

    A higher score is more positive; ties count half. The influence of an item is its placement
    among the other kind, less the area, over the number of its own kind (DeLong, DeLong and
    Clarke-Pearson 1988): squares of it sum to the variance of the area.
    """
    m, n = int(positive.sum()), int((~positive).sum())
    overall = ranks(score)
    placed_positive = (overall[positive] - ranks(score[positive])) / n
    placed_negative = 1 - (overall[~positive] - ranks(score[~positive])) / m
    area = float(placed_positive.mean())
    influence = np.empty(len(score))
    influence[positive] = (placed_positive - area) / m
    influence[~positive] = (placed_negative - area) / n
    return area, influence


def hanley_mcneil(area: float, positives: float, negatives: float) -> float:
    """The variance of an area from the area itself, as if scores were exponential.

    Hanley and McNeil (1982), with the mean of both sizes in both places, which covers better
    (Newcombe 2006, "Confidence intervals for an effect size measure based on the Mann-Whitney
    statistic", part 2, method 5).
    """
    others = (positives + negatives) / 2 - 1
    pairs = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) * (1 + others * pairs) / (positives * negatives)


def average_precision(score: Array, positive: Bools) -> tuple[float, Array]:
    """Mean precision at the positives' scores, and what each item moves it by [N] to first order.

    Precision at a score is the share of positives among all items that score as high or higher. The
    influence is the derivative by an item's weight: its own precision, if it is positive, and what
    it does to the precision at every positive that scores no higher.
    """
    number, hits = _as_high(score, score), _as_high(score, score[positive])
    precision, m = hits / number, int(positive.sum())
    value = float(precision[positive].mean())
    order = np.argsort(score[positive], kind="stable")
    up_to = np.searchsorted(score[positive][order], score, "right")

    def summed(over: Array) -> Array:
        """The sum of `over` over the positives that score no higher than each item."""
        return np.concatenate([[0.0], np.cumsum(over[positive][order])])[up_to]

    one = positive.astype(np.float64)
    moved = one * (precision - value) + one * summed(1 / number) - summed(precision / number)
    return value, moved / m


def precision_among_others(score: Array, positive: Bools, cluster: Ints) -> float:
    """Mean over the positives of the precision at their score among the items of other clusters.

    An item raises the precision at its own score, most where few score higher: by that the average
    precision of few positives is too high, and this one is not. Where no other cluster scores as
    high, precision is the share of positives.
    """
    rank = np.unique(score, return_inverse=True)[1].reshape(-1)
    levels = int(rank.max()) + 1
    # Higher clusters lie beyond all of a cluster's own scores, and are taken away again.
    own, beyond = cluster * levels + rank, (cluster + 1) * levels
    number = _as_high(score, score) - (_as_high(own, own) - _as_high(beyond, own))
    hits = _as_high(score, score[positive])
    hits = hits - (_as_high(own, own[positive]) - _as_high(beyond, own[positive]))
    share = np.where(number > 0, hits / np.maximum(number, 1), positive.mean())
    return float(share[positive].mean())


def _as_high(at: Array | Ints, values: Array | Ints) -> Array:
    """How many of the values are at least as high as each of `at`."""
    return np.asarray(len(values) - np.searchsorted(np.sort(values), at, "left"), np.float64)


def kuiper_statistic(score: Array, outcome: Array) -> tuple[float, float]:
    """Kuiper's statistic of calibration, and its standard deviation were the judge calibrated.

    The range of the cumulative difference between outcomes and probabilities, in order of the
    probability (Arrieta-Ibarra, Gujral, Tannen, Tygert and Xu 2022); it needs no bins. Under
    calibration, divided by the deviation it is the range of a Brownian motion.
    """
    order = np.argsort(score, kind="stable")
    s, y = score[order], outcome[order]
    walk = np.cumsum(y - s) / len(s)
    # Equal scores have no order of their own: the walk is read at the end of each.
    ends = np.append(s[1:] != s[:-1], True)
    steps = np.concatenate([[0.0], walk[ends]])
    return float(steps.max() - steps.min()), float(np.sqrt((s * (1 - s)).sum()) / len(s))


def range_of_brownian_motion(x: float) -> float:
    """P(range of Brownian motion on [0, 1] > x) (Feller 1951)."""
    if x < 0.5:
        return 1.0
    k = np.arange(1, 60)
    tails = np.array([normal_cdf(-step * x) for step in k])
    return float(np.clip(8 * ((-1.0) ** (k + 1) * k * tails).sum(), 0, 1))


def risk_curve(score: Array, positive: Bools) -> tuple[Array, Array]:
    """Error among the 1, 2, ... surest verdicts, and how sure the last of them is.

    Sureness is the distance of the probability from 1/2; the verdict is positive above 1/2.
    """
    sure = np.abs(score - 0.5)
    wrong = ((score > 0.5) != positive).astype(float)
    order = np.argsort(-sure, kind="stable")
    return np.cumsum(wrong[order]) / np.arange(1, len(score) + 1), sure[order]
