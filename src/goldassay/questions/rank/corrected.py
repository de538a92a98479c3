"""System scores corrected by the items that people scored too.

Prediction-powered means (Angelopoulos et al. 2023, tuned as in PPI++): for each system

    lambda * mean(judge, all items) + mean(human - lambda * judge, items with gold)

is unbiased for people's mean whatever the judge's bias towards that system, as long as the items
with gold are a random subset; lambda is chosen for the least variance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import by_cluster, weighted
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.resampling import Draw
from goldassay.questions.rank.uncertainty import differences
from goldassay.results import Estimate

__all__ = [
    "RANDOM_GOLD",
    "Corrected",
    "CorrectedRanking",
    "CorrectedScore",
    "corrected_ranking",
    "corrected_scores",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: What corrected scores assume.
RANDOM_GOLD = "the items that people scored are a random subset of the judged ones"


@dataclass(frozen=True, slots=True)
class Corrected:
    """Corrected scores [S] on people's scale, resampled [B, S], lambda [S], gold items [S]."""

    observed: Floats
    resampled: Floats
    tuning: Floats
    n_gold: Ints


def corrected_scores(
    judge: Floats, human: Floats, weights: NDArray[Any], cluster: Ints | None = None
) -> Corrected:
    """Corrected scores from a judge's and people's scores [I, S] (NaN where not scored).

    `weights` [B, C] resample clusters of items, with gold and without alike. NaN for a system with
    fewer than two items of gold.
    """
    both = ~(np.isnan(judge) | np.isnan(human))
    scored = ~np.isnan(judge)
    n_gold = both.sum(axis=0)
    tuning = np.zeros(judge.shape[1])
    for system in range(judge.shape[1]):
        tuning[system] = _tuned(
            judge[both[:, system], system],
            human[both[:, system], system],
            int(scored[:, system].sum()),
        )
    filled = np.where(scored, judge, 0.0)
    gap = np.where(both, np.where(both, human, 0.0) - tuning * filled, 0.0)
    parts = [tuning * filled, scored.astype(float), gap, both.astype(float)]
    if cluster is not None:
        parts = [by_cluster(part, cluster) for part in parts]

    def combined(rows: NDArray[Any]) -> Floats:
        sums = np.split(weighted(rows, np.hstack(parts)), len(parts), axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            value = sums[0] / sums[1] + sums[2] / sums[3]
        return np.where((sums[1] > 0) & (sums[3] > 0) & (n_gold > 1), value, np.nan)

    observed = combined(np.ones((1, weights.shape[1])))[0]
    return Corrected(observed, combined(weights), tuning, n_gold.astype(np.int64))


def _tuned(judge: Floats, human: Floats, n_all: int) -> float:
    """The lambda of least variance: the slope of human on judge, as "all" includes the gold items.

    With gold on every item the judge has nothing to add.
    """
    if len(judge) < 2 or np.ptp(judge) == 0 or n_all == len(judge):
        return 0.0
    covariance = np.cov(human, judge)
    return float(covariance[0, 1] / covariance[1, 1])


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """A system's corrected score and the ranks that it may have.

    The estimate rests on the items that people scored, and declares lambda.
    """

    system: int
    score: Estimate
    places: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CorrectedRanking:
    """The systems by a judge's scores corrected with people's."""

    judge: str
    systems: tuple[CorrectedScore, ...]


def corrected_ranking(contest: Contest, judge: str, draw: Draw) -> CorrectedRanking | None:
    """The ranking by corrected scores; None unless people scored some of the items and not all."""
    human = contest.human_means()
    if contest.scores is None or human is None:
        return None
    scores = contest.scores[contest.judges.index(judge)]
    rated = ~np.isnan(scores) & ~np.isnan(human).all(axis=0)
    if not (rated & np.isnan(human)).any() or not (rated & ~np.isnan(human)).any():
        return None
    found = corrected_scores(scores, human, draw.weights, contest.item_cluster)
    low, high = draw.ends(found.resampled)
    first, last = differences(
        found.observed,
        found.resampled,
        confidence_level=draw.confidence_level,
        n_clusters=draw.n_clusters,
    ).places

    def score(s: int) -> Estimate:
        value = float(found.observed[s])
        interval = draw.around(value, low[s], high[s])
        declared = {"lambda": float(found.tuning[s])}
        estimate = draw.estimate("corrected_score", value, interval, declared)
        return replace(estimate, assumptions=(RANDOM_GOLD,), n_items=int(found.n_gold[s]))

    ranked = np.flatnonzero(~np.isnan(found.observed)).tolist()
    return CorrectedRanking(
        judge, tuple(CorrectedScore(s, score(s), (int(first[s]), int(last[s]))) for s in ranked)
    )
