"""Strengths, Davidson's ties, and what is said where no finite strength exists."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas import strength
from goldassay.formulas.comparisons import Outcomes, comparisons_from_scores, pairs_of
from goldassay.formulas.strength import (
    _Davidson,
    components,
    fit,
    fit_resamples,
    one_sided_gap,
    separated,
)


def outcomes(wins: list[list[float]], ties: list[list[float]] | None = None) -> Outcomes:
    pairs = pairs_of(len(wins))
    won = np.array(wins, float)
    tied = np.zeros_like(won) if ties is None else np.array(ties, float)
    return Outcomes(
        won[pairs.first, pairs.second],
        won[pairs.second, pairs.first],
        tied[pairs.first, pairs.second],
    )


def test_two_systems_by_hand() -> None:
    # 3 wins to 1: the odds are 3, the log odds log 3, split evenly around 0.
    fitted = fit(pairs_of(2), outcomes([[0, 3], [1, 0]]))
    assert fitted.strengths == pytest.approx([np.log(3) / 2, -np.log(3) / 2], abs=1e-12)


def test_undefeated_is_infinite_never_large() -> None:
    fitted = fit(pairs_of(3), outcomes([[0, 5, 5], [0, 0, 3], [0, 2, 0]]))
    assert fitted.strengths[0] == np.inf
    assert fitted.strengths[1] - fitted.strengths[2] == pytest.approx(np.log(3 / 2))
    assert fitted.components.members == ((0,), (1, 2))
    assert fitted.components.above[0, 1]


def test_winless_is_minus_infinite() -> None:
    fitted = fit(pairs_of(3), outcomes([[0, 3, 5], [2, 0, 5], [0, 0, 0]]))
    assert fitted.strengths[2] == -np.inf


def test_unlinked_is_nan() -> None:
    fitted = fit(pairs_of(4), outcomes([[0, 3, 0, 0], [2, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]))
    assert np.isnan(fitted.strengths[2:]).all()
    assert np.isfinite(fitted.strengths[:2]).all()


def test_a_chain_has_three_components_in_order() -> None:
    found = components(pairs_of(3), outcomes([[0, 4, 4], [0, 0, 4], [0, 0, 0]]))
    assert found.members == ((0,), (1,), (2,))
    assert found.above[0, 2]


def test_ties_excluded_can_separate() -> None:
    tied = outcomes([[0, 3], [0, 0]], [[0, 2], [2, 0]])
    assert np.isinf(fit(pairs_of(2), tied, ties="exclude").strengths).any()
    # Half a win each: 4 to 1.
    assert fit(pairs_of(2), tied).strengths[0] == pytest.approx(np.log(4) / 2)


def test_all_ties_are_level() -> None:
    tied = outcomes([[0, 0], [0, 0]], [[0, 5], [5, 0]])
    assert fit(pairs_of(2), tied).strengths == pytest.approx([0, 0])


def test_davidson_two_systems_by_hand() -> None:
    # wins 6, losses 2, ties 4: exp(gap) = 3, and ties / sqrt(wins losses) = exp(tie).
    fitted = fit(pairs_of(2), outcomes([[0, 6], [2, 0]], [[0, 4], [4, 0]]), ties="class")
    assert fitted.strengths[0] - fitted.strengths[1] == pytest.approx(np.log(3), abs=1e-9)
    assert fitted.tie == pytest.approx(np.log(4 / np.sqrt(12)), abs=1e-9)


def test_davidson_without_ties_is_bradley_terry() -> None:
    played = outcomes([[0, 3, 4], [2, 0, 3], [1, 2, 0]])
    one, two = (fit(pairs_of(3), played, ties=rule) for rule in ("class", "half"))
    assert one.strengths == pytest.approx(two.strengths, abs=1e-10)
    assert one.tie is None


@pytest.mark.parametrize("ties", ["half", "exclude", "class"])
def test_all_resamples_at_once_are_each_alone(ties: str) -> None:
    rng = np.random.default_rng(3)
    scores = np.round(rng.normal(size=(40, 6)) + np.linspace(0, 1, 6), 0)
    scores[rng.random(scores.shape) < 0.1] = np.nan
    compared = comparisons_from_scores(scores)
    weights = rng.multinomial(40, np.full(40, 1 / 40), 50)
    drawn = compared.resampled(weights)
    start = fit(compared.pairs, compared.observed(), ties=ties)  # type: ignore[arg-type]
    strengths, apart = fit_resamples(compared.pairs, drawn, start, ties=ties)  # type: ignore[arg-type]
    for row in range(50):
        alone = fit(
            compared.pairs,
            Outcomes(drawn.wins[row], drawn.losses[row], drawn.ties[row]),
            ties=ties,  # type: ignore[arg-type]
        )
        assert apart[row] == (not alone.components.connected)
        finite = np.isfinite(alone.strengths)
        assert (np.isfinite(strengths[row]) == finite).all()
        centred = strengths[row][finite] - strengths[row][finite].mean()
        assert centred == pytest.approx(alone.strengths[finite], abs=1e-8)


def test_separated_agrees_with_components() -> None:
    rng = np.random.default_rng(0)
    wins = rng.poisson(0.7, size=(200, 10)).astype(float)
    losses = rng.poisson(0.7, size=(200, 10)).astype(float)
    batch = Outcomes(wins, losses, np.zeros_like(wins))
    apart = separated(pairs_of(5), batch)
    one_by_one = [
        not components(pairs_of(5), Outcomes(w, lost, np.zeros(10))).connected
        for w, lost in zip(wins, losses, strict=True)
    ]
    assert (apart == one_by_one).all()
    assert 0 < apart.sum() < 200


def test_one_sided_bound_is_clopper_pearson_for_one_pair() -> None:
    played = outcomes([[0, 20], [0, 0]])
    gap = one_sided_gap(pairs_of(2), played, above=(0,), below=(1,), n_prompts=20)
    # 20 wins of 20: P(win) is above 0.05 ** (1 / 20) with 95 % confidence.
    chance = 0.05 ** (1 / 20)
    assert gap == pytest.approx(np.log(chance / (1 - chance)), abs=1e-8)
    few = one_sided_gap(pairs_of(2), played, above=(0,), below=(1,), n_prompts=5)
    assert gap is not None
    assert few is not None
    assert few < gap


def test_ties_that_leave_no_greatest_likelihood_settle_the_order_all_the_same() -> None:
    """Of the pairs (0, 1), (0, 2), (1, 2), system 1 wins or ties its own, and 0 and 2 always tie.

    Ties and system 1 go to infinity together: there is no best finite fit, and nothing is singular
    on the way to it.
    """
    pairs = pairs_of(3)
    data = Outcomes(np.array([1.0, 1, 3]), np.array([3.0, 1, 1]), np.array([3.0, 4, 3]))
    drawn = Outcomes(np.array([[0.0, 0, 3]]), np.array([[3.0, 0, 0]]), np.array([[3.0, 6, 3]]))
    found, _ = fit_resamples(pairs, drawn, fit(pairs, data, ties="class"), ties="class")
    assert np.isfinite(found).all()
    assert found[0, 1] > max(found[0, 0], found[0, 2]) + 10


def test_resamples_with_equal_numbers_of_comparisons_are_fitted_each_by_itself() -> None:
    pairs = pairs_of(3)
    whole = Outcomes(np.array([6.0, 7.0, 5.0]), np.array([4.0, 3.0, 5.0]), np.zeros(3))
    wins = np.array([[6.0, 7.0, 5.0], [4.0, 8.0, 6.0], [5.0, 5.0, 2.0]])
    drawn = Outcomes(wins, 10 - wins, np.zeros_like(wins))
    found, apart = fit_resamples(pairs, drawn, fit(pairs, whole))
    assert not apart.any()
    for row, won in zip(found, wins, strict=True):
        alone = fit(pairs, Outcomes(won, 10 - won, np.zeros(3)))
        assert row == pytest.approx(alone.strengths, abs=1e-6)


def test_the_information_of_ties_is_how_the_gradient_falls() -> None:
    """Numerically: the information is the gradient's derivative, turned round."""
    pairs = pairs_of(3)
    wins, ties = np.array([[6.0, 2.0, 4.0]]), np.array([[1.0, 2.0, 3.0]])
    model = _Davidson(pairs, Outcomes(wins, 9 - wins, ties), None)
    at, step = np.array([[0.7, -0.4, -0.3, 0.2]]), 1e-6
    moves = step * np.eye(4)
    slope = [(model.gradient(at + one) - model.gradient(at - one))[0] / (2 * step) for one in moves]
    exact = model.information(at)[0]
    # What is added for regularity is the same for every system, and nothing for the tie.
    added = exact + np.array(slope)
    assert added[:3, :3] == pytest.approx(np.full((3, 3), added[0, 0]), abs=1e-6)
    assert added[3] == pytest.approx(0, abs=1e-6)


def test_one_side_without_a_win_is_apart_whoever_it_is() -> None:
    """Of two systems one never won; on the other side there are wins in plenty."""
    nothing, plenty = np.zeros((1, 1)), np.full((1, 1), 3.0)
    for wins, losses in ((nothing, plenty), (plenty, nothing)):
        assert separated(pairs_of(2), Outcomes(wins, losses, nothing)).all()
    assert not separated(pairs_of(2), Outcomes(plenty, plenty, nothing)).any()


@pytest.mark.parametrize("systems", [30, 300])
def test_rows_that_begin_at_one_place_have_the_gradients_of_rows_that_do_not(systems: int) -> None:
    """Whether the comparisons of all resamples are one matrix or each has its own, to the bit."""
    rng = np.random.default_rng(5)
    pairs = pairs_of(systems)
    total = pairs.square(*2 * [rng.integers(1, 9, (1, len(pairs))).astype(float)])
    won = rng.random((150, systems)) * 40
    start = np.tile(rng.normal(size=systems), (150, 1))
    one = strength._Logistic(pairs, won, total, None).gradient(start)
    each = strength._Logistic(pairs, won, np.repeat(total, 150, 0), None).gradient(start)
    assert np.array_equal(one, each)
    moved = start + rng.normal(size=start.shape) / 9
    apart = strength._Logistic(pairs, won, total, None).gradient(moved)
    assert not np.isclose(apart, one).all(1).any()
