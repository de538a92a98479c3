"""From a judge's scores or verdicts to one score per system.

Mean, median, win rate and Bradley-Terry of Gera et al. (2025), Appendix B, for the data and for
all resamples at once: every function takes resampling weights [B, C] and gives scores [B, S].
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from karat.ranking.comparisons import Comparisons, ratio

__all__ = [
    "AGGREGATIONS",
    "Aggregation",
    "TieRule",
    "mean_scores",
    "median_scores",
    "win_rate_scores",
]

Aggregation = Literal["mean", "median", "win_rate", "bradley_terry"]
AGGREGATIONS: tuple[Aggregation, ...] = ("mean", "median", "win_rate", "bradley_terry")

#: half: half a win to each side; exclude: as if not compared; class: a tie is no win.
TieRule = Literal["half", "exclude", "class"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def mean_scores(scores: Floats, weights: NDArray[Any], cluster: Ints | None = None) -> Floats:
    """Mean score of each system over its scored items, for weights [B, C]: [B, S]; NaN for none."""
    present = ~np.isnan(scores)
    filled = np.where(present, scores, 0.0)
    counted = present.astype(np.float64)
    if cluster is not None:
        filled, counted = (_by_cluster(values, cluster) for values in (filled, counted))
    weights = weights.astype(np.float64)
    total, number = weights @ filled, weights @ counted
    return ratio(total, number)


def _by_cluster(values: Floats, cluster: Ints) -> Floats:
    total = np.zeros((int(cluster.max()) + 1, values.shape[1]))
    np.add.at(total, cluster, values)
    return total


def median_scores(scores: Floats, weights: NDArray[Any], cluster: Ints | None = None) -> Floats:
    """Median score of each system, for weights [B, C]: [B, S]; NaN where none is scored.

    An even number of scores has the mean of the middle two as its median, as everywhere.
    """
    # Items in rows and small integers: gathering an order of items copies whole rows.
    size = np.ones(len(scores)) if cluster is None else np.bincount(cluster)
    largest = int((weights @ size).max(initial=0))
    by_item = np.ascontiguousarray(weights.T, np.int16 if largest < 2**15 else np.int64)
    if cluster is not None:
        by_item = by_item[cluster]
    medians = np.full((len(weights), scores.shape[1]), np.nan)
    for system in range(scores.shape[1]):
        column = scores[:, system]
        present = np.flatnonzero(~np.isnan(column))
        if len(present):
            medians[:, system] = _medians(column[present], by_item[present])
    return medians


def _medians(values: Floats, weights: NDArray[Any]) -> Floats:
    """Weighted medians of values [N] under whole weights [N, B]; NaN where all weights are 0."""
    levels, level = np.unique(values, return_inverse=True)
    if len(levels) < len(values) // 4:  # few levels (Likert, whole numbers): one small product
        member = np.zeros((len(levels), len(values)), np.float32)
        member[level, np.arange(len(values))] = 1
        cumulative = np.cumsum(member @ weights.astype(np.float32), axis=0)
    else:
        order = np.argsort(values, kind="stable")
        levels = values[order]
        cumulative = np.cumsum(weights[order], axis=0, dtype=weights.dtype)
    total = cumulative[-1].astype(np.int64)
    count = np.int16 if len(levels) < 2**15 else np.int64
    # The number of levels whose cumulative weight is at most k is the place of the k-th score.
    lower = (cumulative <= ((total - 1) // 2).astype(cumulative.dtype)).sum(axis=0, dtype=count)
    upper = (cumulative <= (total // 2).astype(cumulative.dtype)).sum(axis=0, dtype=count)
    last = len(levels) - 1
    middle = (levels[np.minimum(lower, last)] + levels[np.minimum(upper, last)]) / 2
    return np.where(total > 0, middle, np.nan)


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
    return ratio(won, compared)
