"""Agreement among several raters, from each unit's ratings by option.

`counts[..., U, K]` says how many raters gave unit u the option k; missing ratings are simply not
there. Every coefficient is a function of sums over units (of `coincidences` or `pair_sums`), so a
resample of units is a row of weights and the sums of all resamples are one matrix product.
NaN stands for an undefined coefficient, as in `coefficients`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.agreement import Counts, Margins, ratio
from goldassay.frozen import dataclass

__all__ = [
    "Difference",
    "Errors",
    "coincidences",
    "conger_kappa",
    "error_pairs",
    "error_tables",
    "errors",
    "fleiss_kappa",
    "fleiss_kappa_standard_error",
    "gwet_ac1_of_many",
    "krippendorff_alpha",
    "krippendorff_alpha_of_scores",
    "krippendorff_alpha_standard_error",
    "observed_agreement",
    "pair_sums",
    "rating_pairs",
    "score_sums",
    "tally",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Difference = Literal["nominal", "ordinal", "interval", "ratio"]


def tally(codes: ArrayLike, size: int) -> Ints:
    """Ratings by option [U, K] from codes [R, U]; a code outside 0..K-1 is a missing rating."""
    table = np.asarray(codes)
    units = table.shape[1]
    counts = np.zeros(units * size, np.int64)
    offset = np.arange(units) * size
    for row in table:
        given = (row >= 0) & (row < size)
        # A rater rates a unit at most once, so no cell is met twice within a row.
        counts[(offset + row)[given]] += 1
    return counts.reshape(units, size)


# --- Krippendorff's alpha ---------------------------------------------------------------------


def coincidences(counts: ArrayLike) -> Array:
    """Krippendorff's coincidences of each unit, [..., U, K, K]; none where fewer than two rated.

    o_ck = r_c (r_k - [c = k]) / (m - 1) with m ratings of the unit.
    """
    r = np.asarray(counts, dtype=np.float64)
    m = r.sum(-1)
    share = np.where(m > 1, 1 / np.maximum(m - 1, 1), 0.0)
    pairs = r[..., :, None] * r[..., None, :]
    index = np.arange(r.shape[-1])
    pairs[..., index, index] -= r
    return np.asarray(pairs * share[..., None, None])


def krippendorff_alpha(
    coincidence: Counts,
    difference: Difference = "nominal",
    values: ArrayLike | None = None,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Krippendorff's alpha = 1 - D_o / D_e from summed coincidences [..., K, K].

    With agreement `weights` [K, K] two options differ by 1 less their weight, whatever
    `difference` says; quadratic weights give the alpha of the `interval` difference.

    `values` are the options' numbers for `interval` and `ratio` (by default 1, 2, ...). The
    `ordinal` difference is Krippendorff's own, from the ranks' frequencies, not a weight table.
    Of `nominal` differences and weights, the coincidences' margins are enough.
    """
    if isinstance(coincidence, Margins):
        return _alpha_of_margins(coincidence, weights)
    o = np.asarray(coincidence, dtype=np.float64)
    size = o.shape[-1]
    margin = o.sum(-1)
    total = margin.sum(-1)
    at = np.arange(1.0, size + 1) if values is None else np.asarray(values, dtype=np.float64)
    delta: Array
    if weights is not None:
        delta = 1 - np.asarray(weights, dtype=np.float64)
    elif difference == "nominal":
        delta = 1 - np.eye(size)
    elif difference == "interval":
        delta = (at[:, None] - at[None, :]) ** 2
    elif difference == "ratio":
        delta = np.nan_to_num(ratio(at[:, None] - at[None, :], at[:, None] + at[None, :])) ** 2
    elif difference == "ordinal":
        middle = np.cumsum(margin, -1) - margin / 2
        delta = (middle[..., :, None] - middle[..., None, :]) ** 2
    else:
        raise ValueError(f"{difference!r} is none of nominal, ordinal, interval, ratio")
    observed = (o * delta).sum((-1, -2))
    expected = np.einsum("...k,...kl,...l->...", margin, np.broadcast_to(delta, o.shape), margin)
    # Rounding must not make a difference of nothing a tiny something.
    expected = np.where(
        expected > 1e-12 * total**2 * max(float(delta.max(initial=0)), 1e-300), expected, 0.0
    )
    return 1 - ratio((total - 1) * observed, expected)


def _alpha_of_margins(table: Margins, weights: ArrayLike | None) -> Array:
    """Alpha of nominal differences, or with agreement weights, from margins of coincidences."""
    margin, total = table.rows, table.total
    met = margin if weights is None else margin @ np.asarray(weights, dtype=np.float64)
    observed, expected = total - table.agreeing(weights), total**2 - (met * margin).sum(-1)
    expected = np.where(expected > 1e-12 * total**2, expected, 0.0)
    return 1 - ratio((total - 1) * np.where(observed > 1e-14 * total, observed, 0.0), expected)


def score_sums(scores: ArrayLike) -> Array:
    """What interval alpha needs of each unit's scores [R, U] (NaN missing): [U, 4].

    Ratings, their sum, their sum of squares, and the squared differences within the unit.
    """
    x = np.asarray(scores, dtype=np.float64)
    given = np.isfinite(x)
    m = given.sum(0)
    filled = np.where(given, x, 0.0)
    total, squares = filled.sum(0), (filled**2).sum(0)
    mean = total / np.maximum(m, 1)
    deviation = (np.where(given, x - mean, 0.0) ** 2).sum(0)
    within = np.where(m > 1, 2 * m * deviation / np.maximum(m - 1, 1), 0.0)
    return np.asarray(np.stack([m, total, squares, within], -1) * (m > 1)[:, None])


def krippendorff_alpha_of_scores(sums: ArrayLike) -> Array:
    """Interval alpha of real-valued scores from summed `score_sums` [..., 4]."""
    n, total, squares, within = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    spread = 2 * (n * squares - total**2)
    floor = 1e-12 * n * squares
    return 1 - ratio((n - 1) * within, np.where(spread > floor, spread, 0.0))


# --- Fleiss, Gwet, Conger ---------------------------------------------------------------------


def pair_sums(counts: ArrayLike) -> Array:
    """What Fleiss' kappa needs of each unit's ratings [..., U, K]: [..., U, K + 3].

    The agreeing share of its pairs, whether it has a pair, its share of each option, whether it
    was rated.
    """
    r = np.asarray(counts, dtype=np.float64)
    m = r.sum(-1)
    agreeing = ratio((r * (r - 1)).sum(-1), m * (m - 1))
    paired, rated = m > 1, m > 0
    shares = np.where(rated[..., None], r / np.maximum(m, 1)[..., None], 0.0)
    head = np.stack([np.where(paired, agreeing, 0.0), paired.astype(float)], -1)
    return np.concatenate([head, shares, rated[..., None].astype(float)], -1)


def observed_agreement(sums: ArrayLike) -> Array:
    """The mean agreeing share of pairs of raters, over units with a pair."""
    s = np.asarray(sums, dtype=np.float64)
    return ratio(s[..., 0], s[..., 1])


def _shares(sums: ArrayLike) -> Array:
    s = np.asarray(sums, dtype=np.float64)
    return ratio(s[..., 2:-1], s[..., -1:])


def _beyond(observed: Array, expected: Array) -> Array:
    rest = 1 - expected
    return ratio(observed - expected, np.where(rest > 1e-12, rest, 0.0))


def fleiss_kappa(sums: ArrayLike) -> Array:
    """Fleiss' kappa (1971) from summed `pair_sums` [..., K + 3].

    With missing ratings, pairs are averaged over units with a pair and options over all rated
    units, each unit counting once (as irrCAC does).
    """
    return _beyond(observed_agreement(sums), (_shares(sums) ** 2).sum(-1))


def gwet_ac1_of_many(sums: ArrayLike) -> Array:
    """Gwet's AC1 (2008) for several raters; unused options count."""
    p = _shares(sums)
    if p.shape[-1] < 2:
        return np.full(p.shape[:-1], np.nan)
    return _beyond(observed_agreement(sums), (p * (1 - p)).sum(-1) / (p.shape[-1] - 1))


def conger_kappa(sums: ArrayLike, rater_counts: ArrayLike) -> Array:
    """Conger's kappa (1980): Cohen's, for several raters; chance from each rater's own margin.

    `rater_counts[..., R, K]` are each rater's ratings by option. With two raters and nothing
    missing it equals Cohen's kappa.
    """
    table = np.asarray(rater_counts, dtype=np.float64)
    raters = table.shape[-2]
    if raters < 2:
        return np.full(table.shape[:-2], np.nan)
    p = ratio(table, table.sum(-1, keepdims=True))
    expected = (p.mean(-2) ** 2 - p.var(-2, ddof=1) / raters).sum(-1)
    return _beyond(observed_agreement(sums), expected)


# --- pairs of raters --------------------------------------------------------------------------


def rating_pairs(codes: Ints, size: int, first: Ints, second: Ints) -> Array:
    """Ratings of pairs of raters as tables [U, pairs, K, K], from codes [U, R]; -1 is missing."""
    rated = (codes >= 0) & (codes < size)
    one = np.eye(size)[np.clip(codes, 0, size - 1)] * rated[..., None]
    return np.asarray(np.einsum("pik,pil->pikl", one[:, first], one[:, second]))


@dataclass(frozen=True)
class Errors:
    """How far each rater errs on each unit, and does not [U, R]; and the units' weights [U]."""

    wrong: Array
    right: Array
    weight: Array


def errors(codes: Ints, reference: Array) -> Errors:
    """Raters' errors from codes [U, R] and references [U, K].

    A rater errs by the share of the references that it
    does not match; both are 0 where it has no rating, or the unit no reference.
    """
    size, weight = reference.shape[1], reference.sum(1)
    rated = (codes >= 0) & (codes < size) & (weight > 0)[:, None]
    hit = np.take_along_axis(reference, np.clip(codes, 0, size - 1), 1)
    right = hit / np.maximum(weight, 1e-300)[:, None]
    return Errors(np.where(rated, 1 - right, 0.0), np.where(rated, right, 0.0), weight)


def error_pairs(found: Errors, first: Ints, second: Ints) -> Array:
    """Errors of pairs of raters as tables [U, pairs, 2, 2]: both wrong, one, the other, neither."""
    cells = np.empty((len(found.weight), len(first), 2, 2))
    sides, weight = (found.wrong, found.right), found.weight[:, None]
    for i, one in enumerate(side[:, first] * weight for side in sides):
        for j, other in enumerate(side[:, second] for side in sides):
            np.multiply(one, other, out=cells[..., i, j])
    return cells


def error_tables(codes: Ints, reference: Array, times: Ints) -> Array:
    """`error_pairs` of every two raters, summed over units that occur `times` [R, R, 2, 2]."""
    found = errors(codes, reference)
    sides, weight = (found.wrong, found.right), (times * found.weight)[:, None]
    cells = [[(one * weight).T @ other for other in sides] for one in sides]
    return np.moveaxis(np.array(cells), (0, 1), (2, 3))


# --- closed forms, for comparison -------------------------------------------------------------


def fleiss_kappa_standard_error(counts: ArrayLike) -> float:
    """Gwet's (2008) large-sample standard error of Fleiss' kappa, from ratings [U, K].

    Units are drawn at random, raters are given; not the one under no agreement (Fleiss 1971).
    """
    r = np.asarray(counts, dtype=np.float64)
    sums = pair_sums(r)
    total = sums.sum(0)
    units, paired = float(total[-1]), float(total[1])
    kappa, shares = float(fleiss_kappa(total)), _shares(total)
    chance = float((shares**2).sum())
    own = units / paired * (sums[:, 0] - chance * sums[:, 1]) / (1 - chance)
    met = sums[:, 2:-1] @ shares
    linear = own - 2 * (1 - kappa) * (met - chance) / (1 - chance)
    linear = linear[sums[:, -1] > 0]
    return float(np.sqrt(((linear - kappa) ** 2).sum() / (units * (units - 1))))


def krippendorff_alpha_standard_error(
    counts: ArrayLike,
    difference: Literal["nominal", "interval"] = "nominal",
    values: ArrayLike | None = None,
) -> float:
    """The standard error of alpha by linearisation, units drawn at random, from ratings [U, K].

    alpha = 1 - (n - 1) O / E with O and E sums over units of coincidences; with every unit rated
    equally often and the nominal difference it is (1 - 1/n) times that of Fleiss' kappa.
    """
    together = coincidences(counts)
    together = together[together.any((1, 2))]
    size, units = together.shape[-1], len(together)
    at = np.arange(1.0, size + 1) if values is None else np.asarray(values, dtype=np.float64)
    delta = 1 - np.eye(size) if difference == "nominal" else (at[:, None] - at[None, :]) ** 2
    margins = together.sum(-1)
    margin, n = margins.sum(0), float(margins.sum())
    observed = (together * delta).sum((1, 2))
    expected = float(margin @ delta @ margin)
    if units < 2 or expected <= 0:
        return float("nan")
    share = observed.sum() / expected
    moved = (n - 1) * (observed - 2 * share * (margins @ delta @ margin)) / expected
    moved += margins.sum(1) * share
    return float(np.sqrt(units / (units - 1) * ((moved - moved.mean()) ** 2).sum()))
