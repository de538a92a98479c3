"""Collot et al., "Balanced Accuracy: The Right Metric for Evaluating LLM Judges".

Tables 1 and 2 from their counts, table 3 and figures 3 to 5 by simulation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from goldassay.charts import HeatMap, Line, Series
from goldassay.lab.scenarios.selection import (
    METRICS,
    Choice,
    Scenarios,
    golden_metrics,
    simulate_choice,
)
from goldassay.results import Gathered, Table

__all__ = ["CASES", "TABLE_3", "reproduce"]

#: Tables 1 and 2: TP, FP, TN, FN of two judges, and the F1, macro-F1, accuracy, BA as printed.
CASES: Mapping[str, Mapping[str, tuple[tuple[int, int, int, int], tuple[float, ...]]]] = {
    "table 1": {
        "Judge A": ((63, 133, 784, 20), (0.45, 0.68, 0.85, 0.81)),
        "Judge B": ((47, 69, 848, 36), (0.47, 0.71, 0.90, 0.75)),
    },
    "table 2": {
        "Judge A": ((50, 20, 780, 150), (0.37, 0.64, 0.83, 0.61)),
        "Judge B": ((40, 0, 800, 160), (0.33, 0.62, 0.84, 0.60)),
    },
}
_PRINTED = ("f1", "macro_f1", "accuracy", "balanced_accuracy")

#: Table 3: success rate and mean ranking gap, as printed.
TABLE_3 = {
    "balanced_accuracy": (0.752, 0.033),
    "macro_f1": (0.707, 0.049),
    "accuracy": (0.675, 0.067),
    "f1": (0.617, 0.094),
}

REGIMES = {"balanced": (0.3, 0.7), "mildly rare": (0.05, 0.2), "very rare": (0.005, 0.05)}
SIZES = (25, 50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_000)

#: The golden-set prevalences tried for table 3, which does not give its own.
PREVALENCES = {
    "U(0.5, 1)": (0.5, 1.0),
    "U(0, 1)": (0.0, 1.0),
    "U(0.01, 0.5)": (0.01, 0.5),
    "U(0.3, 0.7)": (0.3, 0.7),
    "0.8": (0.8, 0.8),
}


def reproduce(*, quick: bool, seed: int, data: Path | None) -> Gathered:
    """Tables 1 to 3 and figures 3 to 5. The paper has no published data: `data` is not used."""
    del data
    scenarios = 4_000 if quick else 100_000
    findings = Gathered()
    _worked_cases(findings)
    table_3 = _table_3(findings, scenarios, seed)
    appendix = Scenarios(scenarios=scenarios, evaluation_items=2_000, golden_items=2_000)
    regimes = {
        name: simulate_choice(replace(appendix, golden_prevalence=span), seed=seed)
        for name, span in REGIMES.items()
    }
    _regimes(findings, regimes)
    sizes = SIZES[::3] if quick else SIZES
    mild = replace(appendix, golden_prevalence=(0.05, 0.5))
    golden = {n: simulate_choice(replace(mild, golden_items=n), seed=seed) for n in sizes}
    evaluation = {n: simulate_choice(replace(mild, evaluation_items=n), seed=seed) for n in sizes}
    _sizes(findings, "figure_4", "golden items", "ranking loss", golden)
    _sizes(findings, "figure_5", "items judged per system", "success", evaluation)

    everything = [table_3, *regimes.values(), *golden.values(), *evaluation.values()]
    least = sum(_has_least_gap(choices) for choices in everything)
    told = sum(_has_least_gap(choices, errors=2) for choices in everything)
    ours, paper = table_3["balanced_accuracy"], TABLE_3["balanced_accuracy"]
    findings.answer.append(
        f"Balanced accuracy chose the best judge in {100 * ours.success:.1f} % of {scenarios:,} "
        f"scenarios (the paper: {100 * paper[0]:.1f} %). The judges it chose order systems by "
        f"{ours.gap:.3f} less accurately than the best judge would (the paper: {paper[1]:.3f})."
    )
    findings.answer.append(
        f"It lost least of the four metrics in {least} of {len(everything)} settings, in {told} by "
        "more than twice the Monte Carlo error."
    )
    findings.warnings.append(
        "The paper does not give the prevalence of table 3's golden set, and gives both 200 and "
        "800 (section 6.3) and 2,000 and 2,000 (appendix A) as its sizes; U(0.5, 1) with 200 and "
        "800 comes closest. Figures 4 and 5 do not give it either: U(0.05, 0.5) is used."
    )
    return findings


def _worked_cases(findings: Gathered) -> None:
    rows: list[tuple[Any, ...]] = []
    for case, judges in CASES.items():
        for judge, ((tp, fp, tn, fn), printed) in judges.items():
            counts = (np.array([count]) for count in (tp, fp, tp + fn, tn + fp))
            metrics = {name: float(value[0]) for name, value in golden_metrics(*counts).items()}
            youden_j = 2 * metrics["balanced_accuracy"] - 1
            ours = [round(metrics[name], 3) for name in _PRINTED]
            rows.append((case, judge, *ours, round(youden_j, 3), _listed(printed)))
    findings.tables["cases"] = Table(
        "Tables 1 and 2: two judges on golden sets of 1,000",
        ("case", "judge", *_PRINTED, "youden_j", "paper"),
        tuple(rows),
        ("The paper's column has F1, macro-F1, accuracy and balanced accuracy as printed.",),
    )


def _table_3(findings: Gathered, scenarios: int, seed: int) -> Mapping[str, Choice]:
    section = Scenarios(scenarios=scenarios)
    by_prevalence = {
        name: simulate_choice(replace(section, golden_prevalence=span), seed=seed)
        for name, span in PREVALENCES.items()
    }
    closest = by_prevalence["U(0.5, 1)"]
    findings.tables["table_3"] = Table(
        f"Table 3: {scenarios:,} scenarios, 200 evaluation and 800 golden items",
        ("metric", "success", "paper's success", "gap", "paper's gap", "success, ties counted"),
        tuple(
            (
                name,
                *_pair(closest[name].success, TABLE_3[name][0]),
                *_pair(closest[name].gap, TABLE_3[name][1]),
                round(closest[name].success_or_tie, 3),
            )
            for name in METRICS
        ),
        (
            "Golden-set prevalence U(0.5, 1). Several judges often rank the systems equally "
            "well; the "
            "paper's success counts only the first of them.",
        ),
    )
    findings.tables["table_3_prevalence"] = Table(
        "Table 3 under other golden-set prevalences: success and gap",
        ("prevalence", *METRICS),
        tuple(
            (
                name,
                *(
                    f"{choices[metric].success:.3f}, {choices[metric].gap:.3f}"
                    for metric in METRICS
                ),
            )
            for name, choices in by_prevalence.items()
        ),
    )
    return closest


def _regimes(findings: Gathered, regimes: Mapping[str, Mapping[str, Choice]]) -> None:
    findings.tables["figure_3"] = Table(
        "Figure 3: golden-set prevalence (2,000 evaluation and 2,000 golden items)",
        ("regime", "metric", "success", "gap"),
        tuple(
            (regime, name, round(choices[name].success, 3), round(choices[name].gap, 3))
            for regime, choices in regimes.items()
            for name in METRICS
        ),
    )
    findings.charts.append(
        HeatMap(
            title="Ranking loss by golden-set prevalence",
            x_label="golden-set prevalence",
            y_label="metric",
            x_labels=list(regimes),
            y_labels=list(METRICS),
            values=[[choices[name].gap for choices in regimes.values()] for name in METRICS],
            format=".3f",
            alt="Which metric loses least: "
            + "; ".join(f"{regime}, {_of_least_gap(one)}" for regime, one in regimes.items())
            + ".",
        )
    )


def _sizes(
    findings: Gathered,
    name: str,
    axis: str,
    outcome: str,
    by_size: Mapping[int, Mapping[str, Choice]],
) -> None:
    sizes: Sequence[int] = list(by_size)
    figure = name.replace("_", " ").capitalize()
    findings.tables[name] = Table(
        f"{figure}: {axis} (success, gap)",
        (axis, *METRICS),
        tuple(
            (
                size,
                *(
                    f"{by_size[size][metric].success:.3f}, {by_size[size][metric].gap:.3f}"
                    for metric in METRICS
                ),
            )
            for size in sizes
        ),
    )
    findings.charts.append(
        Line(
            title=f"{figure}: {outcome} by {axis}",
            x_label=f"{axis} (log10)",
            y_label=outcome,
            series=[
                Series(
                    metric,
                    [float(np.log10(size)) for size in sizes],
                    [
                        by_size[size][metric].gap
                        if outcome == "ranking loss"
                        else by_size[size][metric].success
                        for size in sizes
                    ],
                )
                for metric in METRICS
            ],
            alt=f"{outcome.capitalize()} of the four metrics as {axis} grow from {sizes[0]} to "
            f"{sizes[-1]:,}; balanced accuracy loses least at "
            f"{sum(map(_has_least_gap, by_size.values()))} of {len(sizes)} sizes.",
        )
    )


def _of_least_gap(choices: Mapping[str, Choice]) -> str:
    return min(choices, key=lambda name: choices[name].gap)


def _has_least_gap(choices: Mapping[str, Choice], *, errors: float = 0.0) -> bool:
    """Whether balanced accuracy loses less than each other metric, by so many standard errors."""
    own = choices["balanced_accuracy"]
    return all(
        one.gap - own.gap > errors * math.hypot(one.gap_error, own.gap_error)
        for name, one in choices.items()
        if name != "balanced_accuracy"
    )


def _pair(ours: float, paper: float) -> tuple[float, float]:
    return round(ours, 3), paper


def _listed(values: Sequence[float]) -> str:
    return " ".join(f"{value:.2f}" for value in values)
