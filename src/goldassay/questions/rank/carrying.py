"""How many clusters of prompts carry the spread of each system's score.

One failure among a hundred prompts says little of how often a system fails, sixty of a hundred a
lot: the effective number of clusters behind the squared moves of a score by its clusters,
(sum of squares)^2 / sum of fourth powers, is about 1 and about 60 there, a third of the clusters
of normal scores, and 0 where nothing varies.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Comparisons, TieRule, by_cluster, resamples_held
from goldassay.inference.clusters import effective_clusters

__all__ = ["carrying_mean", "carrying_of_resamples", "carrying_win_rate"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Weights that are held as wide numbers at once.
HELD = 2_000_000


def carrying_mean(scores: Floats, values: Floats, cluster: Ints | None = None) -> Floats:
    """Of mean scores `values` [S] of scores [I, S], NaN where there is none."""
    moves = np.where(np.isnan(scores), 0.0, scores - values)
    if cluster is not None:
        moves = by_cluster(moves, cluster)
    return np.asarray(effective_clusters(moves**2, np.ones(len(moves), np.int64)))


def carrying_win_rate(compared: Comparisons, values: Floats, ties: TieRule) -> Floats:
    """Of win rates `values` [S]; fewer than the moves show where lone prompts move them little.

    Small moves of a system that mostly ties say little of the rare prompts that it wins or loses
    against all. Each lone prompt is worth the square of its move over the largest possible one, and
    the number is the geometric mean of the worth and of what the moves show (by simulated
    coverage). Clusters of several prompts go without: one that was not drawn is more than enough.
    """
    pairs, number = compared.pairs, len(compared.multiplicity)
    moves, step = np.empty((number, len(values))), resamples_held(len(pairs))
    met = np.empty_like(moves)
    for start in range(0, number, step):
        rows = slice(start, min(start + step, number))
        wins, losses, tied = (
            _dense(one[rows]) for one in (compared.wins, compared.losses, compared.ties)
        )
        total = wins + losses
        if ties != "exclude":
            total = total + tied
        if ties == "half":
            wins, losses = wins + tied / 2, losses + tied / 2
        met[rows] = pairs.per_system(total, total)
        moves[rows] = pairs.per_system(wins, losses) - values * met[rows]
    # A system that was never compared has no rate, and nothing that carries one.
    moves, times = np.nan_to_num(moves), compared.multiplicity
    shown = np.asarray(effective_clusters(moves**2, times))
    if met.max(initial=0.0) >= len(values):  # some cluster has more than one prompt
        return shown
    largest = np.maximum(values, 1 - values) * np.maximum(met, 1.0)
    worth = times @ np.nan_to_num(moves / largest) ** 2
    return np.asarray(np.sqrt(shown * np.minimum(shown, worth)))


def carrying_of_resamples(replicates: Floats, weights: NDArray[Any]) -> Floats:
    """Of any statistics with replicates [B, S] under whole weights [B, C] of the clusters.

    What a cluster moves a statistic by is the covariance of its replicates with how often the
    cluster was drawn (to first order, as draws of two clusters are uncorrelated but for 1/C).
    0 where nothing varies; replicates that are not finite are left out.
    """
    known = np.isfinite(replicates)
    number = np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, replicates, 0.0)
    mean = filled.sum(axis=0) / number
    centred = np.where(known, filled - mean, 0.0)
    # What the last bits alone tell apart does not vary.
    centred[:, np.abs(centred).max(axis=0) <= 1e-12 * np.abs(mean)] = 0.0
    moves = np.zeros((weights.shape[1], replicates.shape[1]))
    step = max(1, HELD // max(weights.shape[1], 1))
    for start in range(0, len(weights), step):
        rows = slice(start, start + step)
        moves += weights[rows].astype(np.float64).T @ centred[rows]
    return np.asarray(effective_clusters(moves**2, np.ones(len(moves), np.int64)))


def _dense(rows: Any) -> Floats:
    return np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
