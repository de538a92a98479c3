"""ROC points, the best threshold, and the optimism of tuning."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_curve
from small_tables import judged, ratings

from goldassay.counts import count_scored
from goldassay.questions.select.thresholds import (
    Threshold,
    best_cut,
    cross_fitted,
    cut_scores,
    roc,
    tuned_thresholds,
)
from goldassay.results import Estimate, Undefined


def scored(n: int, seed: int, effect: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    positive = (rng.random(n) < 0.3).astype(float)
    scores = rng.standard_normal(n).round(1) + effect * positive
    return scores, positive, 1 - positive


def test_roc_is_scikit_learns() -> None:
    scores, positive, negative = scored(300, 0, 1.0)
    ours = roc(scores, positive, negative)
    false, true, cuts = roc_curve(positive, scores, drop_intermediate=False)
    assert ours.thresholds[1:].tolist() == cuts[1:].tolist()
    assert ours.false_positive_rate == pytest.approx(false)
    assert ours.sensitivity == pytest.approx(true)


def test_the_best_cut_has_the_greatest_j() -> None:
    scores, positive, negative = scored(200, 1, 1.0)
    cut = best_cut(roc(scores, positive, negative))

    def youden_j(threshold: float) -> float:
        called = scores >= threshold
        return float(called[positive == 1].mean() - called[negative == 1].mean())

    assert youden_j(cut) == max(youden_j(t) for t in np.unique(scores))


def test_a_worthless_score_is_optimistic_where_it_is_tuned() -> None:
    """Scores without information: J is 0, but tuning and reporting on the same items says .1."""
    apparent, held_out = [], []
    for seed in range(20):
        scores, positive, negative = scored(120, seed, 0.0)
        found = cross_fitted(scores, positive, negative, np.arange(120), seed=seed)
        assert isinstance(found, Threshold)
        apparent.append(found.apparent_j)
        held_out.append(found.youden_j)
    assert np.mean(apparent) > 0.09
    assert abs(np.mean(held_out)) < 0.05


def test_cross_fitting_is_honest_about_a_good_score() -> None:
    """Two normal distributions 2 apart: the best J is 2 Phi(1) - 1 = .683."""
    found = [cross_fitted(*scored(400, seed, 2.0), np.arange(400), seed=seed) for seed in range(15)]
    held_out = [one.youden_j for one in found if isinstance(one, Threshold)]
    assert np.mean(held_out) == pytest.approx(0.683, abs=0.04)


def test_clusters_are_never_split() -> None:
    """200 items, but 40 clusters with one class and one random score each: J is 0 elsewhere."""
    cluster = np.repeat(np.arange(40), 5)
    positive = np.repeat((np.arange(40) % 2).astype(float), 5)
    held_out = []
    for seed in range(20):
        scores = np.random.default_rng(seed).standard_normal(40)[cluster]
        found = cross_fitted(scores, positive, 1 - positive, cluster, seed=seed)
        assert isinstance(found, Threshold)
        assert found.tables.shape == (10, 40, 2, 2)
        assert found.tables.sum() == pytest.approx(10 * 200)
        held_out.append(found.youden_j)
    assert np.mean(held_out) < 0.08


def test_what_cannot_be_tuned() -> None:
    scores = np.arange(50.0)
    one_class = cross_fitted(scores, np.ones(50), np.zeros(50), np.arange(50), seed=0)
    assert isinstance(one_class, Undefined)
    few = cross_fitted(scores[:8], np.eye(8)[0], 1 - np.eye(8)[0], np.arange(8), seed=0)
    assert isinstance(few, Undefined)
    rare = cross_fitted(scores, np.eye(50)[0], 1 - np.eye(50)[0], np.arange(50), seed=0)
    assert isinstance(rare, Undefined)


def test_a_threshold_as_a_result(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 60)
    score = np.round(truth + rng.normal(0, 0.3, 60), 3)
    table = ratings(tmp_path, judged(truth, {"a": truth}, score=score))
    paired = count_scored(table)
    assert paired is not None
    tuned = tuned_thresholds(paired, table.task, seed=1)
    (cut,) = cut_scores(tuned, table.task, draws=100, seed=1)
    assert cut.threshold is not None
    assert isinstance(cut.result, Estimate)
    assert cut.result.value == cut.threshold.youden_j
    assert cut.result.declared["optimism"] == cut.threshold.apparent_j - cut.threshold.youden_j
    assert cut.result.n_items == cut.result.n_clusters == 60
    assert cut.curve is not None
    assert cut.curve.sensitivity[-1] == 1
    few = replace(tuned[0], found=Undefined("youden_j", "too few", 3))
    (undefined,) = cut_scores([few], table.task, draws=100, seed=1)
    assert undefined.result == Undefined("threshold_youden_j", "too few", 3)
    assert undefined.threshold is None
