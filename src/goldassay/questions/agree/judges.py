"""One judge against people: every metric of the scale over all decisions, pooled (micro)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from goldassay.formulas.agreement import agreement_weights
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import HedgedDraws, hedged_draws
from goldassay.questions.agree.metrics import Setting, estimate, metrics_for
from goldassay.questions.agree.modes import Mode, Tables
from goldassay.ratings.task import Task
from goldassay.results import Row, Undefined

__all__ = ["Draw", "counted_items", "declared_of", "micro_rows", "setting_of"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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


def declared_of(task: Task, mode: Mode, level: str, unit: str) -> dict[str, object]:
    """What every number of a table carries: scale, reference, handling, level, resampling."""
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
    return out


def _draws(tables: Floats, times: Ints, draw: Draw) -> HedgedDraws:
    """Clustered as soon as a cluster holds more than one decision."""
    clustered = bool((tables.sum(tuple(range(1, tables.ndim))) > 1 + 1e-9).any())
    return hedged_draws(tables, times, draws=draw.draws, seed=draw.seed, clustered=clustered)


def counted_items(tables: Tables) -> int:
    """Units that count in any cell."""
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
    declared = declared_of(task, mode, str(about.get("level")), unit)
    return [
        Row(
            estimate(
                metric,
                tables.total,
                setting,
                drawn,
                n_items=counted_items(tables),
                confidence_level=draw.confidence_level,
                declared=declared,
            ),
            about,
        )
        for metric in metrics
    ]
