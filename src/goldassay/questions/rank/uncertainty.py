"""Intervals for what rankings give: scores, ranks, and win rates.

Those of the agreement of two rankings are in `goldassay.inference.orders`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.orders import (
    TEST_RESAMPLES,
    SeenAgreement,
    Side,
    Worlds,
    agreement_interval,
    isotonic,
    order_worlds,
    percentile_ends,
)

__all__ = [
    "TEST_RESAMPLES",
    "SeenAgreement",
    "Side",
    "Worlds",
    "agreement_interval",
    "hull_ends",
    "isotonic",
    "order_worlds",
    "percentile_ends",
    "rank_intervals",
    "rate_worlds",
]

Floats = NDArray[np.float64]


def hull_ends(
    value: float, replicates: Floats, *, confidence_level: float, n_clusters: int
) -> tuple[float, float]:
    """The hull of the percentile ends and of these mirrored at the estimate (the basic interval).

    Noise inflates spreads and squared errors, and resampling does so again: the mirrored lower end
    takes that back, and the plain upper end is safe.
    """
    low, high = (
        float(end)
        for end in percentile_ends(
            replicates, confidence_level=confidence_level, n_clusters=n_clusters
        )
    )
    return min(low, 2 * value - high), max(high, 2 * value - low)


def rate_worlds(judge: Side, gold: Side, *, towards: int) -> Worlds:
    """Worlds for pairwise win rates: rates on the wrong side of one half moved back to it.

    The others move to where James and Stein's shrinkage puts them: noise spreads rates, so that
    those on the right side look surer than they are.
    """
    same = (judge.observed > 0.5) == (gold.observed > 0.5)
    move = ~same if towards > 0 else same
    targets = []
    for side in (judge, gold):
        lead = side.observed - 0.5
        noise, spread = float(np.mean(side.error**2)), float(np.mean(lead**2))
        kept = max(0.0, 1 - noise / spread) if spread > 0 else 0.0
        targets.append(np.where(move, 0.5, 0.5 + kept * lead))
    lean = np.where(gold.observed > 0.5, 1e-9, -1e-9)
    return Worlds(judge, gold, targets[0], targets[1], towards * lean, lean)


def rank_intervals(
    observed: Floats, replicates: Floats, *, confidence_level: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each system the ranks it may have: 1 + systems surely above, S - systems surely below.

    A system is surely above another when the simultaneous interval of their difference, over all
    rivals of the system at once (largest studentised deviation of the resamples), excludes 0
    (Mogstad, Romano, Shaikh and Wilhelm 2024). Systems with NaN get 0 to 0.
    """
    n_systems = len(observed)
    low, high = np.zeros(n_systems, np.int64), np.zeros(n_systems, np.int64)
    ranked = np.flatnonzero(~np.isnan(observed))
    drawn = replicates[:, ranked]
    drawn = drawn[~np.isnan(drawn).any(axis=1)]
    if not len(drawn):
        return low, high
    centre = observed[ranked]
    for i, system in enumerate(ranked):
        with np.errstate(invalid="ignore"):
            gap = centre[i] - centre
            deviation = (drawn[:, [i]] - drawn) - gap
        others = np.arange(len(ranked)) != i
        steady = np.isfinite(deviation).all(axis=0) & others
        error = np.zeros(len(ranked))
        error[steady] = deviation[:, steady].std(axis=0)
        varying = steady & (error > 0)
        critical = 0.0
        if varying.any():
            largest = np.abs(deviation[:, varying] / error[varying]).max(axis=1)
            critical = float(np.quantile(largest, confidence_level))
        surely = np.abs(gap) > critical * error
        # Where strengths were infinite in some resamples, the order must hold in nearly all.
        loose = ~np.isfinite(deviation).all(axis=0) & others
        if loose.any():
            tail = (1 - confidence_level) / 2 / max(1, others.sum())
            above = (drawn[:, [i]] > drawn[:, loose]).mean(axis=0)
            surely[loose] = np.maximum(above, 1 - above) >= 1 - tail
        low[system] = 1 + int((surely & (gap < 0) & others).sum())
        high[system] = len(ranked) - int((surely & (gap > 0) & others).sum())
    return low, high
