"""A judge's rates, and how exact a rate can be known through it: variances before any label.

Reference: Lee et al., "How to Correctly Report LLM-as-a-Judge Evaluations", equations 9 and 10;
Cochran, "Sampling Techniques", chapter 5.
"""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.frozen import dataclass

__all__ = ["JudgeRates", "Likely", "Pilot", "normal_quantile", "spread_by_verdict"]

Array = NDArray[np.float64]
#: A count: so many of so many.
Count = tuple[int, int]

#: Jeffreys' prior.
PRIOR = 0.5
#: Possible rates that are drawn for each that is kept: many contradict the judge's own rate.
TRIED = 40
#: Possible rates of which a pilot's means are.
MEANS_OF = 4_000
#: Possible rates over which shares by verdict are chosen.
SPREADS = 100


def normal_quantile(confidence_level: float) -> float:
    """The half-width, in standard errors, of a two-sided normal interval."""
    return NormalDist().inv_cdf((1 + confidence_level) / 2)


@dataclass(frozen=True, slots=True)
class Pilot:
    """What was counted before a plan: items called positive, of so many judged; right verdicts, of
    so many labelled positives and negatives. None: not counted, but known."""

    called: Count | None = None
    sensitivity: Count | None = None
    specificity: Count | None = None

    @property
    def labels(self) -> int:
        return sum(count[1] for count in (self.sensitivity, self.specificity) if count)

    @property
    def confusion(self) -> Array:
        """Labelled items [2, 2]: rows true label, columns verdict."""
        right0, m0 = self.specificity or (0, 0)
        right1, m1 = self.sensitivity or (0, 0)
        return np.array([[right0, m0 - right0], [m1 - right1, right1]], dtype=float)


class Likely(NamedTuple):
    """True rates and a judge's error rates [R] that are each as likely as the others."""

    prevalence: Array
    sensitivity: Array
    specificity: Array

    @property
    def strata(self) -> Array:
        """Shares of the items by verdict (negative, positive) [R, 2]."""
        youden_j = self.sensitivity + self.specificity - 1
        called = youden_j * self.prevalence + 1 - self.specificity
        return np.stack([1 - called, called], axis=-1)

    @property
    def positive_shares(self) -> Array:
        """Share of truly positive items among those called negative and called positive [R, 2]."""
        missed = 1 - self.sensitivity
        true = self.prevalence[:, None] * np.stack([missed, self.sensitivity], axis=-1)
        # An empty stratum weighs nothing; any share will do.
        shares = np.repeat(self.prevalence[:, None], 2, axis=1)
        return np.clip(np.divide(true, self.strata, out=shares, where=self.strata > 0), 0, 1)


@dataclass(frozen=True, slots=True)
class JudgeRates:
    """The true positive rate of the items, and the judge's sensitivity and specificity on them.

    Taken as known, unless a pilot says how far they are: then these are the means of what it leaves
    open (`from_pilot`).
    """

    prevalence: float
    sensitivity: float
    specificity: float
    pilot: Pilot | None = None

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

    def likely(self, runs: int, seed: int) -> Likely:
        """What these rates may be: as known, or so many draws of what a pilot leaves open."""
        if self.pilot is None:
            known = (self.prevalence, self.sensitivity, self.specificity)
            return Likely(*(np.full(runs, rate) for rate in known))
        prevalence = self.prevalence if self.pilot.called is None else None
        return _drawn(self.pilot, prevalence, (self.sensitivity, self.specificity), runs, seed)

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
    def from_cells(
        cls, hits: float, misses: float, false_alarms: float, rejections: float
    ) -> JudgeRates:
        """The rates in a table of 2 x 2: each is a part of its own sum, and so no more than 1.

        Some items are positive, and some negative.
        """
        positive, negative = hits + misses, false_alarms + rejections
        rates = (positive / (positive + negative), hits / positive, rejections / negative)
        return cls(*rates)

    @classmethod
    def from_verdicts(
        cls, verdict_rate: float, sensitivity: float, specificity: float
    ) -> JudgeRates:
        """The rates behind a judge's own rate (Rogan-Gladen, clipped to [0, 1]); J is not 0."""
        prevalence = (verdict_rate + specificity - 1) / (sensitivity + specificity - 1)
        return cls(min(max(prevalence, 0.0), 1.0), sensitivity, specificity)

    @classmethod
    def from_pilot(
        cls, pilot: Pilot, prevalence: float | None, sensitivity: float, specificity: float
    ) -> JudgeRates:
        """The rates that counts leave open; those that are not counted are known.

        ValueError where no rates agree with the counts.
        """
        found = _drawn(pilot, prevalence, (sensitivity, specificity), MEANS_OF, 0)
        theta, q1, q0 = (float(np.clip(rate.mean(), 0, 1)) for rate in found)
        return cls(theta if prevalence is None else prevalence, q1, q0, pilot)


@lru_cache(maxsize=16)
def _drawn(
    pilot: Pilot, prevalence: float | None, known: tuple[float, float], runs: int, seed: int
) -> Likely:
    """Draws from the posterior of the rates: Jeffreys' prior on the judge's, any true rate as
    likely as another.

    With theta = (p + q0 - 1) / J, a flat prior on theta is 1 / J over the judge's own rate p, which
    lies within 1 - q0 and q1.
    """
    rng = np.random.default_rng([seed, 2])
    tried = runs if prevalence is not None else runs * TRIED
    q1, q0 = (
        np.full(tried, rate)
        if count is None
        else rng.beta(count[0] + PRIOR, count[1] - count[0] + PRIOR, tried)
        for rate, count in zip(known, (pilot.sensitivity, pilot.specificity), strict=True)
    )
    if prevalence is not None:
        return Likely(np.full(runs, prevalence), q1, q0)
    assert pilot.called is not None
    called, items = pilot.called
    p = rng.beta(called + PRIOR, items - called + PRIOR, tried)
    agree = np.flatnonzero((q0 + q1 > 1) & (p > 1 - q0) & (p < q1))
    if len(agree) < runs // 10:
        raise ValueError("no error rates agree with these counts")
    weight = 1 / (q0 + q1 - 1)[agree]
    kept = rng.choice(agree, runs, p=weight / weight.sum())
    theta = (p[kept] + q0[kept] - 1) / (q0 + q1 - 1)[kept]
    return Likely(np.clip(theta, 0, 1), q1[kept], q0[kept])


def spread_by_verdict(rates: JudgeRates, labelled: ArrayLike, *, items: float = np.inf) -> Array:
    """The standard error with `labelled` [..., 2] labels among negative and positive verdicts.

    That of Jeffreys' posterior at the expected counts: it says which shares of labels are best. Of
    a pilot's rates, on average over what these may be.
    """
    likely = rates.likely(1 if rates.pilot is None else SPREADS, 1)
    m = np.asarray(labelled, dtype=float)[..., None, :]
    weight = likely.strata
    share = (m * likely.positive_shares + 0.5) / (m + 1)
    variance = (weight**2 * share * (1 - share) / (m + 2)).sum(-1)
    if np.isfinite(items):
        mean = (weight * share).sum(-1, keepdims=True)
        variance = variance + (weight * (share - mean) ** 2).sum(-1) / items
    return np.asarray(np.sqrt(variance).mean(-1))
