"""Few raters per item: what a larger panel would have said.

With k raters the observed shares scatter around those of the whole population of raters. Distances
grow by it (a judge looks worse because only three people rated), modes and thresholds flip. Three
remedies, each for what it can mend:

- `jackknife`: leave out one rater, or two, and extrapolate (Quenouille 1956). No model; exact for
  squared error, first or second order for the divergences. Needs two raters per item.
- `Panel`: the population's shares of an item are drawn from their posterior, under a Dirichlet
  prior whose pseudo-counts are linear in the judge's rating, alpha_i = x_i A, with A fitted to the
  counts by maximum likelihood. With x the judge's hard verdict this is one Dirichlet per verdict.
  Every definition, hard or soft, is then computed on drawn panels (multiple imputation).
- With one rating per item nothing tells disagreement within items from difference between them: the
  prior's concentration is not identified, and the whole range is reported (`CONCENTRATIONS`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from karat.indeterminacy.aggregation import normalised

__all__ = [
    "CONCENTRATIONS",
    "Panel",
    "fit_panel",
    "identified",
    "jackknife",
    "noise_ceiling",
    "panel_families",
    "ratings_needed",
    "split",
]

Array = NDArray[np.float64]

#: From "everybody agrees on each item" to "all items of a verdict are alike".
CONCENTRATIONS = (0.05, 0.5, 2.0, 8.0, 1000.0)

#: Items used to fit the prior; more of them add time, not accuracy.
FIT_ITEMS = 1000


def jackknife(statistic: Callable[[Array], Array], counts: ArrayLike, *, order: int = 1) -> Array:
    """Per-item values (..., U) of `statistic(shares)`, corrected for the number of raters.

    `counts` is (U, K); `statistic` maps shares (U, K) to values with items last. Items with too
    few raters for the order fall back to the lower one; with one rater nothing is corrected.
    """
    c = np.asarray(counts, dtype=np.float64)
    n = c.sum(-1)
    size = c.shape[-1]
    plain = statistic(_shares(c))

    def left_out(number: int) -> Array:
        """Mean value over all ways to leave out one or two raters."""
        total: Array = np.zeros_like(plain)
        for first in range(size):
            one = c.copy()
            one[:, first] -= 1
            ways = c[:, first] / np.maximum(n, 1)
            if number == 1:
                total = total + _kept(ways, statistic(_shares(one)))
                continue
            for second in range(size):
                two = one.copy()
                two[:, second] -= 1
                both = ways * one[:, second].clip(0) / np.maximum(n - 1, 1)
                total = total + _kept(both, statistic(_shares(two)))
        return total

    with np.errstate(invalid="ignore"):  # infinite values stay infinite or become NaN
        one = left_out(1)
        out: Array = np.where(n >= 2, n * plain - (n - 1) * one, plain)
        if order == 2:
            second = (n**2 * plain - 2 * (n - 1) ** 2 * one + (n - 2) ** 2 * left_out(2)) / 2
            out = np.where(n >= 3, second, out)
    return np.asarray(out)


def _shares(counts: Array) -> Array:
    total = counts.sum(-1, keepdims=True)
    return np.where(
        total > 0, counts.clip(0) / np.where(total > 0, total, 1.0), 1 / counts.shape[-1]
    )


def _kept(ways: Array, found: Array) -> Array:
    """ways x found, 0 where there is no way, whatever the value there."""
    return np.asarray(ways * np.where(ways > 0, found, 0.0))


def identified(counts: ArrayLike, *, at_least: int = 20) -> bool:
    """Whether enough items have two raters or more to tell disagreement from difficulty."""
    return int((np.asarray(counts).sum(-1) >= 2).sum()) >= at_least


@dataclass(frozen=True, slots=True)
class Panel:
    """A fitted prior of the raters' shares given a judge's rating: pseudo-counts x A."""

    pseudo_counts: Array
    identified: bool

    def draw(self, x: Array, counts: Array, rng: np.random.Generator) -> Array:
        """Shares (U, K) of the whole rater population, one draw from the posterior per item."""
        features = np.where(np.isfinite(x), x, 1 / x.shape[-1])
        gamma = rng.standard_gamma(features @ self.pseudo_counts + counts) + 1e-300
        return np.asarray(gamma / gamma.sum(-1, keepdims=True))

    def concentrated(self, total: float) -> Panel:
        """The same means with another concentration."""
        sums = self.pseudo_counts.sum(1, keepdims=True)
        return Panel(total * self.pseudo_counts / sums, self.identified)


def fit_panel(
    x: ArrayLike,
    counts: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    start: Panel | None = None,
    iterations: int = 150,
) -> Panel:
    """Maximum likelihood of A in alpha_i = x_i A, c_i ~ Dirichlet-multinomial(n_i, alpha_i).

    `x` (U, M) holds non-negative features with rows that sum to 1. The multiplicative update is a
    minorization (Minka's fixed point, with Jensen's inequality over the features): each step
    raises the likelihood.
    """
    from scipy.special import digamma

    features, c = np.asarray(x, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    keep = (c.sum(-1) > 0) & np.isfinite(features).all(-1)
    features, c = features[keep], c[keep]
    w = np.ones(len(c)) if weights is None else np.asarray(weights, dtype=np.float64)[keep]
    n = c.sum(-1)
    if start is None:
        mean = features.T @ c + 0.5 * c.mean(0) + 0.1
        a = 3 * mean / mean.sum(1, keepdims=True)
    else:
        a = start.pseudo_counts
    weighted = features * w[:, None]
    for _ in range(iterations):
        prior = features @ a + 1e-9
        total = prior.sum(-1)
        up = weighted.T @ (digamma(c + prior) - digamma(prior))
        down = weighted.T @ (digamma(n + total) - digamma(total))
        a = np.clip(a * up / np.maximum(down, 1e-12)[:, None], 1e-6, 1e4)
    return Panel(a, identified(c))


def panel_families(
    x: ArrayLike, counts: ArrayLike, *, draws: int, rng: np.random.Generator
) -> list[list[Panel]]:
    """Fitted priors, `draws` per family: one family, or one per concentration if not identified.

    Each prior is refitted to resampled items, so that its own uncertainty is in the draws.
    """
    features, c = np.asarray(x, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    usable = np.flatnonzero((c.sum(-1) > 0) & np.isfinite(features).all(-1))
    if len(usable) > FIT_ITEMS:
        usable = rng.choice(usable, FIT_ITEMS, replace=False)
    features, c = features[usable], c[usable]
    first = fit_panel(features, c)
    refits = []
    for _ in range(draws):
        again = rng.multinomial(len(usable), np.full(len(usable), 1 / len(usable)))
        refits.append(fit_panel(features, c, weights=again, start=first, iterations=30))
    if first.identified:
        return [refits]
    return [[panel.concentrated(total) for panel in refits] for total in CONCENTRATIONS]


def split(counts: ArrayLike, first: ArrayLike, rng: np.random.Generator) -> Array:
    """`first[i]` of each item's raters drawn at random without replacement, as counts (U, K)."""
    rest = np.asarray(counts).astype(np.int64)
    left = np.minimum(np.asarray(first).astype(np.int64), rest.sum(-1))
    out = np.zeros_like(rest)
    for k in range(rest.shape[-1]):
        others = rest[:, k + 1 :].sum(-1)
        out[:, k] = rng.hypergeometric(rest[:, k], others, left)
        left = left - out[:, k]
    return out.astype(np.float64)


def noise_ceiling(
    metric: Callable[[Array, Array], Array], counts: ArrayLike, *, rng: np.random.Generator
) -> Array:
    """Per-item values of a metric between two halves of the same raters, (U,).

    What a judge that were one more panel of people would reach: no judge should be asked for
    better. Raters of each item are split at random into halves; items with one rater give NaN.
    """
    c = np.asarray(counts, dtype=np.float64)
    n = c.sum(-1)
    half = split(c, n // 2, rng)
    found = metric(normalised(half), normalised(np.floor(c) - half))
    return np.where(n >= 2, found, np.nan)


def ratings_needed(
    shares: ArrayLike,
    numbers: tuple[int, ...],
    decide: Callable[[Array], Array],
    *,
    repetitions: int,
    rng: np.random.Generator,
) -> tuple[Array, Array]:
    """Decision consistency and prevalence bias of panels of k raters against the whole panel.

    For each k in `numbers` k raters are drawn per item from `shares` (U, K); `decide` maps shares
    to 0/1 decisions (figures 6 and 15 of the paper).
    """
    p = np.asarray(shares, dtype=np.float64)
    truth = decide(p)
    consistency, bias = [], []
    for k in numbers:
        drawn = rng.multinomial(k, p, size=(repetitions, len(p))) / k
        decided = decide(drawn)
        consistency.append(float((decided == truth).mean()))
        bias.append(float(decided.mean() - truth.mean()))
    return np.array(consistency), np.array(bias)
