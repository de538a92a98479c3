"""Intervals for what rankings give: scores, differences between systems, ranks.

Those of the agreement of two rankings are in `goldassay.inference.orders`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.clusters import student_quantile
from goldassay.inference.orders import percentile_ends

__all__ = ["Differences", "differences", "hull_ends", "percentile_ends"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def hull_ends(
    value: float, replicates: Floats, *, confidence_level: float, n_clusters: int
) -> tuple[float, float]:
    """The hull of the percentile ends and of these mirrored at the estimate (the basic interval).

    Noise inflates spreads and squared errors, and resampling does so again: the mirrored lower end
    takes that back, and the plain upper end is safe.
    """
    low, high = (
        float(end)
        for end in percentile_ends(
            replicates, confidence_level=confidence_level, n_clusters=n_clusters
        )
    )
    return min(low, 2 * value - high), max(high, 2 * value - low)


@dataclass(frozen=True)
class Differences:
    """All differences between systems, with intervals that hold for all of them at once.

    `gap[i, j]` is by how much i is above j; NaN where one has no score. `half` is half the length
    of the interval, infinite where the data give no standard error; `above` says where i is surely
    above j.
    """

    gap: Floats
    half: Floats
    above: Bools

    @property
    def places(self) -> tuple[Ints, Ints]:
        """The first and last place of each system [S] that the differences leave open.

        One more than the systems surely above it, and all but those surely below (Mogstad,
        Romano, Shaikh and Wilhelm 2024). 0 to 0 for a system without a score.
        """
        scored = ~np.isnan(np.diag(self.gap))
        first = 1 + self.above.sum(axis=0)
        last = scored.sum() - self.above.sum(axis=1)
        return np.where(scored, first, 0), np.where(scored, last, 0)

    def ends(self, one: int, other: int) -> tuple[float, float]:
        gap, half = float(self.gap[one, other]), float(self.half[one, other])
        return gap - half, gap + half


def differences(
    observed: Floats, replicates: Floats, *, confidence_level: float, n_clusters: int
) -> Differences:
    """The differences between systems with scores [S] and resamples of them [B, S].

    Student's t with clusters - 1 degrees of freedom, the level shared out over all pairs
    (Bonferroni): sign-flip and bootstrap critical values were hardly shorter, or fell short with
    few clusters. A pair whose resamples do not vary (or are not finite) is told apart when its
    order holds in all of them and so many clusters would not all fall on one side by chance.
    """
    size = len(observed)
    scored = int((~np.isnan(observed)).sum())
    pairs = max(scored * (scored - 1) // 2, 1)
    reach = student_quantile(max(n_clusters - 1, 1), 1 - (1 - confidence_level) / 2 / pairs)
    one_sided = 2.0 ** (1 - n_clusters) * pairs <= 1 - confidence_level
    stretch = np.sqrt(n_clusters / max(n_clusters - 1, 1))
    with np.errstate(invalid="ignore"):
        gap = observed[:, None] - observed[None, :]
    np.fill_diagonal(gap, np.where(np.isnan(observed), np.nan, 0.0))
    half, above = np.full((size, size), np.inf), np.zeros((size, size), np.bool_)
    for i in np.flatnonzero(~np.isnan(observed)):
        with np.errstate(invalid="ignore"):
            drawn = replicates[:, [i]] - replicates
            sign = np.sign(np.where(np.isnan(drawn), 0.0, drawn)).sum(axis=0)
        known = ~np.isnan(drawn)
        number = np.maximum(known.sum(axis=0), 1)
        enough = 2 * known.sum(axis=0) >= len(drawn)
        finite = (np.isfinite(drawn) | ~known).all(axis=0) & enough
        filled = np.where(known & finite, drawn, 0.0)
        mean = filled.sum(axis=0) / number
        square = np.where(known & finite, (filled - mean) ** 2, 0.0).sum(axis=0) / number
        error = np.sqrt(square) * stretch
        varying = finite & (error > 1e-12 * np.maximum(np.abs(gap[i]), 1e-300))
        half[i, varying] = reach * error[varying]
        with np.errstate(invalid="ignore"):
            above[i] = varying & (gap[i] > half[i])
            steady = enough & ~varying & (sign == known.sum(axis=0))
            above[i] |= steady & one_sided & (gap[i] > 0)
    return Differences(gap, half, above)
