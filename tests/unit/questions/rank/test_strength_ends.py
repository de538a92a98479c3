"""Strengths at which systems would win as often as said."""

import numpy as np
import pytest

from goldassay.formulas.comparisons import Outcomes, TieRule, pairs_of
from goldassay.formulas.strength import fit
from goldassay.questions.rank.strength_ends import strengths_at


def outcomes(wins: list[float], losses: list[float], ties: list[float]) -> Outcomes:
    return Outcomes(*(np.array(one, np.float64) for one in (wins, losses, ties)))


@pytest.mark.parametrize("ties", ["half", "exclude", "class"])
def test_its_own_win_rate_gives_a_system_its_own_strength(ties: TieRule) -> None:
    pairs = pairs_of(3)
    seen = outcomes([7, 9, 6], [3, 2, 4], [2, 1, 3])
    fitted = fit(pairs, seen, ties=ties)
    tied = 0.0 if ties == "exclude" else 1.0
    total = pairs.per_system(*[seen.wins + seen.losses + tied * seen.ties] * 2)
    won = pairs.per_system(seen.wins + tied * seen.ties / 2, seen.losses + tied * seen.ties / 2)
    found = strengths_at(fitted, pairs, seen, won / total, ties)
    np.testing.assert_allclose(found, fitted.strengths, atol=1e-6)


def test_a_higher_rate_is_a_higher_strength_and_none_or_all_has_no_end() -> None:
    pairs, seen = pairs_of(2), outcomes([5], [5], [0])
    fitted = fit(pairs, seen)
    low, high = strengths_at(fitted, pairs, seen, np.array([0.2, 0.8]), "half")
    np.testing.assert_allclose([low, high], [-np.log(4), np.log(4)], atol=1e-6)
    ends = strengths_at(fitted, pairs, seen, np.array([0.0, 1.0]), "half")
    assert ends.tolist() == [-np.inf, np.inf]


def test_a_win_rate_that_an_unbeatable_opponent_forbids_has_no_end() -> None:
    pairs, seen = pairs_of(3), outcomes([0, 5, 10], [10, 5, 0], [0, 0, 0])
    fitted = fit(pairs, seen)  # 1 beats 0 and 2 always
    assert np.isinf(fitted.strengths[1])
    found = strengths_at(fitted, pairs, seen, np.array([0.25, np.nan, 0.6]), "half")
    assert found[0] == pytest.approx(fitted.strengths[0], abs=1e-6)
    assert np.isnan(found[1])
    assert found[2] == np.inf
