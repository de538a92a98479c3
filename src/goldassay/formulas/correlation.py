"""Correlations of two raters' scores: from paired scores, or from an ordered table of counts.

Pearson asks for a line, Spearman for a monotone relation, Kendall's tau-b for concordant pairs;
Lin's coefficient and the intraclass correlation also ask that the scores be equal, not related.
On binary data the first three are phi; on graded scores they differ (Rao and Callison-Burch 2026,
Table 1). Functions of pairs take x, y [n]; functions of tables take counts [..., K, K].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.agreement import ratio

__all__ = [
    "far_out",
    "icc",
    "inversions_of_each",
    "kendall_tau_b",
    "kendall_tau_b_of_table",
    "lin_concordance",
    "pearson",
    "pearson_of_table",
    "ranks",
    "spearman",
    "spearman_of_table",
]

Array = NDArray[np.float64]
Codes = NDArray[np.int64]


# --- pairs of scores --------------------------------------------------------------------------


def _pairs(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    both = np.isfinite(a) & np.isfinite(b)
    return a[both], b[both]


def _moments(a: Array, b: Array) -> tuple[float, float, float]:
    da, db = a - a.mean(), b - b.mean()
    return float(da @ da), float(db @ db), float(da @ db)


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson's r over the pairs without a missing score; NaN when one side is constant."""
    a, b = _pairs(x, y)
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    xx, yy, xy = _moments(a, b)
    return float(np.clip(xy / np.sqrt(xx * yy), -1, 1))


def ranks(x: ArrayLike) -> Array:
    """Ranks from 1, ties at their mean rank."""
    _, inverse, counts = np.unique(np.asarray(x), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[inverse.reshape(-1)])


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's rho: Pearson's r of the ranks."""
    a, b = _pairs(x, y)
    return pearson(ranks(a), ranks(b)) if len(a) > 1 else float("nan")


def kendall_tau_b(x: ArrayLike, y: ArrayLike) -> float:
    """Kendall's tau-b (eq. 7), in n log n steps."""
    a, b = _pairs(x, y)
    n = len(a)
    if n < 2:
        return float("nan")
    _, a_code = np.unique(a, return_inverse=True)
    _, b_code = np.unique(b, return_inverse=True)
    order = np.lexsort((b_code, a_code))
    discordant = float(inversions_of_each(b_code.reshape(-1)[order]).sum()) / 2
    pairs = n * (n - 1) / 2
    tied_a, tied_b = _tied(a_code), _tied(b_code)
    tied_both = _tied(a_code * (int(b_code.max()) + 1) + b_code)
    concordant = pairs - discordant - tied_a - tied_b + tied_both
    spread = (pairs - tied_a) * (pairs - tied_b)
    return float((concordant - discordant) / np.sqrt(spread)) if spread > 0 else float("nan")


def _tied(codes: Codes) -> float:
    _, counts = np.unique(codes, return_counts=True)
    return float((counts * (counts - 1) // 2).sum())


def inversions_of_each(codes: Codes, block: Codes | None = None) -> Codes:
    """How many inversions (a greater code before a smaller) each element is in, within its block.

    `block` is in order. One bit of the codes at a time, the highest first: among elements that
    share all higher bits, an inversion shows where the earlier has a 1 and the later a 0. What
    shares bits is kept together, in its order, so that nothing has to be sorted.
    """
    size = len(codes)
    value, place, found = codes, np.arange(size), np.zeros(size, np.int64)
    start = np.zeros(min(size, 1), np.int64)
    if block is not None and size:
        start = np.flatnonzero(np.concatenate([[True], block[1:] != block[:-1]]))
    for bit in range(int(codes.max(initial=0)).bit_length() - 1, -1, -1):
        one = (value >> bit) & 1
        length = np.diff(start, append=size)
        before = np.concatenate([[0], np.cumsum(one)])  # ones before each element, and in all
        ones = before[start + length] - before[start]  # of each group
        zeros, first = np.repeat(length - ones, length), np.repeat(start, length)
        ones_before = before[:-1] - np.repeat(before[start], length)
        zeros_before = np.arange(size) - first - ones_before
        found = found + np.where(one == 0, ones_before, zeros - zeros_before)
        to = first + np.where(one == 0, zeros_before, zeros + ones_before)
        value, place, found = _moved(value, to), _moved(place, to), _moved(found, to)
        middle = (start + length - ones)[(ones > 0) & (ones < length)]
        start = np.sort(np.concatenate([start, middle]))
    return _moved(found, place)


def _moved(values: Codes, to: Codes) -> Codes:
    out = np.empty_like(values)
    out[to] = values
    return out


def lin_concordance(x: ArrayLike, y: ArrayLike) -> float:
    """Lin's concordance correlation (1989): 2 s_xy / (s_xx + s_yy + (mean difference)^2)."""
    a, b = _pairs(x, y)
    if len(a) < 2:
        return float("nan")
    xx, yy, xy = _moments(a, b)
    spread = (xx + yy) / len(a) + (a.mean() - b.mean()) ** 2
    return float(2 * xy / len(a) / spread) if spread > 0 else float("nan")


def icc(x: ArrayLike, y: ArrayLike) -> float:
    """Intraclass correlation ICC(A,1): two-way random raters, absolute agreement, one rating.

    McGraw and Wong (1996); (MSR - MSE) / (MSR + (k - 1) MSE + k/n (MSC - MSE)) with k = 2.
    """
    a, b = _pairs(x, y)
    n = len(a)
    if n < 2:
        return float("nan")
    table = np.stack([a, b], 1)
    mean = table.mean()
    rows = 2 * ((table.mean(1) - mean) ** 2).sum() / (n - 1)
    columns = n * ((table.mean(0) - mean) ** 2).sum()
    rest = table - table.mean(1, keepdims=True) - table.mean(0, keepdims=True) + mean
    error = (rest**2).sum() / (n - 1)
    spread = rows + error + 2 / n * (columns - error)
    return float((rows - error) / spread) if spread > 0 else float("nan")


def far_out(x: ArrayLike) -> NDArray[np.bool_]:
    """Which scores lie more than five robust deviations (1.4826 MAD) from the median.

    None do where half of the scores or more are equal: there is no scale to measure by.
    """
    a = np.asarray(x, dtype=np.float64)
    distance = np.abs(a - np.median(a))
    scale = 1.4826 * float(np.median(distance))
    return np.asarray((distance > 5 * scale) & (scale > 0))


# --- ordered tables ---------------------------------------------------------------------------


def _table_correlation(table: Array, rows: Array, columns: Array) -> Array:
    """Pearson's r when row k scores rows[..., k] and column l scores columns[..., l]."""
    total = table.sum((-1, -2))[..., None]
    p, q = table.sum(-1), table.sum(-2)
    u = rows - ratio((p * rows).sum(-1, keepdims=True), total)
    v = columns - ratio((q * columns).sum(-1, keepdims=True), total)
    covariance = np.einsum("...k,...kl,...l->...", u, table, v)
    uu, vv = (p * u**2).sum(-1), (q * v**2).sum(-1)
    floor = 1e-12 * total[..., 0]
    constant = (uu <= floor * (rows**2).max(-1)) | (vv <= floor * (columns**2).max(-1))
    return ratio(covariance, np.where(constant, 0.0, np.sqrt(uu * vv)))


def pearson_of_table(counts: ArrayLike, values: ArrayLike | None = None) -> Array:
    """Pearson's r of the options' values (by default 1, 2, ...)."""
    table = np.asarray(counts, dtype=np.float64)
    at = np.arange(1.0, table.shape[-1] + 1) if values is None else np.asarray(values, np.float64)
    return _table_correlation(table, at, at)


def spearman_of_table(counts: ArrayLike) -> Array:
    """Spearman's rho: Pearson's r of the options' mean ranks."""
    table = np.asarray(counts, dtype=np.float64)
    p, q = table.sum(-1), table.sum(-2)
    return _table_correlation(table, np.cumsum(p, -1) - p / 2, np.cumsum(q, -1) - q / 2)


def kendall_tau_b_of_table(counts: ArrayLike) -> Array:
    """Kendall's tau-b from concordant and discordant pairs of cells."""
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum((-1, -2))
    below = np.cumsum(np.cumsum(table, -2), -1)
    pad = [(0, 0)] * (table.ndim - 2) + [(1, 0), (1, 0)]
    corner = np.pad(below, pad)[..., :-1, :-1]  # strictly lower in both
    left = np.cumsum(table[..., :, ::-1], -1)[..., :, ::-1]
    right = np.pad(np.cumsum(left, -2), [(0, 0)] * (table.ndim - 2) + [(1, 0), (0, 1)])
    crossed = right[..., :-1, 1:]  # lower row, higher column
    difference = (table * corner).sum((-1, -2)) - (table * crossed).sum((-1, -2))
    p, q = table.sum(-1), table.sum(-2)
    untied_rows = (total**2 - (p**2).sum(-1)) / 2
    untied_columns = (total**2 - (q**2).sum(-1)) / 2
    floor = 1e-12 * total**2
    constant = (untied_rows <= floor) | (untied_columns <= floor)
    return ratio(difference, np.where(constant, 0.0, np.sqrt(untied_rows * untied_columns)))
