from __future__ import annotations

import numpy as np
import pytest

from goldassay.inference.cluster_spread import degrees_of_variances
from goldassay.inference.clusters import degrees_of
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
        (2.2621572 / 1.9599640) ** 2, rel=1e-3
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

    found = linear.designs(
        (counts[None], times), (items[0], items[1][None]), positives, kinds=kinds
    )
    # Clusters vary less than lone items would, by chance; there are four, t(3) = 3.182.
    assert found.effective[0] == pytest.approx(4)
    assert found.effect[0] == pytest.approx(4 * 0.025**2 / (3 / 4) / (40 * 0.0125**2), rel=0.03)
    student = (3.1824463 / 1.9599640) ** 2
    assert found.inflations(0.95)[0] == pytest.approx(found.effect[0] * student)


def test_what_a_cluster_moves_is_more_where_it_leaves_little_to_the_others() -> None:
    """Rates of one giant cluster of half of all items and of ten small ones: 1 - h is one half."""
    counts = np.array([[60.0, 40.0], [4.0, 6.0]])
    times = np.array([1, 10])
    items = (np.eye(2), np.array([[100, 100]]))
    found = linear.designs((counts[None], times), items, rate)
    moved = np.array([-10 / 200, 1 / 200])
    between = times @ (moved**2 / np.array([0.5, 0.95]))
    assert found.effect[0] == pytest.approx(between / (0.25 / 199), rel=1e-3)


def test_a_giant_cluster_is_hardly_more_than_one() -> None:
    counts = np.array([[50.0, 50.0], [1.0, 0.0], [0.0, 1.0]])
    times = np.array([1, 10, 10])
    items = (np.eye(2), np.array([[60, 60]]))
    found = linear.designs((counts[None], times), items, rate)
    # Shares h of 100/120 and 20 of 1/120: 1/df = sum h^2 + (sum h^2/(1-h))^2 - sum h^4/(1-h)^2.
    h = np.repeat([100 / 120, 1 / 120], [1, 20])
    inverse = (h**2).sum() + (h**2 / (1 - h)).sum() ** 2 - (h**4 / (1 - h) ** 2).sum()
    assert found.effective[0] == pytest.approx(1 + 1 / inverse)
    assert 1 / inverse < 1.5


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

    unlike = effective(sizes / 2)
    h = sizes / 60
    assert unlike == pytest.approx(1 + float(degrees_of(h, np.ones(12))))
    like = effective(np.array([20.0, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0]))
    # All alike: variances as the squares of the sizes; a third of the way, as that is a guess.
    there = float(degrees_of_variances(h, h**2, np.ones(12))[0])
    assert like == pytest.approx(1 + (unlike - 1) ** (2 / 3) * there ** (1 / 3), rel=0.02)
    assert like < unlike


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
    carriers = few.carriers[0]
    assert carriers == pytest.approx(2, rel=0.05)
    doubt = 4 * (1 - carriers / 40)
    effect, caution = few.effect[0], doubt / (doubt + carriers)
    assert effect == pytest.approx(1, abs=0.05)
    assert few.cautious[0] == pytest.approx(max(effect, 1) ** (1 - caution) * 10**caution)
    assert few.inflations(0.95)[0] == few.cautious[0]

    # Where every cluster has what varies, there is nothing to doubt: few clusters are Student's.
    many = rare([5.0] * 40)
    assert many.carriers[0] == pytest.approx(40)
    assert many.cautious[0] == 1


def test_where_nothing_varies_clusters_may_be_all_alike() -> None:
    none = rare([0.0] * 10)
    assert none.carriers[0] == 1
    assert none.effect[0] == 1
    assert none.cautious[0] == pytest.approx(10)
    assert none.effective[0] == pytest.approx(10)


def test_an_interval_is_no_shorter_than_that_of_lone_items() -> None:
    # Every cluster has the same share: by chance, or because somebody stratified.
    found = rare([5.0] * 4)
    assert found.effect[0] == pytest.approx(0, abs=1e-9)
    assert found.inflations(0.95)[0] == 1


SIZES = np.array([2, 3, 4, 5, 6, 8, 10, 14, 20, 40])


def ends_of(rates: np.ndarray, sizes: np.ndarray = SIZES) -> linear.Designs:
    hits = sizes * rates
    counts = np.stack([sizes - hits, hits], 1)
    lone = (np.eye(2), counts.sum(0)[None])
    return linear.designs((counts[None], np.ones(len(sizes), np.int64)), lone, rate)


def test_the_end_beyond_which_larger_clusters_lie_is_further() -> None:
    """The largest have most: a larger one than those drawn would bring the rate up."""
    more = ends_of(0.1 + 0.1 * np.log(SIZES))
    assert 1.05 < more.up[0] <= 1.5
    assert more.down[0] == 1
    fewer = ends_of(0.9 - 0.1 * np.log(SIZES))
    assert fewer.down == pytest.approx(more.up)
    alike = ends_of(0.1 + 0.1 * np.log(SIZES), np.full(10, 8))
    assert (alike.down[0], alike.up[0]) == (1, 1)


def test_ends_of_rates_stay_rates() -> None:
    one = linear.Designs(*(np.array([part]) for part in (1.0, 9.0, 1.0, 9.0, 1.5, 1.5)))
    value, low, high = (np.array([part]) for part in (0.3, 0.1, 0.6))
    ends = one.moved(value, low, high)
    assert (ends[0][0], ends[1][0]) == pytest.approx((0.0, 0.75))
    assert [end[0] for end in one.moved(value, value, np.array([0.9]))] == [0.3, 1.0]
