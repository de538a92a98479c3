"""A document as plain text for a terminal: aligned tables, intervals drawn, words first."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from goldassay.glossary import is_central
from goldassay.verbs import heading
from goldassay.words import value_text, visible

__all__ = ["render_text"]

_NOT_KEYS = {
    "name",
    "value",
    "low",
    "high",
    "confidence_level",
    "method",
    "n_items",
    "n_clusters",
    "declared",
    "assumptions",
    "warnings",
    "undefined",
    "aggregation",
    "option",
    "threshold",
}
_BAR = 24


#: The widest cell of numbers, such as "-0.442 (-1.000, -0.118)"; longer ones are words.
LONGEST_NUMBER = 24


def render_text(document: Mapping[str, Any], *, width: int = 100) -> str:
    """The answer, the results with their intervals drawn, the tables, and what was left out."""
    blocks: list[str] = []
    blocks.append("\n".join(_wrapped(one, width) for one in document.get("answer", ())))
    read_as = [*document.get("assumed", ()), *document.get("readings", ())]
    if document.get("provisional"):
        read_as.append(
            "Provisional: nothing was declared. --write-task FILE writes the guesses down."
        )
    blocks.append("\n".join(_wrapped(one, width, "  ") for one in read_as))
    if document.get("parts"):
        blocks += _questions(document, width)
    elif document.get("results") and document.get("verb") != "diff":
        blocks.append(_results(document["results"], width))
    for table in document.get("tables", {}).values():
        blocks.append(_table(table, width))
    if document.get("warnings"):
        lines = [_wrapped(f"! {warning}", width, "  ") for warning in document["warnings"]]
        blocks.append("Warnings\n" + "\n".join(lines))
    blocks.append(_footer(document, width))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _questions(document: Mapping[str, Any], width: int) -> list[str]:
    """A report in short: what may be said, and the answer to each question."""
    blocks = []
    claims = document.get("claims") or {}
    for title, mark, key in (("You may say", "+", "may"), ("You may not say", "-", "may_not")):
        lines = [_wrapped(f"{mark} {one}", width, "  ") for one in claims.get(key, ())]
        if lines:
            blocks.append("\n".join([title, *lines]))
    for part in document["parts"]:
        lines = [heading(part["verb"])]
        lines += [_wrapped(one, width - 2, "  ") for one in part.get("answer", ())]
        lines += [_wrapped(f"! {one}", width - 2, "  ") for one in part.get("warnings", ())]
        blocks.append("\n  ".join([*lines, f"$ {visible(part.get('command', ''))}"]))
    for one in document.get("not_run", ()):
        title = heading(one["verb"])
        blocks.append(f"{title}\n  " + _wrapped(f"Not asked: {one['reason']}", width - 2, "  "))
    return blocks


def text_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, width: int = 100, right: Sequence[bool]
) -> str:
    """Columns aligned, one space of air; where a line would be too long, the last column is
    wrapped when it is words, and cells are cut."""
    body = [list(row) for row in rows]
    sizes = [max(_cells(cell) for cell in column) for column in zip(header, *body, strict=True)]
    if not right[-1] and sum(sizes) + 2 * len(sizes) > width:
        sizes[-1] = max(min(sizes[-1], 30), width - sum(sizes[:-1]) - 2 * len(sizes))
        body = [line for row in body for line in _wrapped_last(row, sizes[-1])]
    while sum(sizes) + 2 * len(sizes) > width and max(sizes) > 12:
        widest = sizes.index(max(sizes))
        sizes[widest] -= 1
    lines = [_line(header, sizes, right), "  ".join("─" * size for size in sizes)]
    lines += [_line(row, sizes, right) for row in body]
    return "\n".join(line.rstrip() for line in lines)


def _wrapped_last(row: Sequence[str], size: int) -> list[list[str]]:
    parts = textwrap.wrap(row[-1], size) or [""]
    return [[*row[:-1], parts[0]], *([*[""] * (len(row) - 1), part] for part in parts[1:])]


def _line(row: Sequence[str], sizes: Sequence[int], right: Sequence[bool]) -> str:
    cells = []
    for cell, size, to_right in zip(row, sizes, right, strict=True):
        cut = cell if _cells(cell) <= size else cell[: size - 1] + "…"
        pad = " " * max(0, size - _cells(cut))
        cells.append(pad + cut if to_right else cut + pad)
    return "  ".join(cells)


def _cells(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)


def _results(every: Sequence[Mapping[str, Any]], width: int) -> str:
    results = _first(every)
    if not results:
        return ""
    keys = list(dict.fromkeys(k for row in results for k in row if k not in _NOT_KEYS))
    varying = [k for k in keys if len({str(r.get(k)) for r in results}) > 1]
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in results:
        label = tuple(visible(row[k]) for k in varying if row.get(k) is not None)
        groups.setdefault(label, []).append(row)
    constant = [
        f"{k} {visible(results[0][k])}" for k in keys if k not in varying and results[0].get(k)
    ]
    blocks = [", ".join(constant)] if constant else []
    for label, rows in groups.items():
        title = " · ".join(label)
        blocks.append((title + "\n" if title else "") + _group(rows, width))
    if len(every) > len(results):
        blocks.append(f"{len(every) - len(results):,} more results are in --json and --out .html.")
    return "\n\n".join(blocks)


#: Of more judges, or more results, only the central numbers are printed.
FEW_JUDGES, FEW_RESULTS = 2, 60


def _first(every: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The results that text shows: of several judges the central ones, in the declared handling."""
    several = len({row.get("judge") for row in every}) > FEW_JUDGES
    many = several or len(every) > FEW_RESULTS
    return [row for row in every if not row.get("mode") and (not many or is_central(row["name"]))]


def _group(rows: Sequence[Mapping[str, Any]], width: int) -> str:
    ends = [e for r in rows for e in (r["low"], r["high"], r["value"]) if e is not None]
    left = min([0.0, *(e for e in ends if e >= -1)]) if ends else 0.0
    right = max([1.0, *(e for e in ends if e <= 1)]) if ends else 1.0
    left = -1.0 if left < 0 else 0.0
    body, undefined = [], []
    for row in rows:
        if row["undefined"] is not None:
            undefined.append(f"{_name(row)}: undefined, {visible(row['undefined'])}")
            continue
        within = row["low"] is not None and row["low"] >= left and (row["high"] or 9) <= right
        body.append(
            [
                _name(row),
                value_text(row["value"]),
                _interval(row),
                _bar(row, left, right) if within else "",
                value_text(row["n_items"]),
            ]
        )
    out = []
    if body:
        level = next((r["confidence_level"] for r in rows if r["confidence_level"]), None)
        interval = f"{level:.0%} interval" if level else "interval"
        axis = f"{left:g}".ljust(_BAR - 1) + f"{right:g}"
        header = ["", "value", interval, axis, "items"]
        out.append(text_table(header, body, width=width, right=[False, True, True, False, True]))
    return "\n".join(out + [_wrapped(line, width, "  ") for line in undefined])


def _name(row: Mapping[str, Any]) -> str:
    """The name, with the aggregation, option and threshold that tell it from its like."""
    parts = [row.get(key) for key in ("name", "aggregation", "option", "threshold")]
    return " ".join(visible(part) for part in parts if part is not None)


def _interval(row: Mapping[str, Any]) -> str:
    if row["low"] is None and row["high"] is None:
        return ""
    low = "-∞" if row["low"] is None else value_text(row["low"])
    high = "∞" if row["high"] is None else value_text(row["high"])
    return f"{low} to {high}"


def _bar(row: Mapping[str, Any], left: float, right: float) -> str:
    def at(value: float) -> int:
        return min(_BAR - 1, max(0, round((value - left) / (right - left) * (_BAR - 1))))

    low, high, value = at(row["low"]), at(row["high"]), at(row["value"])
    cells = ["·"] * _BAR
    for i in range(low, high + 1):
        cells[i] = "━"
    cells[value] = "●"
    return "".join(cells)


def _table(table: Mapping[str, Any], width: int) -> str:
    rows = [[value_text(cell) for cell in row] for row in table["rows"]]
    numeric = [
        all(isinstance(row[i], int | float) or row[i] is None for row in table["rows"])
        for i in range(len(table["columns"]))
    ]
    header = [visible(c) for c in table["columns"]]
    body = "\n\n".join(
        text_table(
            [header[i] for i in some],
            [[row[i] for i in some] for row in rows],
            width=width,
            right=[numeric[i] for i in some],
        )
        for some in _side_by_side(header, rows, width)
    )
    notes = "\n".join(_wrapped(note, width) for note in table.get("notes", ()))
    return "\n".join(part for part in (visible(table["title"]), body, notes) if part)


def _side_by_side(
    header: Sequence[str], rows: Sequence[Sequence[str]], width: int
) -> list[list[int]]:
    """Columns that fit beside one another; the first is repeated where the others go on below.

    Words are wrapped or cut instead, but a number cut short is no number.
    """
    sizes = [max(_cells(cell) for cell in column) for column in zip(header, *rows, strict=True)]
    everything = list(range(len(sizes)))
    if sum(sizes) + 2 * len(sizes) <= width or max(sizes[1:], default=0) > LONGEST_NUMBER:
        return [everything]
    blocks: list[list[int]] = [[0]]
    for column in everything[1:]:
        used = sum(sizes[i] + 2 for i in blocks[-1])
        if len(blocks[-1]) > 1 and used + sizes[column] + 2 > width:
            blocks.append([0])
        blocks[-1].append(column)
    return blocks


def _footer(document: Mapping[str, Any], width: int) -> str:
    lines = []
    rows = document.get("rows")
    if rows:
        line = (
            f"{rows['read']:,} ratings read = {rows['used']:,} used + {rows['excluded']:,} left out"
        )
        reasons = [f"{e['rows']:,} {visible(e['reason'])}" for e in document["exclusions"]]
        lines.append(_wrapped(line + (": " + "; ".join(reasons) if reasons else ""), width))
    methods = sorted({r["method"] for r in document.get("results", ()) if r["method"]})
    if methods:
        lines.append(_wrapped("Intervals: " + "; ".join(methods), width))
    return "\n".join(lines)


def _wrapped(text: str, width: int, indent: str = "") -> str:
    return textwrap.fill(visible(text), width=width, subsequent_indent=indent)
