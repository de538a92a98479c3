"""Which judge ranks best, how sure that is, and how far the others are behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.orders import best_shares, kendall_tau
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.judged import Judged
from goldassay.questions.rank.resampling import Draw
from goldassay.results import Estimate

__all__ = ["SplitHalf", "Standing", "leaderboard", "split_half"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Standing:
    """A judge among the judges.

    `best` is the probability that it is the best ranker, None where its ranking cannot be compared
    with people's; `behind` the difference in tau to the judge that leads, paired over the draw,
    None for the leader itself.
    """

    judge: Judged
    best: Estimate | None
    behind: Estimate | None


@dataclass(frozen=True, slots=True)
class SplitHalf:
    """Rankings of random halves of the gold: with each other (the ceiling), and with a judge's.

    80 % of the splits lie between `low` and `high`.
    """

    judge: str
    between: Estimate
    with_judge: Estimate
    low: float
    high: float


def leaderboard(judges: Sequence[Judged], by: Aggregation, draw: Draw) -> tuple[Standing, ...]:
    """The judges by tau, the best ranker first.

    Of two judges with equal tau, the one with the higher mean tau over the resamples comes first.
    """
    ordered = sorted(judges, key=lambda one: (-one.tau_or_least(by), -_usual(one, by), one.name))
    drawn = {one.name: taus for one in ordered if (taus := _taus(one, by)) is not None}
    shares = best_shares(np.column_stack([*drawn.values()])) if drawn else ()
    share_of = dict(zip(drawn, map(float, shares), strict=True))
    leader = ordered[0]
    return tuple(
        Standing(
            one,
            _best(share_of[one.name], draw) if one.name in share_of else None,
            _behind(leader, one, by, draw) if one is not leader else None,
        )
        for one in ordered
    )


def _taus(one: Judged, by: Aggregation) -> Floats | None:
    agreement = one.aggregated[by].agreement
    return agreement.resampled_tau if agreement else None


def _usual(one: Judged, by: Aggregation) -> float:
    taus = _taus(one, by)
    return -2.0 if taus is None or np.isnan(taus).all() else float(np.nanmean(taus))


def _best(share: float, draw: Draw) -> Estimate:
    how = {"by": "share of resamples of prompts with the highest kendall_tau"}
    return draw.estimate("probability_best", share, declared=how)


def _behind(leader: Judged, one: Judged, by: Aggregation, draw: Draw) -> Estimate | None:
    """The paired difference in tau to the leader.

    The bias of tau differs between judges, so the interval is the hull of the percentile and the
    basic one.
    """
    top, taus = _taus(leader, by), _taus(one, by)
    if top is None or taus is None:
        return None
    value = leader.tau_or_least(by) - one.tau_or_least(by)
    low, high = (float(end) for end in draw.ends(top - taus))
    interval = draw.around(
        value,
        max(-2.0, min(low, 2 * value - high)),
        min(2.0, max(high, 2 * value - low)),
        "paired, hull of percentile and basic",
    )
    return draw.estimate("tau_difference", value, interval, {"to": leader.name})


def split_half(gold: Gold, judge: Judged, by: Aggregation, draw: Draw) -> SplitHalf | None:
    """People against people, and a judge against half of the people; None without halves."""
    if gold.halves is None:
        return None
    one, two = gold.halves
    between = kendall_tau(one, two)
    with_judge = kendall_tau(judge.aggregated[by].observed, one)
    between, with_judge = between[~np.isnan(between)], with_judge[~np.isnan(with_judge)]
    if not len(between) or not len(with_judge):
        return None
    return SplitHalf(
        judge.name,
        _mean_tau("gold_split_half_tau", between, draw),
        _mean_tau("tau_with_half_gold", with_judge, draw),
        float(np.quantile(between, 0.1)),
        float(np.quantile(between, 0.9)),
    )


def _mean_tau(name: str, taus: Floats, draw: Draw) -> Estimate:
    return draw.estimate(name, float(taus.mean()), declared={"splits": len(taus)})
