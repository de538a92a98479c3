"""The plan as tables for people."""

from __future__ import annotations

import math
from typing import Any

from goldassay.questions.plan.comparison import BUDGETS, Budget, Comparison
from goldassay.questions.plan.designs import DESIGNS, PEOPLE
from goldassay.questions.plan.golden_set import GoldenSet, Pair
from goldassay.questions.plan.study import PlanStudy, PoolPlan
from goldassay.results import Line, Result, Summary, Table
from goldassay.words import number, percent, points

__all__ = ["summary", "tables"]


def summary(study: PlanStudy) -> Summary | None:
    """A line for each criterion of a judge's pool, or for each design; most labels last."""
    return _of_pools(study) if study.pools else _of_designs(study.comparison)


def _of_pools(study: PlanStudy) -> Summary:
    columns = ("length_now", "labels_needed", "labels_for_even_chance")
    several = len(study.pools) > 1
    lines = []
    for plan in sorted(
        study.pools, key=lambda one: math.inf if one.reach is None else one.reach.labels
    ):
        results: dict[str, Result] = {row.result.name: row.result for row in plan.rows()}
        nothing = plan.reach is not None and not plan.reach.labels
        cells = [results.get(name, 0 if nothing else None) for name in columns]
        label = (plan.criterion if several else plan.chosen.judge) or ""
        lines.append(Line(label, (*cells, plan.labelled, plan.items)))
    return Summary(
        "criterion" if several else "judge",
        (*columns, "labelled so far", f"judged {study.pools[0].unit}s"),
        tuple(lines),
        (
            f"For an interval of {percent(study.comparison.goal.length).removesuffix(' %')} points "
            f"with {percent(study.comparison.goal.assurance)} assurance.",
        ),
    )


def _of_designs(compared: Comparison) -> Summary | None:
    if not compared.plans:
        return None
    lines = [
        Line(plan.design.words, (plan.labels, plan.expected, number(plan.cost, 2)))
        for plan in compared.plans
    ]
    open_ = compared.rates.pilot is not None
    plain = "labels for an even chance" if open_ else "labels on average"
    columns = ("labels with assurance", plain, "cost")
    return Summary("design", columns, tuple(lines))


def tables(study: PlanStudy) -> dict[str, Table]:
    """The pool, the designs that reach the target, a budget, lengths, pairs of judges."""
    compared = study.comparison
    found: dict[str, Table | None] = {
        **{_strata_name(study, plan): _strata(plan) for plan in study.pools},
        "designs": _designs(compared),
        "budget": _budget(compared.budget) if compared.budget is not None else None,
        "lengths": _lengths(compared),
        "golden_set": _golden_set(study.golden) if study.golden is not None else None,
    }
    return {name: table for name, table in found.items() if table is not None}


def _strata_name(study: PlanStudy, plan: PoolPlan) -> str:
    return "strata" if len(study.pools) == 1 else f"strata of {plan.criterion}"


def _strata(plan: PoolPlan) -> Table:
    pool, step = plan.pool, plan.after or plan.reach
    falls = step.falls.tolist() if step is not None and step.falls is not None else None
    more: list[int | None] = [None] * len(pool.items) if falls is None else falls
    note = (
        "More labels where items are many and labels differ. Ask again as labels arrive: the "
        "shares follow what they show."
        if plan.way == "by_verdict"
        else "More labels are drawn as the task declares, not by verdict."
    )
    return Table(
        f"The judged {plan.unit}s by verdict"
        + ("" if plan.criterion is None else f" ({plan.criterion})"),
        ("called", f"{plan.unit}s", "labelled", "positive", "label next"),
        tuple(
            (name, int(n), int(m), float(x / m) if m else None, add)
            for name, n, m, x, add in zip(
                pool.names, pool.items, pool.labelled, pool.positives, more, strict=True
            )
        ),
        (note,),
    )


def _designs(compared: Comparison) -> Table:
    costs, reached = compared.goal.costs, {plan.design.name for plan in compared.plans}
    rows: list[tuple[Any, ...]] = [
        (
            plan.design.words,
            plan.labels,
            plan.expected,
            *(plan.shares or (None, None)),
            None if math.isinf(plan.items) or plan.design is PEOPLE else int(plan.items),
            _in_points(plan.length),
            plan.cost,
        )
        for plan in compared.plans
    ]
    rows += [
        (design.words, None, None, None, None, None, None, None)
        for name, design in DESIGNS.items()
        if name not in reached
    ]
    how = (
        "and on average, the rates taken as known"
        if compared.rates.pilot is None
        else "and for an even chance, over all rates that the pilot leaves open; those of a "
        "separate set come on top of the pilot's"
    )
    return Table(
        f"Designs that reach a length of {points(compared.goal.length)}, cheapest first",
        (
            "design",
            "labels",
            "on average",
            "negative",
            "positive",
            "judged items",
            "length in points",
            "cost",
        ),
        tuple(rows),
        (
            f"Labels in all, from the first one on, with {percent(compared.goal.assurance)} "
            f"assurance {how}. "
            f"A label costs {costs.label:g}, a verdict {costs.verdict:g}. Negative and positive: "
            "labels on items called so, or truly so in a separate set. Empty: out of reach.",
        ),
    )


def _budget(budget: Budget) -> Table:
    rows: list[tuple[Any, ...]] = [
        (design.words, *(shares or (None, None)), _in_points(length))
        for design, shares, length in budget.designs
    ]
    notes: tuple[str, ...] = ()
    if budget.algorithm_1 is not None:
        split, length = budget.algorithm_1
        notes = tuple(f"Algorithm 1: {note}." for note in split.notes)
        if math.isfinite(length):
            rows.append(
                ("separate set, Algorithm 1", split.negatives, split.positives, _in_points(length))
            )
    return Table(
        f"What {budget.labels:,} labels give",
        ("design", "negative", "positive", "length in points"),
        tuple(sorted(rows, key=lambda row: row[-1])),
        notes,
    )


def _in_points(length: float) -> float:
    """A length of an interval of rates, or a difference of two, in percentage points."""
    return round(100 * length, 1)


def _lengths(compared: Comparison) -> Table:
    rows = (
        (labels, *(_in_points(one) if math.isfinite(one) else None for one in lengths))
        for labels, lengths in zip(compared.budgets, compared.lengths.tolist(), strict=True)
        if labels in BUDGETS
    )
    named = {name.replace("_", " "): design for name, design in DESIGNS.items()}
    return Table(
        "Length of the interval, in points, by number of labels",
        ("labels", *named),
        tuple(rows),
        tuple(f"{name}: {design.words}." for name, design in named.items()),
    )


def _golden_set(golden: GoldenSet) -> Table:
    return Table(
        "Labelled items that would tell two judges apart",
        ("judge", "other", "difference in points", "items", "note"),
        tuple(
            (
                pair.first,
                pair.second,
                None if pair.difference is None else _in_points(pair.difference),
                pair.items,
                _note(pair),
            )
            for pair in golden.pairs
        ),
        (
            f"By balanced accuracy, with power {percent(golden.power)}, corrected for the number "
            f"of pairs ({len(golden.pairs)}), if judges are as they look and positives as common.",
        ),
    )


def _note(pair: Pair) -> str:
    if pair.difference is None:
        return "a class has no item that both judged"
    return "as good as equal" if pair.items is None else ""
