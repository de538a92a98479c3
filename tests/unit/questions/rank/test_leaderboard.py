"""Which judge ranks best, by hand on four resamples."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.leaderboard import leaderboard, split_half
from goldassay.questions.rank.record import Aggregated, Judged, RankAgreement
from goldassay.questions.rank.resampling import Draw
from goldassay.results import Estimate, Interval, Undefined

DRAW = Draw(np.ones((4, 50)), 50, 0.95)
SCORES = np.array([3.0, 2.0, 1.0])


def judge(name: str, tau: float | None, joint: tuple[float, float] | None) -> Judged:
    ends = Interval(*joint, 0.95, "") if joint else None
    result = Undefined("kendall_tau", "tied") if tau is None else Estimate("kendall_tau", tau, ends)
    agreement = RankAgreement(result, result, joint)
    one = Aggregated(SCORES, np.tile(SCORES, (4, 1)), agreement=agreement)
    return Judged(name, {"mean": one}, None)


JUDGES = [
    judge("tied", None, None),
    judge("second", 0.4, (0.1, 0.6)),
    judge("level", 0.4, (0.0, 0.5)),
    judge("best", 0.9, (0.8, 1.0)),
    judge("last", -0.2, (-0.6, 0.9)),
]


def test_the_order() -> None:
    standings = leaderboard(JUDGES, "mean", DRAW)
    # Of equal taus the one whose interval lies higher; without a tau last.
    names = [one.judge.name for one in standings]
    assert names == ["best", "second", "level", "last", "tied"]


def test_differences_to_the_leader_are_square_and_add() -> None:
    leader, second, _, last, tied = leaderboard(JUDGES, "mean", DRAW)
    assert leader.behind is None
    assert tied.behind is None
    assert second.behind is not None
    assert second.behind.value == pytest.approx(0.5)
    assert second.behind.declared == {"to": "best"}
    assert second.behind.interval is not None
    # .5 - hypot(.9 - .8, .6 - .4) and .5 + hypot(1 - .9, .4 - .1)
    assert second.behind.interval.low == pytest.approx(0.5 - np.hypot(0.1, 0.2))
    assert second.behind.interval.high == pytest.approx(0.5 + np.hypot(0.1, 0.3))
    assert second.told_apart
    assert last.behind is not None
    # 1.1 - hypot(.1, 1.1) is below 0: further behind, and not told apart.
    assert not last.told_apart
    assert not tied.told_apart


def test_halves_of_the_gold() -> None:
    # The halves agree fully, and by 1/3 (one pair of three turned): mean 2/3.
    one = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    two = np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0]])
    gold = Gold("people", SCORES, np.full(3, np.nan), halves=(one, two))
    half = split_half(gold, JUDGES[3], "mean", DRAW)
    assert half is not None
    assert half.between.value == pytest.approx(2 / 3)
    assert half.with_judge.value == 1
    assert (half.low, half.high) == pytest.approx((1 / 3 + 0.1 * 2 / 3, 1 / 3 + 0.9 * 2 / 3))
    assert split_half(Gold("given", SCORES, np.zeros(3)), JUDGES[3], "mean", DRAW) is None
