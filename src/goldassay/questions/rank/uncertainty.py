"""Intervals for what rankings give: scores, differences between systems, ranks.

Those of the agreement of two rankings are in `goldassay.inference.orders`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.clusters import student_quantile
from goldassay.inference.orders import percentile_ends

__all__ = ["Differences", "differences", "hedged_ends", "hull_ends", "percentile_ends"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

#: The variance of a difference is found from the variances down to this share of them.
CLOSE = 1e-3
#: Pairs that are looked at together.
PAIRS = 256
#: Clusters that carry a score's spread for which the cluster more of `hedged_ends` weighs half.
#: Of 1, 2 and 4 the shortest that held means of nine kinds of scores over 3 to 100 prompts.
DOUBT = 2.0


def hedged_ends(
    replicates: Floats,
    more: Floats,
    ends: tuple[float, float],
    carrying: Floats,
    *,
    confidence_level: float,
    n_clusters: float,
) -> tuple[Floats, Floats]:
    """Percentile ends of mean scores with replicates [B, S], which lie within a known range.

    Resamples know nothing of prompts that were not drawn: a system that never failed on n prompts
    may fail on 3/n of them, and no percentile lies beyond the most extreme of few prompts. So every
    resample has one cluster more, of exponential weight `more` [B] (Rubin's Bayesian bootstrap),
    with the lowest score there is for the lower end and the highest for the upper one. It weighs
    2/(2 + e), where e is how many clusters carry the spread of a score (`carrying` [S]). `more` may
    be [B, S]: a score that is of some of the clusters alone has the more of it.
    """
    weight = more.reshape(len(more), -1) * (DOUBT / (DOUBT + carrying)) / n_clusters

    def reached(end: float) -> tuple[Floats, Floats]:
        return percentile_ends(
            (replicates + weight * end) / (1 + weight),
            confidence_level=confidence_level,
            n_clusters=n_clusters,
        )

    return reached(ends[0])[0], reached(ends[1])[1]


def hull_ends(
    value: float, replicates: Floats, *, confidence_level: float, n_clusters: float
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
    observed: Floats,
    replicates: Floats,
    *,
    confidence_level: float,
    n_clusters: int,
    worth: float | None = None,
) -> Differences:
    """The differences between systems with scores [S] and resamples of them [B, S].

    Student's t with one degree of freedom less than there are clusters, or than these are `worth`
    where they are unequal (`worth_in_equal_clusters`), the level shared out over all pairs
    (Bonferroni): sign-flip and bootstrap critical values were hardly shorter, or fell short with
    few clusters. A pair whose resamples do not vary (or are not finite) is told apart when its
    order holds in all of them and so many clusters would not all fall on one side by chance.
    """
    scored = int((~np.isnan(observed)).sum())
    pairs = max(scored * (scored - 1) // 2, 1)
    degrees = (n_clusters if worth is None else worth) - 1
    reach = student_quantile(max(degrees, 1), 1 - (1 - confidence_level) / 2 / pairs)
    one_sided = 2.0 ** (1 - n_clusters) * pairs <= 1 - confidence_level
    with np.errstate(invalid="ignore"):
        gap = observed[:, None] - observed[None, :]
        np.fill_diagonal(gap, np.where(np.isnan(observed), np.nan, 0.0))
        error, always = _spread(replicates)
        error *= np.sqrt(n_clusters / max(n_clusters - 1, 1))
        varying = np.isfinite(error) & (error > 1e-12 * np.maximum(np.abs(gap), 1e-300))
        half = np.where(varying, reach * error, np.inf)
        above = np.where(varying, gap > half, always & one_sided & (gap > 0))
    return Differences(gap, half, above)


def _spread(replicates: Floats) -> tuple[Floats, Bools]:
    """Standard deviations [S, S] of differences of replicates [B, S]; infinite where not known.

    And where one is above the other in every resample, told of pairs that hardly vary or have gaps.
    """
    size = replicates.shape[1]
    finite = np.asarray(np.isfinite(replicates).all(axis=0))
    centred = np.where(finite, replicates, 0.0)
    centred -= centred.mean(axis=0)
    products = centred.T @ centred / len(centred)
    own: Floats = np.diag(products)
    both = own[:, None] + own
    square: Floats = both - 2 * products
    # Of two that move together this is a difference of large numbers: those are looked at.
    told: Bools = finite[:, None] & finite & np.asarray(square > CLOSE * both)
    error, always = np.full((size, size), np.inf), np.zeros((size, size), np.bool_)
    error[told] = np.sqrt(square[told])
    first, second = np.nonzero(np.triu(~told, 1))
    for start in range(0, len(first), PAIRS):
        i, j = first[start : start + PAIRS], second[start : start + PAIRS]
        drawn = replicates[:, i] - replicates[:, j]
        known = ~np.isnan(drawn)
        number = known.sum(axis=0)
        enough = 2 * number >= len(drawn)
        seen = (np.isfinite(drawn) | ~known).all(axis=0) & enough
        filled = np.where(known & seen, drawn, 0.0)
        mean = filled.sum(axis=0) / np.maximum(number, 1)
        squares = np.where(known & seen, (filled - mean) ** 2, 0.0).sum(axis=0)
        error[i, j] = np.where(seen, np.sqrt(squares / np.maximum(number, 1)), np.inf)
        error[j, i] = error[i, j]
        sign = np.sign(np.where(known, drawn, 0.0)).sum(axis=0)
        always[i, j], always[j, i] = enough & (sign == number), enough & (sign == -number)
    return error, always
