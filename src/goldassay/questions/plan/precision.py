"""How exact an estimate of a rate will be: variances and interval lengths before any label exists.

The true rate of positive items is to be known from `labels` labels by people and the verdicts of
a judge on `items` items. Four ways to spend the labels, named as the designs of a task's
`calibration`:

    people      label items drawn at random, do without the judge
    by_label    a separate set with chosen numbers of true negatives and positives; the judge's
                rate is corrected by its error rates (Rogan and Gladen, interval of Lang and
                Reiczigel)
    random      label items drawn at random from the judged pool; combine within verdicts (for a
                two-valued verdict that is what PPI++ with its best lambda does)
    by_verdict  draw the labels separately among the items called positive and called negative,
                in the shares of Neyman

Formulas take arrays and broadcast. Reference: Lee et al., "How to Correctly Report LLM-as-a-Judge
Evaluations", equations 6 to 10; Cochran, "Sampling Techniques", chapter 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "JudgeRates",
    "by_verdict_length",
    "normal_quantile",
    "people_length",
    "rogan_gladen_length",
    "stratum_length",
]

Array = NDArray[np.float64]


def normal_quantile(confidence_level: float) -> float:
    """The half-width, in standard errors, of a two-sided normal interval."""
    return NormalDist().inv_cdf((1 + confidence_level) / 2)


@dataclass(frozen=True, slots=True)
class JudgeRates:
    """The true positive rate of the items, and the judge's sensitivity and specificity on them."""

    prevalence: float
    sensitivity: float
    specificity: float

    def __post_init__(self) -> None:
        for name in ("prevalence", "sensitivity", "specificity"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is a share between 0 and 1, not {getattr(self, name)}")

    @property
    def youden_j(self) -> float:
        return self.sensitivity + self.specificity - 1

    @property
    def verdict_rate(self) -> float:
        """p: the share of items that the judge calls positive (eq. 9)."""
        return self.youden_j * self.prevalence + 1 - self.specificity

    @property
    def strata(self) -> Array:
        """Shares of the items by verdict (negative, positive)."""
        return np.array([1 - self.verdict_rate, self.verdict_rate])

    @property
    def positive_shares(self) -> Array:
        """Share of truly positive items among those called negative and called positive."""
        true = self.prevalence * np.array([1 - self.sensitivity, self.sensitivity])
        strata = self.strata
        # An empty stratum weighs nothing; any share will do.
        shares: Array = np.divide(true, strata, out=np.full(2, self.prevalence), where=strata > 0)
        return shares

    @property
    def within_deviation(self) -> float:
        """sum_v w_v s_v: the standard deviation of one label under the best shares by verdict."""
        shares = self.positive_shares
        return float((self.strata * np.sqrt(shares * (1 - shares))).sum())

    @property
    def within_variance(self) -> float:
        """sum_v w_v s_v^2: what the verdict leaves unexplained of an item's label."""
        shares = self.positive_shares
        return float((self.strata * shares * (1 - shares)).sum())

    @property
    def between_variance(self) -> float:
        """p (1 - p) (pi_1 - pi_0)^2: what the verdict explains, and `items` divides."""
        low, high = self.positive_shares
        return float(self.verdict_rate * (1 - self.verdict_rate) * (high - low) ** 2)

    @classmethod
    def from_verdicts(
        cls, verdict_rate: float, sensitivity: float, specificity: float
    ) -> JudgeRates:
        """The rates behind a judge's own rate (Rogan-Gladen, clipped to [0, 1]); J is not 0."""
        prevalence = (verdict_rate + specificity - 1) / (sensitivity + specificity - 1)
        return cls(min(max(prevalence, 0.0), 1.0), sensitivity, specificity)


def people_length(prevalence: ArrayLike, labels: ArrayLike, *, confidence_level: float) -> Array:
    """Length of the Wilson interval from `labels` labels alone."""
    z = normal_quantile(confidence_level)
    share, m = np.asarray(prevalence, dtype=float), np.asarray(labels, dtype=float)
    length: Array = 2 * z * np.sqrt(share * (1 - share) * m + z**2 / 4) / (m + z**2)
    return length


def rogan_gladen_length(
    rates: JudgeRates,
    negatives: ArrayLike,
    positives: ArrayLike,
    *,
    items: float = np.inf,
    confidence_level: float,
) -> Array:
    """Length of the Lang-Reiczigel interval with labels on `negatives` + `positives` items (eq. 6).

    The counts are put at their expectations and the ends are cut off at 0 and 1, as they are in the
    estimate. Infinite where the adjusted J is not positive: such a judge bounds nothing.
    """
    z = normal_quantile(confidence_level)
    m0 = np.asarray(negatives, dtype=float)
    m1 = np.asarray(positives, dtype=float)
    q0 = (m0 * rates.specificity + 1) / (m0 + 2)
    q1 = (m1 * rates.sensitivity + 1) / (m1 + 2)
    p = rates.verdict_rate
    test_variance = 0.0
    if np.isfinite(items):
        p = (items * p + z**2 / 2) / (items + z**2)
        test_variance = p * (1 - p) / (items + z**2)
    j = q0 + q1 - 1
    informative = j > 0
    j = np.where(informative, j, 1.0)
    theta = (p + q0 - 1) / j
    v0, v1 = q0 * (1 - q0) / (m0 + 2), q1 * (1 - q1) / (m1 + 2)
    half = z * np.sqrt(test_variance + (1 - theta) ** 2 * v0 + theta**2 * v1) / j
    center = theta + 2 * z**2 * (theta * v1 - (1 - theta) * v0)
    length = np.clip(center + half, 0, 1) - np.clip(center - half, 0, 1)
    return np.where(informative, length, np.inf)


def stratum_length(
    weights: ArrayLike,
    labelled: ArrayLike,
    positives: ArrayLike,
    *,
    items: float = np.inf,
    confidence_level: float,
) -> Array:
    """Length of an interval from labels in strata [..., H]: the spread of its Jeffreys posterior.

    The posterior of each stratum's share is a beta distribution; the variance of the weighted sum,
    and of the strata's own sizes where `items` is finite, is turned into a normal interval.
    """
    weight = np.asarray(weights, dtype=float)
    m, x = np.asarray(labelled, dtype=float), np.asarray(positives, dtype=float)
    share = (x + 0.5) / (m + 1)
    variance = (weight**2 * share * (1 - share) / (m + 2)).sum(-1)
    if np.isfinite(items):
        mean = (weight * share).sum(-1, keepdims=True)
        variance = variance + (weight * (share - mean) ** 2).sum(-1) / items
    length: Array = 2 * normal_quantile(confidence_level) * np.sqrt(variance)
    return length


def by_verdict_length(
    rates: JudgeRates, labelled: ArrayLike, *, items: float = np.inf, confidence_level: float
) -> Array:
    """Expected length with `labelled` [..., 2] labels among the negative and positive verdicts."""
    m = np.asarray(labelled, dtype=float)
    return stratum_length(
        rates.strata, m, m * rates.positive_shares, items=items, confidence_level=confidence_level
    )
