"""Simulated coverage of the default intervals of `goldassay agree`."""

from __future__ import annotations

import coverage_agreement as coverage
import numpy as np
import pytest
from grids import Seen, faults
from internals import Prior, coincidences, hedged_draws, hedged_interval, krippendorff_alpha, tally
from internals import TableSetting as Setting
from internals import agreement as c
from patience import seldom

from goldassay import Estimate, metrics


@pytest.mark.parametrize(
    ("prevalence", "n", "judge"),
    [(0.1, 50, (0.65, 0.65)), (0.05, 30, (0.95, 0.98)), (0.5, 30, (0.99, 0.99))],
)
def test_hard_cells(prevalence: float, n: int, judge: tuple[float, float]) -> None:
    found = coverage.cell(prevalence, n, judge, samples=600, draws=300, seed=1)
    for name, (covered, *_) in found.items():
        assert covered >= 0.92, name  # two standard errors below .94


def test_the_textbook_interval_of_kappa_fails_where_ours_does_not() -> None:
    found = coverage.cell(0.1, 50, (0.65, 0.65), samples=600, draws=300, seed=2)
    assert found["cohen_kappa"][2] < found["cohen_kappa"][0]


#: Mean coverage and length over the grid, as this test measured them.
MEASURED = {
    "accuracy": (0.965, 0.1406),
    "balanced_accuracy": (0.971, 0.2086),
    "cohen_kappa": (0.969, 0.3581),
    "phi": (0.971, 0.3679),
    "f1": (0.967, 0.2802),
}


@pytest.mark.slow
def test_every_cell_of_the_grid_covers() -> None:
    """300 samples a cell; equal ones are counted once."""
    seen = []
    for key, row in coverage.grid(300, 600).items():
        for name in coverage.NAMES:
            covered, length, *_, undefined = row[name]
            runs = round(300 * (1 - undefined))
            seen.append(Seen(name, str(key), round(covered * runs), runs, length))
    assert not faults(seen, MEASURED)


@pytest.mark.parametrize("clusters", [None, 20])
def test_abstention_as_a_verdict_costs_no_length(clusters: int | None) -> None:
    """120 items; the judge abstains, mostly on positive ones, and no label is an abstention.

    A third class of the reference, which only pseudo-counts had, made the interval three times as
    long. Beside it: the normal interval whose standard error is known.
    """
    rng, runs, size = np.random.default_rng(4), 250, 120
    share = np.array([[0.5, 0.06, 0.04], [0.05, 0.26, 0.09], [0, 0, 0]])
    truth = float(c.balanced_accuracy(share))
    values, ends = [], []
    for _ in range(runs):
        cells = rng.choice(9, size, p=share.reshape(-1))
        if clusters is not None:  # a third of a cluster's items are as its first is
            first = cells[np.arange(size) // (size // clusters) * (size // clusters)]
            cells = np.where(rng.random(size) < 0.33, first, cells)
        stack = np.eye(9)[cells].reshape(clusters or size, -1, 3, 3).sum(1)
        drawn = hedged_draws(
            stack,
            np.ones(len(stack), np.int64),
            draws=400,
            seed=1,
            clustered=clusters is not None,
            prior=Prior(Setting("", 2, None, np.eye(3), "unweighted")),
        )
        values.append(float(c.balanced_accuracy(stack.sum(0))))
        found = hedged_interval(c.balanced_accuracy, drawn, values[-1], confidence_level=0.95)
        ends.append((found.low, found.high))
    low, high = np.array(ends).T
    assert ((low <= truth) & (truth <= high)).mean() >= 0.92
    # In clusters the spread has to be learnt from twenty of them.
    assert (high - low).mean() <= (1.15 if clusters is None else 1.4) * 2 * 1.96 * np.std(values)


@pytest.mark.parametrize("correlation", [0.0, 0.4])
def test_clusters(correlation: float) -> None:
    """30 clusters of 8 decisions whose rates vary between clusters."""
    rng = np.random.default_rng(5)
    clusters, size, reps = 30, 8, 150
    shares = coverage.truth(0.3, (0.85, 0.85))
    statistics = {"accuracy": c.accuracy, "kappa": c.cohen_kappa}
    hits = dict.fromkeys(statistics, 0)

    def rate(p: float) -> np.ndarray:
        if correlation == 0:
            return np.full(clusters, p)
        spread = 1 / correlation - 1
        return rng.beta(p * spread, (1 - p) * spread, clusters)

    for seed in range(reps):
        positive = rng.binomial(size, rate(0.3))
        tp = rng.binomial(positive, rate(0.85))
        tn = rng.binomial(size - positive, rate(0.85))
        tables = np.stack([tp, positive - tp, size - positive - tn, tn], 1).reshape(-1, 2, 2)
        drawn = hedged_draws(tables, np.ones(clusters), draws=400, seed=seed, clustered=True)
        for name, statistic in statistics.items():
            value = float(statistic(tables.sum(0)))
            interval = hedged_interval(statistic, drawn, value, confidence_level=0.95)
            hits[name] += float(statistic(shares)) in interval
    assert all(held >= 0.9 * reps for held in hits.values()), hits


@pytest.mark.parametrize(("n", "prevalence", "right"), [(30, 0.1, 0.95), (30, 0.5, 0.97)])
def test_alpha_of_a_small_panel(n: int, prevalence: float, right: float) -> None:
    rng = np.random.default_rng(6)

    def counts(size: int) -> np.ndarray:
        truth = rng.random(size) < prevalence
        given = np.where(rng.random((3, size)) < right, truth, ~truth)
        return tally(given.astype(int), 2)

    exact = float(krippendorff_alpha(coincidences(counts(400_000)).sum(0)))
    hits = reps = 0
    for _ in range(120):
        result = metrics.krippendorff_alpha(votes=counts(n), draws=300)
        if isinstance(result, Estimate):
            reps += 1
            hits += exact in result.interval
    assert hits >= 0.91 * reps


def test_one_giant_cluster_among_small_ones() -> None:
    """120 samples: covers; its length is 1.33 times that for as many clusters of equal size."""
    found = coverage.held_out(60, 300, 0.8, (0.1,), "giant", samples=120, draws=400)
    for name, (covered, *_) in found.items():
        assert covered >= 0.90, name
    assert found["accuracy"][1] < 0.192


#: Clusters, of, accuracy, correlation: the longest mean length of the accuracy's interval, which is
#: the measured one and a twentieth.
LENGTHS = [(20, 10, 0.9, 0.3, 0.2035), (40, 10, 0.85, 0.1, 0.1076), (15, 20, 0.8, 0.0, 0.1103)]


@pytest.mark.parametrize(("number", "size", "right", "correlation", "longest"), seldom(LENGTHS, 0))
def test_clustered_intervals_are_not_longer_than_they_must_be(
    number: int, size: int, right: float, correlation: float, longest: float
) -> None:
    found = coverage.held_out(number, size, right, (correlation,), "equal", samples=120, draws=400)
    assert found["accuracy"][0] >= 0.90
    assert found["accuracy"][1] < longest
