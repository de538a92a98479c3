"""CSV that a spreadsheet may open: no cell of it runs as a formula, and numbers stay numbers.

Spreadsheets run a cell that begins with `=`, `+`, `-` or `@`. Names and texts come from models and
strangers, so that such a cell gets a leading apostrophe, which a spreadsheet takes for "this is
text". A number and a sign that stands alone are what they are. JSONL and Parquet are exact.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["ROWS", "csv_text", "neutral", "neutral_sql", "plain", "rows_text"]

#: The last four are full-width forms, which spreadsheets run too; blanks before them are skipped.
#: Both patterns are in the common part of Python's and DuckDB's (RE2's) language.
_FORMULA = "^[ \u00a0\ufeff]*[=+\\-@\t\r\n＝＋－＠]"
_HARMLESS = r"^([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-])$"
_formula, _harmless = re.compile(_FORMULA), re.compile(_HARMLESS.removesuffix("$") + r"\Z")


def neutral(value: Any) -> Any:
    """A cell that no spreadsheet runs.

    >>> neutral("=1+1"), neutral("-1.5"), neutral("-x"), neutral(" =1"), neutral("-")
    ("'=1+1", '-1.5', "'-x", "' =1", '-')
    """
    if isinstance(value, str) and _formula.match(value) and not _harmless.match(value):
        return f"'{value}"
    return value


def plain(cell: str) -> str:
    """The text behind a neutral cell, for a list that comes back from a spreadsheet.

    >>> plain("'=1+1"), plain("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell[:1] == "'" and neutral(cell[1:]) == cell else cell


def neutral_sql(column: str) -> str:
    """`neutral` of a text column, as an expression of DuckDB."""
    name = '"' + column.replace('"', '""') + '"'
    formula, harmless = (one.replace("'", "''") for one in (_FORMULA, _HARMLESS))
    return (
        f"CASE WHEN regexp_matches({name}, '{formula}') AND NOT "
        f"regexp_matches({name}, '{harmless}') THEN '''' || {name} ELSE {name} END AS {name}"
    )


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, line_end: str = "\n") -> str:
    """A table as CSV, every cell neutral."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator=line_end)
    writer.writerow([neutral(name) for name in columns])
    writer.writerows([neutral(cell) for cell in row] for row in rows)
    return stream.getvalue()


#: Files that `rows_text` can fill.
ROWS = (".csv", ".jsonl")


def rows_text(suffix: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as the suffix wants it: CSV with every cell neutral, or exact lines of JSON."""
    if suffix == ".csv":
        return csv_text(columns, rows)
    lines = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows)
    return "".join(f"{line}\n" for line in lines)
