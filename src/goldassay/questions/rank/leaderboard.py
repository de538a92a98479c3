"""Which judge ranks best, how sure that is, and how far the others are behind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.orders import kendall_tau
from goldassay.frozen import dataclass
from goldassay.inference.orders import joint_differences
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.record import Judged, value_of
from goldassay.questions.rank.resampling import Draw
from goldassay.results import Estimate

__all__ = ["SplitHalf", "Standing", "leaderboard", "place", "split_half", "tau_difference"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Standing:
    """A judge among the judges.

    `behind` is the difference in tau to the judge that leads, with an interval that holds for all
    differences between judges at once; None for the leader itself, and where a ranking cannot be
    compared with people's.
    """

    judge: Judged
    behind: Estimate | None

    @property
    def told_apart(self) -> bool:
        """Whether it is surely behind the leader."""
        interval = self.behind.interval if self.behind else None
        return interval is not None and interval.low > 0


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

    Of two judges with equal tau, the one whose interval lies higher comes first; then the one whose
    win rates are nearer to people's.
    """
    ordered = sorted(judges, key=lambda one: place(one, by))
    leader = ordered[0]
    return tuple(
        Standing(one, tau_difference(leader, one, by, draw) if one is not leader else None)
        for one in ordered
    )


def place(one: Judged, by: Aggregation) -> tuple[float, float, float, str]:
    """What judges are put in order by, the best ranker first."""
    error = value_of(one.behaviour.win_rate_mse) if one.behaviour else None
    last = float("inf") if error is None else error
    return -one.tau_or_least(by), -_middle(one, by), last, one.name


def _middle(one: Judged, by: Aggregation) -> float:
    tau = one.tau(by)
    interval = tau.interval if isinstance(tau, Estimate) else None
    return interval.low + interval.high if interval else -4.0


def tau_difference(one: Judged, other: Judged, by: Aggregation, draw: Draw) -> Estimate | None:
    """How much higher one tau is than another: square-and-add of their joint intervals.

    No probability of being the best stands beside it: resampled taus share the bias of tau, and
    the judge that leads in nearly all resamples was the best one far less often.
    """
    if not (isinstance(one.tau(by), Estimate) and isinstance(other.tau(by), Estimate)):
        return None
    values = np.array([one.tau_or_least(by), other.tau_or_least(by)])
    ends = [judged.aggregated[by].agreement for judged in (one, other)]
    joint = [agreement.joint for agreement in ends if agreement and agreement.joint]
    value, interval = float(values[0] - values[1]), None
    if len(joint) == 2:
        low, high = joint_differences(values, np.array(joint))
        kind = "square-and-add of joint intervals of tau"
        interval = draw.interval(max(-2.0, low[0, 1]), min(2.0, high[0, 1]), kind)
    return draw.estimate("tau_difference", value, interval, {"to": one.name})


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
