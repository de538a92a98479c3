"""Rater error: known rates are recovered, and what cannot be told is bounded."""

from __future__ import annotations

import numpy as np
import pytest
from audit_counts import TASK, counted, judged

from goldassay.counts import Repeats
from goldassay.formulas.rating_model import lapses
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.lapses import error_rate, rater_error, stable_people
from goldassay.questions.audit.sides import both_sides
from goldassay.questions.audit.study import Given, study
from goldassay.results import Estimate, Undefined


def test_the_rate_by_hand() -> None:
    # Two options, 10 % lapses: two answers are equal with .9^2 + .1^2 = .82, whatever the shares.
    assert error_rate(0.82, np.array([0.3, 0.7])) == pytest.approx(0.1, abs=1e-4)
    # Four options: .8^2 + 3 (.2 / 3)^2 = .6533
    shares = np.full(4, 0.25)
    assert error_rate(0.64 + 0.04 / 3, shares) == pytest.approx(0.2, abs=1e-4)
    assert error_rate(1.0, shares) == 0.0
    assert error_rate(0.2, shares) is None  # less than chance
    # All lapses towards the first: only the second lapses. p = (.3 + .1 x .7, .63), and
    # P(same) = .3 + .7 (.9^2 + .1^2) = .874.
    assert error_rate(0.874, np.array([0.37, 0.63]), leaning=1.0) == pytest.approx(0.1, abs=1e-3)


def repeated(rate: float, skew: float, *, seed: int = 0) -> tuple[Repeats, np.ndarray]:
    """500 items with stable shares of their own, 4 raters who answer twice each."""
    rng = np.random.default_rng(seed)
    share = rng.random(500)
    holds = (rng.random((500, 4)) >= share[:, None]).astype(int)
    error = lapses(np.eye(2), rate, skew)
    answers = (rng.random((2, 500, 4)) >= error[0][holds]).astype(int)
    alike = (answers[0] == answers[1]).sum(1).astype(float)
    yes = (answers == 0).sum((0, 2))
    return Repeats(np.full(500, 4.0), alike, 4, 500), np.stack([yes, 8 - yes], 1).astype(float)


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.15])
def test_a_known_rate_is_recovered_from_repeats(rate: float) -> None:
    found = [rater_error(*repeated(rate, 0.0, seed=seed), (0,), 0.95) for seed in range(20)]
    assert all(isinstance(one, Estimate) and one.interval is not None for one in found)
    values = [one.value for one in found if isinstance(one, Estimate)]
    assert np.mean(values) == pytest.approx(rate, abs=0.006)
    inside = [one.interval is not None and rate in one.interval for one in found]
    assert np.mean(inside) >= 0.9


def test_a_leaning_that_is_not_known_is_within_the_bounds() -> None:
    found = rater_error(*repeated(0.2, 1.0), (0,), 0.95)
    assert isinstance(found, Estimate)
    least, most = (found.declared[f"{end}_over_leanings"] for end in ("least", "most"))
    assert least <= found.value <= most
    assert least - 0.02 <= 0.2 <= most + 0.02


def test_without_repeats_several_raters_bound_it() -> None:
    # Raters who agree on 90 % of pairs: at most what (1 - e)^2 + e^2 = .9 gives, .053, and more
    # where all lapses lean one way; never less than 0.
    alike, apart = [[2.0, 0]] * 45 + [[0, 2.0]] * 45, [[1.0, 1.0]] * 10
    found = rater_error(None, np.array(alike + apart), (0,), 0.95)
    assert isinstance(found, Undefined)
    assert found.interval is not None
    assert found.interval.low == 0
    assert 0.053 < found.interval.high < 0.3
    alone = rater_error(None, np.eye(2), (0,), 0.95)
    assert isinstance(alone, Undefined)
    assert alone.interval is None


def test_people_without_their_lapses() -> None:
    # 20 % lapses of two options: p* = (p - .2) / .6; .8 -> 1, .5 -> .5, .2 -> 0
    counts = np.array([[8.0, 2], [5, 5], [2, 8]])
    sides = both_sides(counted(counts, j=counts.copy()), TASK, options=(0,))
    np.testing.assert_allclose(
        stable_people(sides, 0.2, 0.0).forced, [[1, 0], [0.5, 0.5], [0, 1]], atol=1e-12
    )


def test_lapses_that_lean_change_the_choice_of_a_judge() -> None:
    # People say Yes to 60 % on every second item, 20 % elsewhere. Were 30 % of the No lapsed to
    # Yes, the stable shares of Yes are .43 and 0: `strict`, who never says Yes, would be right.
    counts = np.array([[6.0, 4], [2, 8]] * 30)
    fair, strict = (np.array([[one, 1 - one], [0.0, 1]] * 30, dtype=float) for one in (1, 0))
    found = study(
        counted(counts, fair=fair, strict=strict),
        TASK,
        draws=Draws(resamples=50, panels=0),
        given=Given(),
    )
    flips = {(leaning, found.judges[judge]) for leaning, _, judge in found.lapses.flips}
    assert flips == {(1.0, "strict")}
    assert {one.winner[0] for one in found.lapses.sweeps.values()} == {0}


def test_a_declared_rate_is_taken_as_it_is() -> None:
    from goldassay.questions.audit.definitions import Settings

    found = study(judged(), TASK, Settings(rater_error=0.1), Draws(resamples=50, panels=0))
    assert isinstance(found.lapses.rate, Estimate)
    assert found.lapses.rate.value == 0.1
    assert all(one.steps == (0.0, 0.1) for one in found.lapses.sweeps.values())
