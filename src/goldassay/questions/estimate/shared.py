"""Systems that share their labels: one judge's errors, a true rate for each system.

A judge that errs alike on every system has the same sensitivity q and false-positive rate f
everywhere, and a system of which it calls p positive has the rate (p - f) / (q - f) (Rogan and
Gladen 1978). The labelled share within a verdict is not shared: P(label | verdict) depends on the
system's own rate, and differs wherever true rates do.

The difference of two systems is (p_a - p_b) / (q - f): f cancels, and what is left is a ratio whose
limits are Fieller's (1954). Which system is better is told only where labels tell that the judge is
better than chance: of a judge with q < f the order is the other way round.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas import rates as points
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.inference.clusters import design_effect, effective_clusters, normal_distances
from goldassay.inference.contrasts import Contrasts
from goldassay.inference.rates import RatioParts, below_is_told, fieller_limits
from goldassay.questions.estimate import linear
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import Counts
from goldassay.questions.estimate.sample import Sample

__all__ = ["LIKE_CHANCE", "SHARED_ASSUMES", "SharedLabels", "shared_counts"]

Array = NDArray[np.float64]

SHARED_ASSUMES = (
    "the judge errs alike on every system: P(verdict | label) is the same in all, the rates may "
    "differ; labels of all systems are used for each"
)

#: Why nothing is bounded, and what to do.
LIKE_CHANCE = (
    "the labels of all systems together do not tell the judge from chance, so that they bound no "
    "difference of two systems that rest on them; label more outputs of the systems compared, or "
    "take a better judge"
)


def shared_counts(cells: Array, drawn: Drawing) -> Counts:
    """Verdicts of each group, and the labels of all, from cells [..., G, K + 1, V].

    Labelled items of a pool are part of what the judge said of it. Labels that may have been drawn
    within verdicts tell its errors only when each verdict weighs what it does in the pool; rows
    then hold the number of labels that the weighted shares are worth.
    """
    own, calibration = cells[..., -1, :], cells[..., :-1, :]
    verdicts = own + calibration.sum(-2) if drawn.from_pool else own
    labels = calibration.sum(-3)
    if drawn.maybe_by_verdict:
        labels = _weighted(labels, verdicts.sum(-2))
    everything = np.broadcast_to(labels[..., None, :, :], calibration.shape)
    # The verdicts hold the group's labelled items; those of all belong to no group's pool.
    return Counts(verdicts, everything)


def _weighted(labels: Array, pool: Array) -> Array:
    """Labels [..., K, V] as if drawn at random from a pool [..., V] of verdicts.

    With weights w a row's share x of positive verdicts has the variance
    x (1 - x) ((1 - x) w_1 + x w_other) / S, S the weighted row: so many labels it is worth.
    """
    weight = ratio(pool, labels.sum(-2))
    weight = np.where(np.isnan(weight), 0.0, weight)[..., None, :]
    weighted = labels * weight
    total = weighted.sum(-1)
    share = ratio(weighted[..., 1], total)
    others = ratio(
        (weighted * weight).sum(-1) - weighted[..., 1] * weight[..., 1], total - weighted[..., 1]
    )
    others = np.where(np.isnan(others), weight[..., 0], others)
    worth = ratio(total, (1 - share) * weight[..., 1] + share * others)
    return np.nan_to_num(weighted * ratio(worth, total)[..., None])


@dataclass(frozen=True)
class SharedLabels:
    """What differences between groups with shared labels are made of.

    Verdict rates [G] with their covariance over clusters, the judge's q - f with its variance, and
    the degrees of freedom of both.
    """

    rate: Array
    covariance: Array
    items: Array
    clusters: Array
    youden: float
    youden_variance: float
    youden_degrees: float

    @classmethod
    def of(cls, sample: Sample, drawn: Drawing) -> SharedLabels:
        """From the cells of a judge.

        The variance of q - f is that of smoothed binomials, (x + 1) / (m + 2), times the design
        effect of clusters; labels in few clusters have the degrees of freedom of these.
        """
        counts, times = shared_counts(sample.total, drawn), sample.multiplicity

        def called(cells: Array) -> Array:
            return points.naive(shared_counts(cells, drawn).test)

        def youden(cells: Array) -> Array:
            q0, q1 = points.error_rates(shared_counts(cells, drawn).calibration[..., 0, :, :])
            return q0 + q1 - 1

        labels = counts.calibration[0]
        size = labels.sum(-1)
        smooth = (labels[:, 1] + 1) / (size + 2)
        parts = smooth * (1 - smooth) / (size + 2) * _effect(sample, youden)
        held = effective_clusters(sample.cells[:, :, :-1].sum((1, 3)), times)
        degrees = np.maximum(np.minimum(held, size) - 1, 1.0)
        by_cluster = shared_counts(sample.cells, drawn).test.sum(-1)
        pairs = by_cluster[:, :, None] + by_cluster[:, None, :]
        influences = np.nan_to_num(linear.influence(sample.cells, times, called))
        return cls(
            rate=points.naive(counts.test),
            covariance=linear.covariance(influences, times),
            items=counts.test.sum(-1),
            clusters=effective_clusters(pairs, times),
            youden=float(ratio(labels[1, 1], size[1]) - ratio(labels[0, 1], size[0])),
            youden_variance=float(parts.sum()),
            youden_degrees=float(parts.sum() ** 2 / (parts**2 / degrees).sum()),
        )

    def contrast_limits(self, contrasts: Contrasts, confidence_level: float) -> tuple[Array, Array]:
        """Limits of contrasts of the true rates, as of one group less another."""
        return fieller_limits(self._parts(contrasts), confidence_level=confidence_level)

    def like_chance(self, confidence_level: float) -> bool:
        """Whether labels leave open that q <= f: then no difference is bounded."""
        parts = RatioParts(
            0.0, 0.0, math.inf, self.youden, self.youden_variance, self.youden_degrees
        )
        return not bool(below_is_told(parts, confidence_level=confidence_level))

    def distances(
        self, contrasts: Contrasts, against: float = 0.0, *, exact_at: float = 1.96
    ) -> tuple[Array, Array]:
        """How many normal quantiles away the lower, and the upper, end meets `against`: no more
        than q - f is away from 0."""
        parts = self._parts(contrasts)
        error = np.sqrt(parts.above_variance + against**2 * self.youden_variance)
        student = (parts.above - against * self.youden) / np.maximum(error, 1e-150)
        found = normal_distances(student, parts.degrees(against))
        better = self.youden / max(math.sqrt(self.youden_variance), 1e-150)
        most = max(float(normal_distances(better, self.youden_degrees)), 0.0)
        return np.clip(found, 0.0, most), np.clip(-found, 0.0, most)

    def _parts(self, contrasts: Contrasts) -> RatioParts:
        """The judge's contrasts, and q - f that they are divided by.

        As Bonett and Price (2012) do for paired proportions, one item is added for either order.
        """
        index = contrasts.index
        n = index.shape[1] / (1 / np.maximum(self.items[index], 1e-300)).sum(1)
        clusters = self.clusters[index[:, 0], index[:, -1]]
        return RatioParts(
            above=contrasts.of(self.rate) * n / (n + 2),
            above_variance=(n * n * contrasts.variance(self.covariance) + 2) / (n + 2) ** 2,
            above_degrees=np.maximum(clusters - 1, 1.0),
            below=self.youden,
            below_variance=self.youden_variance,
            below_degrees=self.youden_degrees,
        )


def _effect(sample: Sample, functional: linear.Functional) -> float:
    """The design effect of clusters on an estimate; 1 where it is unknown."""
    if sample.independent:
        return 1.0
    over = linear.variance(sample.cells, sample.multiplicity, functional)
    alone = linear.variance(*sample.lone_items, functional)
    return float(design_effect(over, alone)) if np.isfinite(over) and np.isfinite(alone) else 1.0
