"""Mean, median and win rate over resamples, against resampling the rows."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas.comparisons import (
    comparisons_from_battles,
    comparisons_from_scores,
    win_rates,
)
from goldassay.questions.rank.aggregation import mean_scores, median_scores, win_rate_scores
from goldassay.questions.rank.gold import merged_battles

RNG = np.random.default_rng(7)
CONTINUOUS = RNG.normal(size=(31, 5))
LIKERT = np.clip(np.round(CONTINUOUS + 3), 1, 5)
HOLES = np.where(RNG.random((31, 5)) < 0.2, np.nan, CONTINUOUS)
WEIGHTS = RNG.multinomial(31, np.full(31, 1 / 31), 20)


@pytest.mark.parametrize("scores", [CONTINUOUS, LIKERT, HOLES], ids=["real", "likert", "holes"])
def test_weights_are_repeated_rows(scores: np.ndarray) -> None:
    means, medians = mean_scores(scores, WEIGHTS), median_scores(scores, WEIGHTS)
    for row in range(len(WEIGHTS)):
        repeated = np.repeat(scores, WEIGHTS[row], axis=0)
        assert means[row] == pytest.approx(np.nanmean(repeated, axis=0))
        assert medians[row] == pytest.approx(np.nanmedian(repeated, axis=0))


def test_medians_of_few_levels_with_holes_and_clusters() -> None:
    grades = np.where(np.isnan(HOLES), np.nan, LIKERT)
    grades[:, 2] = np.nan
    cluster = np.arange(31) // 4
    weights = RNG.multinomial(8, np.full(8, 1 / 8), 10)
    medians = median_scores(grades, weights, cluster)
    assert np.isnan(medians[:, 2]).all()
    kept = [0, 1, 3, 4]
    for row in range(len(weights)):
        repeated = np.repeat(grades[:, kept], weights[row][cluster], axis=0)
        assert medians[row, kept] == pytest.approx(np.nanmedian(repeated, axis=0))


def test_clusters_are_drawn_whole() -> None:
    cluster = np.arange(31) // 4
    weights = RNG.multinomial(8, np.full(8, 1 / 8), 10)
    items = weights[:, cluster]
    assert mean_scores(HOLES, weights, cluster) == pytest.approx(mean_scores(HOLES, items))
    assert median_scores(HOLES, weights, cluster) == pytest.approx(median_scores(HOLES, items))
    one, two = comparisons_from_scores(HOLES, cluster), comparisons_from_scores(HOLES)
    assert one.resampled(weights).wins == pytest.approx(two.resampled(items).wins)


def test_win_rate_by_the_papers_formula() -> None:
    # V_b = mean over prompts of the share of other systems that b beats; a tie is no win.
    expected = [
        np.mean([(LIKERT[k, b] > np.delete(LIKERT[k], b)).mean() for k in range(31)])
        for b in range(5)
    ]
    compared = comparisons_from_scores(LIKERT)
    seen = compared.resampled(np.ones((1, 31)))
    assert win_rate_scores(compared.pairs, seen, "class")[0] == pytest.approx(expected)
    assert win_rate_scores(compared.pairs, seen, "half")[0].mean() == pytest.approx(0.5)


def test_pairwise_win_rates_exclude_ties() -> None:
    compared = comparisons_from_scores(np.array([[1.0, 2.0], [2.0, 2.0], [3.0, 1.0], [4.0, 1.0]]))
    assert win_rates(compared.observed()) == pytest.approx([2 / 3])
    assert np.isnan(win_rates(comparisons_from_scores(np.ones((3, 2))).observed())).all()


def test_battles_either_way_round_and_merged() -> None:
    first, second = np.array([0, 1, 0, 2]), np.array([1, 0, 1, 0])
    wins = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]], float)
    apart = comparisons_from_battles(3, first, second, wins, np.arange(4), 4)
    assert apart.multiplicity.tolist() == [1, 1, 1, 1]
    compared = merged_battles(3, first, second, wins, np.arange(4))
    assert compared.observed().total.tolist() == apart.observed().total.tolist()
    assert compared.observed().wins == pytest.approx([3, 0, 0])
    assert compared.observed().ties == pytest.approx([0, 1, 0])
    assert sorted(compared.multiplicity) == [1, 3]  # three battles that 0 won against 1
    assert compared.n_clusters == 4


def test_medians_of_resamples_are_those_of_repeated_rows() -> None:
    # Many more items than lie within reach of the middle, with ties and gaps, in bytes and floats.
    rng = np.random.default_rng(3)
    scores = np.round(rng.normal(size=(3000, 2)), 2)
    scores[rng.random(scores.shape) < 0.1] = np.nan
    weights = rng.multinomial(3000, np.full(3000, 1 / 3000), size=4).astype(np.uint8)
    expected = [np.nanmedian(np.repeat(scores, row, axis=0), axis=0) for row in weights]
    assert median_scores(scores, weights) == pytest.approx(np.array(expected), abs=0)
    assert median_scores(scores, weights.astype(float)) == pytest.approx(np.array(expected), abs=0)


def test_a_resample_far_from_the_middle_has_its_median_too() -> None:
    scores = np.arange(4000.0)[:, None]
    weights = np.zeros((2, 4000))
    weights[0, :3] = 1  # the three lowest items alone: the middle one is item 1
    weights[1, -4:] = 1  # the four highest: halfway between 3997 and 3998
    assert median_scores(scores, weights)[:, 0].tolist() == [1.0, 3997.5]
