"""How well one ranking of systems agrees with another.

Every function is vectorised over leading axes: scores [..., S] of resamples against gold scores
[S] or [..., S]. Systems with NaN in either are left out (of that row); infinite Bradley-Terry
strengths keep their place in the order.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.agreement import ratio
from goldassay.formulas.comparisons import by_cluster, weighted
from goldassay.frozen import dataclass

__all__ = [
    "Agreement",
    "kendall_tau",
    "level",
    "mean_scores",
    "rank_agreement",
    "ranks",
    "spearman_rho",
    "tau_matrix",
    "win_rate_accuracy",
    "win_rate_error",
]

Floats = NDArray[np.float64]
#: Resamples whose pairwise order is held at once.
BLOCK = 256


def mean_scores(
    scores: Floats, weights: NDArray[Any], cluster: NDArray[np.int64] | None = None
) -> Floats:
    """Mean score of each system over its scored items, for weights [B, C]: [B, S]; NaN for none."""
    present = ~np.isnan(scores)
    filled = np.where(present, scores, 0.0)
    counted = present.astype(np.float64)
    if present.all():  # then all systems have as many scores
        counted = counted[:, :1]
    if cluster is not None:
        filled, counted = (by_cluster(values, cluster) for values in (filled, counted))
    both = weighted(weights, np.hstack([filled, counted]))
    total, number = np.split(both, [scores.shape[1]], axis=1)
    return level(ratio(total, number))


def level(scores: Floats) -> Floats:
    """Scores that differ by rounding alone made equal: sums in another order are no other score."""
    size = float(np.nanmax(np.abs(scores), initial=0.0, where=np.isfinite(scores)))
    return np.round(scores, 11 - math.ceil(math.log10(size))) if size > 0 else scores


@dataclass(frozen=True, slots=True)
class _Order:
    """Pairwise order of scores, systems first: `above[i, j, b]` where i outranks j in row b.

    `lead` [S, B] is the number of systems below minus the number above, `ordered` [B] the pairs
    that are told apart; a system without a score has no pairs, and NaN in `lead`.
    """

    above: NDArray[np.bool_]
    lead: Floats
    ordered: NDArray[np.int64]


def _order(scores: Floats) -> _Order:
    # With the rows along the last axis every comparison and count runs over contiguous memory.
    columns = np.ascontiguousarray(scores.T)
    above = columns[:, None, :] > columns[None, :, :]
    below, over = _true(above, 1), _true(above, 0)
    lead = below.astype(np.float64) - over
    lead[np.isnan(columns)] = np.nan
    return _Order(above, lead, below.sum(axis=0, dtype=np.int64))


def _true(mask: NDArray[np.bool_], axis: int) -> Any:
    """Number of true entries along an axis; bytes, where they hold it, add many times faster."""
    size = np.uint8 if mask.shape[axis] < 256 else np.uint32
    return np.add.reduce(mask.view(np.uint8), axis=axis, dtype=size)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of rankings with gold: Kendall's tau-b and Spearman's rho."""

    tau: Floats
    rho: Floats


def rank_agreement(scores: ArrayLike, gold: ArrayLike) -> Agreement:
    """Agreement of scores [..., S] with gold [S] or [..., S]; NaN where a ranking is all tied."""
    scores, gold = np.asarray(scores, np.float64), np.asarray(gold, np.float64)
    shape = np.broadcast_shapes(scores.shape[:-1], gold.shape[:-1])
    size = scores.shape[-1]
    rows = np.broadcast_to(scores, (*shape, size)).reshape(-1, size)
    against = gold.reshape(-1, size)
    fixed = len(against) == 1 and not (np.isnan(rows).any() or np.isnan(against).any())
    if not fixed:
        against = np.broadcast_to(gold, (*shape, size)).reshape(-1, size)
        missing = np.isnan(rows) | np.isnan(against)
        rows, against = np.where(missing, np.nan, rows), np.where(missing, np.nan, against)
    once = _order(against) if fixed else None
    parts = []
    for low in range(0, len(rows), BLOCK):
        one = _order(rows[low : low + BLOCK])
        two = once if once is not None else _order(against[low : low + BLOCK])
        parts.append((_tau(one, two), _rho(one, two)))
    tau, rho = (np.concatenate(values).reshape(shape) for values in zip(*parts, strict=True))
    return Agreement(tau, rho)


def _tau(one: _Order, two: _Order) -> Floats:
    """Concordant minus discordant pairs over the geometric mean of the pairs each orders."""
    concordant = _true(one.above & two.above, 0).sum(axis=0, dtype=np.int64)
    discordant = _true(one.above & two.above.swapaxes(0, 1), 0).sum(axis=0, dtype=np.int64)
    return ratio(concordant - discordant, np.sqrt(one.ordered * two.ordered))


def _rho(one: _Order, two: _Order) -> Floats:
    """Correlation of the ranks: a system's lead is twice the distance of its rank from the mean."""
    first, second = np.nan_to_num(one.lead), np.nan_to_num(two.lead)
    covariance = (first * second).sum(axis=0)
    scale = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
    return ratio(covariance, scale)


def kendall_tau(scores: ArrayLike, gold: ArrayLike) -> Floats:
    """Kendall's tau-b (Kendall, 1945) of scores [..., S] with gold [S] or [..., S]."""
    return rank_agreement(scores, gold).tau


def spearman_rho(scores: ArrayLike, gold: ArrayLike) -> Floats:
    """Spearman's rho: Pearson's correlation of the ranks, ties at their mean rank."""
    return rank_agreement(scores, gold).rho


def tau_matrix(scores: Floats) -> Floats:
    """Kendall's tau-b between every two of the rankings [J, S]: [J, J], 1 on the diagonal."""
    matrix = kendall_tau(scores[:, None, :], scores[None, :, :])
    np.fill_diagonal(matrix, 1.0)
    return matrix


def ranks(scores: ArrayLike) -> Floats:
    """Ranks [..., S], 1 for the highest score; equal scores share the mean rank; NaN stays NaN."""
    scores = np.asarray(scores, np.float64)
    order = _order(scores.reshape(-1, scores.shape[-1]))
    number = (~np.isnan(order.lead)).sum(axis=0)
    return np.asarray((number + 1 - order.lead) / 2).T.reshape(scores.shape)


def win_rate_accuracy(judge: ArrayLike, gold: ArrayLike) -> Floats:
    """Share of pairs [..., P] on which judge and gold name the same winner (App. E of Gera et al.).

    A rate of exactly one half names no winner: the pair counts half, as a tie does in (1 + tau) / 2
    (in the paper it names the second system, so that the value hangs on the order of the names).
    Pairs without either rate are left out; NaN when none is left.
    """
    judge, gold = np.broadcast_arrays(np.asarray(judge, np.float64), np.asarray(gold, np.float64))
    product = np.sign(judge - 0.5) * np.sign(gold - 0.5)
    missing = np.isnan(product)
    return _mean(np.where(missing, 0.0, (1 + product) / 2), ~missing)


def win_rate_error(judge: ArrayLike, gold: ArrayLike) -> Floats:
    """Mean squared difference of the win rates [..., P] of judge and gold (App. E)."""
    judge, gold = np.broadcast_arrays(np.asarray(judge, np.float64), np.asarray(gold, np.float64))
    gap = judge - gold
    missing = np.isnan(gap)
    if gap.shape[-1] and not missing.any():
        return np.asarray(np.square(gap, out=gap).mean(axis=-1))
    return _mean(np.where(missing, 0.0, gap) ** 2, ~missing)


def _mean(values: Floats, counted: NDArray[np.bool_]) -> Floats:
    return ratio(values.sum(axis=-1), counted.sum(axis=-1))
