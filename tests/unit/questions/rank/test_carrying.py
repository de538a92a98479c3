"""How many clusters carry the spread of a score."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from goldassay.formulas.comparisons import Comparisons, comparisons_from_scores
from goldassay.questions.rank.aggregation import win_rate_scores
from goldassay.questions.rank.carrying import (
    carrying_mean,
    carrying_of_resamples,
    carrying_win_rate,
)


def test_a_rare_failure_is_carried_by_one_prompt_and_nothing_by_none() -> None:
    scores = np.ones((50, 3))
    scores[0, 1] = 0.0
    scores[:25, 2] = 0.0
    found = carrying_mean(scores, scores.mean(axis=0))
    # One prompt moves by 49/50 and 49 by 1/50: (.98)^2 / (.98^4 + 49 x .02^4).
    assert found == pytest.approx([0.0, 0.98**2 / (0.98**4 + 49 * 0.02**4), 50.0])


def test_normal_scores_are_carried_by_a_third_of_the_prompts() -> None:
    scores = np.random.default_rng(0).normal(size=(30_000, 1))
    assert carrying_mean(scores, scores.mean(axis=0)) == pytest.approx(10_000, rel=0.05)


def test_moves_of_one_cluster_go_together_and_missing_scores_move_nothing() -> None:
    scores = np.array([[1.0], [3.0], [2.0], [np.nan], [0.0], [4.0]])
    cluster = np.array([0, 0, 1, 1, 2, 2])
    assert carrying_mean(scores, np.array([2.0]), cluster) == pytest.approx([0.0])
    assert carrying_mean(scores, np.array([2.0])) == pytest.approx([10**2 / (1 + 1 + 16 + 16)])


def test_a_win_rate_of_two_systems_moves_as_a_mean_of_wins_and_halves() -> None:
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 3, (40, 2)).astype(float)
    compared = comparisons_from_scores(scores)
    won = (scores[:, :1] > scores[:, 1:]) + 0.5 * (scores[:, :1] == scores[:, 1:])
    rates = win_rate_scores(compared.pairs, compared.resampled(np.ones((1, 40))))[0]
    shown, mean = carrying_mean(won, won.mean(axis=0))[0], won.mean()
    worth = ((won - mean) ** 2).sum() / max(mean, 1 - mean) ** 2
    expected = np.sqrt(shown * min(shown, worth))
    assert carrying_win_rate(compared, rates, "half") == pytest.approx([expected, expected])


def test_small_moves_of_a_system_that_mostly_ties_carry_little() -> None:
    scores = np.zeros((20, 5))
    scores[:8, 1] = 1.0  # one of four opponents wins eight prompts, the rest are tied
    compared = comparisons_from_scores(scores)
    rates = win_rate_scores(compared.pairs, compared.resampled(np.ones((1, 20))))[0]
    wins = np.full(20, 0.5)
    wins[:8] -= 0.125
    shown = carrying_mean(wins[:, None], wins.mean(keepdims=True))[0]
    found = carrying_win_rate(compared, rates, "half")[0]
    worth = ((wins - wins.mean()) ** 2).sum() / (1 - wins.mean()) ** 2
    assert found == pytest.approx(np.sqrt(shown * worth))
    assert found < 0.25 * shown


def test_clusters_of_several_prompts_carry_what_their_moves_show() -> None:
    scores = np.zeros((20, 3))
    scores[:8, 1] = 1.0
    cluster = np.repeat(np.arange(10), 2)
    compared = comparisons_from_scores(scores, cluster)
    rates = win_rate_scores(compared.pairs, compared.resampled(np.ones((1, 10))))[0]
    wins = np.full((20, 1), 0.5)
    wins[:8] -= 0.25
    shown = carrying_mean(wins, wins.mean(axis=0), cluster)
    assert carrying_win_rate(compared, rates, "half")[:1] == pytest.approx(shown)


@pytest.mark.parametrize("ties", ["half", "exclude", "class"])
def test_sparse_battles_say_what_dense_ones_do(ties: str) -> None:
    compared = comparisons_from_scores(np.random.default_rng(2).integers(0, 3, (30, 4)) * 1.0)
    parts = (compared.wins, compared.losses, compared.ties)
    thin = Comparisons(
        compared.pairs, compared.multiplicity, *(sparse.csr_array(one) for one in parts)
    )
    rates = win_rate_scores(compared.pairs, compared.resampled(np.ones((1, 30))), ties)[0]
    dense = carrying_win_rate(compared, rates, ties)
    assert ((dense > 1) & (dense <= 30)).all()
    assert carrying_win_rate(thin, rates, ties) == pytest.approx(dense)


def test_resamples_show_what_carries_a_mean() -> None:
    rng = np.random.default_rng(3)
    scores = np.zeros((20, 3))
    scores[0, 1], scores[:10, 2] = 1.0, 1.0
    weights = rng.multinomial(20, np.full(20, 1 / 20), 20_000).astype(np.uint8)
    drawn = weights @ scores / 20
    drawn[:50, 2] = np.nan
    found = carrying_of_resamples(drawn, weights)
    assert found == pytest.approx(carrying_mean(scores, scores.mean(axis=0)), rel=0.02)
    assert found[0] == 0.0


def test_last_bits_carry_nothing() -> None:
    weights = np.random.default_rng(3).multinomial(5, np.full(5, 1 / 5), 100).astype(np.uint8)
    drawn = np.full((100, 1), 0.3)
    drawn[::2] += 1e-16
    assert carrying_of_resamples(drawn, weights).tolist() == [0.0]
