"""How often goldassay's intervals of a corrected rate hold the truth, as Markdown tables.

    python benchmarks/coverage_prevalence.py [--draws 10000] [--design random] > tables.md

Every design's headline interval over the same grid of true rates, judges and sample sizes, beside
what others use there; then Lang-Reiczigel alone. The tables are in `docs/theory/figures.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from goldassay.formulas import rates as points
from goldassay.inference import rates as limits
from goldassay.lab.scenarios.rates import Scenario, draw
from goldassay.questions.estimate.estimators import estimates

THETAS = (0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.98)
SIZES = (100, 1000)
LABELS = (30, 60, 200, 500)
RATES = (0.6, 0.7, 0.8, 0.9, 0.98)

Method = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]


def grid(**fixed: object) -> Iterator[Scenario]:
    for theta, n, m, q0, q1 in product(THETAS, SIZES, LABELS, RATES, RATES):
        yield replace(Scenario(theta=theta, n=n, m=m, q0=q0, q1=q1), **fixed)  # type: ignore[arg-type]


def named(estimator: str) -> Method:
    return lambda test, calibration: estimates(estimator, test, calibration)


def ppi_published(test: np.ndarray, calibration: np.ndarray) -> tuple[np.ndarray, ...]:
    return points.power_tuned(test, calibration), *limits.ppi_normal(test, calibration)


def lang_reiczigel(test: np.ndarray, calibration: np.ndarray) -> tuple[np.ndarray, ...]:
    low, high = limits.lang_reiczigel(test, calibration)
    return np.where(np.isnan(low), np.nan, points.rogan_gladen(test, calibration)), low, high


def jeffreys_posterior(test: np.ndarray, calibration: np.ndarray) -> tuple[np.ndarray, ...]:
    """The usual Bayesian answer: a Jeffreys prior for the pool's verdicts and for each verdict."""
    rng, size = np.random.default_rng(0), 400
    labelled = calibration.sum(-2)
    pool = test + labelled
    a = np.concatenate([pool[:, 1:], calibration[:, 1, :]], -1) + 0.5
    b = np.concatenate([pool[:, :1], calibration[:, 0, :]], -1) + 0.5
    p, pi0, pi1 = np.moveaxis(rng.beta(a, b, (size, *a.shape)), -1, 0)
    low, high = np.quantile(p * pi1 + (1 - p) * pi0, [0.025, 0.975], axis=0)
    return points.stratified(pool, calibration[:, 1, :], labelled), low, high


def measured(scenarios: list[Scenario], methods: dict[str, Method], draws: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in methods}
    for scenario in scenarios:
        test, calibration = draw(scenario, draws, rng)
        for name, method in methods.items():
            few = slice(0, 500) if name.startswith("Jeffreys posterior") else slice(None)
            value, low, high = method(test[few], calibration[few])
            ok = ~np.isnan(value)
            held = (low <= scenario.theta + 1e-12) & (scenario.theta <= high + 1e-12)
            if ok.any():
                length = np.clip(high, 0, 1) - np.clip(low, 0, 1)
                found[name].append((held[ok].mean(), length[ok].mean(), ok.mean()))
            else:
                found[name].append((np.nan, np.nan, 0.0))
    for name, rows in found.items():
        table = np.array(rows)
        worst = int(np.nanargmin(table[:, 0]))
        s = scenarios[worst]
        print(
            f"| {name} | {len(scenarios):,} | {table[worst, 0]:.3f} | "
            f"{np.nanquantile(table[:, 0], 0.01):.3f} | {np.nanmean(table[:, 0]):.3f} | "
            f"{int((table[:, 0] < 0.93).sum())} | {np.nanmean(table[:, 1]):.4f} | "
            f"{1 - table[:, 2].min():.2f} | "
            f"theta {s.theta:g}, n {s.n}, m {s.m}, q0 {s.q0:g}, q1 {s.q1:g} |",
            flush=True,
        )


HEAD = (
    "| Interval | Cells | Worst | 1 % of cells below | Mean | Cells under .93 | Mean length | "
    "Most often undefined | Worst cell |\n| --- | --: | --: | --: | --: | --: | --: | --: | --- |"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--design", default="", help="only designs that hold this text")
    parser.add_argument("--interval", default="", help="only intervals that hold this text")
    options = parser.parse_args()
    pooled = {
        "**stratified** (headline)": named("stratified"),
        "Jeffreys posterior (500 draws per cell)": jeffreys_posterior,
    }
    random = {
        **pooled,
        "PPI++, adjusted": named("power_tuned"),
        "PPI++, normal as published": ppi_published,
        "PPI, adjusted": named("difference"),
        "labels only": named("calibration_only"),
    }
    apart = {
        "**Rogan-Gladen** (headline)": named("rogan_gladen"),
        "Lang-Reiczigel everywhere": lang_reiczigel,
    }
    designs: list[tuple[str, list[Scenario], dict[str, Method]]] = [
        ("random", list(grid(design="random")), random),
        ("by_verdict, half to each verdict", list(grid(design="by_verdict")), pooled),
        (
            "by_verdict, 80 % to positive verdicts",
            list(grid(design="by_verdict", share=0.8)),
            {"**stratified** (headline)": named("stratified")},
        ),
        ("by_label, half to each label", list(grid(design="by_label")), apart),
        (
            "separate, half of the labels positive",
            list(grid(design="separate", labelled_theta=0.5)),
            apart,
        ),
        ("separate, the same rate", list(grid(design="separate")), apart),
    ]
    for title, scenarios, every in designs:
        methods = {name: way for name, way in every.items() if options.interval in name}
        if options.design not in title or not methods:
            continue
        print(f"\n`{title}`, {options.draws:,} draws per cell\n\n{HEAD}")
        measured(scenarios, methods, options.draws, options.seed)
    if options.design or options.interval not in "Lang-Reiczigel":
        return
    cells = [
        Scenario(theta=theta, n=n, m=m, q0=q0, q1=q1, design="by_label")
        for theta, n, m, q0, q1 in product(
            np.linspace(0, 1, 21).round(2).tolist(),
            SIZES,
            (60, 100, 200, 500),
            RATES[1:],
            RATES[1:],
        )
    ]
    print(f"\nLang-Reiczigel alone, {options.draws:,} draws per cell\n\n{HEAD}")
    measured(cells, {"Lang-Reiczigel": lang_reiczigel}, options.draws, options.seed)


if __name__ == "__main__":
    main()
