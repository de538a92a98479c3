"""From a judge's scores or verdicts to one score per system.

Mean, median, win rate and Bradley-Terry of Gera et al. (2025), Appendix B, for the data and for
all resamples at once: from resampling weights [B, C], or the outcomes under them, to scores [B, S].
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.formulas.comparisons import (
    Outcomes,
    Pairs,
    TieRule,
    by_cluster,
    weighted,
    whole_number_type,
)
from goldassay.formulas.orders import level, mean_scores

__all__ = [
    "AGGREGATIONS",
    "AGGREGATION_WORDS",
    "Aggregation",
    "mean_scores",
    "median_scores",
    "win_rate_scores",
]

Aggregation = Literal["mean", "median", "win_rate", "bradley_terry"]
AGGREGATIONS: tuple[Aggregation, ...] = ("mean", "median", "win_rate", "bradley_terry")
AGGREGATION_WORDS: Mapping[Aggregation, str] = {
    "mean": "mean",
    "median": "median",
    "win_rate": "win rate",
    "bradley_terry": "Bradley-Terry",
}

#: Up to so many different scores are counted one by one.
FEW_LEVELS = 8

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def median_scores(scores: Floats, weights: NDArray[Any], cluster: Ints | None = None) -> Floats:
    """Median score of each system, for weights [B, C]: [B, S]; NaN where none is scored.

    An even number of scores has the mean of the middle two as its median, as everywhere.
    """
    present = ~np.isnan(scores)
    levels = np.unique(scores[present])
    if 0 < len(levels) <= FEW_LEVELS:
        return _medians_of(levels, scores, weights, cluster)
    number = present.sum(axis=0)
    order = np.argsort(scores, axis=0, kind="stable")  # NaN last
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(len(scores))[:, None], axis=0)
    # The median of a resample is hardly ever more than 5 standard errors from the middle place:
    # the scores around it are looked at one by one, those before them counted.
    sizes = np.ones(len(scores)) if cluster is None else np.bincount(cluster)
    reach = math.ceil(2.5 * math.sqrt(float(sizes @ sizes)))
    start = np.maximum(number // 2 - reach, 0)
    stop = np.minimum(number // 2 + reach, number)
    # Where no score is missing, all systems have as many.
    scored = present[:, :1] if present.all() else present
    counted = np.hstack([place < start, scored]).astype(whole_number_type(len(scores)))
    if cluster is not None:
        counted = by_cluster(counted, cluster)
    both = weighted(weights, counted).astype(np.int64)
    before, total = np.split(both, [scores.shape[1]], axis=1)
    total = np.broadcast_to(total, before.shape)
    medians = np.full(total.shape, np.nan)
    for system in np.flatnonzero(number):
        known = order[: number[system], system]
        middle = (total[:, [system]] - 1) // 2, total[:, [system]] // 2
        window, first = slice(start[system], stop[system]), before[:, [system]]
        below = _up_to(weights, known[window], cluster) + first
        if not ((first <= middle[0]).all() and (below[:, [-1]] > middle[1]).all()):
            window, below = slice(None), _up_to(weights, known, cluster)
        medians[:, system] = _at(scores[known[window], system], below, middle)
    return np.where(total > 0, medians, np.nan)


def _medians_of(
    levels: Floats, scores: Floats, weights: NDArray[Any], cluster: Ints | None
) -> Floats:
    """The same where scores have few levels (options, grades): those up to each are counted."""
    up_to = (scores[:, :, None] <= levels).reshape(len(scores), -1)  # a missing score is at none
    counted = up_to.astype(whole_number_type(len(scores)))
    if cluster is not None:
        counted = by_cluster(counted, cluster)
    below = weighted(weights, counted).reshape(len(weights), -1, len(levels))
    total = below[..., -1:]
    middle = (total - 1) // 2, total // 2
    low, high = ((below[..., :-1] <= place).sum(axis=-1) for place in middle)
    return np.where(total[..., 0] > 0, (levels[low] + levels[high]) / 2, np.nan)


def _up_to(weights: NDArray[Any], items: Ints, cluster: Ints | None) -> Ints:
    """How often the items up to each of some count in every resample, [B, L]."""
    columns = items if cluster is None else cluster[items]
    return np.cumsum(weights[:, columns], axis=1, dtype=np.int64)


def _at(values: Floats, below: Ints, middle: tuple[Ints, Ints]) -> Floats:
    """Mean of the scores at two places, `below` [B, L] being the scores up to each value [L]."""
    last = len(values) - 1
    # The number of values that hold at most k scores up to them is the place of the k-th score.
    low, high = (np.minimum((below <= k).sum(axis=1), last) for k in middle)
    return np.asarray((values[low] + values[high]) / 2)


def win_rate_scores(pairs: Pairs, outcomes: Outcomes, ties: TieRule = "half") -> Floats:
    """Share of its comparisons that each system won, of outcomes [B, P]: [B, S]; NaN for none.

    `class` is Gera et al.'s formula (a tie is no win); without ties all rules are the same.
    """
    wins, losses = outcomes.wins, outcomes.losses
    total = wins + losses
    if ties != "exclude" and outcomes.ties.any():
        total += outcomes.ties
        if ties == "half":
            half = outcomes.ties / 2
            wins, losses = wins + half, losses + half
    if (total == total[:1]).all():  # every system on every prompt: one row serves all
        total = total[:1]
    # Halves below 2**23 add without rounding in single precision, too.
    exact = float(total.max(initial=0.0)) * pairs.n_systems < 2**23
    dtype = total.dtype if exact else np.float64
    won = pairs.per_system(wins.astype(dtype, copy=False), losses.astype(dtype, copy=False))
    total = total.astype(dtype, copy=False)
    met = pairs.per_system(total, total)
    return level(ratio(won.astype(np.float64), met.astype(np.float64)))
