"""The levels above single decisions: criteria (macro) and whole items (item).

Micro pools all decisions; macro averages the criteria, each counting once; item reduces an item's
criteria to one verdict on each side and compares these. They answer different questions (Rao and
Callison-Burch 2026, section 5.1), and each is resampled by its own unit: clusters for micro,
criteria (with the clusters) for macro, items' clusters for item.

How criteria become an item's verdict follows from the scale (`SCALES`), or is a weighted sum with a
threshold where the task declares one (`rubric`). Each side is reduced by itself: a criterion on
which one side abstains is still one that the other side rated. Several people or repeated samples
give a criterion in shares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import By, Resolution, Units, column_shares, compared
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.inference.cells import several_decisions, total_of
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
from goldassay.questions.agree.modes import Mode, Tables, resolved
from goldassay.questions.agree.rubric import (
    criterion_weights,
    item_rule_words,
    rule_of,
    weighted_sum,
)
from goldassay.results import Estimate, Interval, Result, Undefined
from goldassay.words import counted, percent

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
    units: Units, verdict: Ints, mode: Mode, items: Ints, weights: Floats | None = None
) -> tuple[Tables, LeftOut]:
    """Tables of whole items against verdicts [P, S], and what is left out of them.

    Each side's criteria are reduced to its own verdict, in which abstained, invalid and open are
    classes; the two verdicts are then compared as those of single decisions are. An item's criteria
    are those that people were asked about. `weights` are those of the patterns' criteria [P], where
    the task has a weighted rule.
    """
    task, size = units.task, len(units.options)
    resolution = Resolution(units, mode)
    people, judge = resolution.sides(column_shares(verdict, size))
    given: npt.NDArray[np.bool_] = np.asarray((verdict >= 0).any(axis=1))
    used = people.any(axis=1) & _has(items, given) & _criteria_of(units, given)
    pattern = np.flatnonzero(used)
    found, item = np.unique(items[used], return_inverse=True)
    item = item.reshape(-1)
    rule = rule_of(task, _positive(units))
    sides = []
    for shares in (people[used], judge[used]):
        if rule is not None and weights is not None:
            sides.append(weighted_sum(rule, shares, weights[used], item, len(found)))
        else:
            sides.append(_verdicts(units, shares, item, len(found)))
    number = np.maximum(np.bincount(item, minlength=len(found)), 1)
    weight = np.bincount(item, resolution.weight[used], len(found)) / number
    reference = sides[0][:, : size + 1]
    cells, labels, kept = compared(reference, sides[1] * weight[:, None], units, mode)
    last = np.zeros(len(found), np.int64)
    last[item] = pattern
    # Whole items are of no one stratum each: they count by weight.
    of = units.n[last], units.cluster[last], units.single, units.alike
    whole = Tables(labels, kept, cells, *of, None, reference)
    n, decided = whole.n, whole.decided
    open_ = ~decided & ((sides[0][:, size:].sum(1) > 0) | (sides[1][:, size:].sum(1) > 0))
    return whole, LeftOut(int(n[open_].sum()), int(n[~decided & ~open_].sum()))


@dataclass(frozen=True)
class LeftOut:
    """Items whose verdict hangs on a criterion that a side left open; whose criteria are level."""

    open: int
    level: int

    def words(self, whole: Tables) -> tuple[str, ...]:
        """What is left out, and how far that might move accuracy."""
        kept = counted_items(whole)
        every, found = kept + self.open + self.level, []
        if self.level:
            level = "their criteria are level"
            found.append(f"{counted(self.level, 'item')} of {every:,} left out: {level}")
        if self.open:
            agreed = float((whole.hits / np.maximum(whole.sizes, 1e-12)) @ whole.n)
            low, high = agreed / (kept + self.open), (agreed + self.open) / (kept + self.open)
            found.append(
                f"{counted(self.open, 'item')} of {every:,} left out: what they count as hangs on "
                "a criterion that a side abstained on or left out; with them accuracy could lie "
                f"anywhere from {percent(low, (high, None))} to {percent(high, (low, None))}"
            )
        return tuple(found)


def _has(items: Ints, given: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The patterns [P] of items on some criterion of which the judge has a verdict."""
    return np.isin(items, items[given])


def _criteria_of(units: Units, given: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The patterns [P] of criteria on which the judge has verdicts: others it was never asked."""
    found = units.by.get("criterion")
    return given | True if found is None else np.isin(found.codes, found.codes[given])


def _verdicts(units: Units, shares: Floats, item: Ints, items: int) -> Floats:
    """One side's verdict of each item [I, L] from its criteria's shares [P, L]; a row sums to 1.

    A row of zeros is an item that its criteria leave level.
    """
    task, size = units.task, len(units.options)
    if task.scale == "binary":
        return _conjunction(shares, item, items, _positive(units))
    sums = np.zeros((items, shares.shape[1]))
    np.add.at(sums, item, shares)
    options = sums[:, :size]
    if task.scale == "ordinal":
        at = np.nan_to_num(ratio(options @ np.arange(size), options.sum(1)))
        out = np.eye(sums.shape[1])[np.floor(at + 0.5 + 1e-9).astype(np.int64)]
    elif task.scale == "pairwise":
        out = _more_wins(units, sums)
    else:
        return _most(sums)
    # No criterion has an option: what most of them are instead.
    return np.where((options.sum(1) > 1e-9)[:, None], out, _most(sums))


def _positive(units: Units) -> int:
    positive = units.task.positive
    return units.options.index(positive) if positive in units.options else 0


def _conjunction(shares: Floats, item: Ints, items: int, positive: int) -> Floats:
    """All criteria met: one that is not decides, then one that is open, invalid or abstained."""
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


def _more_wins(units: Units, sums: Floats) -> Floats:
    """The side with more criteria; level ones are a tie, where there is one."""
    tie = units.task.tie
    first, second = (k for k, label in enumerate(units.options) if label != tie)
    ahead = np.round(sums[:, first] - sums[:, second], 9)
    out = np.zeros_like(sums)
    out[ahead > 0, first] = 1.0
    out[ahead < 0, second] = 1.0
    if tie is not None:
        out[ahead == 0, units.options.index(tie)] = 1.0
    return out


def item_results(
    units: Units, verdict: Ints, reading: Reading, items: Ints | None
) -> tuple[Result, ...]:
    """The main metrics of whole items, resampled by the items' clusters."""
    task = reading.task
    if items is None:
        tables = resolved(units, verdict, reading.mode)
        metrics = [m for m in metrics_for(setting_of(task, tables)) if m.name in MAIN]
        reason = "the counts do not say which decisions belong to one item: count them by item"
        return tuple(Undefined(metric.name, reason, 0) for metric in metrics)
    whole, left = item_tables(units, verdict, reading.mode, items, criterion_weights(units))
    rule = item_rule_words(task)
    warnings = left.words(whole)

    def of_items(result: Result) -> Result:
        if isinstance(result, Undefined):
            return replace(result, reason="; ".join((result.reason, *warnings)))
        declared = {**result.declared, "resampling_unit": task.cluster, "item_rule": rule}
        return replace(result, declared=declared, warnings=(*result.warnings, *warnings))

    return tuple(map(of_items, micro_results(whole, reading, level="item", only=MAIN)))
