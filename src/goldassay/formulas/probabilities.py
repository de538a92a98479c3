"""A judge's score or probability against yes-or-no outcomes: does it rank them, does it fit them?

Arrays hold one entry for each item: `score` is the judge's, `positive` the reference as true or
false, `outcome` the reference as a share from 0 to 1 (of people who say positive).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.correlation import ranks

__all__ = ["delong", "kuiper_statistic", "range_of_brownian_motion", "risk_curve"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def delong(score: Array, positive: Bools, cluster: Ints) -> tuple[float, float]:
    """The area under the ROC curve and its standard error. A higher score is more positive.

    DeLong, DeLong and Clarke-Pearson (1988); by clusters Obuchowski (1997). The error is NaN with
    fewer than two of a kind.
    """
    m, n = int(positive.sum()), int((~positive).sum())
    overall = ranks(score)
    placed_positive = (overall[positive] - ranks(score[positive])) / n
    placed_negative = 1 - (overall[~positive] - ranks(score[~positive])) / m
    area = float(placed_positive.mean())
    if m < 2 or n < 2:
        return area, float("nan")
    deviation = np.zeros(len(score))
    deviation[positive] = (placed_positive - area) / m
    deviation[~positive] = (placed_negative - area) / n
    _, code = np.unique(cluster, return_inverse=True)
    sums = np.bincount(code.reshape(-1), weights=deviation)
    # Decisions alone in their cluster: DeLong's own m/(m-1), n/(n-1); else clusters/(clusters-1).
    if len(sums) == len(score):
        variance = (deviation[positive] ** 2).sum() * m / (m - 1)
        variance += (deviation[~positive] ** 2).sum() * n / (n - 1)
    else:
        variance = (sums**2).sum() * len(sums) / max(len(sums) - 1, 1)
    return area, float(np.sqrt(variance))


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
    from scipy.special import ndtr

    if x < 0.5:
        return 1.0
    k = np.arange(1, 60)
    tails = ndtr(-k * x)
    return float(np.clip(8 * ((-1.0) ** (k + 1) * k * tails).sum(), 0, 1))


def risk_curve(score: Array, positive: Bools) -> tuple[Array, Array]:
    """Error among the 1, 2, ... surest verdicts, and how sure the last of them is.

    Sureness is the distance of the probability from 1/2; the verdict is positive above 1/2.
    """
    sure = np.abs(score - 0.5)
    wrong = ((score > 0.5) != positive).astype(float)
    order = np.argsort(-sure, kind="stable")
    return np.cumsum(wrong[order]) / np.arange(1, len(score) + 1), sure[order]
