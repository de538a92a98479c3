from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.estimate import linear


def rate(counts: np.ndarray) -> np.ndarray:
    return counts[..., 1] / counts.sum(-1)


def test_the_variance_of_a_proportion() -> None:
    counts, multiplicity = np.eye(2), np.array([70, 30])
    found = linear.covariance(linear.influence(counts, multiplicity, rate)[:, None], multiplicity)
    assert found[0, 0] == pytest.approx(0.7 * 0.3 / 99, rel=1e-3)


def test_identical_copies_in_a_cluster_inflate_by_their_number() -> None:
    items = (np.eye(2), np.array([400, 600]))
    clusters = (5 * np.eye(2), np.array([80, 120]))
    found = linear.inflation(clusters, items, rate, confidence_level=0.95)
    assert found == pytest.approx(5, rel=0.03)


def test_few_clusters_use_student() -> None:
    items = (np.eye(2), np.array([5, 5]))
    assert linear.inflation(items, items, rate, confidence_level=0.95) == pytest.approx(
        (2.2621572 / 1.9599640) ** 2, rel=1e-6
    )


def test_one_cluster_says_nothing() -> None:
    one = (np.array([[3.0, 2.0]]), np.array([1]))
    items = (np.eye(2), np.array([3, 2]))
    assert np.isnan(linear.inflation(one, items, rate, confidence_level=0.95))


def test_the_labelled_clusters_are_those_that_count() -> None:
    """Rate of labels [negative, positive, not labelled]: ten clusters of which four are labelled.

    Half of each labelled cluster is positive but for one item more or less.
    """
    labelled = np.array([[4.0, 6, 0], [6, 4, 0]])
    counts = np.vstack([labelled, [[0, 0, 10]]])
    times = np.array([2, 2, 6])
    items = (np.eye(3), np.array([20, 20, 60]))
    kinds = np.array([0, 0, 1])

    def positives(cells: np.ndarray) -> np.ndarray:
        return cells[..., 1] / cells[..., :2].sum(-1)

    found = linear.inflation((counts, times), items, positives, kinds=kinds, confidence_level=0.95)
    # Clusters vary less than lone items would: no design effect, but four clusters, t(3) = 3.182.
    assert found == pytest.approx((3.1824463 / 1.9599640) ** 2, rel=1e-6)


def test_a_giant_cluster_is_hardly_more_than_one() -> None:
    counts = np.array([[50.0, 50.0], [1.0, 0.0], [0.0, 1.0]])
    times = np.array([1, 10, 10])
    items = (np.eye(2), np.array([60, 60]))
    found = linear.inflation((counts, times), items, rate, confidence_level=0.95)
    # Shares 100/120 and 20 of 1/120: 1 / (.8333^2 + 20 / 120^2) = 1.437, taken as 2.
    assert found == pytest.approx((12.7062047 / 1.9599640) ** 2, rel=1e-5)


def test_large_clusters_of_like_items_are_worth_fewer() -> None:
    # A mean of hits: [hits, items]. Two clusters of 20 and ten of 2.
    sizes = np.repeat([20.0, 2.0], [2, 10])

    def effective(hits: np.ndarray) -> float:
        counts = np.stack([hits, sizes - hits], 1)[None]
        total = counts.sum((0, 1))
        found = linear.designs(
            (counts, np.ones(12, np.int64)),
            (np.eye(2), total[None]),
            lambda cells: cells[..., 0] / cells.sum(-1),
        )
        return float(found.effective[0])

    alone = effective(sizes / 2)
    assert alone == pytest.approx(60**2 / (2 * 400 + 10 * 4))
    alike = effective(np.array([20.0, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0]))
    # All alike: variances as the squares of the sizes.
    assert alike == pytest.approx(840**2 / (2 * 20**4 + 10 * 2**4), rel=0.02)


def rare(hits: list[float]) -> linear.Designs:
    """What clusters of ten with so many hits each do to the share of hits."""
    counts = np.stack([np.array(hits), 10 - np.array(hits)], 1)[None]
    return linear.designs(
        (counts, np.ones(len(hits), np.int64)),
        (np.eye(2), counts.sum((0, 1))[None]),
        lambda cells: cells[..., 0] / cells.sum(-1),
        kinds=np.zeros(2, np.int64),
    )


def test_an_effect_seen_in_few_clusters_is_not_believed() -> None:
    few = rare([1.0, 1.0, *([0.0] * 38)])
    # Two hits of variance (39/40)^2, 398 misses of (1/200)^2: what varies is in two clusters.
    assert few.carriers[0] == pytest.approx(2, rel=0.05)
    effect, caution = few.effect[0], 2 / (2 + few.carriers[0])
    assert effect == pytest.approx(1, abs=0.05)
    assert few.cautious[0] == pytest.approx(effect ** (1 - caution) * 10**caution)
    assert few.inflations(0.95)[0] == few.cautious[0]

    many = rare([5.0] * 40)
    assert many.carriers[0] == pytest.approx(40)
    assert many.cautious[0] == pytest.approx(10 ** (2 / 42))
    # Of four clusters Student's t reaches further than that.
    found = rare([5.0] * 4).inflations(0.95)[0]
    assert found == pytest.approx((3.1824463 / 1.9599640) ** 2, rel=1e-5)


def test_without_variance_there_is_nothing_to_be_cautious_of() -> None:
    none = rare([0.0] * 10)
    assert none.carriers[0] == 1
    assert none.cautious[0] == none.effect[0] == 1
