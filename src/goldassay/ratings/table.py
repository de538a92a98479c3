"""The ratings table: one row is one rating.

`read_ratings` opens a source, maps its columns to goldassay's, checks the rules of the table with a
few group-bys where the data lives, and gives `Ratings`: a lazy frame of known columns, with a
census of what is in it. Nothing is dropped in silence: what does not count is an `Exclusion`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from goldassay.errors import InputError, RatingsError, TaskError, listed, nearest, shown
from goldassay.ratings.arrangement import REQUIRED, arranged, check_declared_columns
from goldassay.ratings.fetch import fetch
from goldassay.ratings.task import Task, Wide
from goldassay.results import Exclusion, Input
from goldassay.sources.engine import kept
from goldassay.sources.frames import SMALL, Source, open_source

__all__ = [
    "KINDS",
    "REQUIRED",
    "STATUSES",
    "Census",
    "Ratings",
    "parse_response_set",
    "read_ratings",
]

OPTIONAL = (
    "criterion",
    "system",
    "opponent",
    "prompt",
    "cluster",
    "stratum",
    "sample",
    "split",
    "elicitation",
    "order",
    "score",
    "status",
    "weight",
    "time",
    "cost",
    "latency",
)
NUMBERS = ("score", "weight", "cost", "latency")
KINDS = ("human", "judge")
STATUSES = ("rated", "abstained", "invalid", "failed")
CHOICES = {
    "kind": KINDS,
    "status": STATUSES,
    "split": ("test", "calibration"),
    "elicitation": ("forced_choice", "response_set"),
}
#: What one rater rates once: the columns that tell ratings of one rater apart.
UNIT = ("item", "criterion", "system", "opponent")
REPEAT = ("sample", "elicitation", "order")

_NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$"
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


@dataclass(frozen=True)
class Ratings:
    """A checked table. `frame` is lazy and has the columns of `columns`, plus `code` and `number`.

    `code` is the index of the option (-1 when the value is not one option), after them K for
    abstained, K + 1 for invalid and K + 2 for failed. `number` is the real value of a rating:
    its score, or on a continuous scale the value itself.

    >>> import goldassay as ga
    >>> ratings = ga.simulate(prompts=5).ratings()
    >>> ratings.judges, ratings.census.rows
    (('judge',), 60)
    """

    frame: nw.LazyFrame[Any]
    task: Task
    columns: tuple[str, ...]
    inputs: tuple[Input, ...]
    census: Census
    exclusions: tuple[Exclusion, ...]
    name: str

    @property
    def judges(self) -> tuple[str, ...]:
        return self.census.raters("judge")

    @property
    def humans(self) -> tuple[str, ...]:
        return self.census.raters("human")

    @property
    def unit(self) -> tuple[str, ...]:
        """The columns that name a unit."""
        return tuple(name for name in UNIT if name in self.columns)

    @property
    def repeat(self) -> tuple[str, ...]:
        """The columns that tell apart several ratings of a unit by one rater."""
        return tuple(name for name in REPEAT if name in self.columns)

    @property
    def cluster(self) -> str:
        """The column of the declared resampling unit."""
        return self.task.cluster

    def require(self, *names: str) -> None:
        """Refuse, naming the table's columns, when a column that was asked for is missing."""
        for name in names:
            if name not in self.columns:
                step = None
                if name in OPTIONAL:
                    step = f'Add it, or map it in the task file: [columns] {name} = "..."'
                elif near := nearest(name, self.columns):
                    step = f"Did you mean {near!r}?"
                raise RatingsError(
                    self.name,
                    f"has no column {name!r}; its columns are {listed(self.columns)}",
                    next_step=step,
                )

    def not_rated(self) -> tuple[Exclusion, ...]:
        """Rows whose status is not `rated`, as exclusions by status and rater."""
        out = []
        for status in STATUSES[1:]:
            by = self.census.by_rater(status)
            if by:
                out.append(Exclusion(status, sum(by.values()), {"rater": by}))
        return tuple(out)


def read_ratings(source: Any, task: Task) -> Ratings:
    """Open and check a table of ratings under a task.

    Parameters
    ----------
    source
        A path, a glob, `FILE::TABLE`, a list of them, or a frame (pandas, Polars, PyArrow, DuckDB
        relation, PySpark).
    task
        What the ratings mean.

    Returns
    -------
    Ratings
        The table, for any question; reading it once serves several. `SourceError`, `RatingsError`
        and `TaskError` name the rule that is broken.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame(
    ...     {
    ...         "item": ["q1", "q1", "q2", "q2"],
    ...         "rater": ["ann", "gpt", "ann", "gpt"],
    ...         "kind": ["human", "judge", "human", "judge"],
    ...         "value": ["yes", "yes", "no", "yes"],
    ...     }
    ... )
    >>> ratings = read_ratings(frame, Task(scale="binary", options=("yes", "no"), positive="yes"))
    >>> ratings.judges, ratings.humans
    (('gpt',), ('ann',))
    """
    opened = open_source(source, task.column_names)
    frame, columns = arranged(opened, task)
    check_declared_columns(columns, task, opened.name)
    frame = _filled(frame, columns)
    state = _state(task, columns)
    frame = frame.with_columns(state=state)
    census = _census(frame, columns, opened, task.raters)
    if census.total(status="unknown"):
        frame = _checked_labels(frame, task, columns, opened.name)
    census = _recounted(census)
    frame = _as_number(frame, columns, opened.name)
    frame = _with_number_of(frame, task, columns)
    exclusions = []
    if empty := census.total(status="empty"):
        exclusions.append(Exclusion("empty value", empty, {"rater": census.by_rater("empty")}))
        frame = frame.filter(nw.col("state") != nw.lit("empty"))
    code = _code(task, {state for _, _, state in census.counts})
    frame = frame.with_columns(status=nw.col("state"), code=code).drop("state")
    if opened.may_keep and census.rows <= SMALL:
        frame = nw.from_native(kept(frame.to_native()))
    inputs = tuple(
        Input(one.name, one.sha256, census.rows if len(opened.inputs) == 1 else 0)
        for one in opened.inputs
    )
    columns = columns if "status" in columns else (*columns, "status")
    return Ratings(frame, task, columns, inputs, census, tuple(exclusions), opened.name)


def parse_response_set(value: str, task: Task) -> tuple[str, ...] | None:
    """The options named by a value such as `A`, `A|C` or `["A", "C"]`; None when it names none.

    An option twice, an undeclared option or an empty set is None: never a guess.
    """
    text = value.strip()
    if text in task.options:
        return (text,)
    if text.startswith("["):
        import json

        try:
            parts = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(parts, list):
            return None
        parts = [part if isinstance(part, str) else str(part) for part in parts]
    else:
        parts = [part.strip() for part in text.split(task.separator)] if task.separator else [text]
    if not parts or len(set(parts)) != len(parts) or not set(parts) <= set(task.options):
        return None
    return tuple(option for option in task.options if option in parts)


def _filled(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> nw.LazyFrame[Any]:
    """Absent cells of optional columns become "" so that they group alike on every engine."""
    keys = [c for c in columns if c not in (*NUMBERS, *REQUIRED)]
    return frame.with_columns(*(nw.col(c).fill_null(nw.lit("")) for c in keys)) if keys else frame


def _state(task: Task, columns: Sequence[str]) -> nw.Expr:
    """rated | abstained | invalid | failed | empty | unknown (not a declared word)."""
    value = nw.col("value")
    if task.scale == "continuous":
        known = value.str.contains(_NUMBER)
        if "score" in columns:  # a label with a score beside it is rated by the score
            known = known | ~nw.col("score").is_null()
    else:
        known = value.is_in(list(task.options))
    state = nw.when(known).then(nw.lit("rated")).otherwise(nw.lit("unknown"))
    if task.invalid:
        state = nw.when(value.is_in(list(task.invalid))).then(nw.lit("invalid")).otherwise(state)
    if task.abstain:
        state = nw.when(value.is_in(list(task.abstain))).then(nw.lit("abstained")).otherwise(state)
    blank = value.is_null() | (value == nw.lit(""))
    state = nw.when(blank).then(nw.lit("empty")).otherwise(state)
    if "status" in columns:
        status = nw.col("status")
        given = status.is_in(["abstained", "invalid", "failed"])
        state = nw.when(given).then(status).otherwise(state)
    return state


def _census(
    frame: nw.LazyFrame[Any], columns: Sequence[str], opened: Source, raters: Wide | None
) -> Census:
    """Count rows by kind, rater and state; in the same pass, cells that break a rule."""
    rules = _cell_rules(columns)
    broken = {key: _one(rule[1]) for key, rule in rules.items()}
    counted = fetch(
        frame.with_columns(**broken)
        .group_by("kind", "rater", "state")
        .agg(*(nw.col(key).sum() for key in broken), rows=nw.len()),
        place=opened.name,
    )
    rows = int(counted["rows"].sum())
    if rows == 0:
        raise RatingsError(
            opened.name, "has no rating", next_step="A ratings table has a row for each rating"
        )
    text = {name: np.ma.filled(counted[name], "") for name in ("kind", "rater", "state")}
    keys = zip(text["kind"], text["rater"], text["state"], strict=True)
    counts = {
        (str(k), str(r), str(s)): int(n) for (k, r, s), n in zip(keys, counted["rows"], strict=True)
    }
    for kind, rater, _ in counts:
        if kind not in KINDS:
            if kind == "" and raters is not None:
                raise TaskError(
                    "[raters]",
                    f"lists every rater, or one kind only; {opened.name} has another",
                    found=shown(rater),
                    next_step="Add it under human or judge",
                )
            raise RatingsError(
                f"{opened.name}, column kind",
                "is human or judge",
                found=shown(kind),
                next_step='Mend the column, or set it for all rows: [constants] kind = "judge"',
            )
        if rater == "":
            raise RatingsError(
                f"{opened.name}, column rater",
                "names who rated",
                found="an empty cell",
                next_step="Fill it, or delete the row",
            )
    for key, (column, wrong, rule) in rules.items():
        if int(counted[key].sum()):
            value, found = _examples(frame.filter(wrong), column, opened.name)[0]
            raise RatingsError(
                f"{opened.name}, column {column}", rule, found=f"{shown(value)} in {found} rows"
            )
    return Census(rows, dict(sorted(counts.items())))


def _one(condition: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def _recounted(census: Census) -> Census:
    """The census after unknown labels were accepted as response sets."""
    counts: dict[tuple[str, str, str], int] = {}
    for (kind, rater, state), n in census.counts.items():
        key = (kind, rater, "rated" if state == "unknown" else state)
        counts[key] = counts.get(key, 0) + n
    return Census(census.rows, counts)


def _cell_rules(columns: Sequence[str]) -> dict[str, tuple[str, nw.Expr, str]]:
    """Every rule about single cells: a key, the column, what breaks it, and the rule in words."""
    rules: dict[str, tuple[str, nw.Expr, str]] = {
        "no item": (
            "item",
            nw.col("item").is_null() | (nw.col("item") == nw.lit("")),
            "names the item",
        )
    }
    for column, allowed in CHOICES.items():
        if column in columns and column != "kind":
            wrong = ~nw.col(column).is_in(["", *allowed])
            rules[f"wrong {column}"] = (column, wrong, f"is one of {', '.join(allowed)}, or empty")
    for column in NUMBERS:
        if column in columns:
            text = nw.col(column)
            filled = ~text.is_null() & (text != nw.lit(""))
            wrong = filled & ~text.str.contains(_NUMBER)
            rules[f"wrong {column}"] = (column, wrong, "is a finite number or empty")
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


def _checked_labels(
    frame: nw.LazyFrame[Any], task: Task, columns: Sequence[str], name: str
) -> nw.LazyFrame[Any]:
    """Accept values that name several options; refuse the rest, naming the commonest."""
    unknown = frame.filter(nw.col("state") == nw.lit("unknown"))
    distinct = unknown.group_by("value").agg(rows=nw.len())
    bound = 20_000
    found = fetch(
        distinct.sort(["rows", "value"], descending=[True, False]).head(bound), place=name
    )
    wrong = [
        (str(value), int(rows))
        for value, rows in zip(found["value"], found["rows"], strict=True)
        if task.scale == "continuous" or parse_response_set(str(value), task) is None
    ]
    if wrong or len(found["value"]) == bound:
        raise _undeclared(wrong, len(found["value"]) == bound, task, name)
    state = nw.when(nw.col("state") == nw.lit("unknown")).then(nw.lit("rated"))
    return frame.with_columns(state=state.otherwise(nw.col("state")))


def _undeclared(wrong: Sequence[tuple[str, int]], many: bool, task: Task, name: str) -> InputError:
    value, rows = wrong[0] if wrong else ("many different labels", 0)
    others = f" and {len(wrong) - 1}{' or more' if many else ''} other labels" if wrong[1:] else ""
    declared = (*task.options, *task.abstain, *task.invalid)
    near = nearest(value, declared)
    set_rule = None if task.scale == "continuous" else _broken_set_rule(value, task)
    if set_rule is not None:
        return RatingsError(
            f"{name}, column value",
            set_rule,
            found=f"{shown(value, 60)} in {rows} rows{others}",
            next_step="Mend it, or declare the word under options, abstain or invalid",
        )
    if task.scale == "continuous":
        rule, step = (
            "is a finite number",
            f'declare words that are no number: invalid = ["{value[:30]}"]',
        )
    else:
        rule = f"is one of the declared labels {', '.join(declared[:20])}"
        step = f"add it to options, abstain or invalid: {shown(value, 40)}"
        if re.match(_NUMBER, value) and not any(re.match(_NUMBER, one) for one in task.options):
            near, step = (
                None,
                (
                    'scores are declared by scale = "continuous"; scores beside verdicts have '
                    "a column "
                    'of their own, "score"'
                ),
            )
    return RatingsError(
        f"{name}, column value",
        rule,
        found=f"{shown(value, 60)} in {rows} rows{others}",
        next_step=(f"Did you mean {near!r}? If not, " if near else "In the task file, ") + step,
    )


def _broken_set_rule(value: str, task: Task) -> str | None:
    """Which rule a value that looks like a response set breaks; None when it is one word."""
    text = value.strip()
    if not text.startswith("[") and task.separator not in text:
        return None
    parts = [
        part.strip(" []\"'") for part in text.replace(",", task.separator).split(task.separator)
    ]
    named = [part for part in parts if part]
    unknown = [part for part in named if part not in task.options]
    if not named:
        return "a response set holds at least one option"
    if unknown:
        return f"a response set holds declared options only ({', '.join(task.options)}), not " + (
            shown(unknown[0], 40)
        )
    return (
        "a response set is written as "
        + task.separator.join(task.options[:2])
        + (", each option once")
    )


def _as_number(frame: nw.LazyFrame[Any], columns: Sequence[str], name: str) -> nw.LazyFrame[Any]:
    """The numeric columns as real numbers; weights are at least 0."""
    for column in NUMBERS:
        if column in columns:
            text = nw.col(column).str.strip_chars()
            number = nw.when(text != nw.lit("")).then(text).cast(nw.Float64)
            frame = frame.with_columns(number.alias(column))
    if "weight" in columns:
        low = fetch(frame.select(low=nw.col("weight").min()), place=name)["low"]
        if not np.ma.is_masked(low[0]) and low[0] is not None and float(low[0]) < 0:
            raise RatingsError(f"{name}, column weight", "is at least 0", found=str(float(low[0])))
    return frame


def _with_number_of(
    frame: nw.LazyFrame[Any], task: Task, columns: Sequence[str]
) -> nw.LazyFrame[Any]:
    """`number`: the score, or on a continuous scale the value where it is rated."""
    missing = nw.lit(None, nw.Float64)
    number = nw.col("score") if "score" in columns else missing
    if task.scale == "continuous":
        rated = (nw.col("state") == nw.lit("rated")) & nw.col("value").str.contains(_NUMBER)
        value = nw.when(rated).then(nw.col("value").str.strip_chars()).cast(nw.Float64)
        number = nw.coalesce(value, number) if "score" in columns else value
    return frame.with_columns(number=number)


def _code(task: Task, states: Collection[str]) -> nw.Expr:
    """The option's index, or that of the status; only the states that occur are asked for."""
    size = len(task.options)
    code = nw.lit(-1)
    for index, option in reversed(list(enumerate(task.options))):
        code = nw.when(nw.col("value") == nw.lit(option)).then(nw.lit(index)).otherwise(code)
    for offset, status in enumerate(STATUSES[1:]):
        if status in states:
            given = nw.col("state") == nw.lit(status)
            code = nw.when(given).then(nw.lit(size + offset)).otherwise(code)
    return code
