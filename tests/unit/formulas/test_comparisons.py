"""Scores made into comparisons, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas import comparisons
from goldassay.formulas.comparisons import (
    FEW_TIES,
    battle_rows,
    comparisons_from_battles,
    comparisons_from_rows,
    comparisons_from_scores,
    untied_shares,
    weighted,
)

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


def test_what_is_no_tie_is_a_share_of_what_was_compared() -> None:
    found = comparisons_from_scores(np.column_stack([SCORES, np.full(4, NOBODY)])).observed()
    shares = untied_shares(found)
    assert shares[0] == 2 / 3
    assert np.isnan(shares[1:]).all()


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


def test_sums_of_a_systems_pairs_are_products_with_their_incidence() -> None:
    """In parts of rows too, and of several leading axes."""
    rng = np.random.default_rng(2)
    for systems, lead in ((1, (3,)), (2, (4,)), (7, (5, 2)), (40, (400,))):
        pairs = comparisons.pairs_of(systems)
        first, second = rng.normal(size=(2, *lead, len(pairs)))
        signed = pairs.incidence()
        wanted = first @ np.maximum(signed, 0) + second @ np.maximum(-signed, 0)
        np.testing.assert_allclose(pairs.per_system(first, second), wanted, atol=1e-12)
        np.testing.assert_allclose(pairs.balance(first), first @ signed, atol=1e-12)
    assert 400 * len(pairs) > 2 * comparisons._CACHED


def test_weights_of_many_clusters_come_in_tiles_that_leave_nothing_out() -> None:
    rng = np.random.default_rng(4)
    weights = rng.integers(0, 4, (131, 16_999), np.uint8)  # neither is a number of whole tiles
    counts = rng.integers(0, 3, (16_999, 5)).astype(np.float32)
    found = weighted(weights, counts)
    assert found.dtype == np.float32
    assert np.array_equal(found, weights.astype(np.int64) @ counts.astype(np.int64))


def test_few_ties_add_up_as_many_do() -> None:
    rng = np.random.default_rng(5)
    scores = rng.random((900, 6))
    scores[[3, 3, 700], [0, 4, 1]] = scores[[3, 3, 700], [2, 5, 0]]
    compared = comparisons_from_scores(scores)
    assert 0 < np.count_nonzero(compared.ties) < FEW_TIES * compared.ties.size
    weights = rng.integers(0, 4, (7, 900), np.uint8)
    found = compared.resampled(weights)
    for side, cells in (("ties", compared.ties), ("losses", compared.losses)):
        assert np.array_equal(getattr(found, side), weights @ cells.astype(np.int64))


@pytest.mark.parametrize("grades", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_many_ties_add_up_as_products_do(grades: int, missing: float) -> None:
    rng = np.random.default_rng(4)
    scores = rng.integers(0, grades, (40, 7)).astype(float)
    scores[rng.random(scores.shape) < missing] = np.nan
    compared = comparisons_from_scores(scores, np.arange(40) // 2)
    weights = rng.integers(0, 4, (30, len(compared.wins)))
    found = compared.resampled(weights)
    for name in ("wins", "losses", "ties"):
        assert np.array_equal(getattr(found, name), weights @ getattr(compared, name))
    # With two grades and nothing missing, wins less losses are differences between the systems.
    assert (compared._leads is not None) == (grades == 2 and not missing)


def test_battles_add_up_alike_in_few_cells_and_in_sparse_rows() -> None:
    rng = np.random.default_rng(3)
    first = rng.integers(0, 4, 200)
    second = (first + rng.integers(1, 4, 200)) % 4
    wins = np.eye(3)[rng.integers(0, 3, 200)] * rng.integers(1, 4, (200, 1))
    cluster = rng.integers(0, 17, 200)
    few = comparisons_from_battles(4, first, second, wins, cluster, 20)
    rows = battle_rows(4, first, second, wins, cluster, 20)
    sparse = comparisons_from_rows(4, rows, np.ones(20, np.int64))
    for name in ("wins", "losses", "ties"):
        assert np.array_equal(getattr(few, name), getattr(sparse, name))
    assert few.wins.sum() + few.losses.sum() + few.ties.sum() == wins.sum()
    assert few.wins[cluster[0]].sum() > 0
