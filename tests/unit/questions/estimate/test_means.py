from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest
from numpy.typing import NDArray

from goldassay.questions.estimate.means import (
    ScoreSums,
    clustered_ppi_mean,
    clustered_ppi_spread,
    clustered_weight,
    moments,
    moments_of_counts,
    padded_clusters,
    ppi_mean,
    ppi_spread,
    stratified_mean,
    tuned_weight,
)


def test_ppi_of_binary_scores_is_that_of_ppi_py() -> None:
    """ppi_py 0.2: labels 11001010, verdicts 10011010, unlabelled 11010101."""
    labels, verdicts = np.array([1, 1, 0, 0, 1, 0, 1, 0]), np.array([1, 0, 0, 1, 1, 0, 1, 0])
    rest = np.array([1, 1, 0, 1, 0, 1, 0, 1])
    value, _, _, weight = ppi_mean(moments(labels, verdicts), moments(rest, rest))
    assert value == pytest.approx(0.5297619, abs=1e-7)
    assert ppi_mean(moments(labels, verdicts), moments(rest, rest), weight=1.0)[0] == 0.625
    assert 0 < weight < 1


def test_moments_of_counts_are_those_of_the_rows() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 9, 12)
    human, judge = rng.normal(size=12), rng.normal(size=12)
    rows = moments(np.repeat(human, counts), np.repeat(judge, counts))
    assert astuple(moments_of_counts(counts, human, judge)) == pytest.approx(astuple(rows))


def test_without_unlabelled_items_it_is_the_labelled_mean() -> None:
    labelled = moments([1.0, 2.0, 3.0], [2.0, 2.0, 4.0])
    value, low, high, weight = ppi_mean(labelled, moments([], []))
    assert (value, weight) == (2.0, 0.0)
    # Student's mean: 2 +- 4.3027 x 1 / sqrt(3)
    assert (low, high) == pytest.approx((2 - 2.4841, 2 + 2.4841), abs=1e-3)


def test_the_mean_by_verdict_weighs_verdicts_as_the_pool_does() -> None:
    # Verdict 0: labels 1, 1, 2; verdict 1: labels 2, 3. The pool has 30 and 10 of them.
    counts = np.array([[2, 0], [1, 1], [0, 1]])
    value, low, high = stratified_mean([30, 10], counts, [1, 2, 3])
    assert value == pytest.approx(0.75 * 4 / 3 + 0.25 * 2.5)
    assert low < value < high


def test_labels_drawn_by_verdict_do_not_bias_the_mean() -> None:
    rng = np.random.default_rng(1)
    joint = np.array([[0.3, 0.05], [0.1, 0.15], [0.05, 0.35]])  # label x verdict
    truth = float(joint.sum(1) @ [1, 2, 3])
    held, values = 0, []
    for _ in range(400):
        pool = rng.multinomial(500, joint.sum(0))
        counts = np.stack(
            [rng.multinomial(25, joint[:, v] / joint[:, v].sum()) for v in range(2)], axis=1
        )
        value, low, high = stratified_mean(pool, counts, [1, 2, 3])
        values.append(value)
        held += low <= truth <= high
    assert np.mean(values) == pytest.approx(truth, abs=0.02)
    assert held / 400 > 0.93


def sums_of(
    cluster: np.ndarray, human: np.ndarray, judge: np.ndarray, known: np.ndarray
) -> ScoreSums:
    def by_cluster(values: np.ndarray) -> np.ndarray:
        return np.bincount(cluster, values, cluster.max() + 1).astype(float)

    return ScoreSums(
        by_cluster(known * 1.0),
        by_cluster(known * human),
        by_cluster(known * judge),
        by_cluster(~known * 1.0),
        by_cluster(~known * judge),
        np.ones(cluster.max() + 1, np.int64),
    )


def test_clusters_of_one_item_are_items() -> None:
    rng = np.random.default_rng(2)
    human = rng.normal(size=400)
    judge, known = human + 0.5 * rng.normal(size=400), np.arange(400) < 60
    parts = moments(human[known], judge[known]), moments(judge[~known], judge[~known])
    lone = ppi_mean(*parts)
    found = clustered_ppi_mean(*parts, sums_of(np.arange(400), human, judge, known))
    assert found[0] == lone[0]
    assert found[3] == lone[3]
    # The unlabelled items' variance has the divisor n - 1 here, and n there.
    assert found[1:3] == pytest.approx(lone[1:3], abs=1e-3)


def test_a_clustered_mean_by_hand() -> None:
    # Labels 1, 1 | 3, 3 | 5, 5 and nothing else: cluster sums off the mean -4, 0, 4, each a third
    # of the labels; influence -+4/6 / sqrt(2/3), variance 2 (4/6)^2 / (2/3) = 4/3, two degrees.
    human = np.repeat([1.0, 3.0, 5.0], 2)
    sums = sums_of(np.repeat([0, 1, 2], 2), human, human, np.ones(6, bool))
    value, low, high, weight = clustered_ppi_mean(moments(human, human), moments([], []), sums)
    half = 4.30265 * (4 / 3) ** 0.5
    assert (value, weight) == (3.0, 0.0)
    assert (low, high) == pytest.approx((3 - half, 3 + half), abs=1e-4)


def test_a_cluster_moves_its_labelled_and_unlabelled_items_together() -> None:
    """A judge that is nearly right about items of few clusters: the pool's spread remains."""
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(10), 40)
    human = rng.normal(size=10)[cluster] + 0.1 * rng.normal(size=400)
    judge, known = human + 0.1 * rng.normal(size=400), np.arange(400) % 8 == 0
    parts = moments(human[known], judge[known]), moments(judge[~known], judge[~known])
    _, low, high, _ = clustered_ppi_mean(*parts, sums_of(cluster, human, judge, known))
    means = np.bincount(cluster, human) / 40
    assert high - low == pytest.approx(2 * 2.262 * means.std(ddof=1) / 10**0.5, rel=0.05)


def test_unlabelled_items_of_one_cluster_are_not_used() -> None:
    human = np.array([1.0, 2.0, 3.0, 4.0, 9.0, 9.0])
    known = np.arange(6) < 4
    sums = sums_of(np.array([0, 0, 1, 1, 2, 2]), human, human, known)
    parts = moments(human[:4], human[:4]), moments(human[4:], human[4:])
    value, _, _, weight = clustered_ppi_mean(*parts, sums)
    assert (value, weight) == (2.5, 0.0)


def test_a_verdict_without_labels_may_have_any_mean() -> None:
    counts = np.array([[10, 0], [10, 0], [10, 0]])
    value, low, high = stratified_mean([60, 40], counts, [1, 2, 3])
    assert value == pytest.approx(2.0)
    # The labelled verdict's mean is 2: between .6 x 2 + .4 x 1 and .6 x 2 + .4 x 3, and beyond.
    assert low < 1.6
    assert high > 2.4
    assert (low + high) / 2 == pytest.approx(2.0)


def test_a_giant_cluster_without_labels_weighs_less_than_its_items() -> None:
    """200 items that share their luck say less of the mean than 100 of which five share theirs."""
    rng = np.random.default_rng(5)
    cluster = np.concatenate([np.repeat(np.arange(20), 5), np.full(200, 20)])
    human = rng.normal(size=21)[cluster] + 0.3 * rng.normal(size=300)
    judge, known = human + 0.1 * rng.normal(size=300), cluster < 10
    parts = moments(human[known], judge[known]), moments(judge[~known], judge[~known])
    items = tuned_weight(*parts)
    found = clustered_weight(*parts, sums_of(cluster, human, judge, known))
    assert items > 0.75
    assert found < 0.4 * items
    # Of clusters of one size, or labels drawn item by item, the weight is that of the items.
    small, some = cluster < 20, np.arange(300) % 3 == 0
    for choice, where in ((known, small), (some & small, small)):
        rest = where & ~choice
        parts = moments(human[choice], judge[choice]), moments(judge[rest], judge[rest])
        sums = sums_of(cluster[where], human[where], judge[where], choice[where])
        assert clustered_weight(*parts, sums) == pytest.approx(tuned_weight(*parts), rel=0.02)


def test_a_giant_cluster_leaves_few_degrees_of_freedom() -> None:
    rng = np.random.default_rng(6)
    even, giant = np.repeat(np.arange(30), 10), np.minimum(np.arange(300) // 2, 29)
    noise = rng.normal(size=(2, 300))

    def reach(cluster: NDArray[np.int64]) -> float:
        human = rng.normal(size=30)[cluster] + noise[0]
        sums = sums_of(cluster, human, human, np.ones(300, bool))
        found = clustered_ppi_spread(moments(human, human), moments([], []), sums)
        return found.reach(0.95)

    assert reach(even) == pytest.approx(2.045, abs=0.01)  # Student's t, 29 degrees
    assert 2.7 < reach(giant) < 13


def test_labels_that_are_all_the_same_have_an_interval_by_clusters() -> None:
    """As long as if each of the clusters were one item, where nothing tells them apart."""
    cluster = np.repeat(np.arange(20), 5)
    human, judge = np.ones(100), np.arange(100) % 2.0
    known = np.arange(100) % 5 < 2
    sums = sums_of(cluster, human, judge, known)
    rest = moments(judge[~known], judge[~known])
    items = np.ones(40), human[known], judge[known]
    found = padded_clusters(items, rest, sums, (0.0, 1.0), weight=0.0)
    low, high = found.ends(0.95)
    lone = ppi_spread(moments(np.append(np.ones(20), [0, 1]), np.zeros(22)), moments([], []))
    assert high - low == pytest.approx(np.subtract(*lone.ends(0.95)[::-1]), rel=0.03)
    # Two that differ, each in a cluster of its own, are nearly as good as lone items.
    human[[0, 5]] = 0.0
    own = padded_clusters(
        (np.ones(40), human[known], judge[known]),
        rest,
        sums_of(cluster, human, judge, known),
        (0.0, 1.0),
        weight=0.0,
    )
    assert own.value == pytest.approx(0.93, abs=0.02)
