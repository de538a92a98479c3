"""From a judge's scores or verdicts to one score per system.

Mean, median, win rate and Bradley-Terry of Gera et al. (2025), Appendix B, for the data and for
all resamples at once: every function takes resampling weights [B, C] and gives scores [B, S].
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.formulas.comparisons import Comparisons, TieRule, whole_number_type
from goldassay.formulas.orders import level, mean_scores

__all__ = ["AGGREGATIONS", "Aggregation", "mean_scores", "median_scores", "win_rate_scores"]

Aggregation = Literal["mean", "median", "win_rate", "bradley_terry"]
AGGREGATIONS: tuple[Aggregation, ...] = ("mean", "median", "win_rate", "bradley_terry")

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def median_scores(scores: Floats, weights: NDArray[Any], cluster: Ints | None = None) -> Floats:
    """Median score of each system, for weights [B, C]: [B, S]; NaN where none is scored.

    An even number of scores has the mean of the middle two as its median, as everywhere.
    """
    dtype = whole_number_type(len(scores))
    # Items in rows: gathering some of them copies whole rows.
    by_item = np.ascontiguousarray(weights.T, dtype)
    if cluster is not None:
        by_item = by_item[cluster]
    present = ~np.isnan(scores)
    order = np.argsort(scores, axis=0, kind="stable")  # NaN last
    number = present.sum(axis=0)
    # The median of a resample is hardly ever more than 5 standard errors from the middle place.
    sizes = np.ones(len(scores)) if cluster is None else np.bincount(cluster)
    reach = math.ceil(2.5 * math.sqrt(float(sizes @ sizes)))
    start = np.maximum(number // 2 - reach, 0)
    stop = np.minimum(number // 2 + reach, number)
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(len(scores))[:, None], axis=0)
    total, before = (member.T.astype(dtype) @ by_item for member in (present, place < start))
    medians = np.full((len(weights), scores.shape[1]), np.nan)
    for system in np.flatnonzero(number):
        known = order[: number[system], system]
        values = scores[known, system]
        middle = (total[system] - 1) // 2, total[system] // 2
        levels = np.unique(values)
        if len(levels) < len(values) // 4:  # few levels (Likert, whole numbers): one product
            below = (scores[:, system] <= levels[:, None]).astype(dtype) @ by_item
            medians[:, system] = _at(levels, below, middle)
            continue
        window = slice(start[system], stop[system])
        first = before[system]
        below = np.cumsum(by_item[known[window]], axis=0) + first
        if not ((first <= middle[0]).all() and (below[-1] > middle[1]).all()):
            window, below = slice(None), np.cumsum(by_item[known], axis=0)
        medians[:, system] = _at(values[window], below, middle)
    return np.where(total.T > 0, medians, np.nan)


def _at(levels: Floats, below: NDArray[Any], middle: tuple[Floats, Floats]) -> Floats:
    """Mean of the scores at two places, `below` [L, B] being the scores up to each level [L]."""
    last = len(levels) - 1
    # The number of levels that hold at most k scores up to them is the level of the k-th score.
    low, high = (np.minimum((below <= k).sum(axis=0, dtype=np.intp), last) for k in middle)
    return np.asarray((levels[low] + levels[high]) / 2)


def win_rate_scores(
    comparisons: Comparisons, weights: NDArray[Any], ties: TieRule = "half"
) -> Floats:
    """Share of its comparisons that each system won, for weights [B, C]: [B, S]; NaN for none.

    `class` is Gera et al.'s formula (a tie is no win); without ties all rules are the same.
    """
    half = comparisons.ties / 2
    wins, losses = comparisons.wins, comparisons.losses
    total = wins + losses if ties == "exclude" else wins + losses + comparisons.ties
    if ties == "half":
        wins, losses = wins + half, losses + half
    won, compared = (
        weights.astype(np.float64) @ comparisons.pairs.per_system(first, second)
        for first, second in ((wins, losses), (total, total))
    )
    return level(ratio(won, compared))
