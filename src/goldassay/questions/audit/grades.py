"""Grades have neighbours: what larger panels would have said where people split between them.

The Dirichlet priors of `raters` treat options as names: of two people who differ one may be
anywhere. On a scale of grades people differ by a grade or two, and a prior that does not know it
takes items for more alike, and a judge for worse, than they are. Here an item has a position on
the scale, people's grades scatter around it like a normal variable cut at the half grades (the
ordered probit of McKelvey and Zavoina 1975), and positions come from a distribution that is left
free: its weights on a grid are fitted by EM from even ones (Laird 1978, nonparametric maximum
likelihood, stopped while it is smooth). The deviation is common to all items, and fitted too, with
the ends of its likelihood interval.

Two models of a judge go with it, as in `bounds`: `Positions` has one distribution of positions
per verdict (a judge that errs where people are divided), and `Located` gives the probabilities
that `majority` needs (a judge that errs however divided they are).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.rating_vectors import ROUNDING
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import resampled
from goldassay.questions.audit.raters import FIT_ITEMS

__all__ = ["Family", "Located", "Positions", "grade_families", "located"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Positions on the grid, from two deviations below the lowest grade to two above the highest.
PLACES = 33
#: Deviations in grades that are tried.
DEVIATIONS = 0.15 * 2.0 ** (np.arange(31) / 6)
#: Steps of EM. More of them gather the positions into a few points, as if items were surer than
#: they are.
CYCLES = 10
#: Items of the common distribution that are added to those of a verdict.
BORROWED = 1.0


def shapes(grades: int, deviation: float) -> Array:
    """Shares of grades (T, K) around each position on the grid."""
    from goldassay.formulas.compiled import ndtr

    edges = np.r_[-np.inf, np.arange(1, grades) + 0.5, np.inf]
    # Not on the half grades, where two grades tie.
    places = np.linspace(1 - 2 * deviation, grades + 2 * deviation, PLACES) + 1e-6
    return np.asarray(np.diff(ndtr((edges - places[:, None]) / deviation), axis=1))


def likelihoods(shares: Array, counts: Array) -> tuple[Array, Array]:
    """Of counts (P, K) at every shape (T, K), (P, T), and the logarithm of each row's factor."""
    log = counts @ np.log(np.maximum(shares, 1e-12)).T
    most = log.max(-1, keepdims=True)
    return np.exp(log - most), most[:, 0]


def fit_weights(chances: Array, times: Array, start: Array, *, borrowed: float = 0.0) -> Array:
    """Weights (..., T) of the shapes from the items (..., P) of each pattern of counts, by EM.

    `borrowed` items of the starting weights are added. `chances` is (P, T).
    """
    weights = np.broadcast_to(start, (*times.shape[:-1], chances.shape[-1]))
    for _ in range(CYCLES):
        each = times / np.maximum(weights @ chances.T, 1e-300)
        weights = weights * (each @ chances) + borrowed * start
        weights = weights / np.maximum(weights.sum(-1, keepdims=True), 1e-300)
    return np.asarray(weights)


@dataclass(frozen=True, slots=True)
class Positions:
    """Weights of shapes given a judge's verdict, (draws, J, M, T), as `raters.Panel` has priors."""

    shares: Array
    weights: Array

    def at(self, draws: slice, judges: slice) -> Positions:
        return Positions(self.shares, self.weights[draws, judges])

    def draw(self, x: Array, counts: Array, seeds: Ints) -> Array:
        """Shares (draws, J, U, K) of the whole rater population, one draw for each item.

        A draw begins at its seed for every judge. `x` (J, U, M) are verdicts; where there is none,
        or several tie, one is drawn evenly. An item that nobody rated has no shares (NaN).
        """
        patterns, pattern = np.unique(counts, axis=0, return_inverse=True)
        chances, _ = likelihoods(self.shares, patterns)
        number, size = len(patterns), len(self.shares)
        out = np.empty((*self.weights.shape[:2], *counts.shape))
        for d, j in np.ndindex(self.weights.shape[:2]):
            rng = np.random.default_rng(seeds[d])
            key = _drawn_verdict(x[j], rng) * number + pattern.reshape(-1)
            keys, row = np.unique(key, return_inverse=True)
            likely = self.weights[d, j][keys // number] * chances[keys % number]
            below = np.cumsum(likely, axis=-1)
            below /= np.maximum(below[:, -1:], 1e-300)
            # One search for all items: the cumulated chances of row r lie between r and r + 1.
            ends = (below + np.arange(len(keys))[:, None]).reshape(-1)
            row = row.reshape(-1)
            found = np.searchsorted(ends, row + rng.random(len(row))) - row * size
            out[d, j] = self.shares[np.clip(found, 0, size - 1)]
        out[..., counts.sum(-1) == 0, :] = np.nan
        return out


def _drawn_verdict(x: Array, rng: np.random.Generator) -> Ints:
    """The verdict (U,) of features (U, M): the one that stands alone, or one drawn."""
    shares = np.where(np.isfinite(x), x, 1 / x.shape[-1])
    upto = np.cumsum(shares, axis=-1)
    u = rng.random((len(x), 1)) * upto[:, -1:]
    return np.asarray(np.minimum((upto <= u).sum(-1), x.shape[-1] - 1), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Located:
    """Where items lie given their counts: chances (draws, patterns, T) of the shapes (T, K)."""

    shares: Array
    chances: Array
    pattern: Ints

    def modes(self) -> Array:
        """P(grade is the most chosen | counts), (draws, U, K)."""
        most = np.eye(self.shares.shape[-1])[self.shares.argmax(-1)]
        return np.asarray((self.chances @ most)[:, self.pattern])

    def reaching(self, options: tuple[int, ...], threshold: float) -> Array:
        """P(at least the threshold of all people chooses one of the options | counts), (D, U)."""
        share = self.shares[:, list(options)].sum(-1)
        return np.asarray((self.chances @ (share >= threshold - ROUNDING))[:, self.pattern])

    def lead(self) -> float:
        """How far the most chosen grade is ahead of the next, on the mean item."""
        ordered = np.sort(self.shares, axis=-1)
        return self._mean(ordered[:, -1] - ordered[:, -2])

    def off(self, options: tuple[int, ...], threshold: float) -> float:
        """How far the share of the options is off the threshold, twice, on the mean item."""
        return self._mean(2 * np.abs(self.shares[:, list(options)].sum(-1) - threshold))

    def _mean(self, found: Array) -> float:
        return float((self.chances @ found).mean(0)[self.pattern].mean())


def located(shares: Array, weights: Array, counts: Array) -> Located:
    """Given counts (U, K), under weights (draws, T) of the shapes."""
    patterns, pattern = np.unique(counts, axis=0, return_inverse=True)
    likely = weights[:, None] * likelihoods(shares, patterns)[0]
    total = np.maximum(likely.sum(-1, keepdims=True), 1e-300)
    return Located(shares, likely / total, pattern.reshape(-1))


@dataclass(frozen=True, slots=True)
class Family:
    """Shapes at one deviation, with their weights: of all items (D, T), of each verdict's."""

    deviation: float
    shares: Array
    #: Of resampled items.
    weights: Array
    fitted: Positions
    refitted: Positions


def grade_families(
    verdicts: Array, counts: Array, *, draws: int, level: float, rng: np.random.Generator
) -> Sequence[Family]:
    """At the deviation that the counts (U, K) say, and at the ends of those that they allow.

    `verdicts` (J, U, M) as features; items without one take no part in its judge's fit.
    """
    from goldassay.formulas.compiled import ndtri

    rated = np.flatnonzero(counts.sum(-1) > 0)
    if len(rated) > FIT_ITEMS:
        rated = rng.choice(rated, FIT_ITEMS, replace=False)
    patterns, pattern = np.unique(counts[rated], axis=0, return_inverse=True)
    pattern = pattern.reshape(-1)
    once = np.bincount(pattern, minlength=len(patterns)).astype(np.float64)
    again = resampled(np.ones(len(rated), np.int64), draws, rng)
    belongs = np.eye(len(patterns))[pattern]
    x = np.where(np.isfinite(verdicts[:, rated]), verdicts[:, rated], 0.0)
    by_verdict = np.swapaxes(x, -1, -2) @ belongs
    by_verdict_again = np.stack([np.swapaxes(x, -1, -2) @ (w[:, None] * belongs) for w in again])
    even = np.full(PLACES, 1 / PLACES)
    tried, fits = [], []
    for deviation in DEVIATIONS:
        shares = shapes(counts.shape[-1], float(deviation))
        chances, factor = likelihoods(shares, patterns)
        weights = fit_weights(chances, once, even)
        tried.append(once @ (np.log(chances @ weights) + factor))
        fits.append((shares, chances, weights))
    found = np.array(tried)
    allowed = np.flatnonzero(found >= found.max() - ndtri((1 + level) / 2) ** 2 / 2)
    out = []
    for place in dict.fromkeys((int(found.argmax()), int(allowed[0]), int(allowed[-1]))):
        shares, chances, weights = fits[place]
        refit = fit_weights(chances, again @ belongs, even)
        own = fit_weights(chances, by_verdict, weights, borrowed=BORROWED)
        anew = fit_weights(chances, by_verdict_again, refit[:, None, None], borrowed=BORROWED)
        same = Positions(shares, np.broadcast_to(own, anew.shape))
        out.append(Family(float(DEVIATIONS[place]), shares, refit, same, Positions(shares, anew)))
    return out
