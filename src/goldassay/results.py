"""Estimates that carry their uncertainty and declarations, and the JSON that holds them.

An estimator returns `Estimate` or `Undefined`, never NaN and never a 0 that means "could not".
A question's `Row`s, tables, charts and sentences make the JSON document (`envelope`), of which
text, Markdown and HTML are pure functions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, Any

from goldassay.frozen import dataclass

if TYPE_CHECKING:
    from goldassay.charts import Chart

__all__ = [
    "SCHEMA",
    "Estimate",
    "Exclusion",
    "Gathered",
    "Input",
    "Interval",
    "Line",
    "Provenance",
    "Result",
    "Row",
    "Sentence",
    "Summary",
    "Table",
    "Undefined",
    "dumps",
    "envelope",
    "frame_name",
]

SCHEMA = "goldassay/1"

Declared = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence (or credible) interval and the method that made it; its ends can be unpacked.

    >>> interval = Interval(0.48, 0.73, 0.95, "Wilson")
    >>> round(interval.length, 2), 0.5 in interval
    (0.25, True)
    >>> low, high = interval
    """

    low: float
    high: float
    confidence_level: float
    method: str

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"an interval must not invert or hold NaN: ({self.low}, {self.high})")

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    @property
    def length(self) -> float:
        return self.high - self.low

    def __repr__(self) -> str:
        return f"({self.low:.4g}, {self.high:.4g}) {self.confidence_level:.0%} {self.method}"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval, the sizes behind it and what had to be declared or assumed.

    >>> estimate = Estimate("accuracy", 0.9, Interval(0.82, 0.95, 0.95, "Wilson"), n_items=80)
    >>> estimate
    accuracy = 0.9 (0.82, 0.95) 95% Wilson, 80 items
    >>> float(estimate)
    0.9
    """

    name: str
    value: float
    interval: Interval | None = None
    n_items: int = 0
    n_clusters: int = 0
    declared: Declared = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if math.isnan(self.value):
            raise ValueError(f"{self.name} is NaN; return Undefined with the reason instead")

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        interval = f" {self.interval!r}" if self.interval else ""
        return f"{self.name} = {self.value:.4g}{interval}, {self.n_items} items"


@dataclass(frozen=True, slots=True)
class Undefined:
    """A quantity that this data cannot give, and why; what bounds it, where the data does.

    >>> undefined = Undefined("cohen_kappa", "people and judge use one option only", 12)
    >>> undefined
    cohen_kappa is undefined: people and judge use one option only (12 items)
    >>> float(undefined)
    Traceback (most recent call last):
    ValueError: cohen_kappa is undefined: people and judge use one option only (12 items)
    """

    name: str
    reason: str
    n_items: int = 0
    interval: Interval | None = None

    def __float__(self) -> float:
        raise ValueError(repr(self))

    def __repr__(self) -> str:
        return f"{self.name} is undefined: {self.reason} ({self.n_items} items)"


Result = Estimate | Undefined


@dataclass(frozen=True, slots=True)
class Row:
    """A result and what it is about: judge, criterion, level, system, aggregation, ..."""

    result: Result
    about: Mapping[str, str | None] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        keys = {"judge": None, "criterion": None, "level": None, **self.about}
        result = self.result
        interval = result.interval
        bounds = {
            "low": _bound(interval.low) if interval else None,
            "high": _bound(interval.high) if interval else None,
            "confidence_level": interval.confidence_level if interval else None,
            "method": interval.method if interval else None,
        }
        if isinstance(result, Undefined):
            return {
                "name": result.name,
                **keys,
                "value": None,
                **bounds,
                "n_items": result.n_items,
                "n_clusters": None,
                "declared": {},
                "assumptions": [],
                "warnings": [],
                "undefined": result.reason,
            }
        return {
            "name": result.name,
            **keys,
            "value": result.value,
            **bounds,
            "n_items": result.n_items,
            "n_clusters": result.n_clusters,
            "declared": dict(result.declared),
            "assumptions": list(result.assumptions),
            "warnings": list(result.warnings),
            "undefined": None,
        }


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said, about what, and the facts that it is made from.

    `key` names the kind of sentence ("agree.accuracy"), `about` whom it speaks of (judge,
    criterion, system), `facts` the numbers and words in it: whoever needs one takes it from here,
    never from the text.

    >>> said = Sentence("agree.accuracy", "gpt agrees on 90%.", {"judge": "gpt"}, {"value": 0.9})
    >>> print(said, said.facts["value"])
    gpt agrees on 90%. 0.9
    """

    key: str
    text: str
    about: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "about": dict(self.about),
            "facts": dict(self.facts),
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Table:
    """A small table for people: cells are text, numbers or None (shown as empty)."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a summary: whom it is about, its results in the order of the columns.

    A cell is a result, a text, a count or None (nothing to show). `tied` marks the lines that the
    data cannot tell from the first one.
    """

    label: str
    cells: tuple[Result | str | int | None, ...]
    tied: bool = False

    def to_json(self, known: Container[Any] = ()) -> dict[str, Any]:
        cells = [_cell(cell, known) for cell in self.cells]
        return {"label": self.label, "cells": cells, "tied": self.tied}


@dataclass(frozen=True, slots=True)
class Summary:
    """What a reader sees first: one line per judge (system, pair, slice), best first.

    `about` is what a line is ("judge"); `columns` are results' names or words, one per cell. The
    first column of results decides the order, and its intervals are the ones that are drawn.
    """

    about: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    def to_json(self, rows: Iterable[Row] = ()) -> dict[str, Any]:
        """The summary; a result that is none of `rows` has its own declaration with it."""
        known = {_number(row.result) for row in rows}
        lines = [line.to_json(known) for line in self.lines]
        return {
            "about": self.about,
            "columns": list(self.columns),
            "lines": lines,
            "notes": list(self.notes),
        }


def _cell(cell: Result | str | int | None, known: Container[Any]) -> Any:
    if isinstance(cell, Estimate | Undefined):
        row = Row(cell).to_json()
        kept = ("name", "value", "low", "high", "confidence_level", "n_items", "undefined")
        own = ("method", "declared", "assumptions") if _number(cell) not in known else ()
        return {key: row[key] for key in kept} | {key: row[key] for key in own if row[key]}
    return cell


def _number(result: Result) -> tuple[Any, ...]:
    """What makes two results the same number; a difference may be shown the other way round."""
    value = abs(result.value) if isinstance(result, Estimate) else None
    interval = result.interval
    ends = sorted((abs(interval.low), abs(interval.high))) if interval else ()
    return result.name.removesuffix("_of_rates"), value, *ends, result.n_items


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Rows that were read and not used, why, and how they spread (by rater, by status, ...)."""

    reason: str
    rows: int
    by: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        by = {column: dict(counts) for column, counts in self.by.items()}
        return {"reason": self.reason, "rows": self.rows, "by": by}


@dataclass(frozen=True, slots=True)
class Input:
    """A file or frame that was read. `sha256` is None for a frame in memory or on a cluster."""

    name: str
    sha256: str | None
    rows: int


def frame_name(library: str) -> str:
    """What a frame in memory is called among the inputs."""
    return f"{library} frame"


def _version() -> str:
    from goldassay import __version__

    return __version__


@dataclass(frozen=True, slots=True)
class Provenance:
    """What made a document; the same version, inputs, seed and arguments make it again."""

    version: str = field(default_factory=_version)
    inputs: tuple[Input, ...] = ()
    seed: int | None = None
    argv: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        inputs = [{"name": i.name, "sha256": i.sha256, "rows": i.rows} for i in self.inputs]
        return {
            "version": self.version,
            "inputs": inputs,
            "seed": self.seed,
            "argv": list(self.argv),
        }


@dataclass(slots=True)
class Gathered:
    """What a study puts together, piece by piece, before it becomes `Findings`."""

    rows: list[Row] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    charts: list[Chart] = field(default_factory=list)
    answer: list[Sentence | str] = field(default_factory=list)
    notes: list[Sentence] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add(self, result: Result, **about: str | None) -> None:
        self.rows.append(Row(result, about))


_CONTENT = ("summary", "results", "tables", "charts", "warnings", "sentences")


def envelope(
    verb: str,
    *,
    content: Mapping[str, Any],
    task: Mapping[str, Any],
    provenance: Provenance,
    exclusions: Iterable[Exclusion] = (),
    rows: int | None = None,
) -> dict[str, Any]:
    """The JSON document of a verb, the same shape for all of them.

    `content` has answer, summary, results, tables, charts, warnings, sentences, and what was
    assumed and how it was read. `rows` is the
    number of ratings read: used = read - excluded.
    """
    left_out = tuple(exclusions)
    excluded = sum(exclusion.rows for exclusion in left_out)
    counted = {"read": rows, "used": rows - excluded, "excluded": excluded} if rows else None
    return {
        "schema": SCHEMA,
        "verb": verb,
        "answer": content["answer"],
        "provisional": bool(content["assumed"]),
        "assumed": content["assumed"],
        "readings": content["readings"],
        "task": dict(task),
        "provenance": provenance.to_json(),
        "rows": counted,
        "exclusions": [exclusion.to_json() for exclusion in left_out],
        **{key: content[key] for key in _CONTENT},
    }


def dumps(document: Mapping[str, Any]) -> str:
    """The document as JSON text: the same bytes for the same content, no NaN, one final newline."""
    parts: list[str] = []
    _write(document, 0, parts.append)
    text = "".join(parts)
    parts.clear()
    try:
        text.encode()
    except UnicodeEncodeError:
        # Lone surrogates cannot be written as UTF-8; JSON has an escape for them.
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text + "\n"


def _bound(value: float) -> float | None:
    """An interval's end; an unbounded end has no number in JSON."""
    return None if math.isinf(value) else value


def _write(value: Any, depth: int, write: Callable[[str], object]) -> None:
    """The text that `json.dumps(value, indent=1)` makes, of which plain fields are encoded in C.

    With an indent, the library's encoder writes field by field in Python.
    """
    if isinstance(value, dict | Mapping):
        _write_fields(value, depth, write)
    elif isinstance(value, list | tuple):
        _write_items(value, depth, write)
    elif _is_plain(value):
        write(_on_lines(depth)(value))
    elif hasattr(value, "tolist"):
        _write(value.tolist(), depth, write)
    elif isinstance(value, Sequence | set | frozenset):
        _write_items(list(value), depth, write)
    else:
        write(_on_lines(depth)(str(value)))


def _write_fields(fields: Mapping[Any, Any], depth: int, write: Callable[[str], object]) -> None:
    if not fields:
        write("{}")
        return
    line, encode = "\n" + " " * (depth + 1), _on_lines(depth + 1)
    before, plain = "{" + line, {}
    named = fields if _NAMES.issuperset(map(type, fields)) else _by_name(fields)
    for name, value in named.items():
        if type(value) in _PLAIN or _is_plain(value):
            plain[name] = value
            continue
        if plain:
            write(before + encode(plain)[1:-1])
            before, plain = "," + line, {}
        write(f"{before}{encode(name)}: ")
        before = "," + line
        _write(value, depth + 1, write)
    write(f"{before}{encode(plain)[1:-1]}{line[:-1]}}}" if plain else line[:-1] + "}")


def _by_name(fields: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in fields.items()}


def _write_items(items: Sequence[Any], depth: int, write: Callable[[str], object]) -> None:
    line = "\n" + " " * (depth + 1)
    if not items:
        write("[]")
    elif _PLAIN.issuperset(map(type, items)) or all(map(_is_plain, items)):
        write(f"[{line}{_on_lines(depth + 1)(items)[1:-1]}{line[:-1]}]")
    else:
        for number, item in enumerate(items):
            write(("," if number else "[") + line)
            _write(item, depth + 1, write)
        write(line[:-1] + "]")


_NAMES: frozenset[type] = frozenset((str,))
_PLAIN: frozenset[type] = frozenset((str, int, float, bool, type(None)))


def _is_plain(value: Any) -> bool:
    """What the encoder takes as it is (NumPy's numbers are among Python's); NaN it refuses."""
    return type(value) in _PLAIN or isinstance(value, str | bytes | int | float)


@cache
def _on_lines(depth: int) -> Callable[[Any], str]:
    """Encodes plain values, fields of them and lists, each on a line of its own at a depth."""
    line = ",\n" + " " * depth
    return json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, check_circular=False, separators=(line, ": ")
    ).encode
