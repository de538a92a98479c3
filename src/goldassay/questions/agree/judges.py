"""One judge against people: every metric of the scale over all decisions, pooled (micro)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from goldassay.formulas.agreement import agreement_weights
from goldassay.frozen import dataclass
from goldassay.inference.cells import Cells, several_decisions
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import Prior, hedged_draws
from goldassay.inference.strata import stratified_draws
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Counted, Setting, TableMetric
from goldassay.questions.agree.modes import Mode, Tables
from goldassay.ratings.task import Task
from goldassay.results import Result, Undefined

__all__ = [
    "Reading",
    "counted",
    "counted_items",
    "declared_of",
    "estimates",
    "metrics_for",
    "micro_results",
    "setting_of",
]


@dataclass(frozen=True)
class Reading:
    """How tables of verdicts become results: what is declared, the handling, the draws."""

    task: Task
    mode: Mode
    draw: Draw


def setting_of(task: Task, tables: Tables) -> Setting:
    """What the tables mean under the task: positive option, weights over all their classes."""
    classes = len(tables.labels)
    positive = None
    if tables.size == 2 and classes == 2:
        named = task.positive if task.positive in tables.labels else None
        if task.scale in ("binary", "pairwise"):
            positive = tables.labels.index(named) if named else 0
    weights = np.eye(classes)
    if isinstance(task.weights, str):
        weights[: tables.size, : tables.size] = agreement_weights(task.weights, tables.size)
        name = task.weights
    else:
        given = np.asarray(task.weights, dtype=float)
        keep = min(len(given), classes)
        weights[:keep, :keep] = given[:keep, :keep]
        name = str([list(row) for row in task.weights])
    shares = None
    if task.prevalence:
        shares = np.array([task.prevalence.get(label, 0.0) for label in tables.labels])
    return Setting(task.scale, tables.size, positive, weights, name, prevalence=shares)


def metrics_for(setting: Setting) -> list[TableMetric]:
    """The metrics of a scale. A binary task with a third class is read as nominal."""
    nominal = setting.scale == "binary" and setting.positive is None
    scale = "nominal" if nominal else setting.scale
    if setting.scale == "pairwise" and setting.positive is not None and setting.size == 2:
        scale = "binary"  # ties resolved: the two sides are a binary outcome
    lacking = {"weights"} if setting.weights_name == "unweighted" else set()
    lacking |= {"prevalence"} if setting.prevalence is None else set()
    return [
        metric
        for metric in TABLE_METRICS.values()
        if scale in metric.scales and not lacking & set(metric.needs)
    ]


def declared_of(reading: Reading, level: str, unit: str) -> dict[str, object]:
    """What every number of a table carries: scale, reference, handling, level, resampling."""
    task, mode = reading.task, reading.mode
    out: dict[str, object] = {
        "scale": task.scale,
        "reference": task.reference,
        "abstentions": mode.abstentions,
        "invalids": mode.invalids,
        "level": level,
        "resampling_unit": unit,
    }
    if mode.abstentions == "recode":
        out["recode_to"] = mode.recode_to
    if task.tie is not None:
        out["ties"] = mode.ties
    if task.calibration == "by_verdict":  # labels count by that draw (`questions/drawing.py`)
        out["calibration"] = task.calibration
    return out


def counted_items(tables: Tables) -> int:
    """Units that count in any cell."""
    return int(tables.n[tables.decided].sum())


def counted(tables: Tables, setting: Setting, draw: Draw) -> Counted | None:
    """The pooled decisions of a judge with their draws; None where none counts.

    Clustered as soon as a cluster holds more than one decision.
    """
    stack, times = tables.clusters()
    if not len(times):
        return None
    one = stack if isinstance(stack, Cells) else stack[:, 0]
    if (strata := tables.strata) is not None:
        within = stratified_draws(
            strata,
            draws=draw.draws,
            seed=draw.seed,
            clustered=bool((strata.cells.sum(1) > 1 + 1e-9).any()),
            n_clusters=int(times.sum()),
        )
        return Counted(tables.total, setting, within, counted_items(tables), one, times)
    drawn = hedged_draws(
        one,
        times,
        draws=draw.draws,
        seed=draw.seed,
        clustered=several_decisions(one),
        prior=Prior(setting),
    )
    return Counted(tables.total, setting, drawn, counted_items(tables), one, times)


def estimates(
    found: Counted, metrics: Iterable[TableMetric], reading: Reading, *, level: str = "micro"
) -> tuple[Result, ...]:
    """Metrics of the same decisions, each with what it declares."""
    unit = reading.task.cluster if found.drawn.clustered else "decision"
    declared = declared_of(reading, level, unit)
    confidence = reading.draw.confidence_level
    return tuple(
        metric.estimate(found, confidence_level=confidence, declared=declared) for metric in metrics
    )


def micro_results(
    tables: Tables, reading: Reading, *, level: str = "micro", only: Sequence[str] | None = None
) -> tuple[Result, ...]:
    """All metrics of the pooled decisions; `only` some of them, at another level of decisions."""
    setting = setting_of(reading.task, tables)
    metrics = [m for m in metrics_for(setting) if only is None or m.name in only]
    found = counted(tables, setting, reading.draw)
    if found is None:
        reason = "no item has both a counted verdict and a reference"
        return tuple(Undefined(metric.name, reason, 0) for metric in metrics)
    return estimates(found, metrics, reading, level=level)
