"""The bootstrap on counts has the distribution of resampling rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from goldassay.inference import bootstrap
from goldassay.inference.bootstrap import blocks, exponential_weights, multiplicities
from goldassay.inference.clusters import distinct_clusters

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
    return distinct_clusters(counts, np.ones(40, np.int64))


def resampled(
    counts: Floats, multiplicity: npt.NDArray[np.int64], resamples: int, seed: int
) -> Floats:
    """The summed counts of every resample."""
    rng = np.random.default_rng(seed)
    flat = counts.reshape(len(counts), -1)
    sums = [weights @ flat for weights in multiplicities(multiplicity, resamples, rng)]
    return np.concatenate(sums).reshape(-1, *counts.shape[1:])


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
    fast = accuracy(resampled(counts, multiplicity, 20_000, 1))
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


def test_the_same_seed_gives_the_same_resamples_whatever_the_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts, multiplicity = clustered()
    first = resampled(counts, multiplicity, 300, 3)
    assert (first == resampled(counts, multiplicity, 300, 3)).all()
    monkeypatch.setattr("goldassay.inference.bootstrap.BLOCK", 64)
    assert (first == resampled(counts, multiplicity, 300, 3)).all()


def test_blocks_add_up_and_hold_at_least_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldassay.inference.bootstrap.BLOCK", 10)
    assert list(blocks(7, 4)) == [2, 2, 2, 1]
    assert list(blocks(2, 50)) == [1, 1]
    assert list(blocks(3, 0)) == [3]
    assert list(blocks(0, 4)) == []


def test_equal_clusters_weigh_as_much_together_as_apart() -> None:
    # A sum of m standard exponentials has mean m and variance m.
    times = np.array([1, 4, 9])
    drawn = exponential_weights(times, 40_000, np.random.default_rng(1))
    np.testing.assert_allclose(drawn.mean(0), times, rtol=0.02)
    np.testing.assert_allclose(drawn.var(0), times, rtol=0.05)


def test_clusters_that_are_all_alone_are_drawn_by_the_same_numbers() -> None:
    ones = np.ones(30, np.int64)
    fast = exponential_weights(ones, 20, np.random.default_rng(2))
    plain = np.random.default_rng(2).standard_gamma(ones.astype(float), (20, 30))
    assert (fast == plain).all()


def test_sums_over_many_clusters_keep_their_moments_and_their_giant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 300 clusters of which 40 are drawn; exponential weights have mean and variance 1.
    monkeypatch.setattr(bootstrap, "EACH_DRAWN", 80)
    rng = np.random.default_rng(3)
    counts = np.column_stack([rng.integers(1, 5, 300), rng.random(300), np.ones(300)])
    counts[7] = 400.0, 0.0, 1.0  # skewed as an exponential is: no normal
    times = rng.integers(1, 4, 300)
    times[7] = 1
    sums = bootstrap.weighted_sums(counts, times, 40_000, np.random.default_rng(1))
    covariance = (counts * times[:, None]).T @ counts
    assert sums.mean(0) == pytest.approx(times @ counts, rel=0.01)
    spread = np.sqrt(np.diag(covariance))
    assert sums.std(0) == pytest.approx(spread, rel=0.025)
    # Four Monte Carlo errors of a correlation.
    correlation = covariance / np.outer(spread, spread)
    assert np.corrcoef(sums, rowvar=False) == pytest.approx(correlation, abs=4 / np.sqrt(40_000))
    skew = (((sums - sums.mean(0)) / sums.std(0)) ** 3).mean(0)
    assert skew[0] > 1.5
    each = bootstrap.weighted_sums(counts, times, 40_000, np.random.default_rng(1), each_drawn=True)
    assert np.quantile(sums, [0.025, 0.975], axis=0) == pytest.approx(
        np.quantile(each, [0.025, 0.975], axis=0), rel=0.02
    )


def test_a_sum_that_no_cluster_adds_to_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "EACH_DRAWN", 4)
    counts = np.column_stack([np.arange(1.0, 9.0), np.zeros(8)])
    sums = bootstrap.weighted_sums(counts, np.ones(8, np.int64), 50, np.random.default_rng(1))
    assert np.isfinite(sums).all()
    assert not sums[:, 1].any()
