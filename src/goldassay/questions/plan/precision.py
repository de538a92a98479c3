"""A judge's rates, and how exact a rate can be known through it: variances before any label.

Reference: Lee et al., "How to Correctly Report LLM-as-a-Judge Evaluations", equations 9 and 10;
Cochran, "Sampling Techniques", chapter 5.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.frozen import dataclass

__all__ = ["JudgeRates", "normal_quantile", "spread_by_verdict"]

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


def spread_by_verdict(rates: JudgeRates, labelled: ArrayLike, *, items: float = np.inf) -> Array:
    """The standard error with `labelled` [..., 2] labels among negative and positive verdicts.

    That of Jeffreys' posterior at the expected counts: it says which shares of labels are best.
    """
    m, weight = np.asarray(labelled, dtype=float), rates.strata
    share = (m * rates.positive_shares + 0.5) / (m + 1)
    variance = (weight**2 * share * (1 - share) / (m + 2)).sum(-1)
    if np.isfinite(items):
        mean = (weight * share).sum(-1, keepdims=True)
        variance = variance + (weight * (share - mean) ** 2).sum(-1) / items
    return np.asarray(np.sqrt(variance))
