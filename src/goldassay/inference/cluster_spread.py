"""How well clusters of unequal sizes know their own spread.

An interval over few clusters reaches as far as Student's t. With clusters of unequal sizes the
degrees of freedom are Satterthwaite's (1946): those of the sum of squares of what the clusters move
an estimate by. That sum is the less certain the more of it comes from a large cluster, and more
comes from it where decisions of one cluster are alike: a cluster of m decisions with the
correlation rho varies as m (1 + rho (m - 1)).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import special
from goldassay.frozen import dataclass
from goldassay.inference.clusters import (
    LARGEST_SHARE,
    ROUNDING,
    degrees_of,
    student_quantile,
    student_reach,
)
from goldassay.inference.proportions import normal_quantile

__all__ = [
    "ENOUGH_BY_SIZE",
    "LONGEST_BY_SIZE",
    "LONGEST_REACH",
    "UNEQUAL",
    "ClusterSpread",
    "SizeDoubt",
    "degrees_of_variances",
    "doubt_by_size",
    "reaches_by_size",
    "reaches_by_sizes",
    "unequal_sizes",
    "variances_of_moves",
]

Array = NDArray[np.float64]

#: Standard errors beyond which unequal sizes move no tail further; chosen by simulated coverage
#: of one giant cluster among small ones (of corrected means of scores among 2.8, 3.3 and 4).
LONGEST_REACH = 2.8
#: By how many standard errors what clusters move must go with their sizes before that counts, and
#: counts wholly; how unequal the sizes must be; and how many times as far an end is moved at most.
#: By simulated coverage and length.
BY_SIZE, UNEQUAL, LONGEST_BY_SIZE = (1.0, 1.5), (0.2, 0.6), 1.5
#: How many clusters of the size that the largest of one more would have are taken to be missing
#: where moves go with sizes. By simulated coverage and length of changes, among 0, 1 and 1.5; each
#: held more of them, for hardly more length.
MISSING = 1.5
#: So many clusters show whether large ones are of another kind; of fewer, samples that miss it look
#: like any other. From so many on intervals hold, unless sizes are so unequal that the sum of
#: lognormal ones of their spread is more skewed than this. By simulated coverage of changes.
ENOUGH_BY_SIZE, HEAVY_SIZES = 30, 0.6
#: A variance of logarithms of sizes that is beyond all that are met.
LARGEST_SPREAD = 100.0

#: Clusters are few, or so unequal that the large ones, which seem to be of another kind, carry all.
SizeDoubt = Literal["few", "heavy"]


def variances_of_moves(moves: Array, amounts: Array, sizes: Array, times: Array) -> Array:
    """Variances of what clusters move, up to a factor: amounts x (1 + correlation x (size - 1)).

    The correlation within clusters is that which makes their sum the one seen.
    """
    together = amounts * np.maximum(sizes - 1, 0.0)
    more = float(times @ moves**2) - float(times @ amounts)
    correlation = min(max(more / max(float(times @ together), 1e-300), 0.0), 1.0)
    return np.asarray(amounts + correlation * together)


def degrees_of_variances(h: Array, v: Array, times: Array) -> tuple[Array, Array]:
    """Satterthwaite's degrees of freedom where clusters [C, ...] of leverage h have variances v.

    Of sum r^2/(1 - h), r = y - h sum(y), y independent with variances v; and by how much its
    expectation falls short of the variance of sum(y), which it does not where v is as h.
    """

    def summed(parts: Array) -> Array:
        flat = np.dot(times[None], parts.reshape(len(times), -1))
        return np.asarray(flat.reshape(parts.shape[1:]))

    a = 1 / (1 - h)
    u, k = -a * h, summed(a * h**2)
    zero, one, two = (summed(u**power * v) for power in range(3))
    expected = summed(v * (a + 2 * u)) + k * zero
    every = 2 * two * zero + (k * zero) ** 2 + 2 * one**2 + 4 * k * one * zero
    own = summed(((a + 2 * u + k) ** 2 - (2 * u + k) ** 2) * v**2)
    degrees = expected**2 / np.maximum(every + own, 1e-300)
    return np.maximum(degrees, 1.0), np.maximum(zero / np.maximum(expected, 1e-300), 1.0)


def reaches_by_size(
    moves: Array, sizes: Array, times: Array, reach: float, *, missing: float | None = None
) -> tuple[float, float]:
    """How many times as far as `reach` both ends lie where moves [C] go with the sizes of clusters.

    Where large clusters are of another kind, most samples hold too few of the largest, and show too
    little both of that kind and of its spread: what clusters move is then skewed, and the end
    beyond which the missing ones lie is Hall's (1992) for a skewed sum. Few clusters look skewed
    by chance. So it counts as far as sizes differ (`UNEQUAL`, of their squared coefficient of
    variation) and as moves go with them (`BY_SIZE`, in standard errors), the same way as the
    skewness. A sample without its largest clusters looks less skewed than others, and needs a
    further end than they do: beyond that of the skewed sum lies what `MISSING` clusters would move
    that are as large as the largest of one more may be expected to be, and of the kind that the
    sizes seen point to. All this moves an end by `LONGEST_BY_SIZE` times at most.
    """
    down, up = reaches_by_sizes(moves[None], sizes[None], times, np.array([reach]), missing=missing)
    return float(down[0]), float(up[0])


def reaches_by_sizes(
    moves: Array,
    sizes: Array,
    times: Array | NDArray[np.int64],
    reach: Array,
    *,
    missing: float | None = None,
) -> tuple[Array, Array]:
    """`reaches_by_size` of R studies at once: moves and sizes [R, C], a reach [R] of each."""
    variance, along = moves**2 @ times, _along(moves, sizes, times)
    known = (variance > ROUNDING) & (along != 0)
    skewness = np.where(known, moves**3 @ times / np.where(known, variance, 1.0) ** 1.5, 0.0)
    counts = _part(np.abs(along), BY_SIZE) * _part(_unequal(sizes, times), UNEQUAL)
    skewness = np.where(along * skewness > 0, counts, 0.0) * skewness
    skewed = np.abs(skewness) >= ROUNDING
    divisor = np.where(skewed, skewness, 1.0)
    following = np.where(known, _moved_by_next(moves, sizes, times), 0.0)
    further = counts * following / np.sqrt(np.where(known, variance, 1.0))
    further *= MISSING if missing is None else missing

    def times_as_far(side: int) -> Array:
        """Of the lower end (1), or the upper one (-1)."""
        end = 3 / divisor * (np.cbrt(1 + divisor * (side * reach - divisor / 6)) - 1)
        far = np.where(skewed, np.abs(end), reach) + np.maximum(-side * further, 0.0)
        return np.asarray(np.clip(far / reach, 1.0, LONGEST_BY_SIZE))

    return times_as_far(1), times_as_far(-1)


def _moved_by_next(moves: Array, sizes: Array, times: Array | NDArray[np.int64]) -> Array:
    """What the largest of one cluster more would move studies [R] by.

    Its size is that of the largest of so many lognormal ones, and an item of it moves as the line
    through moves per item by the logarithm of size says.
    """
    number = (sizes > 0) @ times
    logs = np.log(np.where(sizes > 0, sizes, 1.0))
    apart = np.where(sizes > 0, logs - (logs @ times / np.maximum(number, 1))[:, None], 0.0)
    spread = np.sqrt(apart**2 @ times / np.maximum(number - 1, 1))
    largest = spread * normal_quantile(1 - 1 / (number + 1.0))
    # Moves sum to 0, so that an item moves nothing where items lie in the middle of the sizes.
    middle = (sizes * apart) @ times / np.maximum(sizes @ times, 1e-300)
    off = apart - middle[:, None]
    slope = (moves * off) @ times / np.maximum((sizes * off**2) @ times, 1e-300)
    size = np.exp(largest + logs @ times / np.maximum(number, 1))
    return np.asarray(size * slope * (largest - middle))


def unequal_sizes(sizes: Array, times: Array | NDArray[np.int64]) -> float:
    """The squared coefficient of variation of sizes that so many clusters each have."""
    return float(_unequal(sizes[None], times)[0])


def _unequal(sizes: Array, times: Array | NDArray[np.int64]) -> Array:
    """`unequal_sizes` of R studies [R, C]."""
    number = float(times.sum())
    mean = sizes @ times / number
    found: Array = (sizes - mean[:, None]) ** 2 @ times / number / np.maximum(mean, 1e-300) ** 2
    return found


def doubt_by_size(
    sizes: Array, times: Array | NDArray[np.int64], moves: Array | None = None
) -> SizeDoubt | None:
    """Whether clusters [C] of such sizes may not show what large ones among them are like.

    Few do not, whatever they look like. Of more it shows, if only in that what they move goes with
    their sizes: then it is the largest, of which samples hold too few, that an interval hangs on.
    `moves` [C] (or [C, E] of several estimates) are left out where intervals hold all the same.
    Clusters of one item each, whatever they weigh, are to be left out by who asks.
    """
    number = float(times.sum())
    if unequal_sizes(sizes, times) <= UNEQUAL[0]:
        return None
    if number < ENOUGH_BY_SIZE:
        return "few"
    if moves is None or _skewness_of_sizes(sizes, times) <= HEAVY_SIZES:
        return None
    each = moves.reshape(len(sizes), -1).T
    told = np.abs(_along(each, np.broadcast_to(sizes, each.shape), times)) > BY_SIZE[0]
    return "heavy" if told.any() else None


def _skewness_of_sizes(sizes: Array, times: Array | NDArray[np.int64]) -> float:
    """The skewness of the sum of as many lognormal sizes that are as unequal as these.

    The spread of logarithms hardly hangs on whether the largest cluster was drawn. It is that above
    their median: small clusters have one item at least, which says nothing of large ones.
    """
    order = np.argsort(sizes)
    logs, number = np.log(np.maximum(sizes[order], 1e-300)), np.cumsum(times[order])
    middle = logs[np.searchsorted(number, number[-1] / 2)]
    spread = 2 * float(times[order] @ np.maximum(logs - middle, 0.0) ** 2) / float(number[-1])
    if spread > LARGEST_SPREAD:
        return math.inf
    return (math.exp(spread) + 2) * math.sqrt(math.expm1(spread) / float(number[-1]))


def _along(moves: Array, sizes: Array, times: Array | NDArray[np.int64]) -> Array:
    """By how many standard errors moves go with sizes, of R studies [R, C]."""
    apart = sizes - (sizes @ times / float(times.sum()))[:, None]
    error = np.sqrt((moves * apart) ** 2 @ times)
    known = error > ROUNDING
    return np.asarray(np.where(known, (moves * apart) @ times / np.where(known, error, 1.0), 0.0))


def _part(value: Array, ends: tuple[float, float]) -> Array:
    """How far values have come from the first end to the last."""
    first, last = ends
    return np.clip((value - first) / (last - first), 0.0, 1.0)


@dataclass(frozen=True)
class ClusterSpread:
    """How well clusters of unequal sizes know their own spread.

    `degrees` of freedom are Satterthwaite's for a mean over items: with h a cluster's share of the
    items, 1/df = sum h^2 + (sum h^2/(1 - h))^2 - sum h^4/(1 - h)^2, which is C - 1 for C equal
    ones. Where every cluster is all hits or none (items of unequal weight), its spread grows with
    its size, not with the root of it: 1/df = sum h^4 / (sum h^2)^2. `stretch` is by how much a
    standard error grows when each cluster's residual is divided by the root of 1 - h: a large
    cluster draws the mean towards itself.
    """

    degrees: float
    stretch: float
    #: Every cluster is as one item of some weight.
    lone: bool = False
    #: How many times as far the lower and the upper end lie where moves go with sizes.
    down: float = 1.0
    up: float = 1.0

    @classmethod
    def of_share(
        cls, hits: Array, sizes: Array, multiplicity: ArrayLike, *, lone: bool = False
    ) -> ClusterSpread:
        """Of a share of `hits` among `sizes`, by cluster [C]; `lone` where each is as one item."""
        times = np.asarray(multiplicity, dtype=np.float64)
        if not times.any():  # the one cluster that there was is left out
            return cls(1.0, 1.0, lone=lone)
        share = float(times @ hits) / max(float(times @ sizes), 1e-300)
        alike = np.all((hits <= ROUNDING) | (hits >= sizes * (1 - ROUNDING)))
        amounts = sizes * max(share * (1 - share), 1e-150)
        moves, together = hits - share * sizes, None if alike else sizes
        found = cls.of_moves(moves, amounts, times, alike=bool(alike), sizes=together)
        return replace(found, lone=lone)

    @classmethod
    def of_moves(
        cls,
        moves: Array,
        amounts: Array,
        multiplicity: ArrayLike,
        *,
        alike: bool,
        sizes: Array | None = None,
    ) -> ClusterSpread:
        """Of an estimate that each cluster [C] moves by so much.

        `amounts` are, up to a factor, the variances of `moves` were a cluster's decisions
        independent; where these are all `alike` (one item of some weight), standard deviations.
        With `sizes` (decisions by cluster; `amounts` then are those variances) what decisions of
        one cluster have in common counts.
        """
        times = np.asarray(multiplicity, dtype=np.float64)
        total = max(float(times @ amounts), 1e-300)
        h = np.minimum(amounts / total, LARGEST_SHARE)
        degrees = float(degrees_of(h, times))
        if alike:
            inverse = float(times @ h**4) / max(float(times @ h**2) ** 2, 1e-300)
            degrees = max(1 / max(inverse, 1e-12), 1.0)
        bias, by_size = 1.0, (1.0, 1.0)
        if sizes is not None and not alike:
            # How many times as far at 95 % stands for every level: that is where it was measured.
            reach = student_quantile(degrees, 0.975)
            by_size = reaches_by_size(moves, sizes, times, reach)
            varying = variances_of_moves(moves, amounts, sizes, times)
            degrees, bias = map(float, degrees_of_variances(h, varying, times))
        squares = moves**2
        if times @ squares <= ROUNDING:  # nobody errs: as if all clusters varied alike
            squares = amounts**2
        grown = float(times @ (squares / (1 - h))) / max(float(times @ squares), 1e-300)
        return cls(degrees, math.sqrt(grown * bias), down=by_size[0], up=by_size[1])

    def factor(self, confidence_level: float) -> float:
        """How much further than a normal interval of the root of the sum of squares it reaches.

        Student's t with the degrees of freedom, and the stretch: of C equal clusters it is the
        quantile of C - 1 degrees with the divisor C - 1.
        """
        return self.student(confidence_level) * self.stretch

    def student(self, confidence_level: float) -> float:
        """How much further Student's t with the degrees of freedom reaches than a normal."""
        tail = (1 - confidence_level) / 2
        return student_quantile(self.degrees, tail) / special.normal_quantile(tail)

    def tail(self, n_clusters: float, confidence_level: float) -> float:
        """The probability to leave in each tail of draws of the Bayesian bootstrap.

        That of as many equal clusters, or a smaller one, as far as `LONGEST_REACH` at 95 %. Lone
        items of equal weight need none of it, as their posterior is that of the counts: of unequal
        ones only what their weights take away counts (1/df less 1/n).
        """
        return special.normal_cdf(-self.reach(n_clusters, confidence_level))

    def reach(self, n_clusters: float, confidence_level: float) -> float:
        """How many standard deviations of such draws an interval reaches on either side."""
        usual = special.normal_quantile((1 + confidence_level) / 2)
        longest = LONGEST_REACH * (usual / special.normal_quantile(0.975))
        if self.lone:
            lost = max(1 / self.degrees - 1 / n_clusters, 1e-9)
            reach = -student_quantile(max(1 / lost, 1.0), (1 - confidence_level) / 2)
            return max(usual, min(reach * self.stretch, longest))
        equal = student_reach(n_clusters, confidence_level, resampling="bayesian")
        reach = -student_quantile(self.degrees, (1 - confidence_level) / 2) * self.stretch
        reach *= math.sqrt((n_clusters + 1) / n_clusters)
        return max(equal, min(reach, longest))
