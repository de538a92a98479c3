"""The levels above single decisions: criteria (macro) and whole items (item).

Micro pools all decisions; macro averages the criteria, each counting once; item reduces an item's
criteria to one verdict on each side and compares these. They answer different questions (Rao and
Callison-Burch 2026, section 5.1), and each is resampled by its own unit: clusters for micro,
criteria (with the clusters) for macro, items' clusters for item.

How criteria become an item's verdict follows from the scale (`SCALES`), or is a weighted sum with a
threshold where the task declares one (`rubric`). Only criteria on which
both sides count are used; several people or repeated samples give a criterion in shares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import By, Units
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.inference.cells import outer_cells, several_decisions, total_of
from goldassay.inference.clusters import few_cluster_tail
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import HedgedDraws, Prior, hedged_draws, hedged_tail
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Setting, TableMetric, constant_side, counts_shown, degenerate
from goldassay.questions.agree.judges import (
    Reading,
    counted_items,
    declared_of,
    metrics_for,
    micro_results,
    setting_of,
)
from goldassay.questions.agree.modes import Mode, Tables
from goldassay.questions.agree.rubric import item_rule_words, rule_of, weighted_sum
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = [
    "MAIN",
    "CriterionAgreement",
    "each_criterion",
    "item_codes",
    "item_results",
    "item_tables",
    "macro_interval",
    "macro_results",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: What is reported beside the micro level, where all metrics are.
MAIN = tuple(name for name, metric in TABLE_METRICS.items() if metric.main)


# --- criteria ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class CriterionAgreement:
    """A judge on one criterion: the main numbers, None where there is none."""

    label: str
    n_items: int
    values: Mapping[str, float | None]
    #: Why there is no coefficient, where the criterion is degenerate, and the counts that show it.
    undefined: Undefined | None = None
    counts: str = ""


def each_criterion(
    tables: Tables, reading: Reading, criterion: By
) -> tuple[CriterionAgreement, ...]:
    """The criteria one by one; one on which a side uses a single option is degenerate."""
    setting = setting_of(reading.task, tables)
    names = ["accuracy", "cohen_kappa"]
    names += ["phi", "reference_rate", "verdict_rate"] if setting.positive is not None else []
    out = []
    for code, label in enumerate(criterion.labels):
        mine = criterion.codes == code
        part = tables.only(mine)
        total, n_items = part.total, counted_items(part)
        numbers = {name: float(TABLE_METRICS[name].compute(total, setting)) for name in names}
        values = {name: None if np.isnan(x) else x for name, x in numbers.items()}
        if not degenerate(total):
            out.append(CriterionAgreement(label, n_items, values))
            continue
        # A kappa that is 0 because a side is constant says no more than one that is 0/0.
        counts = counts_shown(total) if total.any() else "no item counts"
        reason = f"{constant_side(total)} ({counts})" if total.any() else counts
        undefined = Undefined("cohen_kappa", reason, n_items)
        values["cohen_kappa"] = None
        out.append(CriterionAgreement(label, n_items, values, undefined, counts))
    return tuple(out)


@dataclass(frozen=True)
class _Criteria:
    """Tables of the criteria [Q, L, L], what they mean, and draws of them."""

    labels: Sequence[str]
    total: Floats
    setting: Setting
    drawn: HedgedDraws
    declared: Mapping[str, object]
    n_items: int


def macro_results(tables: Tables, reading: Reading, criterion: By) -> tuple[Result, ...]:
    """The unweighted mean over criteria of the main metrics; degenerate criteria are named.

    The interval asks what other criteria of this kind would give: it draws the clusters' weights
    and, on top, the criteria with replacement. `these_criteria` in `declared` is the interval for
    exactly these criteria.
    """
    draw, labels = reading.draw, criterion.labels
    setting = setting_of(reading.task, tables)
    stack, times = tables.clusters(criterion.codes, len(labels))
    metrics = [metric for metric in metrics_for(setting) if metric.name in MAIN]
    if not len(times):
        reason = "no item has both a counted verdict and a reference"
        return tuple(Undefined(metric.name, reason, 0) for metric in metrics)
    criteria = _Criteria(
        labels=labels,
        total=total_of(stack, times),
        setting=setting,
        drawn=hedged_draws(
            stack,
            times,
            draws=draw.draws,
            seed=draw.seed,
            clustered=several_decisions(stack),
            prior=Prior(setting),
        ),
        declared=declared_of(reading, "macro", "criterion"),
        n_items=counted_items(tables),
    )
    return tuple(_macro(metric, criteria, draw) for metric in metrics)


def _macro(metric: TableMetric, criteria: _Criteria, draw: Draw) -> Result:
    total, setting, drawn = criteria.total, criteria.setting, criteria.drawn
    n_items = criteria.n_items
    values = np.where(
        degenerate(total) & metric.needs_two_options, np.nan, metric.compute(total, setting)
    )
    defined = np.isfinite(values)
    if not defined.any():
        return Undefined(metric.name, f"undefined for every criterion: {metric.undefined}", n_items)
    lost = [label for label, ok in zip(criteria.labels, defined, strict=True) if not ok]
    number = int(defined.sum())
    warnings = [f"undefined for and left out of the mean: {', '.join(lost)}"] if lost else []
    declared, interval = {**criteria.declared, "criteria": number}, None
    if drawn.clustered and drawn.n_clusters < 2:
        warnings.append("no interval: one cluster says nothing of others")
    else:
        ends = drawn.of(lambda t: metric.compute(t, setting), every_cell=metric.every_cell)
        lower, upper = (end[:, defined] for end in ends)
        tail = hedged_tail(drawn, draw.confidence_level)
        interval, these = macro_interval(values[defined], lower, upper, tail, draw)
        declared["these_criteria"] = these
        warnings += [] if interval else ["no interval: one criterion says nothing of others"]
    return Estimate(
        metric.name,
        float(values[defined].mean()),
        interval,
        n_items,
        number,
        declared,
        (),
        tuple(warnings),
    )


def macro_interval(
    values: Floats, lower: Floats, upper: Floats, tail: float, draw: Draw
) -> tuple[Interval | None, list[float]]:
    """Intervals of a mean over criteria: for criteria of this kind, and for these very ones.

    `lower` and `upper` [B, Q] are draws of the criteria's values for each end, `tail` the
    probability that each end leaves out for these criteria. For others like them the criteria are
    drawn too, with the tails of Student's t for their number; with one there is no such interval.
    """
    value, number = float(values.mean()), len(values)
    these = [
        min(value, float(np.nanquantile(np.nanmean(lower, 1), tail))),
        max(value, float(np.nanquantile(np.nanmean(upper, 1), 1 - tail))),
    ]
    if number < 2:
        return None, these
    rng = np.random.default_rng(draw.seed)
    chosen = rng.integers(0, number, size=lower.shape)
    tail = few_cluster_tail(number, draw.confidence_level, resampling="bootstrap")
    low = np.nanquantile(np.take_along_axis(lower, chosen, 1).mean(1), tail)
    high = np.nanquantile(np.take_along_axis(upper, chosen, 1).mean(1), 1 - tail)
    method = f"criteria and clusters resampled ({draw.draws} draws, {number} criteria)"
    return Interval(
        min(float(low), these[0]), max(float(high), these[1]), draw.confidence_level, method
    ), these


# --- whole items ------------------------------------------------------------------------------


def item_codes(units: Units) -> Ints | None:
    """A code [P] for the item (and system, opponent) of each pattern; None where it is not known.

    Patterns know their item when it is the cluster or one of the `by` columns.
    """
    if units.single:
        return np.arange(len(units.n), dtype=np.int64)  # each unit is an item of its own
    keys = [units.by[name].codes for name in ("item", "system", "opponent") if name in units.by]
    if "item" not in units.by:
        if units.task.cluster != "item":
            return None
        keys.insert(0, units.cluster)
    _, code = np.unique(np.column_stack(keys), axis=0, return_inverse=True)
    return np.asarray(code.reshape(-1), dtype=np.int64)


def item_tables(
    task: Task, tables: Tables, mode: Mode, items: Ints, weights: Floats | None = None
) -> tuple[Tables, int]:
    """Tables of whole items, and how many items have criteria that leave a side undecided.

    `weights` are those of the patterns' criteria [P], where the task has a weighted rule.
    """
    used = tables.decided
    cells, pattern = tables.cells.kept(used), np.flatnonzero(used)
    found, item = np.unique(items[used], return_inverse=True)
    item = item.reshape(-1)
    rule = rule_of(task, _positive(task, tables))
    sides = []
    for sums in cells.sides():
        shares = sums / tables.sizes[used][:, None]
        if rule is not None and weights is not None:
            sides.append(weighted_sum(rule, shares, weights[used], item, len(found)))
        else:
            sides.append(_verdicts(task, tables, mode, shares, item, len(found)))
    out = outer_cells(*sides)
    last = np.zeros(len(found), np.int64)
    last[item] = pattern
    n = tables.n[last] if tables.single else np.ones(len(found), np.int64)
    # Whole items are no longer of one stratum each: they count by weight.
    whole = replace(tables, cells=out, n=n, cluster=tables.cluster[last], draw=None)
    return whole, int(n[~whole.decided].sum())


def _verdicts(
    task: Task, tables: Tables, mode: Mode, shares: Floats, item: Ints, items: int
) -> Floats:
    """One side's verdict of each item [I, L] from its criteria's shares [P, L]; a row sums to 1.

    A row of zeros is an item that its criteria leave undecided.
    """
    size, labels = tables.size, tables.labels
    if task.scale == "binary":
        return _conjunction(shares, item, items, _positive(task, tables))
    sums = np.zeros((items, len(labels)))
    np.add.at(sums, item, shares)
    options = sums[:, :size]
    if task.scale == "ordinal":
        at = np.nan_to_num(ratio(options @ np.arange(size), options.sum(1)))
        out = np.eye(len(labels))[np.floor(at + 0.5 + 1e-9).astype(np.int64)]
    elif task.scale == "pairwise":
        out = _more_wins(task, tables, mode, sums)
    else:
        return _most(sums)
    # No criterion has an option: the class (abstained, invalid) that they have.
    return np.where((options.sum(1) > 1e-9)[:, None], out, _most(sums))


def _positive(task: Task, tables: Tables) -> int:
    return tables.labels.index(task.positive) if task.positive in tables.labels else 0


def _conjunction(shares: Floats, item: Ints, items: int, positive: int) -> Floats:
    """All criteria met: one that is not decides, then one that is invalid or abstained."""
    others = [k for k in range(shares.shape[1]) if k != positive]
    order = [others[0], *reversed(others[1:]), positive]
    out, left = np.zeros((items, shares.shape[1])), np.ones(items)
    spared = np.ones(len(shares))
    for k in order[:-1]:
        spared = np.clip(spared - shares[:, k], 0.0, 1.0)
        none = np.ones(items)
        np.multiply.at(none, item, spared)
        out[:, k], left = left - none, none
    out[:, positive] = left
    return out


def _most(sums: Floats) -> Floats:
    """The class with the greatest sum; none where two have it."""
    winners = np.isclose(sums, sums.max(1, keepdims=True)) & (sums > 1e-9)
    return np.asarray(winners * (winners.sum(1, keepdims=True) == 1), dtype=np.float64)


def _more_wins(task: Task, tables: Tables, mode: Mode, sums: Floats) -> Floats:
    """The side with more criteria; level ones are a tie, which counts as the task's ties do."""
    labels = tables.labels
    first, second = (k for k in range(tables.size) if labels[k] != task.tie)
    ahead = np.round(sums[:, first] - sums[:, second], 9)
    out = np.zeros_like(sums)
    out[ahead > 0, first] = 1.0
    out[ahead < 0, second] = 1.0
    if task.tie in labels:
        out[ahead == 0, labels.index(task.tie)] = 1.0
    elif task.tie is not None and mode.ties == "half":
        out[ahead == 0, first] = out[ahead == 0, second] = 0.5
    return out


def item_results(
    tables: Tables, reading: Reading, items: Ints | None, weights: Floats | None = None
) -> tuple[Result, ...]:
    """The main metrics of whole items, resampled by the items' clusters."""
    task = reading.task
    if items is None:
        metrics = [m for m in metrics_for(setting_of(task, tables)) if m.name in MAIN]
        reason = "the counts do not say which decisions belong to one item: count them by item"
        return tuple(Undefined(metric.name, reason, 0) for metric in metrics)
    whole, undecided = item_tables(task, tables, reading.mode, items, weights)
    rule = item_rule_words(task)
    warnings = (f"{undecided} items are left out: their criteria are level",) if undecided else ()

    def of_items(result: Result) -> Result:
        if isinstance(result, Undefined):
            return result
        declared = {**result.declared, "resampling_unit": task.cluster, "item_rule": rule}
        return replace(result, declared=declared, warnings=(*result.warnings, *warnings))

    return tuple(map(of_items, micro_results(whole, reading, level="item", only=MAIN)))
