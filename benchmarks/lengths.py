"""Lengths of the default intervals against named ones that cover, on the same draws.

    python benchmarks/lengths.py FAMILY [--settings N] [--runs N] [--seed S]

Settings are those of `coverage_probe`, drawn from wide ranges: `binary` (tables of a yes-or-no
judge), `scores` (correlations) and `rates` (corrected rates, by the grid's ranges). In each setting
all intervals see the same samples. A length is told against the shortest named interval that covers
.94 there; settings in which none does are counted apart. The named ones are what a textbook or
another tool gives: they are written in `CANDIDATES`. `clusters` are corrected rates in clusters of
unequal sizes (`clustered_rates`), `systems` and `judges` differences (`length_differences`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import clustered_rates
import length_differences
import numpy as np
from clustered_rates import Clustered
from coverage_prevalence import jeffreys_posterior, named, ppi_published
from coverage_probe import (
    DRAWS,
    LEVEL,
    STATISTICS,
    Binary,
    Scores,
    Tally,
    binary_setting,
    counted_of,
    table_intervals,
)
from numpy.typing import NDArray
from probe_groups import Ranges
from scipy import stats

from goldassay.formulas.agreement import cohen_kappa_standard_error
from goldassay.inference.draw import Draw
from goldassay.lab.scenarios.rates import Scenario, draw
from goldassay.metrics.registry import SCORE_METRICS, TABLE_METRICS
from goldassay.results import Estimate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator
Ends = tuple[float, float] | None

OURS = "goldassay"
COVERS = 0.94
Z = float(stats.norm.ppf(0.975))
RESAMPLES = 400
TABLES = (
    "accuracy", "balanced_accuracy", "sensitivity", "precision", "f1", "cohen_kappa", "phi",
    "gwet_ac1", "positive_rate_difference",
)  # fmt: skip
#: The named intervals, for the table's caption.
CANDIDATES = {
    "binary": "Wald, Wilson, Clopper-Pearson and Jeffreys of shares, Fleiss-Cohen-Everitt, "
    "Fisher's z, the delta method, percentile bootstrap, Jeffreys' Dirichlet; by clusters "
    "Student's t of the influences with clusters - 1, and the percentile bootstrap of clusters",
    "scores": "Fisher's z, Bonett-Wright, Fieller, the jackknife with Student's t on the scale of "
    "the coefficient and on Fisher's",
    "rates": "Jeffreys' posterior, PPI++ as published and adjusted, PPI adjusted, labels only "
    "(hedged, Wilson, Wald), the stratified rate's normal interval",
    "clusters": clustered_rates.NAMED,
    "systems": length_differences.SYSTEMS,
    "judges": length_differences.JUDGES,
}


@dataclass(frozen=True)
class Measured:
    """One interval in one setting: what stands behind it, and how each named one did."""

    kind: str
    name: str
    tallies: Mapping[str, Tally]

    @property
    def factor(self) -> float | None:
        """Our mean length over that of the shortest named interval that covers."""
        ours = self.tallies[OURS]
        rivals = [
            one.length / one.runs
            for name, one in self.tallies.items()
            if name != OURS and one.runs >= 0.9 * ours.runs and one.coverage >= COVERS
        ]
        return ours.length / ours.runs / min(rivals) if rivals and ours.runs else None


# --- tables of a yes-or-no judge --------------------------------------------------------------


def shares_of(name: str, table: Floats) -> tuple[float, float] | None:
    """Successes and trials of what is a share of one class."""
    (tn, fp), (fn, tp) = table
    return {
        "accuracy": (tp + tn, table.sum()),
        "sensitivity": (tp, tp + fn),
        "precision": (tp, tp + fp),
    }.get(name)


def of_share(x: float, n: float) -> dict[str, Ends]:
    p, centre = x / n, (x + Z**2 / 2) / (n + Z**2)
    wald = Z * np.sqrt(p * (1 - p) / n)
    wilson = Z / (n + Z**2) * np.sqrt(n * p * (1 - p) + Z**2 / 4)
    beta = stats.beta.ppf
    return {
        "Wald": (p - wald, p + wald),
        "Wilson": (centre - wilson, centre + wilson),
        "Clopper-Pearson": (
            float(beta(0.025, x, n - x + 1)) if x > 0 else 0.0,
            float(beta(0.975, x + 1, n - x)) if x < n else 1.0,
        ),
        "Jeffreys": (
            float(beta(0.025, x + 0.5, n - x + 0.5)) if x > 0 else 0.0,
            float(beta(0.975, x + 0.5, n - x + 0.5)) if x < n else 1.0,
        ),
    }


def gradient(statistic: Callable[[Floats], Floats], total: Floats) -> Floats:
    """By how much one more decision in each cell moves the statistic."""
    step = 1e-4
    moved = total + step * np.eye(total.size).reshape(-1, *total.shape)
    back = total - step * np.eye(total.size).reshape(-1, *total.shape)
    slope = (statistic(moved) - statistic(back)) / (2 * step)
    return np.asarray(slope).reshape(total.shape)


def of_table(name: str, stack: Floats, times: Ints, *, lone: bool, rng: Rng) -> dict[str, Ends]:
    """Every named interval of one coefficient of the summed table."""
    setting = binary_setting((0.3, 0.7))

    def statistic(tables: Floats) -> Floats:
        with np.errstate(all="ignore"):
            return np.asarray(TABLE_METRICS[name].compute(tables, setting))

    total = np.tensordot(times, stack, axes=1)
    value, n = float(statistic(total)), float(total.sum())
    found: dict[str, Ends] = {}
    if lone:
        probabilities = total.ravel() / n
        boot = rng.multinomial(int(n), probabilities, RESAMPLES).reshape(-1, 2, 2).astype(float)
        flat = rng.dirichlet(total.ravel() + 0.5, RESAMPLES).reshape(-1, 2, 2)
        found["Jeffreys' Dirichlet"] = percentiles(statistic(flat * n))
        if share := shares_of(name, total):
            found |= of_share(*share)
        if name == "cohen_kappa":
            reach = Z * float(cohen_kappa_standard_error(total))
            found["Fleiss-Cohen-Everitt"] = (value - reach, value + reach)
        if name == "phi" and n > 3:
            inner, reach = np.arctanh(np.clip(value, -1 + 1e-12, 1 - 1e-12)), Z / np.sqrt(n - 3)
            found["Fisher's z"] = (float(np.tanh(inner - reach)), float(np.tanh(inner + reach)))
    else:
        number = int(times.sum())
        each = np.repeat(stack, times, axis=0)
        picks = rng.multinomial(number, np.full(number, 1 / number), RESAMPLES)
        boot = np.tensordot(picks.astype(float), each, axes=1)
    found["percentile bootstrap"] = percentiles(statistic(boot))
    slope = gradient(statistic, total)
    if np.isfinite(slope).all():
        moved = np.tensordot(stack, slope, axes=2)
        number = int(times.sum())
        spread = np.sqrt(number / (number - 1) * float(times @ moved**2))
        reach = spread * (Z if lone else float(stats.t.ppf(0.975, number - 1)))
        found["delta method" if lone else "cluster t"] = (value - reach, value + reach)
    return found


def percentiles(values: Floats) -> Ends:
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)


def kind_of(grouping: object) -> str:
    clusters = getattr(grouping, "clusters", 0)
    if not clusters:
        return "lone items"
    unequal = getattr(grouping, "heavy", False) or getattr(grouping, "giant", 0)
    return f"{clusters} clusters{', unequal' if unequal else ''}"


def binary(rng: Rng, runs: int, seed: int) -> Iterator[Measured]:
    setting = Binary.drawn(rng, Ranges())
    while setting.weights:
        setting = Binary.drawn(rng, Ranges())
    truth, made = setting.truth(), np.random.default_rng(seed)
    found: dict[str, dict[str, Tally]] = {name: {OURS: Tally()} for name in TABLES}
    for _ in range(runs):
        tables = setting.given(made).tables("lengths")
        stack, times = np.asarray(tables.stack, float), np.asarray(tables.times)
        counted = counted_of(tables, binary_setting((0.3, 0.7)), int(made.integers(1 << 30)))
        ours = table_intervals(counted, TABLES)
        for name, one in ours.items():
            if one is None:
                continue
            found[name][OURS].add(one, truth[name])
            lone = not setting.grouping.clusters
            for rival, limits in of_table(name, stack, times, lone=lone, rng=made).items():
                if limits is not None:
                    found[name].setdefault(rival, Tally()).add(limits, truth[name])
    for name, tallies in found.items():
        yield Measured(kind_of(setting.grouping), name, tallies)


# --- correlations -----------------------------------------------------------------------------


def of_scores(name: str, x: Floats, y: Floats, code: Ints) -> dict[str, Ends]:
    """Every named interval of one correlation."""
    statistic = STATISTICS[name]
    number, n = int(code.max()) + 1, len(x)
    with np.errstate(all="ignore"):
        value = float(statistic(x, y))
        without = np.array([statistic(x[code != c], y[code != c]) for c in range(number)])
    found: dict[str, Ends] = {}
    for scale, there, back in (
        ("", lambda v: v, lambda v: v),
        (", Fisher's scale", lambda v: np.arctanh(np.clip(v, -1 + 1e-9, 1 - 1e-9)), np.tanh),
    ):
        values = there(without)
        spread = np.sqrt((number - 1) / number * ((values - values.mean()) ** 2).sum())
        reach = float(stats.t.ppf(0.975, number - 1)) * spread
        if np.isfinite(reach):
            found[f"jackknife t{scale}"] = (
                float(back(there(value) - reach)), float(back(there(value) + reach)),
            )  # fmt: skip
    if number == n:
        inner = np.arctanh(np.clip(value, -1 + 1e-9, 1 - 1e-9))
        spread = {
            "pearson": 1 / np.sqrt(n - 3),
            "spearman": np.sqrt((1 + value**2 / 2) / (n - 3)),
            "kendall_tau_b": np.sqrt(0.437 / (n - 4)),
        }.get(name)
        if spread is not None:
            found["Fisher's z and its like"] = (
                float(np.tanh(inner - Z * spread)), float(np.tanh(inner + Z * spread)),
            )  # fmt: skip
    return found


def scores(rng: Rng, runs: int, seed: int) -> Iterator[Measured]:
    setting = Scores.drawn(rng, Ranges())
    truth, made = setting.truth(), np.random.default_rng(seed)
    found: dict[str, dict[str, Tally]] = {name: {OURS: Tally()} for name in STATISTICS}
    for _ in range(runs):
        code = setting.grouping.codes(setting.items, made)
        x, y = setting.pair(made, code)
        for name in STATISTICS:
            one = SCORE_METRICS[name].estimate(x, y, code, Draw(DRAWS, 1, LEVEL))
            if not isinstance(one, Estimate) or one.interval is None:
                continue
            found[name][OURS].add((one.interval.low, one.interval.high), truth[name])
            for rival, limits in of_scores(name, x, y, code).items():
                if limits is not None:
                    found[name].setdefault(rival, Tally()).add(limits, truth[name])
    for name, tallies in found.items():
        yield Measured(kind_of(setting.grouping), name, tallies)


# --- corrected rates --------------------------------------------------------------------------

Method = Callable[[Floats, Floats], tuple[Floats, ...]]


def labels_alone(limits: str) -> Method:
    def method(test: Floats, calibration: Floats) -> tuple[Floats, ...]:
        x, n = calibration[:, 1].sum(-1), calibration.sum((-1, -2))
        p, centre = x / n, (x + Z**2 / 2) / (n + Z**2)
        wald = Z * np.sqrt(p * (1 - p) / n)
        wilson = Z / (n + Z**2) * np.sqrt(n * p * (1 - p) + Z**2 / 4)
        return (
            (p, p - wald, p + wald)
            if limits == "Wald"
            else (p, centre - wilson, centre + wilson)
        )  # fmt: skip

    return method


def stratified_normal(test: Floats, calibration: Floats) -> tuple[Floats, ...]:
    """The stratified rate with the plug-in variance (Cochran 1977, chapter 12)."""
    labelled = calibration.sum(-2)
    pool = test + labelled
    share = pool / pool.sum(-1, keepdims=True)
    rate = calibration[:, 1] / np.maximum(labelled, 1)
    value = (share * rate).sum(-1)
    within = (share**2 * rate * (1 - rate) / np.maximum(labelled, 1)).sum(-1)
    between = (share * (rate - value[:, None]) ** 2).sum(-1) / pool.sum(-1)
    reach = Z * np.sqrt(within + between)
    return value, value - reach, value + reach


RIVALS: Mapping[str, Method] = {
    OURS: named("stratified"),
    "Jeffreys' posterior": jeffreys_posterior,
    "PPI++ as published": ppi_published,
    "PPI++ adjusted": named("power_tuned"),
    "PPI adjusted": named("difference"),
    "labels only, hedged": named("calibration_only"),
    "labels only, Wilson": labels_alone("Wilson"),
    "labels only, Wald": labels_alone("Wald"),
    "stratified, normal": stratified_normal,
}


def rates(rng: Rng, runs: int, seed: int) -> Iterator[Measured]:
    scenario = Scenario(
        theta=float(1 / (1 + np.exp(-rng.uniform(-4, 4)))),
        n=int(rng.choice([100, 300, 1000, 5000])),
        m=int(rng.choice([30, 60, 120, 250, 500])),
        q0=float(rng.choice([0.6, 0.75, 0.85, 0.95, 0.99])),
        q1=float(rng.choice([0.6, 0.75, 0.85, 0.95, 0.99])),
        design=str(rng.choice(["random", "by_verdict"])),
    )
    test, calibration = draw(scenario, runs, np.random.default_rng(seed))
    tallies = {}
    for name, method in RIVALS.items():
        if scenario.design == "by_verdict" and ("PPI" in name or "labels only" in name):
            continue  # these need labels drawn at random
        value, low, high = method(test, calibration)
        ok = np.isfinite(value)
        tallies[name] = tally_of(low[ok], high[ok], scenario.theta)
    rare = scenario.m * min(scenario.theta, 1 - scenario.theta)
    kind = f"{scenario.design}, {'fewer than 5' if rare < 5 else '5 or more'} of the rarer label"
    yield Measured(kind, "prevalence", tallies)


def tally_of(low: Floats, high: Floats, truth: float) -> Tally:
    """Intervals of a rate in many studies, cut to 0 and 1."""
    held = (low <= truth + 1e-9) & (truth <= high + 1e-9)
    length = (np.clip(high, 0, 1) - np.clip(low, 0, 1)).sum()
    return Tally(held=int(held.sum()), runs=len(low), length=float(length), finite=len(low))


def clusters(rng: Rng, runs: int, seed: int) -> Iterator[Measured]:
    """Of a system or an option, by how unequal clusters are."""
    setting = Clustered.drawn(rng)
    cells = setting.cells(runs, np.random.default_rng(seed))
    while len(cells) < runs / 2:  # hardly a study has enough labels
        setting = Clustered.drawn(rng)
        cells = setting.cells(runs, np.random.default_rng(seed))
    tallies = {OURS: tally_of(*clustered_rates.ours(cells), setting.rate)}
    for name, low, high in clustered_rates.named(cells):
        ok = np.isfinite(low + high)
        tallies[name] = tally_of(low[ok], high[ok], setting.rate)
    if tallies[OURS].short:
        print(setting, round(tallies[OURS].coverage, 3), flush=True)
    yield Measured(setting.kind(cells), "prevalence", tallies)


def systems(rng: Rng, runs: int, seed: int) -> Iterator[Measured]:
    yield Measured(*length_differences.systems(rng, runs, seed))


def judges(rng: Rng, runs: int, seed: int) -> Iterator[Measured]:
    for one in length_differences.judges(rng, runs, seed):
        yield Measured(*one)


FAMILIES: Mapping[str, Callable[[Rng, int, int], Iterator[Measured]]] = {
    "binary": binary,
    "scores": scores,
    "rates": rates,
    "clusters": clusters,
    "systems": systems,
    "judges": judges,
}


def table(found: list[Measured]) -> Iterator[str]:
    """By kind of setting and interval: coverage, and the factor to the shortest that covers."""
    yield (
        "| Settings | Interval of | Number | Lowest coverage | none covers | x shortest: median |"
        " mean | largest | above 1.15 |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for kind in sorted({one.kind for one in found}):
        for name in dict.fromkeys(one.name for one in found):
            here = [one for one in found if (one.kind, one.name) == (kind, name)]
            here = [one for one in here if one.tallies[OURS].runs]
            if not here:
                continue
            factors = np.array([one.factor for one in here if one.factor is not None])
            lowest = min(one.tallies[OURS].coverage for one in here)
            told = (
                f"{np.median(factors):.2f} | {factors.mean():.2f} | {factors.max():.2f} |"
                f" {int((factors > 1.15).sum())}"
                if len(factors)
                else " | | | "
            )
            yield (
                f"| {kind} | `{name}` | {len(here)} | {lowest:.3f} | {len(here) - len(factors)} |"
                f" {told} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", choices=list(FAMILIES))
    parser.add_argument("--settings", type=int, default=40)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    start, rng = time.process_time(), np.random.default_rng(arguments.seed)
    found = [
        one
        for k in range(arguments.settings)
        for one in FAMILIES[arguments.family](rng, arguments.runs, arguments.seed + 1_000 * k)
    ]
    print(f"Named: {CANDIDATES[arguments.family]}.\n")
    print("\n".join(table(found)))
    print(f"\n{time.process_time() - start:.0f} s")


if __name__ == "__main__":
    main()
