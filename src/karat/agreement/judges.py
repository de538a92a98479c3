"""One judge against people: every metric of the scale, at each aggregation level.

Micro pools all decisions; macro averages the criteria, each counting once; item reduces an item's
criteria to one verdict (met when all are). They answer different questions (section 5.1), and each
is resampled by its own unit: clusters for micro, criteria for macro, items' clusters for item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.agreement.metrics import METRICS, Metric, Setting, estimate, metrics_for
from karat.agreement.modes import Mode, Tables, resolved
from karat.coefficients import agreement_weights
from karat.counts import Units
from karat.intervals import HedgedDraws, hedged_draws, hedged_tail
from karat.results import Estimate, Interval, Result, Row, Undefined
from karat.task import Task

__all__ = ["Draw", "criterion_rows", "item_level", "item_rows", "macro_rows", "micro_rows",
           "setting_of"]  # fmt: skip

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: What is reported beside the micro level, where all metrics are.
MAIN = ("accuracy", "balanced_accuracy", "youden_j", "f1", "macro_f1", "cohen_kappa",
        "weighted_kappa", "phi", "mcc", "gwet_ac1", "spearman")  # fmt: skip


@dataclass(frozen=True)
class Draw:
    """How intervals are drawn: number of draws, seed, confidence level."""

    draws: int
    seed: int
    confidence_level: float


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
    return Setting(task.scale, tables.size, positive, weights, name)


def _declared(task: Task, mode: Mode, level: str, unit: str) -> dict[str, object]:
    out: dict[str, object] = {
        "scale": task.scale, "reference": task.reference, "abstentions": mode.abstentions,
        "invalids": mode.invalids, "level": level, "resampling_unit": unit,
    }  # fmt: skip
    if mode.abstentions == "recode":
        out["recode_to"] = mode.recode_to
    if task.tie is not None:
        out["ties"] = mode.ties
    return out


def _draws(tables: Floats, times: Ints, draw: Draw) -> HedgedDraws:
    """Clustered as soon as a cluster holds more than one decision."""
    clustered = bool((tables.sum(tuple(range(1, tables.ndim))) > 1 + 1e-9).any())
    return hedged_draws(tables, times, draws=draw.draws, seed=draw.seed, clustered=clustered)


def _items(tables: Tables) -> int:
    return int(tables.n[tables.cells.any((1, 2))].sum())


def micro_rows(
    task: Task,
    tables: Tables,
    mode: Mode,
    draw: Draw,
    about: Mapping[str, str | None],
    *,
    only: Sequence[str] | None = None,
) -> list[Row]:
    """All metrics of the pooled decisions."""
    setting = setting_of(task, tables)
    stack, times = tables.clusters()
    metrics = [m for m in metrics_for(setting) if only is None or m.name in only]
    if not len(stack):
        reason = "no item has both a counted verdict and a reference"
        return [Row(Undefined(m.name, reason, 0), about) for m in metrics]
    drawn = _draws(stack[:, 0], times, draw)
    unit = task.cluster if drawn.clustered else "decision"
    declared = _declared(task, mode, str(about.get("level")), unit)
    return [
        Row(
            estimate(
                metric, tables.total, setting, drawn, n_items=_items(tables),
                confidence_level=draw.confidence_level, declared=declared,
            ),
            about,
        )
        for metric in metrics
    ]  # fmt: skip


def criterion_rows(
    task: Task, tables: Tables, codes: Ints, labels: Sequence[str]
) -> list[tuple[str, int, Floats]]:
    """Each criterion's number of items and summed table."""
    out = []
    for code, label in enumerate(labels):
        mine = codes == code
        part = replace(
            tables, cells=tables.cells[mine], n=tables.n[mine], cluster=tables.cluster[mine]
        )
        out.append((label, _items(part), part.total))
    return out


def macro_rows(
    task: Task,
    tables: Tables,
    mode: Mode,
    draw: Draw,
    about: Mapping[str, str | None],
    codes: Ints,
    labels: Sequence[str],
) -> list[Row]:
    """The unweighted mean over criteria of the main metrics; degenerate criteria are named.

    The interval asks what other criteria of this kind would give: it draws the clusters' weights
    and, on top, the criteria with replacement. `these_criteria` in `declared` is the interval for
    exactly these criteria.
    """
    setting = setting_of(task, tables)
    stack, times = tables.clusters(codes, len(labels))
    rows: list[Row] = []
    if not len(stack):
        return rows
    total = np.tensordot(times, stack, axes=1)
    clustered = bool((stack.sum((-1, -2)) > 1 + 1e-9).any())
    drawn = hedged_draws(stack, times, draws=draw.draws, seed=draw.seed, clustered=clustered)
    rng = np.random.default_rng(draw.seed)
    picks = rng.integers(0, len(labels), size=(draw.draws, len(labels)))
    declared = _declared(task, mode, "macro", "criterion")
    for metric in metrics_for(setting):
        if metric.name in MAIN:
            result = _macro(metric, total, setting, drawn, picks, labels, draw, declared)
            if isinstance(result, Estimate):
                result = replace(result, n_items=_items(tables))
            rows.append(Row(result, about))
    return rows


def _macro(
    metric: Metric,
    total: Floats,
    setting: Setting,
    drawn: HedgedDraws,
    picks: Ints,
    labels: Sequence[str],
    draw: Draw,
    declared: Mapping[str, object],
) -> Result:
    values = metric.compute(total, setting)
    defined = np.isfinite(values)
    n_items = round(float(total.sum()))
    if not defined.any():
        return Undefined(metric.name, f"undefined for every criterion: {metric.undefined}", n_items)
    lost = [label for label, ok in zip(labels, defined, strict=True) if not ok]
    value = float(values[defined].mean())
    tail = hedged_tail(drawn, draw.confidence_level)
    lower = metric.compute(drawn.lower, setting)[:, defined]
    upper = metric.compute(drawn.upper, setting)[:, defined]
    these = [
        min(value, float(np.nanquantile(np.nanmean(lower, 1), tail))),
        max(value, float(np.nanquantile(np.nanmean(upper, 1), 1 - tail))),
    ]
    interval, warnings = None, []
    number = int(defined.sum())
    if number > 1:
        from scipy.special import ndtr, stdtrit

        chosen = picks[:, :number] % number
        wide = -stdtrit(number - 1, (1 - draw.confidence_level) / 2)
        tail = float(ndtr(-wide * np.sqrt(number / (number - 1))))
        low = np.nanquantile(np.take_along_axis(lower, chosen, 1).mean(1), tail)
        high = np.nanquantile(np.take_along_axis(upper, chosen, 1).mean(1), 1 - tail)
        method = f"criteria and clusters resampled ({draw.draws} draws, {number} criteria)"
        interval = Interval(
            min(float(low), these[0]), max(float(high), these[1]), draw.confidence_level, method
        )
    if lost:
        warnings.append(f"undefined for and left out of the mean: {', '.join(lost)}")
    return Estimate(
        metric.name, value, interval, n_items, number,
        {**declared, "criteria": number, "these_criteria": these}, (), tuple(warnings),
    )  # fmt: skip


# --- item level -------------------------------------------------------------------------------


def item_level(units: Units, verdict: Ints, mode: Mode, names: Ints) -> Tables | None:
    """Tables of whole items: positive when every criterion is, over criteria that count.

    `names[P, k]` are codes that name the item of each pattern. None unless the scale is binary.
    """
    task = units.task
    if task.scale != "binary" or task.positive is None:
        return None
    positive = units.options.index(task.positive)
    tables = resolved(units, verdict, mode)
    if len(tables.labels) != 2:
        return None
    used = tables.cells.any((1, 2))
    if not used.any():
        return None
    item, inverse = np.unique(names[used], axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    cells = tables.cells[used]
    weight = cells.sum((1, 2))
    # A soft or repeated decision meets its criterion with the share of its votes.
    met = np.stack([cells[:, positive, :].sum(1), cells[:, :, positive].sum(1)], 1)
    met = met / weight[:, None]
    both = np.ones((len(item), 2))
    np.multiply.at(both, inverse, met)
    cluster = np.zeros(len(item), np.int64)
    cluster[inverse] = units.cluster[used]
    shares = np.stack([both, 1 - both], 2)  # side, met / not met
    out = np.einsum("ir,iv->irv", shares[:, 0], shares[:, 1])
    if positive == 1:
        out = out[:, ::-1, ::-1]
    return Tables(tables.labels, 2, out, np.ones(len(item), np.int64), cluster, False)


def item_rows(
    task: Task, tables: Tables, mode: Mode, draw: Draw, about: Mapping[str, str | None]
) -> list[Row]:
    rows = micro_rows(task, tables, mode, draw, about, only=MAIN)
    out = []
    for row in rows:
        result = row.result
        if isinstance(result, Estimate):
            rule = {**result.declared, "item_rule": "positive when every criterion is"}
            result = replace(result, declared=rule)
        out.append(Row(result, row.about))
    return out


assert set(MAIN) <= set(METRICS)
