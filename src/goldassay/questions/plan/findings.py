"""The plan in words, tables and charts: how many labels, on which items, at what cost."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from goldassay.counts import Units, declared_modes, resolved_tables, verdict_shares
from goldassay.errors import RatingsError, TaskError, nearest
from goldassay.questions.plan.allocation import algorithm_1
from goldassay.questions.plan.designs import (
    DESIGNS,
    FREE_VERDICTS,
    Costs,
    Design,
    Plan,
    cheapest,
    cost_ratio,
    expected_length,
    labels_for_length,
    region,
    split_labels,
)
from goldassay.questions.plan.golden_set import items_to_tell_apart
from goldassay.questions.plan.pool import Pool, pool_of
from goldassay.questions.plan.precision import JudgeRates, rogan_gladen_length
from goldassay.results import Estimate, Gathered, Table, Undefined

__all__ = ["judge_to_plan_for", "plan_for_judges", "plan_for_pool", "plan_for_rates"]

BUDGETS = (25, 50, 100, 200, 400, 800, 1_600)

#: What each design does, in the words of the tables.
WORDS: dict[Design, str] = {
    "by_verdict": "label some of each verdict",
    "random": "label at random, use verdicts",
    "by_label": "separate set, correct the rate",
    "people": "label at random, no judge",
}


def judge_to_plan_for(units: Units, judge: str | None) -> str:
    """The named judge, or the only one."""
    names = units.judge_names
    if not names:
        raise RatingsError("the ratings", "have no judge", next_step='Set kind to "judge" in rows')
    if judge is None:
        if len(names) > 1:
            raise TaskError(
                "--judge",
                f"say which of {', '.join(names)} to plan for",
                next_step="Add --judge NAME",
            )
        return names[0]
    if judge not in names:
        near = nearest(judge, names)
        raise TaskError(
            f"--judge {judge}",
            f"is not a judge of the ratings: {', '.join(names)}",
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    return judge


def plan_for_pool(
    units: Units,
    judge: str,
    *,
    length: float,
    labels: int | None = None,
    costs: Costs = FREE_VERDICTS,
) -> Gathered:
    """How many more labels of a judge's pool reach `length`, and how they should fall.

    The pool is every item with a verdict that counts; its labels so far say how spread out each
    verdict's items are. `labels` asks instead how long the interval is after so many more.
    """
    task = units.task
    if task.scale == "continuous" or (task.scale != "binary" and task.positive is None):
        raise TaskError(
            "the task",
            "planning is for the rate of a positive option",
            next_step="Declare the options, and positive = one of them",
        )
    pool = pool_of(units, judge)
    if not len(pool.items):
        raise RatingsError("the ratings", f"{judge} has no verdict that counts")
    findings = Gathered()
    level = task.confidence_level
    if not pool.labelled.any():
        findings.warnings.append(
            "No item is labelled yet: half of each verdict's items are taken as positive, which "
            "asks for the most labels. Label a pilot (--next 20) and plan again."
        )
    if task.calibration in ("separate", "by_label"):
        findings.warnings.append(
            f'The task declares calibration = "{task.calibration}". These numbers are for labels '
            'drawn from the judged pool, by verdict (calibration = "by_verdict").'
        )
    _answer_pool(findings, pool, judge, length=length, labels=labels, level=level)
    _pool_table(findings, pool, length=length, labels=labels, level=level)
    rates = pool.rates
    items = int(pool.items.sum())
    _add_designs(findings, rates, items, length=length, labels=labels, costs=costs, level=level)
    _add_curve(findings, rates, items, length=length, level=level)
    _add_region(findings, rates, costs)
    return findings


def plan_for_rates(
    rates: JudgeRates,
    *,
    items: float = math.inf,
    length: float,
    labels: int | None = None,
    costs: Costs = FREE_VERDICTS,
    confidence_level: float = 0.95,
) -> Gathered:
    """The same from a guess of the rates alone, for a pool of `items` judged items."""
    findings = Gathered()
    level = confidence_level
    found = _add_designs(
        findings, rates, items, length=length, labels=labels, costs=costs, level=level
    )
    if found:
        best = found[0]
        findings.answer.append(
            f"For a {level:.0%} interval no longer than {length:g}, {WORDS[best.design]}: "
            f"{best.labels:,} labels{_split_words(best)}{_items_words(best, items)}"
            f"{_cost_words(best, costs)}."
        )
        people = next((plan for plan in found if plan.design == "people"), None)
        if people is not None and best.design != "people":
            findings.answer.append(f"People alone would need {people.labels:,} labels.")
        elif best.design == "people":
            findings.answer.append("The judge does not pay for itself here.")
    else:
        findings.answer.append(f"No design reaches a length of {length:g} with these items.")
    if labels is not None:
        shortest = min(DESIGNS, key=lambda d: _length(d, rates, labels, items, level))
        at = _length(shortest, rates, labels, items, level)
        findings.answer.append(
            f"With {labels:,} labels the shortest interval is {at:.3f} long ({WORDS[shortest]})."
        )
    if rates.youden_j <= 0:
        findings.warnings.append(
            "Sensitivity + specificity is 1 or less: this judge carries no information here, and "
            "its rate cannot be corrected."
        )
    _add_curve(findings, rates, items, length=length, level=level)
    _add_region(findings, rates, costs)
    return findings


def plan_for_judges(findings: Gathered, units: Units, *, power: float = 0.8) -> None:
    """Labelled items that would tell each pair of judges apart by balanced accuracy."""
    task = units.task
    names = units.judge_names
    if task.scale != "binary" or task.positive is None or len(names) < 2:
        return
    positive = task.options.index(task.positive)
    hits: dict[str, Any] = {}
    for judge in names:
        tables = resolved_tables(units, verdict_shares(units, judge), declared_modes(task)).cells
        hits[judge] = (tables[:, [0, 1], [0, 1]], tables[:, :2].sum(-1))
    pairs = list(combinations(names, 2))
    rows: list[tuple[Any, ...]] = []
    for first, second in pairs:
        both = (hits[first][1] > 0) & (hits[second][1] > 0)
        size = (units.n[:, None] * both).sum(0)
        if (size == 0).any():
            rows.append((first, second, None, None, "a class has no item that both judged"))
            continue
        a, b = ((units.n[:, None] * hits[j][0] * both).sum(0) / size for j in (first, second))
        together = (units.n[:, None] * hits[first][0] * hits[second][0] * both).sum(0) / size
        spread = np.sqrt(a * (1 - a) * b * (1 - b))
        covariance = float(((together - a * b) * size).sum() / size.sum())
        correlation = covariance / max(float((spread * size).sum() / size.sum()), 1e-12)
        order = [positive, 1 - positive]
        needed = items_to_tell_apart(
            (float(a[order[0]]), float(a[order[1]])),
            (float(b[order[0]]), float(b[order[1]])),
            prevalence=float(size[positive] / size.sum()),
            correlation=min(max(correlation, 0.0), 0.99),
            confidence_level=task.confidence_level,
            power=power,
            comparisons=len(pairs),
        )
        difference = float((a.sum() - b.sum()) / 2)
        note = "as good as equal" if needed is None else ""
        rows.append((first, second, difference, needed, note))
    findings.tables["golden_set"] = Table(
        "Labelled items that would tell two judges apart",
        ("judge", "other", "difference", "items", "note"),
        tuple(rows),
        (
            f"By balanced accuracy, with power {power:.0%}, corrected for the number of pairs "
            f"({len(pairs)}), if the judges are as they look and positives as common.",
        ),
    )


def _answer_pool(
    findings: Gathered, pool: Pool, judge: str, *, length: float, labels: int | None, level: float
) -> None:
    items, so_far = int(pool.items.sum()), int(pool.labelled.sum())
    if so_far:
        now = pool.length_after(0, confidence_level=level)
        findings.add(Estimate("length_now", now, None, items), judge=judge)
        findings.answer.append(
            f"With the {so_far:,} labels so far, the {level:.0%} interval of the true rate behind "
            f"{judge} is about {now:.3f} long."
        )
    needed = _fewest_more(pool, length, level)
    left = items - so_far
    if needed == 0:
        findings.answer.append(
            f"That is within the {length:g} asked for: no more labels are needed."
        )
    elif needed is None:
        least = pool.length_after(left, confidence_level=level)
        findings.add(
            Undefined("labels_needed", f"all {items:,} items give {least:.3f}", items), judge=judge
        )
        findings.answer.append(
            f"{length:g} is out of reach: with all {items:,} judged items labelled the interval "
            f"would still be {least:.3f} long. Judge and label more items."
        )
    else:
        findings.add(Estimate("labels_needed", float(needed), None, items), judge=judge)
        findings.answer.append(
            f"{needed:,} more labels bring it to {length:g}: {_falls(pool, needed)}."
        )
    if labels is not None:
        after = pool.length_after(min(labels, left), confidence_level=level)
        findings.add(Estimate("length_after", after, None, items), judge=judge)
        findings.answer.append(
            f"{labels:,} more labels make it about {after:.3f} long: "
            f"{_falls(pool, min(labels, left))}."
        )


def _falls(pool: Pool, labels: int) -> str:
    parts = [
        f"{int(count):,} on items called {name}"
        for name, count in zip(pool.names, pool.more(labels), strict=True)
        if count
    ]
    if len(parts) > 4:
        return f"spread over {len(parts)} strata as the table says"
    return ", ".join(parts)


def _fewest_more(pool: Pool, length: float, level: float) -> int | None:
    """More labels until the interval is expected to be no longer than `length`."""
    left = int((pool.items - pool.labelled).sum())
    if pool.labelled.any() and pool.length_after(0, confidence_level=level) <= length:
        return 0
    if left == 0 or pool.length_after(left, confidence_level=level) > length:
        return None
    low, high = 0, left
    while high - low > 1:
        middle = (low + high) // 2
        if pool.length_after(middle, confidence_level=level) <= length:
            high = middle
        else:
            low = middle
    return high


def _pool_table(
    findings: Gathered, pool: Pool, *, length: float, labels: int | None, level: float
) -> None:
    more = labels if labels is not None else _fewest_more(pool, length, level)
    extra = pool.more(more) if more else np.zeros(len(pool.items), dtype=np.int64)
    findings.tables["strata"] = Table(
        "The judged items by verdict",
        ("called", "items", "labelled", "positive", "label next"),
        tuple(
            (name, int(n), int(m), float(x / m) if m else None, int(add))
            for name, n, m, x, add in zip(
                pool.names, pool.items, pool.labelled, pool.positives, extra, strict=True
            )
        ),
        (
            "More labels where items are many and labels differ. Ask again as labels arrive: the "
            "shares follow what they show.",
        ),
    )


def _length(design: Design, rates: JudgeRates, labels: int, items: float, level: float) -> float:
    if design in ("random", "by_verdict") and labels > items:
        return math.inf
    return expected_length(design, rates, labels, items=items, confidence_level=level)


def _add_designs(
    findings: Gathered,
    rates: JudgeRates,
    items: float,
    *,
    length: float,
    labels: int | None,
    costs: Costs,
    level: float,
) -> list[Plan]:
    fixed = items if math.isfinite(items) else None
    plans = cheapest(rates, length, costs=costs, items=fixed, confidence_level=level)
    reached = {plan.design for plan in plans}
    rows: list[tuple[Any, ...]] = [
        (
            WORDS[plan.design],
            plan.labels,
            *(plan.shares or (None, None)),
            None if math.isinf(plan.items) or plan.design == "people" else int(plan.items),
            plan.length,
            plan.cost,
        )
        for plan in plans
    ]
    rows += [
        (WORDS[design], None, None, None, None, None, None)
        for design in DESIGNS
        if design not in reached
    ]
    findings.tables["designs"] = Table(
        f"Designs that reach a length of {length:g}, cheapest first",
        ("design", "labels", "negative", "positive", "judged items", "length", "cost"),
        tuple(rows),
        (
            f"A label costs {costs.label:g}, a verdict {costs.verdict:g}. Negative and positive: "
            "labels on items called so, or truly so in a separate set. Empty: out of reach.",
        ),
    )
    if labels is not None and labels >= 2:
        findings.tables["budget"] = _budget_table(rates, items, labels, level)
    return plans


def _budget_table(rates: JudgeRates, items: float, labels: int, level: float) -> Table:
    rows: list[tuple[Any, ...]] = []
    for design in DESIGNS:
        at = _length(design, rates, labels, items, level)
        if math.isfinite(at):
            shares = split_labels(design, rates, labels, items=items) or (None, None)
            rows.append((WORDS[design], *shares, at))
    notes: tuple[str, ...] = ()
    if rates.youden_j > 0:
        split = algorithm_1(
            labels, rates.verdict_rate, specificity=rates.specificity, sensitivity=rates.sensitivity
        )
        theirs = float(
            rogan_gladen_length(
                rates, split.negatives, split.positives, items=items, confidence_level=level
            )
        )
        if math.isfinite(theirs):
            rows.append(("separate set, Algorithm 1", split.negatives, split.positives, theirs))
        notes = tuple(f"Algorithm 1: {note}." for note in split.notes)
    return Table(
        f"What {labels:,} labels give",
        ("design", "negative", "positive", "length"),
        tuple(sorted(rows, key=lambda row: row[-1])),
        notes,
    )


def _add_curve(
    findings: Gathered, rates: JudgeRates, items: float, *, length: float, level: float
) -> None:
    longest = labels_for_length("people", rates, length, confidence_level=level) or BUDGETS[-1]
    budgets = sorted({*BUDGETS, *(int(longest * f) for f in (0.25, 0.5, 1, 1.5))} - {0, 1})
    series, rows = [], []
    for design in DESIGNS:
        points = [(m, _length(design, rates, m, items, level)) for m in budgets]
        points = [(m, one) for m, one in points if math.isfinite(one)]
        if points:
            x, y = zip(*points, strict=True)
            series.append({"label": WORDS[design], "x": list(map(float, x)), "y": list(y)})
    for m in BUDGETS:
        found = [_length(design, rates, m, items, level) for design in DESIGNS]
        rows.append((m, *(one if math.isfinite(one) else None for one in found)))
    findings.tables["lengths"] = Table(
        "Length of the interval by number of labels",
        ("labels", *(design.replace("_", " ") for design in DESIGNS)),
        tuple(rows),
        tuple(f"{design.replace('_', ' ')}: {words}." for design, words in WORDS.items()),
    )
    findings.charts.append(
        {
            "kind": "line",
            "title": "Length of the interval by number of labels",
            "x_label": "labels by people",
            "y_label": "expected length",
            "series": series,
            "references": [{"axis": "y", "value": length, "label": f"target {length:g}"}],
            "alt": "The interval shortens as labels are added; labels by verdict give the "
            "shortest.",
        }
    )


def _add_region(findings: Gathered, rates: JudgeRates, costs: Costs) -> None:
    """Proposition 6.1 for these numbers and prices: where the judge beats people."""
    theta = np.linspace(0.01, 0.99, 99)
    series = []
    for design in ("by_label", "random", "by_verdict"):
        ratio = cost_ratio(design, theta, rates.sensitivity, rates.specificity, costs=costs)
        seen = np.isfinite(ratio) & (ratio <= 4)
        if seen.any():
            series.append(
                {"label": WORDS[design], "x": theta[seen].tolist(), "y": ratio[seen].tolist()}
            )
    findings.charts.append(
        {
            "kind": "line",
            "title": "Cost against people alone, at equal precision",
            "x_label": "true rate",
            "y_label": "cost ratio",
            "series": series,
            "references": [
                {"axis": "y", "value": 1.0, "label": "people alone"},
                {"axis": "x", "value": rates.prevalence, "label": "here"},
            ],
            "alt": "Below 1 the judge beats people alone.",
        }
    )
    grid = np.linspace(0.5, 1.0, 11)
    ratio = cost_ratio("by_label", rates.prevalence, grid[:, None], grid[None, :], costs=costs)
    findings.charts.append(
        {
            "kind": "heat_map",
            "title": f"A separate set at a true rate of {rates.prevalence:.2f}: cost against "
            "people",
            "x_label": "specificity",
            "y_label": "sensitivity",
            "x_labels": [f"{q:.2f}" for q in grid],
            "y_labels": [f"{q:.2f}" for q in grid],
            "values": [[float(v) if v < 10 else None for v in row] for row in ratio],
            "center": 1.0,
            "format": ".1f",
            "alt": "Below 1, correcting the judge's rate with a separate set beats people "
            "alone; that "
            "takes a judge that is right on both classes. Empty cells are 10 or more.",
        }
    )
    here = (rates.prevalence, rates.sensitivity, rates.specificity)
    corrected = float(cost_ratio("by_label", *here, costs=costs))
    by_verdict = float(cost_ratio("by_verdict", *here, costs=costs))
    prices = "With verdicts free" if costs.verdict == 0 else "At these prices"
    way = "correcting the rate with a separate set"
    findings.answer.append(
        f"{prices}, labels drawn by verdict cost {by_verdict:.2f} times what people alone cost for "
        "the same precision; "
        + (f"{way} cannot reach it." if math.isinf(corrected) else f"{way}, {corrected:.2f} times.")
    )
    accuracy = (rates.sensitivity + rates.specificity) / 2
    span = region(accuracy)
    if span is not None and costs.verdict == 0:
        findings.answer.append(
            f"A judge with sensitivity and specificity {accuracy:.2f} beats people by correction "
            f"at true rates from {span[0]:.2f} to {span[1]:.2f}."
        )


def _split_words(plan: Plan) -> str:
    if plan.shares is None or plan.design not in ("by_verdict", "by_label"):
        return ""
    kind = "called" if plan.design == "by_verdict" else "truly"
    return f" ({plan.shares[0]:,} on items {kind} negative, {plan.shares[1]:,} {kind} positive)"


def _items_words(plan: Plan, items: float) -> str:
    if plan.design == "people" or math.isfinite(items):
        return ""
    if math.isinf(plan.items):
        return " and as many verdicts as you can get"
    return f" and {int(plan.items):,} judged items"


def _cost_words(plan: Plan, costs: Costs) -> str:
    return "" if costs == FREE_VERDICTS else f", for {plan.cost:,.2f}"
