"""The bootstrap on counts has the distribution of resampling rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from goldassay.inference.bootstrap import (
    bca,
    distinct_clusters,
    multiplicities,
    percentile,
    replicates,
    resampled,
)

Floats = npt.NDArray[np.float64]


def accuracy(counts: Floats) -> Floats:
    total = counts.sum(axis=(-1, -2))
    with np.errstate(invalid="ignore", divide="ignore"):
        result: Floats = np.trace(counts, axis1=-2, axis2=-1) / total
    return result


def clustered(seed: int = 0) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Rows of (cluster, reference, verdict), as counts [C, 2, 2] with repeats among them."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, 40)
    counts = np.zeros((40, 2, 2))
    for cluster, size in enumerate(sizes):
        for _ in range(size):
            truth = rng.integers(2)
            verdict = truth if rng.random() < 0.8 else 1 - truth
            counts[cluster, truth, verdict] += 1
    distinct, multiplicity = np.unique(counts.reshape(40, 4), axis=0, return_counts=True)
    return distinct.reshape(-1, 2, 2), multiplicity.astype(np.int64)


def naive(counts: Floats, multiplicity: npt.NDArray[np.int64], resamples: int, seed: int) -> Floats:
    """Resample whole clusters row by row: slow, and plainly right."""
    rng = np.random.default_rng(seed)
    rows = np.repeat(counts, multiplicity, axis=0)
    out = [
        accuracy(rows[rng.integers(0, len(rows), len(rows))].sum(axis=0)) for _ in range(resamples)
    ]
    return np.array(out)


def test_it_matches_row_level_resampling_in_distribution() -> None:
    counts, multiplicity = clustered()
    fast = replicates(counts, multiplicity, accuracy, resamples=20_000, seed=1).values
    slow = naive(counts, multiplicity, 20_000, 2)
    error = slow.std() / np.sqrt(20_000)
    assert abs(fast.mean() - slow.mean()) < 5 * error * np.sqrt(2)
    assert fast.std() == pytest.approx(slow.std(), rel=0.03)
    for level in (0.025, 0.25, 0.5, 0.75, 0.975):
        assert np.quantile(fast, level) == pytest.approx(np.quantile(slow, level), abs=0.006)


def test_both_ways_of_drawing_have_the_same_moments() -> None:
    # Few distinct clusters are drawn by a multinomial, many by uniform integers.
    rng = np.random.default_rng(0)
    few = np.array([30, 50, 20])
    many = np.ones(100, np.int64)
    drawn = np.concatenate(list(multiplicities(few, 20_000, rng)))
    single = np.concatenate(list(multiplicities(many, 20_000, rng)))
    grouped = np.stack([single[:, :30].sum(1), single[:, 30:80].sum(1), single[:, 80:].sum(1)], 1)
    assert (drawn.sum(axis=1) == 100).all()
    assert (grouped.sum(axis=1) == 100).all()
    np.testing.assert_allclose(drawn.mean(axis=0), few, rtol=0.01)
    np.testing.assert_allclose(grouped.mean(axis=0), few, rtol=0.01)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(grouped.T), rtol=0.1, atol=0.6)


def test_strata_keep_their_sizes() -> None:
    rng = np.random.default_rng(0)
    multiplicity, strata = np.array([3, 5, 1, 1]), np.array([0, 0, 1, 1])
    weights = np.concatenate(list(multiplicities(multiplicity, 50, rng, strata=strata)))
    assert (weights[:, :2].sum(axis=1) == 8).all()
    assert (weights[:, 2:].sum(axis=1) == 2).all()


def test_the_same_seed_gives_the_same_resamples_whatever_the_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts, multiplicity = clustered()
    first = resampled(counts, multiplicity, resamples=300, seed=3)
    assert (first == resampled(counts, multiplicity, resamples=300, seed=3)).all()
    monkeypatch.setattr("goldassay.inference.bootstrap.BLOCK", 64)
    assert (first == resampled(counts, multiplicity, resamples=300, seed=3)).all()


def test_undefined_resamples_are_counted_and_said() -> None:
    counts = np.array([[[1.0, 0], [0, 0]], [[0, 0], [0, 0]]])
    drawn = replicates(counts, np.array([3, 2]), accuracy, resamples=2000, seed=1)
    assert 0 < drawn.undefined < 100  # all five clusters empty: (2/5)^5 = .010
    interval = percentile(drawn, confidence_level=0.95)
    assert interval is not None
    assert "undefined resamples left out" in interval.method


def test_a_statistic_hardly_ever_defined_has_no_interval() -> None:
    counts = np.zeros((2, 2, 2))
    drawn = replicates(counts, np.array([3, 2]), accuracy, resamples=100, seed=1)
    assert percentile(drawn, confidence_level=0.95) is None


def test_bca_agrees_with_scipy() -> None:
    from scipy import stats

    rng = np.random.default_rng(4)
    values = rng.exponential(size=60)
    counts = np.stack([values, np.ones(60)], axis=1)

    def mean(sums: Floats) -> Floats:
        result: Floats = sums[..., 0] / sums[..., 1]
        return result

    drawn = replicates(counts, np.ones(60, np.int64), mean, resamples=20_000, seed=1)
    ours = bca(drawn, counts, np.ones(60, np.int64), mean, confidence_level=0.95)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(2)
    ).confidence_interval
    assert ours is not None
    assert ours.low == pytest.approx(theirs.low, abs=0.015)
    assert ours.high == pytest.approx(theirs.high, abs=0.015)


@pytest.mark.parametrize("kind", ["counts", "shares", "wide"])
def test_equal_clusters_are_merged_in_order(kind: str) -> None:
    rng = np.random.default_rng(3)
    table = rng.integers(0, 3, (500, 2, 2)).astype(float)
    if kind == "shares":
        table /= 3
    if kind == "wide":  # more values than one number can code
        table = np.repeat(rng.integers(0, 2**19, (50, 2, 4)), 10, axis=0).astype(float)
    times = rng.integers(1, 4, 500)
    distinct, merged = distinct_clusters(table, times)
    flat, inverse = np.unique(table.reshape(500, -1), axis=0, return_inverse=True)
    np.testing.assert_array_equal(distinct.reshape(len(distinct), -1), flat)
    np.testing.assert_array_equal(merged, np.bincount(inverse.reshape(-1), times))
    np.testing.assert_allclose(
        np.tensordot(merged, distinct, axes=1), np.tensordot(times, table, axes=1)
    )


def test_one_or_no_cluster_is_left_as_it_is() -> None:
    for clusters in (0, 1):
        distinct, times = distinct_clusters(np.ones((clusters, 2, 2)), np.ones(clusters, np.int64))
        assert distinct.shape == (clusters, 2, 2)
        assert len(times) == clusters
