"""The agreement of two orders that are both seen through noise, and intervals that cover it.

Two raters (a judge, people) give each of S systems a score that unlimited prompts would settle.
With few prompts, or close systems, noise shuffles both orders: it nearly always hides agreement,
and resampling adds the same noise once more, so that percentiles of a resampled Kendall's tau miss
the truth (they covered 0 to 70 % where systems are close). Here the noise is modelled instead.

The systems' true scores are taken as draws from a bivariate normal distribution with spreads s_x,
s_y and correlation rho, of which a share may stray from the common line (a judge that likes one
system). What is seen adds the noise of the prompts, whose variances (and covariance, where both
sides rate the same prompts) the prompts themselves show. On a grid of (share, rho, s_x, s_y):

1. the likelihood of what is seen, summed over all else, keeps every rho that a test with half of
   1 - confidence_level leaves open;
2. at the smallest and at the largest rho kept, true scores are drawn given what is seen, and the
   statistic of these draws (Kendall's tau, or any that rises with the agreement of two orders) ends
   the interval at the other half.

At rho = 1 the two orders are the same but for strays, so that noise alone never excludes full
agreement. Where systems fall into clumps that the prompts tell apart, the same is done within them
(`order_intervals`). `docs/intervals.md` has the coverage, systems that are not normal included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass

__all__ = ["DRAWS", "OrderModel", "Orders", "Seen", "noise_of", "normal_scores", "order_intervals"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: The two ends of an interval.
Ends = tuple[float, float]
#: Statistics of scores [n, S] on two sides, [n] by name.
Statistics = Callable[[Floats, Floats], Mapping[str, Floats]]
#: Scores of the systems on two sides, [n, S] each: the judge's and people's.
Orders = tuple[Floats, Floats]

#: Correlations are the tau of a bivariate normal distribution in even steps.
CORRELATIONS = np.sin(np.pi / 2 * np.linspace(-1, 1, 33))
#: Spreads of the true scores, in units of the spread that is seen.
SPREADS = np.geomspace(0.04, 1.6, 10)
#: Shares of systems that may stray from the common line (a judge that likes one of them), and how
#: many times wider their spread is on the judge's side.
STRAYS = np.array([0.0, 0.1, 0.3])
FAR = 1.5
#: A density below this is none.
TINY = 1e-36
#: Systems whose densities are multiplied before a logarithm is taken: none underflows so.
TOGETHER = 8
#: Draws of true scores at each end.
DRAWS = 400
#: A system's noise is taken to be at least this share of the systems' mean noise.
LEAST_NOISE = 0.05
#: Neighbours this many standard errors of their difference apart are in different clumps.
APART = 2.5


@dataclass(frozen=True)
class Seen:
    """What is seen of S systems: scores [S] of both sides, and the noise in them.

    `noise` [3, S]: variance on the judge's side, on people's, and their covariance, of scores that
    are centred over the systems (what all systems share leaves the order alone). People's are 0
    where their order is given, not sampled.
    """

    judge: Floats
    people: Floats
    noise: Floats
    #: As many equal ones as the clusters are worth.
    n_clusters: float


def noise_of(judge: Floats, people: Floats | None, n_clusters: float) -> Floats:
    """The noise [3, S] of two sides from bootstrap resamples [B, S]; people's None where given.

    A system that a resample lacks is left out of it; one that all lack has the largest noise of
    any, never none. Resamples of C clusters spread with C - 1 over C of the variance, which is put
    back.
    """
    sides = [judge, np.zeros_like(judge) if people is None else people]
    lacking = np.isnan(sides[0]) | np.isnan(sides[1])
    sides = [np.where(lacking, np.nan, one) for one in sides]
    centred = [one - _mean(one, axis=1) for one in sides]
    off = [one - _mean(one, axis=0) for one in centred]
    found = [_mean(off[i] * off[j], axis=0)[0] for i, j in ((0, 0), (1, 1), (0, 1))]
    noise = np.stack(found)
    largest = np.max(noise, axis=1, keepdims=True, where=~np.isnan(noise), initial=0.0)
    noise = np.where(np.isnan(noise), [*largest[:2], [0.0]], noise)  # a covariance is not known
    return np.asarray(noise * n_clusters / max(n_clusters - 1, 1))


def _mean(values: Floats, axis: int) -> Floats:
    """The mean of what is not NaN along an axis, which is kept; NaN for none."""
    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=axis, keepdims=True)
    return ratio(total, known.sum(axis=axis, keepdims=True))


def normal_scores(values: Floats) -> Floats:
    """Normal scores of the ranks, equal values level: an order that is given has no scale."""
    from goldassay.formulas.compiled import ndtri

    below = (values[None, :] < values[:, None]).sum(axis=1)
    level = (values[None, :] == values[:, None]).sum(axis=1)
    return np.asarray(ndtri((below + level / 2) / len(values)))


def clumps_of(scores: Floats, variance: Floats) -> Ints:
    """Systems that one side tells apart from all others are clumps of their own: labels [S].

    A new clump begins where the next score is further than APART standard errors away.
    """
    order = np.argsort(scores, kind="stable")
    gap = np.diff(scores[order])
    apart = gap > APART * np.sqrt(variance[order][1:] + variance[order][:-1])
    labels = np.empty(len(order), np.int64)
    labels[order] = np.concatenate([[0], np.cumsum(apart)])
    return labels


def _density(seen: tuple[Any, ...], rho: Any, sx: Any, sy: Any) -> Any:
    """Density of what is seen of a system, less the share of the scale that the mean takes."""
    x, y, vx, vy, vxy, count = seen
    xx, yy, xy = sx**2 + vx, sy**2 + vy, rho * sx * sy + vxy
    det = _determinant(rho, sx, sy, (vx, vy, vxy))
    square = (x**2 * yy - 2 * x * y * xy + y**2 * xx) / det
    return np.exp(-(square + count * np.log(det)) / 2)


def _determinant(rho: Any, sx: Any, sy: Any, noise: tuple[Any, Any, Any]) -> Any:
    """Of the covariance of what is seen, without the difference of two large products."""
    vx, vy, vxy = noise
    own = sx**2 * vy + sy**2 * vx + (vx * vy - vxy**2)
    return (sx * sy) ** 2 * (1 - rho**2) + own - 2 * rho * sx * sy * vxy


@dataclass(frozen=True)
class _Parts:
    """Scores [2, S] off their clumps' means, these means, noise [2, S] and [S], all scaled.

    `counts` [S] are the degrees of freedom that each system adds, `scale` [2, 1] the unit.
    """

    off: Floats
    centre: Floats
    variance: Floats
    shared: Floats
    counts: Floats
    scale: Floats

    @property
    def every(self) -> tuple[Floats, ...]:
        return (*self.off, *self.variance, self.shared, self.counts)

    def draws(self, rho: Floats, sx: Floats, sy: Floats, rng: np.random.Generator) -> Orders:
        """True scores given what is seen, correlations and spreads [n, S or 1]."""
        (x, y), (vx, vy), vxy = self.off, self.variance, self.shared
        # The prior's covariance is [[a, b], [b, d]]; the gain is the prior's over the seen one.
        a, d, b = sx**2, sy**2, rho * sx * sy
        xx, yy, xy = a + vx, d + vy, b + vxy
        det = _determinant(rho, sx, sy, (vx, vy, vxy))
        g11, g12 = (a * yy - b * xy) / det, (b * xx - a * xy) / det
        g21, g22 = (b * yy - d * xy) / det, (d * xx - b * xy) / det
        # The posterior's covariance (prior - gain prior) and its root.
        c11 = np.maximum(a - (g11 * a + g12 * b), 0.0)
        c12 = b - (g11 * b + g12 * d)
        c22 = np.maximum(d - (g21 * b + g22 * d), 0.0)
        root = np.sqrt(c11)
        slope = np.divide(c12, root, out=np.zeros_like(c12), where=root > 1e-12)
        rest = np.sqrt(np.maximum(c22 - slope**2, 0.0))
        z = rng.standard_normal((2, *det.shape))
        judge = g11 * x + g12 * y + root * z[0]
        people = g21 * x + g22 * y + slope * z[0] + rest * z[1]
        # At a correlation of 1 the two are one line, whatever rounding says.
        return judge, np.where(np.abs(rho) > 1 - 1e-12, np.sign(rho) * judge * sy / sx, people)


@dataclass(frozen=True)
class OrderModel:
    """The posterior of the systems' true scores on a grid of correlation and spreads.

    The distribution is about the mean of each side's clump; one clump a side without `clumps`.
    """

    seen: Seen
    #: Labels [2, S] of the clumps on the two sides.
    clumps: Ints | None = None

    @cached_property
    def _parts(self) -> _Parts:
        seen = self.seen
        size = len(seen.judge)
        scores = np.stack([seen.judge, seen.people]).astype(np.float64)
        clumps = np.zeros(scores.shape, np.int64) if self.clumps is None else self.clumps
        # Centring over all systems took 1/S of the noise of single ones.
        noise = seen.noise * size / (size - 1)
        sizes = np.stack([np.bincount(one)[one] for one in clumps])
        centre = np.stack(
            [
                (np.bincount(label, one) / np.bincount(label))[label]
                for label, one in zip(clumps, scores, strict=True)
            ]
        )
        if self.clumps is None:  # strays pull a mean away from the line of the others
            centre = np.repeat(np.median(scores, axis=1, keepdims=True), size, axis=1)
        free = np.maximum((1 - 1 / sizes).sum(axis=1), 1e-9)
        spread = np.sqrt(((scores - centre) ** 2).sum(axis=1) / free)
        whole = np.sqrt(((scores - scores.mean(axis=1, keepdims=True)) ** 2).mean(axis=1))
        scale = np.where(spread > 0, spread, np.where(whole > 0, whole, 1.0))[:, None]
        variance = noise[:2] / scale**2
        floor = np.maximum(LEAST_NOISE * variance.mean(axis=1, keepdims=True), 1e-9)
        variance = np.maximum(variance, floor)
        most = 0.98 * np.sqrt(variance.prod(axis=0))
        shared = np.clip(noise[2] / scale.prod(), -most, most)
        return _Parts(
            (scores - centre) / scale,
            centre / scale,
            variance,
            shared,
            1 - (1 / sizes).max(axis=0),
            scale,
        )

    @cached_property
    def log_likelihood(self) -> Floats:
        """Of what is seen, at every (share of strays, rho, s_x, s_y): [E, R, K, K].

        A clump's mean takes a degree of freedom; a system alone in its clump says nothing.
        """
        parts = self._parts
        # Single precision: the grid is the cost of the whole, and needs no more. Every cell stands
        # by itself, as loops over the few spreads would be many short ones.
        single = (one.astype(np.float32) for one in (CORRELATIONS, SPREADS, SPREADS))
        rho, sx, sy = (one.ravel() for one in np.meshgrid(*single, indexing="ij"))
        size = len(SPREADS) ** 2
        some = np.flatnonzero(parts.counts > 0)
        total = np.zeros((len(STRAYS), len(rho)))
        for low in range(0, len(some), TOGETHER):
            seen = tuple(
                one[some[low : low + TOGETHER], None].astype(np.float32) for one in parts.every
            )
            regular = _density(seen, rho, sx, sy)
            stray = _density(seen, np.float32(0), np.float32(FAR) * sx[:size], sy[:size])
            stray = np.tile(stray, len(CORRELATIONS))
            for e, share in enumerate(STRAYS.astype(np.float32)):
                mixed = (1 - share) * regular + share * stray + np.float32(TINY)
                # One logarithm of the product, which double precision holds.
                total[e] += np.log(np.multiply.reduce(mixed, axis=0, dtype=np.float64))
        return total.reshape(len(STRAYS), len(CORRELATIONS), len(SPREADS), len(SPREADS))

    @cached_property
    def _of_correlation(self) -> Floats:
        """The log likelihood of each correlation, summed over all else."""
        return np.asarray(np.logaddexp.reduce(self.log_likelihood, axis=(0, 2, 3)))

    def kept(self, confidence_level: float) -> tuple[int, int]:
        """The smallest and the largest correlation that the data leave open, as grid places."""
        from goldassay.formulas.compiled import stdtrit

        reach = stdtrit(max(self.seen.n_clusters - 1, 1), 1 - (1 - confidence_level) / 4) ** 2 / 2
        likely = self._of_correlation
        places = np.flatnonzero(likely >= likely.max() - reach)
        return int(places[0]), int(places[-1])

    def draws_at(self, correlation: int, rng: np.random.Generator) -> Orders:
        """True scores given what is seen and a correlation, [DRAWS, S] of each side."""
        share, spreads = self._picked(self.log_likelihood[:, correlation], rng)
        return self._draws(share, np.full(DRAWS, correlation), spreads, rng)

    def draws(self, rng: np.random.Generator) -> Orders:
        """True scores given what is seen, over all correlations."""
        place, spreads = self._picked(self.log_likelihood, rng)
        share, correlation = np.divmod(place, len(CORRELATIONS))
        return self._draws(share, correlation, spreads, rng)

    def _picked(self, log_weight: Floats, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Places of the grid drawn in proportion to their weights, those of the spreads apart."""
        weight = np.cumsum(np.exp(log_weight - log_weight.max()))
        at = np.searchsorted(weight, rng.random(DRAWS) * weight[-1], side="right")
        place, spreads = np.divmod(np.minimum(at, weight.size - 1), len(SPREADS) ** 2)
        return place, spreads

    def _draws(
        self, share: Ints, correlation: Ints, spreads: Ints, rng: np.random.Generator
    ) -> Orders:
        parts = self._parts
        first, second = np.divmod(spreads, len(SPREADS))
        sx, sy = SPREADS[first][:, None], SPREADS[second][:, None]
        rho, strays = CORRELATIONS[correlation][:, None], STRAYS[share][:, None]
        regular = (1 - strays) * _density(parts.every, rho, sx, sy)
        stray = strays * _density(parts.every, 0.0, FAR * sx, sy)
        astray = rng.random(stray.shape) * (regular + stray + TINY) < stray
        judge, people = parts.draws(
            np.where(astray, 0.0, rho), np.where(astray, FAR * sx, sx), sy, rng
        )
        centres = [self._centres(side, rng) for side in (0, 1)]
        scale = parts.scale[:, 0]
        return (judge + centres[0]) * scale[0], (people + centres[1]) * scale[1]

    def _centres(self, side: int, rng: np.random.Generator) -> Floats:
        """Draws of the clumps' means [DRAWS, S], with the noise that is left in them."""
        parts = self._parts
        if self.clumps is None:  # what all share leaves the order alone
            return np.asarray(parts.centre[side])
        label = self.clumps[side]
        size = np.bincount(label)
        error = np.sqrt(np.bincount(label, parts.variance[side])) / size
        moved = rng.standard_normal((DRAWS, len(size))) * error
        return np.asarray(parts.centre[side] + moved[:, label])

    def ends(self, statistics: Statistics, confidence_level: float) -> dict[str, Ends]:
        """Ends of the intervals of several statistics, from the same draws."""
        tail = (1 - confidence_level) / 2
        rng = np.random.default_rng(len(self.seen.judge))
        low, high = (
            statistics(*self.draws_at(place, rng)) for place in self.kept(confidence_level)
        )
        return {
            name: (
                float(np.nanquantile(low[name], tail, method="lower")),
                float(np.nanquantile(high[name], 1 - tail, method="higher")),
            )
            for name in low
        }


def one_order(seen: Seen, statistics: Statistics, tail: float) -> Mapping[str, Floats]:
    """Statistics of one order on both sides (reversed, where they disagree); none if excluded.

    The nearest scores that have one order on both sides, by isotonic regression along the order
    that the two give together, are believed while they are within the noise (chi-squared). No line
    between the sides is supposed: the same order may have gaps of other lengths. Up to a sixth of
    the systems, and one in any case, may stray; they stay where they were seen.
    """
    from goldassay.formulas.compiled import chdtri

    scores, size = np.stack([seen.judge, seen.people]), len(seen.judge)
    noise = np.maximum(seen.noise[:2] * size / (size - 1), 0.0)
    value = float(next(iter(statistics(*scores[:, None]).values()))[0])
    sign = np.array([[1.0], [-1.0 if value < 0 else 1.0]])
    turned, kept = sign * scores, np.arange(size)
    for _ in range(1 + max(1, size // 6)):
        fitted, nudge, distance = _nearest_order(turned[:, kept], noise[:, kept])
        if distance <= chdtri(len(kept), tail):
            truth = turned.copy()
            truth[:, kept] = fitted + nudge
            return statistics(*(sign * truth)[:, None])
        if len(kept) <= 3:
            break
        without = [np.delete(kept, i) for i in range(len(kept))]
        kept = min(without, key=lambda one: _nearest_order(turned[:, one], noise[:, one])[2])
    return {}


def _nearest_order(scores: Floats, noise: Floats) -> tuple[Floats, Floats, float]:
    """The nearest scores [2, S] in one order, what parts their ties, and how far that is."""
    scale = scores.std(axis=1, keepdims=True)
    scale[scale == 0] = 1.0
    weight = (noise / scale**2).mean(axis=1, keepdims=True)
    order = np.argsort((scores / scale / np.maximum(weight, 1e-12)).sum(axis=0), kind="stable")
    fitted, place = np.empty_like(scores), np.empty(len(order))
    for side in (0, 1):
        fitted[side, order] = isotonic(scores[side, order])
    place[order] = np.arange(len(order)) / len(order)
    known = noise > LEAST_NOISE * noise.mean(axis=1, keepdims=True)
    square = np.divide((scores - fitted) ** 2, noise, out=np.zeros_like(noise), where=known)
    return fitted, 1e-9 * scale * place * known, float(square.sum())


def isotonic(values: Floats) -> Floats:
    """The nondecreasing sequence nearest to `values` (pool adjacent violators)."""
    means: list[float] = []
    sizes: list[int] = []
    for value in values:
        means.append(float(value))
        sizes.append(1)
        while len(means) > 1 and means[-2] > means[-1]:
            size = sizes[-2] + sizes[-1]
            means[-2:] = [(means[-2] * sizes[-2] + means[-1] * sizes[-1]) / size]
            sizes[-2:] = [size]
    return np.repeat(means, sizes)


def order_intervals(
    seen: Seen, statistics: Statistics, *, confidence_levels: Sequence[float]
) -> tuple[dict[str, Ends], ...]:
    """Intervals, at each level, for statistics of two orders that rise with their agreement.

    The hull of three: the model of all systems; the model of the clumps into which they fall, as
    what is far apart says nothing on the order of what is close; and full agreement, where
    the prompts do not exclude one order for both (`one_order`).
    """
    noise = seen.noise[:2] * len(seen.judge) / (len(seen.judge) - 1)
    sides = (seen.judge, noise[0]), (seen.people, noise[1])
    # An order that is given has neither noise nor a scale.
    clumps = np.stack(
        [clumps_of(*side) if side[1].any() else np.zeros(len(side[0]), np.int64) for side in sides]
    )
    models = [OrderModel(seen)] + ([OrderModel(seen, clumps)] if clumps.any() else [])
    found = []
    for level in confidence_levels:
        ends = [model.ends(statistics, level) for model in models]
        if same := one_order(seen, statistics, (1 - level) / 2):
            ends.append({name: (float(one[0]), float(one[0])) for name, one in same.items()})
        found.append(
            {
                name: (min(one[name][0] for one in ends), max(one[name][1] for one in ends))
                for name in ends[0]
            }
        )
    return tuple(found)
