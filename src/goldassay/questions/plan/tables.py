"""The plan as tables for people."""

from __future__ import annotations

import math
from typing import Any

from goldassay.questions.plan.comparison import BUDGETS, Budget, Comparison
from goldassay.questions.plan.designs import DESIGNS, PEOPLE
from goldassay.questions.plan.golden_set import GoldenSet, Pair
from goldassay.questions.plan.study import PlanStudy, PoolPlan
from goldassay.results import Table

__all__ = ["tables"]


def tables(study: PlanStudy) -> dict[str, Table]:
    """The pool, the designs that reach the target, a budget, lengths, pairs of judges."""
    compared = study.comparison
    found = {
        "strata": _strata(study.pool) if study.pool is not None else None,
        "designs": _designs(compared),
        "budget": _budget(compared.budget) if compared.budget is not None else None,
        "lengths": _lengths(compared),
        "golden_set": _golden_set(study.golden) if study.golden is not None else None,
    }
    return {name: table for name, table in found.items() if table is not None}


def _strata(plan: PoolPlan) -> Table:
    pool, step = plan.pool, plan.after or plan.reach
    more = step.falls if step is not None else [0] * len(pool.items)
    return Table(
        "The judged items by verdict",
        ("called", "items", "labelled", "positive", "label next"),
        tuple(
            (name, int(n), int(m), float(x / m) if m else None, int(add))
            for name, n, m, x, add in zip(
                pool.names, pool.items, pool.labelled, pool.positives, more, strict=True
            )
        ),
        (
            "More labels where items are many and labels differ. Ask again as labels arrive: the "
            "shares follow what they show.",
        ),
    )


def _designs(compared: Comparison) -> Table:
    costs, reached = compared.goal.costs, {plan.design.name for plan in compared.plans}
    rows: list[tuple[Any, ...]] = [
        (
            plan.design.words,
            plan.labels,
            *(plan.shares or (None, None)),
            None if math.isinf(plan.items) or plan.design is PEOPLE else int(plan.items),
            plan.length,
            plan.cost,
        )
        for plan in compared.plans
    ]
    rows += [
        (design.words, None, None, None, None, None, None)
        for name, design in DESIGNS.items()
        if name not in reached
    ]
    return Table(
        f"Designs that reach a length of {compared.goal.length:g}, cheapest first",
        ("design", "labels", "negative", "positive", "judged items", "length", "cost"),
        tuple(rows),
        (
            f"A label costs {costs.label:g}, a verdict {costs.verdict:g}. Negative and positive: "
            "labels on items called so, or truly so in a separate set. Empty: out of reach.",
        ),
    )


def _budget(budget: Budget) -> Table:
    rows: list[tuple[Any, ...]] = [
        (design.words, *(shares or (None, None)), length)
        for design, shares, length in budget.designs
    ]
    notes: tuple[str, ...] = ()
    if budget.algorithm_1 is not None:
        split, length = budget.algorithm_1
        notes = tuple(f"Algorithm 1: {note}." for note in split.notes)
        if math.isfinite(length):
            rows.append(("separate set, Algorithm 1", split.negatives, split.positives, length))
    return Table(
        f"What {budget.labels:,} labels give",
        ("design", "negative", "positive", "length"),
        tuple(sorted(rows, key=lambda row: row[-1])),
        notes,
    )


def _lengths(compared: Comparison) -> Table:
    rows = (
        (labels, *(one if math.isfinite(one) else None for one in lengths))
        for labels, lengths in zip(compared.budgets, compared.lengths.tolist(), strict=True)
        if labels in BUDGETS
    )
    named = {name.replace("_", " "): design for name, design in DESIGNS.items()}
    return Table(
        "Length of the interval by number of labels",
        ("labels", *named),
        tuple(rows),
        tuple(f"{name}: {design.words}." for name, design in named.items()),
    )


def _golden_set(golden: GoldenSet) -> Table:
    return Table(
        "Labelled items that would tell two judges apart",
        ("judge", "other", "difference", "items", "note"),
        tuple(
            (pair.first, pair.second, pair.difference, pair.items, _note(pair))
            for pair in golden.pairs
        ),
        (
            f"By balanced accuracy, with power {golden.power:.0%}, corrected for the number of "
            f"pairs ({len(golden.pairs)}), if the judges are as they look and positives as common.",
        ),
    )


def _note(pair: Pair) -> str:
    if pair.difference is None:
        return "a class has no item that both judged"
    return "as good as equal" if pair.items is None else ""
