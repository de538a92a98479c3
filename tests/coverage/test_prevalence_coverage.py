"""Simulated coverage of corrected rates: a few cells always, the whole grid with --slow."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from grids import Seen, faults
from internals import (
    ESTIMATORS,
    LabelUse,
    Sample,
    corrected,
    drawing,
    leaderboard,
    moments,
    ppi_mean,
    rates_by_confusion,
    rates_by_verdict,
    rogan_gladen_by,
    stratified_by,
)
from internals import EstimateSettings as Settings
from internals import RateScenario as Scenario
from internals import drawn_scenario as draw
from internals import rate_formulas as points
from internals import rate_limits as limits
from internals import scenario_coverage as coverage
from patience import seldom

from goldassay import Estimate

#: Of thousands of cells: with 1 in 1,000 a few would fail.
OF_MANY = 1e-6
THETAS = (0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.98)
SIZES = (100, 1000)
LABELS = (30, 60, 200, 500)
RATES = (0.6, 0.7, 0.8, 0.9, 0.98)
DESIGNS = {
    "random": {"design": "random"},
    "by_verdict": {"design": "by_verdict"},
    "by_verdict, uneven": {"design": "by_verdict", "share": 0.8},
    "by_label": {"design": "by_label"},
    "separate, half positive": {"design": "separate", "labelled_theta": 0.5},
    "separate, same rate": {"design": "separate"},
}


@pytest.mark.parametrize("design", DESIGNS)
def test_headline_in_hard_cells(design: str) -> None:
    """Rare positives, few labels, poor and good judges: where other intervals fail."""
    rng = np.random.default_rng(1)
    hard = [
        (0.02, 1000, 30, 0.6, 0.6),
        (0.98, 100, 30, 0.98, 0.98),
        (0.8, 1000, 30, 0.98, 0.6),
        (0.02, 100, 60, 0.9, 0.9),
        (0.2, 1000, 60, 0.9, 0.6),
        (0.5, 1000, 500, 0.6, 0.9),
    ]
    for theta, n, m, q0, q1 in hard:
        scenario = Scenario(theta=theta, n=n, m=m, q0=q0, q1=q1, **DESIGNS[design])  # type: ignore[arg-type]
        found = coverage(scenario, 3_000, rng)
        # Three standard errors of the 3,000 draws (of those that give an estimate) below .93.
        error = np.sqrt(0.93 * 0.07 / max(3_000 * found["defined"], 1))
        assert found["coverage"] > 0.93 - 3 * error, scenario


#: Mean coverage and length over the grid, as this test measured them.
MEASURED = {
    "random": (0.961, 0.0919),
    "by_verdict": (0.966, 0.0936),
    "by_verdict, uneven": (0.968, 0.109),
    "by_label": (0.969, 0.2641),
    "separate, half positive": (0.969, 0.2642),
    "separate, same rate": (0.970, 0.3755),
}


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_headline_over_the_whole_grid(design: str) -> None:
    """1,400 cells of 500 draws."""
    rng = np.random.default_rng(1)
    seen = []
    for theta, n, m, q0, q1 in product(THETAS, SIZES, LABELS, RATES, RATES):
        scenario = Scenario(theta=theta, n=n, m=m, q0=q0, q1=q1, **DESIGNS[design])  # type: ignore[arg-type]
        found = coverage(scenario, 500, rng)
        runs = round(500 * found["defined"])
        hits = round(runs * found["coverage"])
        seen.append(Seen(design, str(scenario), hits, runs, found["length"]))
    assert not faults(seen, {design: MEASURED[design]}, chance=OF_MANY)


@pytest.mark.slow
def test_lang_reiczigel_over_2688_cells() -> None:
    rng = np.random.default_rng(1)
    thetas = np.linspace(0, 1, 21).round(2).tolist()
    seen = []
    for theta, n, m, q0, q1 in product(thetas, SIZES, (60, 100, 200, 500), RATES[1:], RATES[1:]):
        scenario = Scenario(theta=theta, n=n, m=m, q0=q0, q1=q1, design="by_label")
        test, calibration = draw(scenario, 500, rng)
        low, high = limits.lang_reiczigel(test, calibration)
        known = ~np.isnan(low) & ~np.isnan(points.rogan_gladen(test, calibration))
        hits = ((low <= theta) & (theta <= high))[known].sum()
        length = (high - low)[known].mean()
        seen.append(Seen("all", str(scenario), hits, int(known.sum()), length))
    assert not faults(seen, {"all": (0.960, 0.2202)}, claim=0.94, chance=OF_MANY)


def clustered_sample(
    rng: np.random.Generator, design: str, clusters: int = 60
) -> tuple[Sample, float]:
    """Ten items to a cluster, which share a rate; about a fifth labelled."""
    rate = rng.beta(1.2, 1.8, clusters)
    truth = 1.2 / 3.0
    label = rng.random((clusters, 10)) < rate[:, None]
    verdict = np.where(rng.random(label.shape) < 0.85, label, ~label)
    known = rng.random(label.shape) < 0.2
    if design == "separate":  # whole clusters are labelled
        known = np.broadcast_to((rng.random(clusters) < 0.4)[:, None], label.shape)
    row = np.where(known, label, 2)
    cells = np.zeros((clusters, 1, 3, 2))
    index = np.broadcast_to(np.arange(clusters)[:, None], label.shape)
    np.add.at(cells, (index, 0, row, verdict.astype(int)), 1.0)
    return Sample(
        options=("no", "yes"),
        verdicts=("no", "yes"),
        groups=("all",),
        cells=cells,
        multiplicity=np.ones(clusters, np.int64),
        n_items=label.size,
        independent=False,
        apart=True,
        test_labels=np.zeros(2),
        without_verdict={},
        labels_without_verdict=np.zeros(2),
    ), truth


@pytest.mark.parametrize(
    ("design", "estimator"), [("random", "stratified"), ("separate", "rogan_gladen")]
)
def test_clusters(design: str, estimator: str) -> None:
    rng = np.random.default_rng(2)
    held, plain, draws = 0, 0, 400
    for _ in range(draws):
        sample, truth = clustered_sample(rng, design)
        drawn = drawing(design, apart=True)
        result = corrected(ESTIMATORS[estimator], sample, drawn, Settings())
        assert isinstance(result, Estimate)
        assert result.interval is not None
        held += truth in result.interval
        if estimator == "stratified":
            labelled = sample.calibration.sum(-2)
            low, high = limits.stratified_limits(
                sample.test + labelled, sample.calibration[1], labelled
            )
            plain += bool(low <= truth <= high)
    assert held / draws > 0.92
    if estimator == "stratified":
        assert plain < held  # what ignoring the clusters would give


@pytest.mark.parametrize("shared", seldom([False, True], 0))
def test_differences_between_systems(shared: bool) -> None:
    """Two systems answer the same items; the judge errs alike; labels of own or of both."""
    rng = np.random.default_rng(3)
    held, draws, items = 0, 400, 400
    rates = np.array([0.35, 0.5])
    for _ in range(draws):
        ease = rng.random(items)
        label = ease[:, None] < rates  # the same items are easy for both
        verdict = np.where(rng.random(label.shape) < 0.85, label, ~label)
        row = np.where((rng.random(items) < 0.2)[:, None], label, 2)
        cells = np.zeros((items, 2, 3, 2))
        index, system = np.indices(label.shape)
        np.add.at(cells, (index, system, row, verdict.astype(int)), 1.0)
        sample = Sample(
            options=("no", "yes"),
            verdicts=("no", "yes"),
            groups=("a", "b"),
            cells=cells,
            multiplicity=np.ones(items, np.int64),
            n_items=label.size,
            independent=False,
            apart=False,
            test_labels=np.zeros(2),
            without_verdict={},
            labels_without_verdict=np.zeros(2),
        )
        drawn = drawing("random", apart=False)
        use = LabelUse.of(sample.total, drawn, shared=shared)
        board = leaderboard(sample, use, listed=[0, 1])
        gap = board.differences[0]
        held += gap.low <= rates[0] - rates[1] <= gap.high
    assert 0.92 < held / draws <= 1


def test_strata() -> None:
    rng = np.random.default_rng(4)
    held, each, draws, strata = 0, 0.0, 300, 6
    for _ in range(draws):
        share = rng.dirichlet(np.full(strata, 3.0))
        rates = 1 / (1 + np.exp(-np.array([-1.5, 1.5]) - 0.7 * rng.standard_normal((strata, 2))))
        cells = share[:, None] * np.array([0.6, 0.4])
        truth, by_stratum = (cells * rates).sum(), (cells * rates).sum(1) / share
        pool = rng.multinomial(1500, cells.reshape(-1)).reshape(strata, 2)
        labelled = rng.multinomial(90, cells.reshape(-1)).reshape(strata, 2)
        found = stratified_by(pool + labelled, rng.binomial(labelled, rates), labelled)
        held += found.whole[1] <= truth <= found.whole[2]
        each += ((found.low <= by_stratum) & (by_stratum <= found.high)).mean()
    assert held / draws > 0.92
    assert each / draws > 0.92


def test_rogan_gladen_by_stratum() -> None:
    rng = np.random.default_rng(5)
    held, known, strata = 0, 0, 4
    for _ in range(300):
        share = rng.dirichlet(np.full(strata, 3.0))
        theta = rng.beta(2, 6, strata)
        right = 1 / (1 + np.exp(-np.array([1.8, 1.6]) - 0.5 * rng.standard_normal((strata, 2))))
        size = rng.multinomial(1500, share)
        called = rng.binomial(size, theta * right[:, 1] + (1 - theta) * (1 - right[:, 0]))
        labels = rng.multinomial(240, np.repeat(share, 2) / 2).reshape(strata, 2)
        hits = rng.binomial(labels, right)
        calibration = np.stack(
            [hits[:, 0], labels[:, 0] - hits[:, 0], labels[:, 1] - hits[:, 1], hits[:, 1]], -1
        ).reshape(strata, 2, 2)
        _, whole, low, high = rogan_gladen_by(np.stack([size - called, called], -1), calibration)
        if not np.isnan(whole):
            known += 1
            held += low <= (share * theta).sum() <= high
    assert held / known > 0.92


CONFUSION = np.array([[0.8, 0.15, 0.05], [0.1, 0.75, 0.15], [0.05, 0.2, 0.75]])


@pytest.mark.slow
def test_three_classes() -> None:
    rng = np.random.default_rng(6)
    rates, draws = np.array([0.55, 0.35, 0.1]), 200
    held = np.zeros((2, 3))
    for _ in range(draws):
        test = rng.multinomial(800, rates @ CONFUSION)
        labels = rng.multinomial(150, rates)
        calibration = np.stack([rng.multinomial(labels[k], CONFUSION[k]) for k in range(3)])
        _, low, high = rates_by_verdict(test + calibration.sum(0), calibration)
        held[0] += (low <= rates) & (rates <= high)
        equal = np.stack([rng.multinomial(60, CONFUSION[k]) for k in range(3)])
        _, low, high = rates_by_confusion(test, equal, draws=800)
        held[1] += (low <= rates) & (rates <= high)
    assert (held / draws > 0.91).all()


def test_means() -> None:
    rng = np.random.default_rng(7)
    held, draws = 0, 600
    for _ in range(draws):
        truth = rng.gamma(2.0, 1.0, 340)  # people's scores, mean 2, skewed
        judge = 0.7 * truth + 0.5 + 0.5 * rng.standard_normal(340)
        labelled, rest = moments(truth[:40], judge[:40]), moments(judge[40:], judge[40:])
        _, low, high, _ = ppi_mean(labelled, rest)
        held += low <= 2.0 <= high
    assert held / draws > 0.92
