"""The one table of a document: a line per judge (system, pair, slice), best first.

A document has it as `summary`. Where a question gives none, it is made from the central results,
one line per judge; from the results, one line each; or it is the document's first table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.frozen import dataclass
from goldassay.glossary import is_central, is_points, is_rate, is_whole, method_of, words
from goldassay.words import column_texts, number, p_value, result_text, value_text, visible

__all__ = ["MEASURED", "Seen", "cell_text", "drawn_of", "heading_of", "summary_of", "tied_lines"]

Document = Mapping[str, Any]
#: Columns of a table that is made here, and what tells a headline result from a special one.
COLUMNS = 3
_SUBJECTS = ("judge", "system", "pair", "option")
#: Fields of a result that say how much and how, not what it is about.
MEASURED = frozenset(
    (
        *("name", "value", "low", "high", "confidence_level", "method", "n_items", "n_clusters"),
        *("declared", "assumptions", "warnings", "undefined", "verb"),
    )
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A summary as it is shown: texts by column, which columns are figures, and the drawn ones."""

    about: str
    labels: tuple[str, ...]
    tied: tuple[bool, ...]
    heads: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    #: Whether a column holds numbers, and whether it holds results (with an interval, perhaps).
    numeric: tuple[bool, ...]
    results: tuple[bool, ...]
    #: (low, value, high) of each line's first result, None where there is none to draw.
    drawn: tuple[tuple[float | None, float, float | None] | None, ...]
    rate: bool
    #: The drawn results are differences of rates.
    points: bool = False
    #: The drawn results are places or numbers of things.
    whole: bool = False
    notes: tuple[str, ...] = ()
    #: Lines that a short form does not hold.
    more: int = 0


def summary_of(document: Document, most: int | None = None) -> Seen | None:
    """The table of a document, its first `most` lines; None where there is nothing to show."""
    verb = str(document.get("verb") or "")
    found = document.get("summary") or _of_parts(document)
    made = found or _by_subject(document) or _by_result(document) or _first_table(document)
    if not made or not made["lines"]:
        return None
    lines = made["lines"][:most]
    columns = list(zip(*(line["cells"] for line in lines), strict=True))
    texts, heads = [], []
    for name, cells in zip(made["columns"], columns, strict=True):
        heads.append(heading_of(name, verb))
        texts.append(tuple(_texts(cells, name, verb)))
    results = tuple(any(isinstance(cell, Mapping) for cell in cells) for cells in columns)
    first = next((columns[k] for k, is_result in enumerate(results) if is_result), ())
    return Seen(
        about=visible(made["about"], 200),
        labels=tuple(visible(line["label"], 200) for line in lines),
        tied=tied_lines([bool(line.get("tied")) for line in made["lines"]])[: len(lines)],
        heads=tuple(heads),
        columns=tuple(texts),
        numeric=tuple(
            all(cell is None or isinstance(cell, Mapping | int | float) for cell in cells)
            for cells in columns
        ),
        results=results,
        drawn=tuple(map(drawn_of, first)),
        rate=any(isinstance(cell, Mapping) and is_rate(cell["name"], verb) for cell in first),
        points=any(isinstance(cell, Mapping) and is_points(cell["name"], verb) for cell in first),
        whole=any(isinstance(cell, Mapping) and is_whole(cell["name"], verb) for cell in first),
        notes=tuple(made.get("notes", ())),
        more=len(made["lines"]) - len(lines),
    )


def heading_of(name: object, verb: str = "") -> str:
    """A column's name as people say it: a result's in words, words as they are."""
    known = method_of(str(name), verb)
    return known.words if known else visible(name, 200)


def _texts(cells: Sequence[Any], name: str, verb: str) -> list[str]:
    if any(isinstance(cell, Mapping) for cell in cells):
        return [cell_text(cell, verb) for cell in cells]
    return column_texts(cells, str(name), verb)


def cell_text(cell: Any, verb: str = "") -> str:
    """A cell: `86 % [83, 89]` of a result, "undefined" of one that the data cannot give."""
    if not isinstance(cell, Mapping):
        return value_text(cell)
    low, high = cell.get("low"), cell.get("high")
    ends = None if low is None and high is None else (low, high)
    if cell.get("value") is None:
        return "undefined"
    if heading_of(cell["name"], verb).startswith("p-value"):
        return p_value(cell["value"])
    if ends is None and abs(cell["value"]) > 1 and float(cell["value"]).is_integer():
        return number(int(cell["value"]))
    return result_text(str(cell["name"]), cell["value"], ends, verb)


def tied_lines(lines: Sequence[bool]) -> tuple[bool, ...]:
    """Lines that cannot be told from the first; with any of these the first is one of them.

    >>> tied_lines([False, True, False, True]), tied_lines([True, False])
    ((True, True, False, True), (True, False))
    """
    return (True, *lines[1:]) if any(lines[1:]) else tuple(lines)


def drawn_of(cell: Any) -> tuple[float | None, float, float | None] | None:
    if not isinstance(cell, Mapping) or cell.get("value") is None:
        return None
    value = float(cell["value"])
    return (cell.get("low"), value, cell.get("high")) if math.isfinite(value) else None


def _of_parts(document: Document) -> Any:
    """A report's own summary is that of the first question that has one."""
    parts = document.get("parts") or ()
    return next((part["summary"] for part in parts if part.get("summary")), None)


def _headlines(document: Document) -> list[Document]:
    """Results in the declared handling and level; of a report, those of its first question."""
    rows = [row for row in document.get("results", ()) if not row.get("mode")]
    verbs = [row.get("verb") for row in rows]
    rows = [row for row in rows if row.get("verb") == verbs[0]]
    return [row for row in rows if row.get("level") in (None, "micro")]


def _by_subject(document: Document) -> Any:
    """One line per judge, or system: the central results that most of them have."""
    rows, verb = _headlines(document), str(document.get("verb") or "")
    about = next((k for k in _SUBJECTS if any(row.get(k) is not None for row in rows)), None)
    if about is None:
        return None
    found: dict[str, dict[str, Document]] = {}
    for row in sorted(rows, key=lambda row: len(_special(row, about))):
        if row.get(about) is not None:
            found.setdefault(str(row[about]), {}).setdefault(str(row["name"]), row)
    order = dict.fromkeys(str(row["name"]) for row in rows)
    central = [name for name in order if is_central(name, verb)] or list(order)
    names = [
        name for name in central if 2 * sum(name in own for own in found.values()) > len(found)
    ]
    names = (names or central)[:COLUMNS]
    lines = [
        {"label": label, "cells": [own.get(name) for name in names]} for label, own in found.items()
    ]
    lines.sort(key=lambda line: -_merit(line["cells"]))
    return {"about": about, "columns": names, "lines": lines}


def _special(row: Document, about: str) -> list[str]:
    return [
        k
        for k, v in row.items()
        if v is not None and k not in MEASURED and k not in (about, "judge", "level")
    ]


def _merit(cells: Sequence[Any]) -> float:
    value = cells[0].get("value") if cells and cells[0] else None
    return -math.inf if value is None else float(value)


def _by_result(document: Document) -> Any:
    """One line per result, where no judge or system is spoken of."""
    verb = str(document.get("verb") or "")
    lines = [
        {"label": " ".join([words(row["name"], verb), *_about(row)]), "cells": [row]}
        for row in _headlines(document)
    ]
    return {"about": "", "columns": ["value"], "lines": lines} if lines else None


def _about(row: Document) -> list[str]:
    return [visible(row[key]) for key in _special(row, "name")]


def _first_table(document: Document) -> Any:
    for table in document.get("tables", {}).values():
        lines = [{"label": value_text(row[0]), "cells": list(row[1:])} for row in table["rows"]]
        return {"about": table["columns"][0], "columns": table["columns"][1:], "lines": lines}
    return None
