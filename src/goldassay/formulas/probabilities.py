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
    "hanley_mcneil",
    "kuiper_statistic",
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
