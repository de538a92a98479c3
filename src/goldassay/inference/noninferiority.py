"""Is one rater worse than another by less than a margin? Paired gains and losses of items.

On each item one rater does better (a loss of the other), or worse (a gain), or both do the same.
What is tested is the mean of d, which is 1, -1 or 0 (or between, where a rater answered several
times), against a margin. The textbook t-test fails where few items differ: with no loss among 30
items it takes a margin of 0.05 for proved, and is wrong one time in five. Here the variance is
that under the margin (the score test of Nam 1997 and Tango 1998, for paired proportions), with a
continuity correction, so that no loss at all is as uncertain as it is.

With clusters the variance is multiplied by the design effect and Student's t has one degree of
freedom less than there are clusters, or than these are worth where their sizes are unequal.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.frozen import dataclass
from goldassay.inference.clusters import (
    cautious_design_effect_of_share,
    design_effect,
    worth_in_equal_clusters,
)
from goldassay.inference.proportions import normal_quantile

__all__ = ["Differences", "at_least", "differences_of", "false_discoveries", "items_for"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Halvings of [-1, 1] until an end of an interval is known to 1e-9.
HALVINGS = 31
#: Clusters with differing items that it takes to believe the design effect they show as much as the
#: largest one: fewer than for a plain share, as the score test itself is cautious.
DOUBT = 1.0


@dataclass(frozen=True)
class Differences:
    """Sums over items of the losses (d > 0) and gains (d < 0), and what the clusters make of it."""

    losses: float
    gains: float
    n_items: int
    n_clusters: int
    effect: float = 1.0
    #: How many clusters of one size would know their spread as well; None where they are equal.
    worth: float | None = None

    @property
    def mean(self) -> float:
        return (self.losses - self.gains) / self.n_items

    def variance_at(self, margin: float) -> float:
        """The largest-likelihood variance of one item's d, were its mean the margin (Tango 1998).

        With mean D the share of gains q solves 2 n q^2 + B q - gains D (1 - D) = 0, where
        B = (2 n - losses + gains) D - losses - gains; the variance is 2 q + D - D^2.
        """
        n = self.n_items
        middle = (2 * n - self.losses + self.gains) * margin - self.losses - self.gains
        last = -self.gains * margin * (1 - margin)
        root = math.sqrt(max(middle**2 - 8 * n * last, 0.0))
        gains = max((root - middle) / (4 * n), -margin, 0.0)
        return max(2 * gains + margin * (1 - margin), 0.0)

    def below(self, margin: float) -> float:
        """The one-sided p-value of "the mean of d is at least the margin"."""
        return self._tail(margin - self.mean, margin)

    def above(self, margin: float) -> float:
        """The one-sided p-value of "the mean of d is at most the margin"."""
        return self._tail(self.mean - margin, margin)

    def _tail(self, reach: float, margin: float) -> float:
        from goldassay.formulas.compiled import stdtr

        if self.n_clusters < 2:
            return 1.0
        # Half a step of losses - gains, which is 2 where every item differs.
        step = 2.0 if self.losses + self.gains > self.n_items - 0.5 else 1.0
        correction = min(step / 2 * self.effect / self.n_items, abs(reach))
        reach -= math.copysign(correction, reach)
        error = math.sqrt(self.variance_at(margin) * self.effect / self.n_items)
        if error == 0:
            return 0.5 if reach == 0 else float(reach < 0)
        worth = self.n_clusters if self.worth is None else self.worth
        return float(stdtr(worth - 1, -reach / error))

    def interval(self, confidence_level: float) -> tuple[float, float]:
        """Both ends of the mean of d: the margins that neither one-sided test refutes."""
        tail = (1 - confidence_level) / 2
        ends = []
        for test, end in ((self.above, -1.0), (self.below, 1.0)):
            kept, refuted = self.mean, end
            if test(end) > tail:
                kept = end
            for _ in range(HALVINGS if kept != end else 0):
                middle = (kept + refuted) / 2
                kept, refuted = (middle, refuted) if test(middle) > tail else (kept, middle)
            ends.append(kept)
        return ends[0], ends[1]


def differences_of(d: Array, cluster: Ints) -> Differences:
    """The differences of items whose clusters are numbered (not every number need occur)."""
    _, cluster = np.unique(cluster, return_inverse=True)
    clusters, n = int(cluster.max(initial=-1)) + 1, len(d)
    losses, gains = float(np.maximum(d, 0).sum()), float(np.maximum(-d, 0).sum())
    if clusters == n:
        return Differences(losses, gains, n, n)
    off = d - d.mean()
    sizes = np.bincount(cluster, minlength=clusters).astype(np.float64)
    over = float((np.bincount(cluster, off, clusters) ** 2).sum()) * clusters / max(clusters - 1, 1)
    largest = float((sizes**2).sum() / sizes.sum())
    effect = float(design_effect(over, float((off**2).sum()), largest))
    # Few differing items do not tell how they hang together within a cluster.
    differing = np.bincount(cluster, np.abs(d), clusters).astype(np.float64)
    once = np.ones(clusters)
    cautious = float(cautious_design_effect_of_share(differing, sizes, once, doubt=DOUBT))
    worth = float(worth_in_equal_clusters(sizes))
    return Differences(losses, gains, n, clusters, max(effect, cautious), worth)


def false_discoveries(p_values: ArrayLike, level: float) -> NDArray[np.bool_]:
    """Which hypotheses are refuted with false discoveries held at `level` under any dependence.

    Benjamini and Yekutieli (2001): the largest k with p_(k) <= k level / (m (1 + 1/2 + ... + 1/m)).
    """
    p = np.asarray(p_values, dtype=np.float64)
    m, order = len(p), np.argsort(p, kind="stable")
    steps = level * np.arange(1, m + 1) / (m * (1 / np.arange(1, m + 1)).sum()) if m else p
    passed = np.flatnonzero(p[order] <= steps)
    refuted = np.zeros(m, bool)
    refuted[order[: passed[-1] + 1 if len(passed) else 0]] = True
    return refuted


def at_least(p_values: ArrayLike, number: int) -> float:
    """The p-value of "fewer than `number` of these hypotheses are false".

    Benjamini and Heller (2008), by Bonferroni's inequality: (m - number + 1) p_(number), valid
    under any dependence. False discoveries held at 5 % alone do not bound how often a verdict on
    the number is wrong: among 30 they let it be wrong one time in ten.
    """
    p = np.sort(np.asarray(p_values, dtype=np.float64))
    return min(1.0, float(p[number - 1]) * (len(p) - number + 1))


def items_for(seen: Differences, margin: float, *, level: float, power: float = 0.8) -> float:
    """Items after which `below(margin)` falls under `level` with probability `power`.

    As if what was seen were the truth; infinite where the mean that was seen is not below.
    """
    reach = margin - seen.mean
    if reach <= 0:
        return math.inf
    seen_variance = (seen.losses + seen.gains) / seen.n_items - seen.mean**2
    errors = float(normal_quantile(1 - level)) * math.sqrt(seen.variance_at(margin))
    errors += float(normal_quantile(power)) * math.sqrt(max(seen_variance, 0.0))
    return seen.effect * ((errors / reach) ** 2 + 1 / reach)
