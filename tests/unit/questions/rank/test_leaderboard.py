"""Which judge ranks best, by hand on four resamples."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.judged import Aggregated, Judged, RankAgreement
from goldassay.questions.rank.leaderboard import leaderboard, split_half
from goldassay.questions.rank.resampling import Draw
from goldassay.results import Estimate, Undefined

DRAW = Draw(np.ones((4, 50)), 50, 0.95)
SCORES = np.array([3.0, 2.0, 1.0])


def judge(name: str, tau: float | None, resampled: list[float] | None) -> Judged:
    result = Undefined("kendall_tau", "tied") if tau is None else Estimate("kendall_tau", tau)
    drawn = None if resampled is None else np.array(resampled)
    agreement = RankAgreement(result, result, result, drawn)
    one = Aggregated(SCORES, np.tile(SCORES, (4, 1)), agreement=agreement)
    return Judged(name, {"mean": one}, None)


JUDGES = [
    judge("tied", None, None),
    judge("second", 0.6, [0.9, 0.5, 0.6, 0.6]),
    judge("level", 0.6, [0.2, 0.2, 0.2, 0.2]),
    judge("best", 0.8, [0.8, 0.8, 0.6, 0.9]),
]


def test_the_order_and_the_shares() -> None:
    standings = leaderboard(JUDGES, "mean", DRAW)
    # Of equal taus the one that resamples usually give more; without a tau last.
    assert [one.judge.name for one in standings] == ["best", "second", "level", "tied"]
    # "best" leads in the second and fourth resample and shares the third: (2 + 1/2) / 4.
    shares = [one.best.value for one in standings if one.best is not None]
    assert shares == pytest.approx([0.625, 0.375, 0.0])
    assert standings[3].best is None


def test_differences_are_paired_with_the_leader() -> None:
    leader, second, level, tied = leaderboard(JUDGES, "mean", DRAW)
    assert leader.behind is None
    assert tied.behind is None
    assert second.behind is not None
    assert second.behind.value == pytest.approx(0.2)
    assert second.behind.declared == {"to": "best"}
    assert second.behind.interval is not None
    # Paired: -.1, .3, 0, .3. The widest resamples and their mirror images about .2 are the ends.
    assert second.behind.interval.low == pytest.approx(-0.1, abs=0.02)
    assert second.behind.interval.high == pytest.approx(0.5, abs=0.02)
    assert level.behind is not None
    assert level.behind.interval is not None
    assert level.behind.interval.low < 0 < level.behind.interval.high


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
