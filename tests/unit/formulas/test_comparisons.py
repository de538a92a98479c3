"""Scores made into comparisons, by hand."""

from __future__ import annotations

import numpy as np

from goldassay.formulas.comparisons import comparisons_from_scores

NOBODY = np.nan
#: One pair of systems on four prompts: a tie, a win, a loss, and one score missing.
SCORES = np.array([[1.0, 1.0], [2.0, 1.0], [0.0, 3.0], [NOBODY, 5.0]])


def test_each_prompt_is_a_win_a_loss_or_a_tie() -> None:
    found = comparisons_from_scores(SCORES)
    assert found.wins.ravel().tolist() == [0, 1, 0, 0]
    assert found.losses.ravel().tolist() == [0, 0, 1, 0]
    assert found.ties.ravel().tolist() == [1, 0, 0, 0]
    assert found.multiplicity.tolist() == [1, 1, 1, 1]
    assert found.n_clusters == 4


def test_prompts_that_are_drawn_together_are_summed() -> None:
    found = comparisons_from_scores(SCORES, np.array([0, 1, 1, 0]))
    assert np.asarray(found.wins).ravel().tolist() == [0, 1]
    assert np.asarray(found.losses).ravel().tolist() == [0, 1]
    assert np.asarray(found.ties).ravel().tolist() == [1, 0]
    assert found.multiplicity.tolist() == [1, 1]


def test_all_pairs_stand_in_their_order() -> None:
    found = comparisons_from_scores(np.array([[3.0, 1.0, 3.0]]))
    # a over b, a ties with c, c over b.
    assert [*zip(found.pairs.first, found.pairs.second, strict=True)] == [(0, 1), (0, 2), (1, 2)]
    assert found.wins.tolist() == [[1, 0, 0]]
    assert found.losses.tolist() == [[0, 0, 1]]
    assert found.ties.tolist() == [[0, 1, 0]]
