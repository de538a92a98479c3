"""Coefficients of agreement between a reference and a verdict, from tables of counts.

Every function takes `counts` of shape (..., K, K), rows = reference, columns = verdict, both in the
order of the task's options, and returns an array of shape (...): one table or a million resampled
ones are the same call. What it reads of them are their margins and diagonals, and these (`Margins`)
may be given in their place: 3 K numbers instead of K^2. Categories are those of the table, whether
used or not. Where a coefficient does not exist (0/0) the array holds NaN; `results.Undefined` says
so to people.

`positive` is the index of the positive option; of more than two options it stands against the rest.
Formulas are those of Rao and Callison-Burch (2026), sections 3 to 5, unless a source is named.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.frozen import dataclass

__all__ = [
    "Counts",
    "Margins",
    "accuracy",
    "agreement_weights",
    "balanced_accuracy",
    "cells",
    "chance_agreement",
    "cohen_kappa",
    "cohen_kappa_standard_error",
    "f1",
    "gwet_ac",
    "kappa_phi_gap",
    "log_odds_strictness",
    "macro_f1",
    "negative_predictive_value",
    "phi",
    "positive_rate_difference",
    "precision",
    "ratio",
    "recall",
    "recalls",
    "reference_rate",
    "scott_pi",
    "sensitivity",
    "specificity",
    "verdict_rate",
    "weighted_balanced_accuracy",
    "youden_j",
]

Array = NDArray[np.float64]


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Array:
    """numerator / denominator, NaN where the denominator is 0."""
    bottom = np.array(denominator, dtype=np.float64)
    bottom[bottom == 0] = np.nan
    return np.asarray(np.asarray(numerator, dtype=np.float64) / bottom)


@dataclass(frozen=True)
class Margins:
    """What coefficients read of tables [..., K, K]: the margins and the diagonal, [..., K] each.

    `near` [...] is the sum of the cells times agreement weights, where there are any.
    """

    rows: Array
    columns: Array
    hits: Array
    near: Array | None = None

    @classmethod
    def of(cls, counts: Counts, weights: ArrayLike | None = None) -> Margins:
        """Those of tables; given margins have the sum of the weights that they were made with."""
        if isinstance(counts, Margins):
            return counts
        table = np.asarray(counts, dtype=np.float64)
        if table.ndim < 2 or table.shape[-1] != table.shape[-2]:
            raise ValueError(f"a table of counts is square in its last two axes, not {table.shape}")
        near = None
        if weights is not None:
            near = (table * np.asarray(weights, dtype=np.float64)).sum((-1, -2))
        hits = np.diagonal(table, axis1=-2, axis2=-1)
        return cls(table.sum(-1), table.sum(-2), hits, near)

    @property
    def total(self) -> Array:
        return np.asarray(self.rows.sum(-1))

    @property
    def size(self) -> int:
        return int(self.rows.shape[-1])

    def __len__(self) -> int:
        return len(self.rows)

    def agreeing(self, weights: ArrayLike | None) -> Array:
        """The sum of the cells times the weights; without weights that of the diagonal."""
        if weights is None:
            return np.asarray(self.hits.sum(-1))
        assert self.near is not None
        return self.near


#: Tables of counts, or their margins.
Counts = ArrayLike | Margins


def cells(counts: Counts, positive: int) -> tuple[Array, Array, Array, Array]:
    """True positives, false negatives, false positives, true negatives."""
    table = Margins.of(counts)
    true_positive = table.hits[..., positive]
    false_negative = table.rows[..., positive] - true_positive
    false_positive = table.columns[..., positive] - true_positive
    return (
        true_positive,
        false_negative,
        false_positive,
        table.total - true_positive - false_negative - false_positive,
    )


# --- the reference and the verdict on their own -----------------------------------------------


def reference_rate(counts: Counts, *, positive: int) -> Array:
    """Share of items whose reference is positive (pi)."""
    table = Margins.of(counts)
    return ratio(table.rows[..., positive], table.total)


def verdict_rate(counts: Counts, *, positive: int) -> Array:
    """Share of items that the judge calls positive (pi-hat)."""
    table = Margins.of(counts)
    return ratio(table.columns[..., positive], table.total)


def positive_rate_difference(counts: Counts, *, positive: int) -> Array:
    """The judge's positive rate less people's: above 0 it says it more often."""
    table = Margins.of(counts)
    return ratio(table.columns[..., positive] - table.rows[..., positive], table.total)


# --- agreement without correction for chance --------------------------------------------------


def accuracy(counts: Counts, weights: ArrayLike | None = None) -> Array:
    """Observed agreement p_o (eq. 1); with weights, the mean agreement weight."""
    table = Margins.of(counts, weights)
    return ratio(table.agreeing(weights), table.total)


def sensitivity(counts: Counts, *, positive: int) -> Array:
    """TP / (TP + FN): the positives that the judge finds."""
    tp, fn, _, _ = cells(counts, positive)
    return ratio(tp, tp + fn)


def specificity(counts: Counts, *, positive: int) -> Array:
    """TN / (TN + FP): the negatives that the judge leaves alone."""
    _, _, fp, tn = cells(counts, positive)
    return ratio(tn, tn + fp)


def precision(counts: Counts, *, positive: int) -> Array:
    """TP / (TP + FP): how often a positive verdict is right; NaN when there is none."""
    tp, _, fp, _ = cells(counts, positive)
    return ratio(tp, tp + fp)


recall = sensitivity


def negative_predictive_value(counts: Counts, *, positive: int) -> Array:
    """TN / (TN + FN): how often a negative verdict is right."""
    _, fn, _, tn = cells(counts, positive)
    return ratio(tn, tn + fn)


def f1(counts: Counts, *, positive: int) -> Array:
    """2 TP / (2 TP + FP + FN) (eq. 2); NaN only when neither side has a positive."""
    tp, fn, fp, _ = cells(counts, positive)
    return ratio(2 * tp, 2 * tp + fp + fn)


def macro_f1(counts: Counts, options: int | None = None) -> Array:
    """Unweighted mean of the options' F1, over the options that reference or judge use.

    Where only the first `options` classes are options, the others (an invalid verdict) have no F1:
    they lower the options' recalls.
    """
    table = Margins.of(counts)
    both = table.rows + table.columns
    return _mean_defined(ratio(2 * table.hits, both)[..., :options], at_least=1)


def recalls(counts: Counts) -> Array:
    """Recall of every option, shape (..., K); NaN for an option the reference never has."""
    table = Margins.of(counts)
    return ratio(table.hits, table.rows)


def balanced_accuracy(counts: Counts) -> Array:
    """Mean recall over the options that occur in the reference; it needs two of them."""
    return _mean_defined(recalls(counts), at_least=2)


def weighted_balanced_accuracy(counts: Counts, shares: ArrayLike) -> Array:
    """Mean recall with the options weighted by `shares` [K]: accuracy were they so common.

    NaN where the reference lacks an option that has a share.
    """
    weights = np.asarray(shares, dtype=np.float64)
    terms = np.where(weights > 0, weights * recalls(counts), 0.0)
    return ratio(terms.sum(-1), weights.sum())


def youden_j(counts: Counts) -> Array:
    """Youden's J = sensitivity + specificity - 1; with more options, the macro-average.

    The macro form compares each option with the rest, the rest's options weighted equally. Then
    balanced accuracy = (m - 1)/m J + 1/m for the m options that occur, whatever the prevalence;
    pooling the rest by its counts would break that identity.
    """
    by_option = recalls(counts)
    m = np.isfinite(by_option).sum(-1)
    return ratio(m * _mean_defined(by_option, at_least=2) - 1, m - 1)


def _mean_defined(values: Array, *, at_least: int) -> Array:
    defined = np.isfinite(values)
    number = defined.sum(-1)
    total = np.where(defined, values, 0.0).sum(-1)
    return ratio(total, np.where(number >= at_least, number, 0))


# --- agreement corrected for chance -----------------------------------------------------------


def agreement_weights(
    weights: str | Sequence[Sequence[float]], size: int, values: ArrayLike | None = None
) -> Array:
    """The K x K matrix of agreement weights: 1 on the diagonal, less the further apart.

    `linear` and `quadratic` use the options' positions, or their `values` where these are declared.
    """
    if not isinstance(weights, str):
        return np.asarray(weights, dtype=np.float64)
    if weights == "unweighted" or size == 1:
        return np.eye(size)
    at = np.arange(size, dtype=np.float64) if values is None else np.asarray(values, np.float64)
    distance = np.abs(at[:, None] - at[None, :])
    distance /= distance.max()
    if weights == "linear":
        return np.asarray(1 - distance)
    if weights == "quadratic":
        return np.asarray(1 - distance**2)
    raise ValueError(f"weights are unweighted, linear, quadratic or a matrix, not {weights!r}")


def _shares(counts: Counts, weights: ArrayLike | None) -> tuple[Array, Array, Array]:
    """Observed agreement, and the two margins as shares."""
    table = Margins.of(counts, weights)
    total = np.asarray(table.total)
    observed = ratio(table.agreeing(weights), total)
    return observed, ratio(table.rows, total[..., None]), ratio(table.columns, total[..., None])


def _expected(rows: Array, weights: ArrayLike | None, columns: Array) -> Array:
    """The weighted agreement of two independent raters with these margins."""
    met = rows if weights is None else rows @ np.asarray(weights, dtype=np.float64)
    return np.asarray((met * columns).sum(-1))


def chance_agreement(counts: Counts, weights: ArrayLike | None = None) -> Array:
    """p_e: the agreement of two independent raters with these margins; kappa's floor."""
    _, rows, columns = _shares(counts, weights)
    return _expected(rows, weights, columns)


def cohen_kappa(counts: Counts, weights: ArrayLike | None = None) -> Array:
    """Cohen's kappa (p_o - p_e) / (1 - p_e) (eq. 3), with any agreement weights (Cohen 1968).

    NaN when both sides use one and the same option only.
    """
    observed, rows, columns = _shares(counts, weights)
    return _corrected(observed, _expected(rows, weights, columns))


def scott_pi(counts: Counts, weights: ArrayLike | None = None) -> Array:
    """Scott's pi (1955): chance from the mean of both margins."""
    observed, rows, columns = _shares(counts, weights)
    mean = (rows + columns) / 2
    return _corrected(observed, _expected(mean, weights, mean))


def gwet_ac(counts: Counts, weights: ArrayLike | None = None) -> Array:
    """Gwet's AC1 (2008), AC2 with weights; every option of the table counts, used or not."""
    observed, rows, columns = _shares(counts, weights)
    size = rows.shape[-1]
    if size < 2:
        return np.full(observed.shape, np.nan)
    mean = (rows + columns) / 2
    all_weights = size if weights is None else np.asarray(weights, dtype=np.float64).sum()
    expected = all_weights / (size * (size - 1)) * (mean * (1 - mean)).sum(-1)
    return _corrected(observed, expected)


def _corrected(observed: Array, expected: Array) -> Array:
    """(observed - expected) / (1 - expected); what differs by rounding only is equal."""
    rest, beyond = 1 - expected, observed - expected
    return ratio(np.where(np.abs(beyond) <= 1e-14, 0.0, beyond), np.where(rest > 1e-12, rest, 0.0))


def phi(counts: Counts) -> Array:
    """phi (eq. 5) = MCC = Pearson = Spearman = Kendall's tau-b on binary data.

    With more options it is the multi-class MCC (Gorodkin 2004), which is none of the others.
    NaN when one side uses a single option.
    """
    table = Margins.of(counts)
    rows, columns, total = table.rows, table.columns, table.total
    covariance = table.hits.sum(-1) * total - (rows * columns).sum(-1)
    spread_rows = total**2 - (rows**2).sum(-1)
    spread_columns = total**2 - (columns**2).sum(-1)
    # Rounding of fractional counts (soft references) must not turn a zero spread into a tiny one.
    floor = 1e-12 * total**2
    degenerate = (spread_rows <= floor) | (spread_columns <= floor)
    spread = np.where(degenerate, 0.0, spread_rows * spread_columns)
    return ratio(covariance, np.sqrt(spread))


def kappa_phi_gap(counts: Counts) -> Array:
    """|phi| - |kappa|: the price of a drifted positive rate.

    0 iff the margins match (eq. 12), or nothing is associated.
    """
    gap = np.abs(phi(counts)) - np.abs(cohen_kappa(counts))
    return np.asarray(np.where(np.abs(gap) < 1e-12, 0.0, gap))


def log_odds_strictness(counts: Counts, *, positive: int) -> Array:
    """log((FN + 1/2) / (FP + 1/2)): where they differ, the odds that the judge is the stricter.

    Above 0 the judge withholds the positive verdict more often than it grants it in excess. The
    halves (Haldane, Anscombe) keep it finite; NaN when judge and reference never differ.
    """
    _, fn, fp, _ = cells(counts, positive)
    value = np.log((fn + 0.5) / (fp + 0.5))
    return np.asarray(np.where(fn + fp > 0, value, np.nan))


# --- closed forms, for comparison -------------------------------------------------------------


def cohen_kappa_standard_error(counts: ArrayLike, weights: ArrayLike | None = None) -> Array:
    """Fleiss, Cohen and Everitt's (1969) large-sample standard error of (weighted) kappa.

    Not goldassay's default: its 95 % interval covers .51 at prevalence .1 and 50 items.
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum((-1, -2))
    shares = ratio(table, total[..., None, None])
    w = np.eye(table.shape[-1]) if weights is None else np.asarray(weights, dtype=np.float64)
    rows, columns = shares.sum(-1), shares.sum(-2)
    observed = (shares * w).sum((-1, -2))
    expected = np.einsum("...k,kl,...l->...", rows, w, columns)
    mean_row = np.einsum("kl,...l->...k", w, columns)
    mean_column = np.einsum("kl,...k->...l", w, rows)
    pull = mean_row[..., :, None] + mean_column[..., None, :]
    rest = (1 - expected)[..., None, None]
    inner = (shares * (w * rest - pull * (1 - observed)[..., None, None]) ** 2).sum((-1, -2))
    spread = inner - (observed * expected - 2 * expected + observed) ** 2
    return np.sqrt(np.maximum(ratio(spread, total * (1 - expected) ** 4), 0))
