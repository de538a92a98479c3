"""The one way in which CSV is written: what was written is read back, on every Python.

Spreadsheets run a cell that begins with `=`, `+`, `-` or `@`. Names and texts come from models and
strangers, so that such a cell gets a leading apostrophe, which a spreadsheet takes for "this is
text"; so does each further line of it, for a reader that takes a line break in a cell for the end
of a row. A number and a sign that stands alone are what they are. JSONL and Parquet are exact.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

__all__ = ["ROWS", "csv_lines", "csv_text", "neutral", "neutral_rows", "plain", "rows_text"]

_BLANKS, _SIGNS = " \u00a0\ufeff", "=+-@\t＝＋－＠"
#: What spreadsheets run, full-width signs too; they skip blanks before them.
_RUNS = f"[{_BLANKS}]*[{re.escape(_SIGNS)}]"
_START, _LINE = re.compile(f"[\r\n]|{_RUNS}"), re.compile(f"([\r\n])(?={_RUNS})")
_MARKED = re.compile(f"\\A'(?=[\r\n]|{_RUNS})|(?<=[\r\n])'(?={_RUNS})")
_FIRST = frozenset(_BLANKS + _SIGNS + "\r\n")
_HARMLESS = re.compile(r"([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-])\Z")


def neutral(value: Any) -> Any:
    """A cell that no spreadsheet runs.

    >>> neutral("=1+1"), neutral("-1.5"), neutral("-x"), neutral(" =1"), neutral("-")
    ("'=1+1", '-1.5', "'-x", "' =1", '-')
    >>> neutral("fine\\n=1+1")
    "fine\\n'=1+1"
    """
    if not isinstance(value, str):
        return value
    if "\n" in value or "\r" in value:
        value = _LINE.sub(r"\1'", value)
    if value[:1] in _FIRST and _START.match(value) and not _HARMLESS.match(value):
        return f"'{value}"
    return value


def plain(cell: str) -> str:
    """The text behind a neutral cell, for a list that comes back from a spreadsheet.

    >>> plain("'=1+1"), plain("'tis")
    ('=1+1', "'tis")
    """
    behind = _MARKED.sub("", cell)
    return behind if neutral(behind) == cell else cell


def csv_lines(
    rows: Iterable[Sequence[Any]], *, separator: str = ",", line_end: str = "\n"
) -> Iterator[str]:
    """Rows as lines of CSV, exact (RFC 4180): a cell with a separator, a quote or either sign of a
    line break is quoted.

    Before 3.13, Python's writer quotes those signs alone that end its own lines: here always both.

    >>> list(csv_lines([("a", 1.5, None), ("x,\\ry", "", "z")]))
    ['a,1.5,\\n', '"x,\\ry",,z\\n']
    """
    writer = csv.writer(_Handed(), delimiter=separator, lineterminator="\r\n")
    for row in rows:
        yield writer.writerow(row)[:-2] + line_end


class _Handed:
    """A stream that hands back what is written to it: a row."""

    def write(self, line: str) -> str:
        return line


def neutral_rows(rows: Iterable[Sequence[Any]]) -> Iterator[list[Any]]:
    """Rows of which no cell runs in a spreadsheet."""
    return ([neutral(cell) for cell in row] for row in rows)


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, line_end: str = "\n") -> str:
    """A table as CSV, every cell neutral."""
    return "".join(csv_lines(neutral_rows(chain([columns], rows)), line_end=line_end))


#: Files that `rows_text` can fill.
ROWS = (".csv", ".jsonl")


def rows_text(suffix: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as the suffix wants it: CSV with every cell neutral, or exact lines of JSON."""
    if suffix == ".csv":
        return csv_text(columns, rows)
    lines = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows)
    return "".join(f"{line}\n" for line in lines)
