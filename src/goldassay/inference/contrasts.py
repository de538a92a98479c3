"""Differences of estimates that vary together, all of them at once.

Systems answer the same prompts, and share labels or a judge: their rates rise and fall together. A
contrast is a weighted sum of such estimates, as a difference of two, or what a difference within a
slice has over that of the whole. Its limits are recovered from those of the single estimates and
their correlation (MOVER: Zou and Donner 2008), so that rare outcomes, few labels and few clusters,
which the single limits know of, are known to the contrast too.

**All at once** (Hothorn, Bretz and Westfall 2008): the critical value c is the quantile of the
largest of all studentised contrasts under their common normal distribution; single limits are then
read at the level 2 Phi(c) - 1, which takes Student's t and skewness along. No interval misses with
the familywise confidence level, however many are looked at and whichever looks best.

**A few labels and their covariance.** One prompt on which two systems fail together makes a
correlation of 1 out of nothing. Newcombe (1998, method 10) takes half a prompt off the positive
covariance of two paired proportions; `cautious_correlation` takes off what half a cluster is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.normal_draws import correlated

__all__ = ["Contrasts", "Family", "Recovered", "cautious_correlation", "family_of", "pairs_of"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
#: A confidence level -> low and high of every estimate [E].
Limits = Callable[[float], tuple[Array, Array]]

#: Draws of all estimates behind a critical value: its Monte Carlo error is about .02.
DRAWS = 10_000
#: The smallest share of the draws that is told; below it, Bonferroni's bound where that is less.
RARE = 2e-3
#: Normal quantiles between which a p-value is searched; ends of intervals are nearly straight.
GRID = (0.0, 0.7, 1.3, 1.8, 2.3, 2.8, 3.4, 4.0, 5.0, 6.5, 9.0)
#: Up to so many contrasts, the places where ends meet a value are searched again, so often.
FEW, AGAIN = 3, 2
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Contrasts:
    """K weighted sums of at most M estimates each: `index[K, M]` and `weight[K, M]`."""

    index: Ints
    weight: Array

    def __len__(self) -> int:
        return len(self.index)

    def of(self, values: Array) -> Array:
        """The contrasts of estimates [..., E]."""
        found: Array = (values[..., self.index] * self.weight).sum(-1)
        return found

    def variance(self, covariance: Array) -> Array:
        """Their variances, from the covariance of the estimates [E, E]."""
        block = covariance[self.index[:, :, None], self.index[:, None, :]]
        found: Array = np.einsum("km,kmn,kn->k", self.weight, block, self.weight)
        return np.maximum(found, 0.0)


def pairs_of(first: Ints, second: Ints) -> Contrasts:
    """Estimate `first[k]` less estimate `second[k]`."""
    index = np.column_stack([first, second]).reshape(-1, 2)
    return Contrasts(index, np.broadcast_to(np.array([1.0, -1.0]), index.shape))


def cautious_correlation(influence: Array, times: Ints) -> Array:
    """The correlation of estimates from the influence [C, E] of clusters, held back where few tell.

    `times` clusters are like each. With q the products of two influences, E = (sum q)^2 / sum q^2
    is the square of their covariance over its own standard error: a positive covariance is
    multiplied by 1 - 1 / (2 E), no less than 0.
    """
    weight = times.astype(float)[:, None]
    covariance = (influence * weight).T @ influence
    spread = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    squares = influence**2
    worth = covariance**2 / np.maximum((squares * weight).T @ squares, 1e-300)
    kept = np.clip(1 - 0.5 / np.maximum(worth, 0.5), 0.0, 1.0)
    held = np.where(covariance > 0, covariance * kept, covariance)
    # Of an estimate that is not known, no correlation: no contrast is made of it.
    found: Array = np.clip(np.nan_to_num(held / np.outer(spread, spread)), -1.0, 1.0)
    np.fill_diagonal(found, 1.0)
    return found


@dataclass(frozen=True)
class Recovered:
    """Estimates with limits at any level and their correlation; contrasts are recovered from them.

    `bounds` are the least and the largest value that an estimate can have. Where all estimates are
    told by the same labels (`jointly_told`) and one may have any value, so may the contrasts of it:
    its influence is that of the labels' errors near the value seen alone.
    """

    value: Array
    limits: Limits
    correlation: Array
    bounds: tuple[float, float] = (0.0, 1.0)
    jointly_told: bool = False

    def contrast_limits(self, contrasts: Contrasts, confidence_level: float) -> tuple[Array, Array]:
        """Low and high of every contrast at one level, each by itself."""
        low, high = self.limits(confidence_level)
        value, index, weight = contrasts.of(self.value), contrasts.index, contrasts.weight
        down, up = (self.value - low)[index], (high - self.value)[index]
        block = self.correlation[index[:, :, None], index[:, None, :]]

        def reach(below: Array, above: Array) -> Array:
            part = weight * np.where(weight > 0, below, above)
            square: Array = np.einsum("km,kmn,kn->k", part, block, part)
            return np.sqrt(np.maximum(square, 0.0))

        least, most = self.bounds
        width = np.abs(weight).sum(-1) / 2 * (most - least)
        # Of estimates that may be anything a correlation says nothing.
        nothing = ((low <= least) & (high >= most))[index].any(-1) & self.jointly_told
        return (
            np.where(nothing, -width, np.maximum(value - reach(down, up), -width)),
            np.where(nothing, width, np.minimum(value + reach(up, down), width)),
        )

    def distances(
        self, contrasts: Contrasts, against: float = 0.0, *, exact_at: float = 1.96
    ) -> tuple[Array, Array]:
        """How many normal quantiles away the lower, and the upper, end meets `against`.

        0 where the contrast itself lies on the other side of it. Between points of a grid the
        ends are taken to be straight; `exact_at` is one of the points, so that a p-value and an
        interval say the same.
        """
        known: dict[float, tuple[Array, Array]] = {}

        def outside(points: Iterable[float]) -> tuple[Array, Array, Array]:
            for c in points:
                if c not in known:
                    level = min(max(2 * _NORMAL.cdf(c) - 1, 1e-9), 1 - 1e-15)
                    low, high = self.contrast_limits(contrasts, level)
                    known[c] = low - against, against - high
            grid = np.array(sorted(known))
            low, high = (np.stack([known[c][side] for c in grid]) for side in (0, 1))
            return grid, low, high

        grid, low, high = outside([*GRID, exact_at])
        found = _crossings(grid, low), _crossings(grid, high)
        for _ in range(AGAIN if len(contrasts) <= FEW else 0):
            grid, low, high = outside(map(float, np.concatenate(found)))
            found = _crossings(grid, low), _crossings(grid, high)
        return found

    def covariance(self, confidence_level: float) -> Array:
        """The covariance that the limits and the correlation amount to."""
        low, high = self.limits(confidence_level)
        length = np.where(np.isfinite(high - low), high - low, 0.0)  # no contrast is made of it
        spread = length / (2 * _NORMAL.inv_cdf((1 + confidence_level) / 2))
        found: Array = self.correlation * np.outer(spread, spread)
        return found


@dataclass(frozen=True)
class Family:
    """How far the largest of several studentised contrasts strays, if all true ones are 0.

    `largest` are draws of it, sorted; None for a single contrast, which is normal.
    """

    size: int
    largest: Array | None

    def tail(self, distance: float) -> float:
        """The probability that some contrast strays further; at most Bonferroni's bound."""
        alone = 2 * _NORMAL.cdf(-distance)
        bound = min(1.0, self.size * alone)
        if self.largest is None:
            return bound
        share = 1 - np.searchsorted(self.largest, distance) / len(self.largest)
        return min(bound, max(float(share), RARE))

    def critical(self, confidence_level: float) -> float:
        """The distance that no contrast exceeds with this probability."""
        bonferroni = -_NORMAL.inv_cdf((1 - confidence_level) / 2 / max(self.size, 1))
        if self.largest is None or 1 - confidence_level < RARE:
            return bonferroni
        return min(bonferroni, float(np.quantile(self.largest, confidence_level)))

    def level(self, confidence_level: float) -> float:
        """The level at which each interval by itself makes all of them hold at once."""
        return 2 * _NORMAL.cdf(self.critical(confidence_level)) - 1


def family_of(contrasts: Contrasts, covariance: Array, *, seed: int, draws: int = DRAWS) -> Family:
    """The family of contrasts of estimates with this covariance [E, E]."""
    variance = contrasts.variance(covariance)
    known = variance > 1e-300
    size = int(known.sum())
    if size < 2:
        return Family(max(size, 1), None)
    used, place = np.unique(contrasts.index[known], return_inverse=True)
    index = place.reshape(-1, contrasts.index.shape[1])
    rng = np.random.default_rng(seed)
    drawn = np.ascontiguousarray(correlated(covariance[np.ix_(used, used)], draws, rng).T)
    scaled = contrasts.weight[known] / np.sqrt(variance[known])[:, None]
    largest, moved, part_of = (np.zeros(draws) for _ in range(3))
    for row, weight in zip(index, scaled, strict=True):
        np.multiply(drawn[row[0]], weight[0], out=moved)
        for i, w in zip(row[1:], weight[1:], strict=True):
            moved += np.multiply(drawn[i], w, out=part_of)
        np.maximum(largest, np.abs(moved, out=moved), out=largest)
    return Family(size, np.sort(largest))


def _crossings(grid: Array, outside: Array) -> Array:
    """Where falling curves [G, K] reach 0; 0 where they start there, else at most the last point.

    An estimate is inside of all its intervals: a curve that starts above 0 is of one that excludes
    the value for sure when it is short enough.
    """
    inside = outside <= 0
    first = np.where(inside.any(0), inside.argmax(0), len(grid) - 1)
    before = np.maximum(first - 1, 0)
    column = np.arange(outside.shape[1])
    above, below = outside[before, column], outside[first, column]
    share = np.where(above > below, above / np.maximum(above - below, 1e-300), 0.0)
    found: Array = grid[before] + np.clip(share, 0, 1) * (grid[first] - grid[before])
    return np.where(first == 0, 0.0, found)
