"""What is in a table, counted once: rows by kind, rater and state, and cells that break a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from goldassay.errors import RatingsError, TaskError, shown
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch, filled
from goldassay.ratings.task import KINDS, Task
from goldassay.sources.frames import Source
from goldassay.sources.numbers import NUMBER
from goldassay.words import counted as in_words

__all__ = ["CHOICES", "NUMBERS", "STATUSES", "Census", "own_name", "take_census"]

NUMBERS = ("score", "weight", "cost", "latency")
STATUSES = ("rated", "abstained", "invalid", "failed")
CHOICES = {
    "kind": KINDS,
    "status": STATUSES,
    "split": ("test", "calibration"),
    "elicitation": ("forced_choice", "response_set"),
}

#: Up to so many options it is looked whether people and judges share one.
_FEW_OPTIONS = 20
_EXAMPLES = 5


@dataclass(frozen=True)
class Census:
    """All rows that were read, and those that are left by kind, rater and status."""

    rows: int
    counts: Mapping[tuple[str, str, str], int]

    def raters(self, kind: str) -> tuple[str, ...]:
        return tuple(sorted({rater for k, rater, _ in self.counts if k == kind}))

    def total(self, *, kind: str | None = None, rater: str | None = None, status: str) -> int:
        return sum(
            n
            for (k, r, s), n in self.counts.items()
            if s == status and kind in (None, k) and rater in (None, r)
        )

    def by_rater(self, status: str) -> dict[str, int]:
        """Rows of a status by rater; a name that a person and a judge share counts for both."""
        found: Counter[str] = Counter()
        for (_, rater, state), rows in sorted(self.counts.items()):
            if state == status:
                found[rater] += rows
        return {rater: rows for rater, rows in found.items() if rows}


def take_census(
    frame: nw.LazyFrame[Any],
    columns: Sequence[str],
    opened: Source,
    task: Task,
    *,
    narrowed: bool = False,
) -> Census:
    """Count rows by kind, rater and state; in the same pass, cells that break a rule and how often
    each option is used. `narrowed` says that rows were left out by the user's wish."""
    raters = task.raters
    rules = _cell_rules(columns)
    broken = {key: _one(rule[1]) for key, rule in rules.items()}
    few = task.scale == "nominal" and 2 < len(task.options) <= _FEW_OPTIONS
    options = task.options if few else ()
    broken |= {
        f"option {at}": _one(nw.col("value") == nw.lit(option)) for at, option in enumerate(options)
    }
    counted = fetch(
        frame.with_columns(**broken)
        .group_by("kind", "rater", "state")
        .agg(*(nw.col(key).sum() for key in broken), rows=nw.len()),
        place=opened.name,
    )
    rows = int(counted["rows"].sum())
    if rows == 0 and narrowed:
        raise RatingsError(
            opened.name,
            "has no rating that is looked at: all are left out (only, exclude)",
            next_step="Ask for labels that the columns have",
        )
    if rows == 0:
        raise RatingsError(
            opened.name, "has no rating", next_step="A ratings table has a row for each rating"
        )
    text = {name: filled(counted[name], "") for name in ("kind", "rater", "state")}
    keys = zip(text["kind"], text["rater"], text["state"], strict=True)
    counts = {
        (str(k), str(r), str(s)): int(n) for (k, r, s), n in zip(keys, counted["rows"], strict=True)
    }
    for kind, rater, _ in counts:
        if kind not in KINDS:
            if kind == "" and raters is not None:
                raise TaskError(
                    "[raters]",
                    f"must list every rater, or one kind only; {opened.name} has another",
                    found=shown(rater),
                    next_step="Add it under human or judge",
                )
            raise RatingsError(
                f"{opened.name}, column {own_name(task, 'kind')}",
                "must be human, judge or reference",
                found=shown(kind),
                next_step=f'Say who is what by name: [raters] judge = ["{rater[:40]}"]',
            )
        if rater == "":
            raise RatingsError(
                f"{opened.name}, column {own_name(task, 'rater')}",
                "must name who rated",
                found="an empty cell",
                next_step="Fill it, or delete the row",
            )
    for key, (column, wrong, rule) in rules.items():
        if int(counted[key].sum()):
            value, found = _examples(frame.filter(wrong), column, opened.name)[0]
            raise RatingsError(
                f"{opened.name}, column {own_name(task, column)}",
                rule,
                found=f"{shown(value)} in {in_words(found, 'row')}",
            )
    if "unknown" not in text["state"]:  # else labels are matched first, and counted again
        _share_a_label(counted, options, text["kind"], opened.name)
    return Census(rows, dict(sorted(counts.items())))


def own_name(task: Task, name: str) -> str:
    """What the file calls a column."""
    theirs = task.columns.get(name, name)
    return theirs if isinstance(theirs, str) else " and ".join(theirs)


def _share_a_label(
    counted: Mapping[str, Any], options: Sequence[str], kinds: Any, name: str
) -> None:
    """People and judges who share no label speak of different things."""
    judges = np.array([kind == "judge" for kind in kinds], dtype=bool)
    used = [
        {o for at, o in enumerate(options) if counted[f"option {at}"][side].sum() > 0}
        for side in (~judges, judges)
    ]
    if not all(used) or used[0] & used[1] or len(used[0] | used[1]) < 3:
        return
    people, theirs = (", ".join(o for o in options if o in one) for one in used)
    raise RatingsError(
        name,
        "people and judges must share labels",
        found=f"people's {people}; judges' {theirs}",
        next_step="Say which label of a judge means which of people's: [labels]",
    )


def _one(condition: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def _cell_rules(columns: Sequence[str]) -> dict[str, tuple[str, nw.Expr, str]]:
    """Every rule about single cells: a key, the column, what breaks it, and the rule in words."""
    rules: dict[str, tuple[str, nw.Expr, str]] = {
        "no item": (
            "item",
            nw.col("item").is_null() | (nw.col("item") == nw.lit("")),
            "must name the item",
        )
    }
    for column, allowed in CHOICES.items():
        if column in columns and column != "kind":
            wrong = ~nw.col(column).is_in(["", *allowed])
            rules[f"wrong {column}"] = (
                column,
                wrong,
                f"must be one of {', '.join(allowed)}, or empty",
            )
    for column in NUMBERS:
        if column in columns:
            text = nw.col(column)
            filled = ~text.is_null() & (text != nw.lit(""))
            wrong = filled & ~text.str.contains(NUMBER)
            rules[f"wrong {column}"] = (column, wrong, "must be a finite number or empty")
    return rules


def _examples(frame: nw.LazyFrame[Any], column: str, name: str) -> list[tuple[str, int]]:
    counted = (
        frame.group_by(column)
        .agg(rows=nw.len())
        .sort(["rows", column], descending=[True, False])
        .head(_EXAMPLES)
    )
    found = fetch(counted, place=name)
    return [(str(v), int(n)) for v, n in zip(found[column], found["rows"], strict=True)]
