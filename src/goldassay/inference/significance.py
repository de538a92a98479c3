"""Textbook p-values: do two raters' rates differ, are two rankings related?

They hold where every decision stands alone; with repeated clusters goldassay gives intervals
instead.
"""

from __future__ import annotations

import math
from itertools import permutations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.correlation import kendall_tau_b, ranks, spearman
from goldassay.formulas.special import chi_square_tail, normal_cdf

__all__ = ["kendall_p_value", "mcnemar", "spearman_p_value"]

Array = NDArray[np.float64]

#: Without ties, orders up to so many items are counted exactly.
EXACT_KENDALL, EXACT_SPEARMAN = 49, 9
#: Tosses up to which binomial coefficients are summed as whole numbers.
FEW_TOSSES = 500


def mcnemar(
    counts: ArrayLike, *, method: Literal["exact", "corrected", "uncorrected"] = "exact"
) -> float:
    """McNemar's (1947) test that both margins of a 2 x 2 table are the same, two-sided.

    `exact` is the binomial test of the cells in which the raters differ, `uncorrected` the
    chi-square (b - c)^2 / (b + c), `corrected` with Edwards' continuity correction (no less than
    0). NaN when they never differ: there is nothing to test.
    """
    table = np.asarray(counts, dtype=np.float64)
    b, c = float(table[0, 1]), float(table[1, 0])
    differ = b + c
    if differ == 0:
        return float("nan")
    if method == "exact":
        return min(1.0, 2 * _of_tosses(math.floor(min(b, c)), int(differ)))
    gap = abs(b - c)
    if method == "corrected":
        gap = max(0.0, gap - 1)
    return chi_square_tail(1, gap**2 / differ)


def _of_tosses(most: int, tosses: int) -> float:
    """The probability of at most so many heads, a sum of whole numbers where that is quick."""
    if tosses <= FEW_TOSSES:
        return float(sum(math.comb(tosses, heads) for heads in range(most + 1)) / 2**tosses)
    from goldassay.formulas.compiled import bdtr

    return float(bdtr(most, tosses, 0.5))


def _complete(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array, bool]:
    """Pairs without a missing score, and whether either side has ties."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    both = np.isfinite(a) & np.isfinite(b)
    a, b = a[both], b[both]
    return a, b, any((np.diff(np.sort(side)) == 0).any() for side in (a, b))


def kendall_p_value(x: ArrayLike, y: ArrayLike, value: float | None = None) -> float:
    """Two-sided p-value of no association for Kendall's tau-b.

    Exact without ties and below 50 pairs (the distribution of inversions), otherwise normal with
    the variance that ties leave (Kendall 1970). NaN for a constant side. `value` is tau-b, where it
    is known.
    """
    a, b, tied = _complete(x, y)
    tau, n = kendall_tau_b(a, b) if value is None else value, len(a)
    if np.isnan(tau):
        return float("nan")
    if not tied and n <= EXACT_KENDALL:
        pairs = n * (n - 1) // 2
        discordant = round((1 - tau) * pairs / 2)
        fewest = min(discordant, pairs - discordant)
        chances = np.ones(1)  # of 0, 1, ... inversions among the first k of n
        for k in range(2, n + 1):
            chances = np.convolve(chances, np.full(k, 1 / k))
        return min(1.0, 2 * float(chances[: fewest + 1].sum()))
    sizes = [np.unique(side, return_counts=True)[1].astype(float) for side in (a, b)]
    pairs_tied = [float((t * (t - 1)).sum()) for t in sizes]
    triples = [float((t * (t - 1) * (t - 2)).sum()) for t in sizes]
    spread = [float((t * (t - 1) * (2 * t + 5)).sum()) for t in sizes]
    m = n * (n - 1.0)
    variance = (m * (2 * n + 5) - sum(spread)) / 18
    variance += pairs_tied[0] * pairs_tied[1] / (2 * m)
    variance += triples[0] * triples[1] / (9 * m * (n - 2)) if n > 2 else 0.0
    score = tau * np.sqrt((m - pairs_tied[0]) * (m - pairs_tied[1])) / 2
    return 2 * normal_cdf(-abs(float(score)) / math.sqrt(variance))


def spearman_p_value(x: ArrayLike, y: ArrayLike, value: float | None = None) -> float:
    """Two-sided p-value of no association for Spearman's rho.

    Exact without ties and up to 9 pairs (all orders), otherwise Student's t with n - 2 degrees of
    freedom. NaN for a constant side. `value` is rho, where it is known.
    """
    from goldassay.formulas.compiled import stdtr

    a, b, tied = _complete(x, y)
    rho, n = spearman(a, b) if value is None else value, len(a)
    if np.isnan(rho):
        return float("nan")
    if not tied and n <= EXACT_SPEARMAN:
        first = ranks(a)
        orders = np.array(list(permutations(first)))
        apart = ((orders - first) ** 2).sum(1)
        seen = ((ranks(a) - ranks(b)) ** 2).sum()
        fewer, more = (apart <= seen).mean(), (apart >= seen).mean()
        return min(1.0, 2 * float(min(fewer, more)))
    if abs(rho) >= 1:
        return 0.0
    return float(2 * stdtr(n - 2, -abs(rho) * np.sqrt((n - 2) / (1 - rho**2))))
