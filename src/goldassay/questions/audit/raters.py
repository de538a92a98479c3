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
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.rating_vectors import normalised
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import resampled

__all__ = [
    "CONCENTRATIONS",
    "Panel",
    "concentration_ends",
    "fit_panel",
    "identified",
    "jackknife",
    "noise_ceiling",
    "panel_families",
    "ratings_needed",
    "split",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: So few options of so many items are faster added up one by one; the sums are the same to the last
#: bit.
FEW, MANY = 7, 1000

#: From "everybody agrees on each item" to "all items of a verdict are alike".
CONCENTRATIONS = (0.05, 0.5, 2.0, 8.0, 1000.0)

#: Items used to fit the prior; more of them add time, not accuracy.
FIT_ITEMS = 1000
REFIT_CYCLES = 8
#: A cycle that moves no logarithm of a pseudo-count by this much is the last.
SETTLED = 1e-9
#: Tried on a fitted concentration to find how far the counts let it be from the truth.
FACTORS = 2.0 ** (np.arange(-12, 13) / 2)
#: Pseudo-counts stay in here.
LEAST, MOST = 1e-6, 1e4


def jackknife(statistic: Callable[[Array], Array], counts: ArrayLike, *, order: int = 1) -> Array:
    """Per-item values (..., U) of `statistic(shares)`, corrected for the number of raters.

    `counts` is (U, K); `statistic` maps shares (U, K) to values with items last. Items with too
    few raters for the order fall back to the lower one; with one rater nothing is corrected.
    """
    c = np.asarray(counts, dtype=np.float64)
    n = c.sum(-1)
    size = c.shape[-1]
    plain = statistic(_shares(c))
    most = n.max(initial=0.0)
    if most < 2:  # nobody can be left out
        return np.asarray(plain)

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
        if order == 2 and most >= 3:
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
    """Fitted priors of the raters' shares given a judge's rating: pseudo-counts x A, (..., M, K).

    Leading axes are draws and judges, as far as there are several.
    """

    pseudo_counts: Array

    def at(self, draws: slice, judges: slice) -> Panel:
        return Panel(self.pseudo_counts[draws, judges])

    def draw(self, x: Array, counts: Array, seeds: Ints) -> Array:
        """Shares (draws, ..., U, K) of the whole rater population, from the posterior of each item.

        A draw begins at its seed for every judge: what is said of one hangs on no other, and two
        that say the same have the same. An item that nobody rated has no shares (NaN).
        """
        features = np.where(np.isfinite(x), x, 1 / x.shape[-1])
        gamma = np.ascontiguousarray(features @ self.pseudo_counts + counts)
        for seed, judges in zip(seeds, gamma.reshape(len(seeds), -1, *counts.shape), strict=True):
            rng = np.random.default_rng(seed)
            first = rng.bit_generator.state  # to return to it is cheaper than to make it anew
            for shape in judges:
                rng.bit_generator.state = first
                rng.standard_gamma(shape.copy(), out=shape)
        gamma += 1e-300
        gamma[..., counts.sum(-1) == 0, :] = np.nan
        total = _total(gamma)
        for option in range(gamma.shape[-1]):  # few of them: loops over items are the long ones
            gamma[..., option] /= total
        return np.asarray(gamma)

    def concentrated(self, total: float) -> Panel:
        """The same means with another concentration."""
        return Panel(total * self.pseudo_counts / self.pseudo_counts.sum(-1, keepdims=True))


def fit_panel(
    x: ArrayLike,
    counts: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    start: Panel | None = None,
    cycles: int = 40,
) -> Panel:
    """Maximum likelihood of A in alpha_i = x_i A, c_i ~ Dirichlet-multinomial(n_i, alpha_i).

    `x` (..., U, M) holds non-negative features with rows that sum to 1; rows of NaN, and items that
    nobody rated, take no part. `weights` (..., U) count an item several times. The multiplicative
    update is a minorization (Minka's fixed point, with Jensen's inequality over the features):
    each step raises the likelihood. Where raters agree no more than their mean says, it would
    creep towards ever higher concentrations; a cycle is two steps, a stride as far as they point
    (SQUAREM, Varadhan and Roland 2008, in logarithms; left where it lowers the likelihood) and a
    third step.
    """
    features, c = np.asarray(x, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    n = c.sum(-1)
    usable = (n > 0) & np.isfinite(features).all(-1)
    features = np.where(usable[..., None], features, 1 / features.shape[-1])
    each, whole = _steps(c), _steps(n)
    w = usable.astype(float) if weights is None else np.asarray(weights) * usable
    if start is None:
        overall = (w[..., None] * c).sum(-2) / np.maximum(w.sum(-1), 1e-12)[..., None]
        mean = np.swapaxes(features * w[..., None], -1, -2) @ c + 0.5 * overall[..., None, :] + 0.1
        a = 3 * mean / mean.sum(-1, keepdims=True)
    else:
        a = start.pseudo_counts
    weighted = np.swapaxes(features * w[..., None], -1, -2)

    def step(log_a: Array) -> Array:
        a = np.exp(log_a)
        prior = features @ a + 1e-9
        up = weighted @ _rise(prior, c, each)
        down = weighted @ _rise(_total(prior), n, whole)[..., None]
        return np.asarray(np.log(np.clip(a * up / np.maximum(down, 1e-12), LEAST, MOST)))

    def likelihood(log_a: Array) -> Array:
        prior = features @ np.exp(log_a) + 1e-9
        rise = _total(_log_rise(prior, c, each)) - _log_rise(_total(prior), n, whole)
        return np.asarray((w * rise).sum(-1))

    log_a = np.log(a)
    for _ in range(cycles):
        one = step(log_a)
        two = step(one)
        first, second = one - log_a, two - 2 * one + log_a
        longest = np.sqrt((first**2).sum((-1, -2), keepdims=True))
        bend = np.sqrt((second**2).sum((-1, -2), keepdims=True))
        stride = np.clip(longest / np.maximum(bend, 1e-12), 1.0, 64.0)
        far = (log_a + 2 * stride * first + stride**2 * second).clip(np.log(LEAST), np.log(MOST))
        # A stride may overshoot to where the likelihood is flat, and never come back from there.
        further = likelihood(far) >= likelihood(log_a)
        last, log_a = log_a, step(np.where(further[..., None, None], far, two))
        if np.abs(log_a - last).max(initial=0.0) < SETTLED:
            break
    return Panel(np.exp(log_a))


def _total(parts: Array) -> Array:
    """Sums over the last axis, the options."""
    one_by_one = parts.shape[-1] <= FEW and parts[..., 0].size > MANY
    return np.asarray(reduce(np.add, np.moveaxis(parts, -1, 0)) if one_by_one else parts.sum(-1))


def _steps(counts: Array) -> list[NDArray[np.bool_]] | None:
    """For each step up to the largest count, where counts reach it; None: too many, or no counts.

    The rise of a function from `prior` to `prior + counts` is then a sum of so many terms.
    """
    most = counts.max(initial=0.0)
    if most > 16 or not np.array_equal(counts, np.round(counts)):
        return None
    return [counts > step for step in range(int(most))]


def _rise(prior: Array, counts: Array, steps: list[NDArray[np.bool_]] | None) -> Array:
    """digamma(prior + counts) - digamma(prior): for small counts a sum of a few quotients."""
    if steps is None:
        from goldassay.formulas.compiled import digamma

        return np.asarray(digamma(prior + counts) - digamma(prior))
    out = np.zeros_like(prior)
    for step, reached in enumerate(steps):
        out += reached / (prior + step)
    return out


def _log_rise(prior: Array, counts: Array, steps: list[NDArray[np.bool_]] | None) -> Array:
    """log Gamma(prior + counts) - log Gamma(prior): for small counts a sum of a few logarithms."""
    if steps is None:
        from goldassay.formulas.compiled import gammaln

        return np.asarray(gammaln(prior + counts) - gammaln(prior))
    out = np.zeros_like(prior)
    for step, reached in enumerate(steps):
        out += np.where(reached, np.log(prior + step), 0.0)
    return out


def panel_families(
    x: ArrayLike, counts: ArrayLike, *, draws: int, rng: np.random.Generator
) -> list[tuple[Panel, Panel]]:
    """Priors (draws, ..., M, K), fitted and refitted: one family, or one per concentration.

    `x` is (..., U, M). Refitted to resampled items, the same for every judge, so that the fit's own
    uncertainty is in the draws. One family per concentration where that is not identified.
    """
    features, c = np.asarray(x, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    known = identified(c)
    rated = np.flatnonzero(c.sum(-1) > 0)
    if len(rated) > FIT_ITEMS:
        rated = rng.choice(rated, FIT_ITEMS, replace=False)
    again = resampled(np.ones(len(rated), np.int64), draws, rng)
    # Items that are alike to every judge and to people are one pattern, counted several times.
    rows = np.moveaxis(features[..., rated, :], -2, 0).reshape(len(rated), -1)
    rows = np.concatenate([rows, c[rated]], axis=1)
    _, place, pattern, times = np.unique(
        rows, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    features, c = features[..., rated[place], :], c[rated[place]]
    order = np.argsort(pattern.reshape(-1), kind="stable")
    starts = np.r_[0, np.cumsum(times)[:-1]]
    merged = np.add.reduceat(again[:, order], starts, axis=1)
    weights = merged.reshape(draws, *[1] * (features.ndim - 2), len(place))
    first = fit_panel(features, c, weights=np.broadcast_to(times, features.shape[:-1]))
    refits = fit_panel(features, c, weights=weights, start=first, cycles=REFIT_CYCLES)
    same = Panel(np.broadcast_to(first.pseudo_counts, refits.pseudo_counts.shape))
    if known:
        return [(same, refits)]
    return [(same.concentrated(one), refits.concentrated(one)) for one in CONCENTRATIONS]


def concentration_ends(x: ArrayLike, counts: ArrayLike, panel: Panel, *, level: float) -> Array:
    """Factors (2, ..., 1, 1): the least and most concentrated prior that the counts allow.

    The ends of the likelihood interval of a common factor on the fitted pseudo-counts. With two
    or three raters per item it is wide, and a few refits do not reach its ends.
    """
    from goldassay.formulas.compiled import gammaln, ndtri

    features, c = np.asarray(x, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    thin = max(1, len(c) // FIT_ITEMS)
    features, c = features[..., ::thin, :], c[::thin]
    usable = (c.sum(-1) > 0) & np.isfinite(features).all(-1)
    prior = np.where(usable[..., None], features, 1.0) @ panel.pseudo_counts + 1e-9
    total, n = prior.sum(-1), c.sum(-1)
    likelihood = []
    for factor in FACTORS:
        rise = gammaln(factor * prior + c) - gammaln(factor * prior)
        fall = gammaln(factor * total + n) - gammaln(factor * total)
        likelihood.append(((rise.sum(-1) - fall) * usable).sum(-1))
    found = np.array(likelihood)
    allowed = found >= found.max(0) - ndtri((1 + level) / 2) ** 2 / 2
    first = np.argmax(allowed, axis=0)
    last = len(FACTORS) - 1 - np.argmax(allowed[::-1], axis=0)
    return np.asarray(FACTORS[np.stack([first, last])][..., None, None])


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
    to decisions, 0 to 1 (figures 6 and 15 of the paper).
    """
    p = np.asarray(shares, dtype=np.float64)
    truth = decide(p)
    consistency, bias = [], []
    for k in numbers:
        drawn = rng.multinomial(k, p, size=(repetitions, len(p))) / k
        decided = decide(drawn)
        consistency.append(float((1 - np.abs(decided - truth)).mean()))
        bias.append(float(decided.mean() - truth.mean()))
    return np.array(consistency), np.array(bias)
