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
