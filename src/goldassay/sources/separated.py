"""Separated values: CSV, TSV and loose text, as their form says."""

from __future__ import annotations

import csv
import os
import re
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError
from goldassay.sources.engine import named, quoted
from goldassay.sources.form import Form
from goldassay.sources.layout import Layout, layout
from goldassay.sources.parsed import IN_MEMORY, MAX_LINE, columns_of, is_small, path_list, stored
from goldassay.sources.spreadsheet import csv_lines

__all__ = ["SEPARATORS", "read_separated"]

#: The most lines below a table that are notes.
_NOTES = 10
#: What may separate the cells of a format, the likeliest first; a blank is a run of blanks.
SEPARATORS: Mapping[str, tuple[str, ...]] = {
    "csv": (",", ";", "\t", "|"),
    "tsv": ("\t", ",", ";"),
    "loose": ("\t", ",", ";", "|", " "),
}


def read_separated(
    form: Form,
    tried: Sequence[str],
    told: list[str],
    connection: Any,
    paths: Sequence[Path],
    table: str | None,
) -> Any:
    """Separated values; what is to be told of how they were read goes into `told`."""
    # The header is read here: sniffing would take a ragged row for the header.
    headers = [layout(path, form.separator, form.header, tried) for path in paths]
    told += dict.fromkeys(line for one in headers for line in one.told)
    queries = []
    for path, one in zip(paths, headers, strict=True):
        source, delimiter = _one_blank(path, connection) if one.blanks else (path, one.separator)
        quote = "'\"'" if one.quoted else "''"
        queries.append(
            f"SELECT {_cells_of(one.names, form)} FROM read_csv({path_list([source])}, "
            f"header={str(one.header).lower()}, auto_detect=false, delim={quoted(delimiter)}, "
            f"skip={one.skip}, quote={quote}, escape={quote}, nullstr='', "
            f"max_line_size={MAX_LINE}, buffer_size={2 * MAX_LINE}, "
            f"columns={columns_of(one.names)})"
        )
    if again := [path for path, one in zip(paths, headers, strict=True) if _repeats(path, one)]:
        queries = [
            _without_names(query, one.names) if path in again else query
            for query, one, path in zip(queries, headers, paths, strict=True)
        ]
        told.append("the line with the names stands again among the rows, and is no row")
    if form.totals:
        queries = [
            _without_totals(query, one.names, form.totals)
            for query, one in zip(queries, headers, strict=True)
        ]
    if form.fill:
        queries = [
            _filled(query, one.names, form.fill, path)
            for query, one, path in zip(queries, headers, paths, strict=True)
        ]
    try:
        return stored(connection, paths, queries)
    except Exception as error:
        if "state machine" in str(error).lower() and is_small(paths):
            mended = [_lines_end_alike(path, connection) for path in paths]
            if any(mended):
                whole = [copy or path for copy, path in zip(mended, paths, strict=True)]
                return read_separated(form, tried, told, connection, whole, table)
        if "expected number of columns" not in str(error).lower():
            raise
        copies = [
            without_notes(path, one, connection) for path, one in zip(paths, headers, strict=True)
        ]
        if not any(copies):
            raise
    told.append("the lines below the table have fewer cells than the names, and are no rows")
    whole = [copy or path for copy, path in zip(copies, paths, strict=True)]
    return read_separated(form, tried, told, connection, whole, table)


def _repeats(path: Path, one: Layout) -> bool:
    """Whether the line with the names stands again below itself, as where files were put one below
    the other; only files that are held in memory are looked at."""
    if not one.header or one.blanks or len(one.names) < 2 or path.stat().st_size > IN_MEMORY:
        return False
    with path.open("rb") as stream:
        for _ in range(one.skip):
            stream.readline()
        names = stream.readline().strip().removeprefix(b"\xef\xbb\xbf")
        rest = b"\n" + stream.read() + b"\n"
    return bool(names) and any(b"\n" + names + end in rest for end in (b"\n", b"\r\n"))


def _without_names(query: str, names: Sequence[str]) -> str:
    """The rows of a query without those that repeat the names of its columns."""
    same = " AND ".join(f"trim(coalesce({named(name)}, '')) = {quoted(name)}" for name in names)
    return f"SELECT * FROM ({query}) WHERE NOT ({same})"


def _lines_end_alike(path: Path, connection: Any) -> Path | None:
    """A copy of a file whose lines end in two ways, with one of them; None where they do not."""
    content = path.read_bytes()
    pairs = content.count(b"\r\n")
    if not pairs or pairs == content.count(b"\n"):
        return None
    handle, copy = tempfile.mkstemp(prefix="goldassay-", suffix=path.suffix)
    weakref.finalize(connection, Path(copy).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as out:
        out.write(content.replace(b"\r\n", b"\n"))
    return Path(copy)


def without_notes(path: Path, one: Layout, connection: Any) -> Path | None:
    """A copy of a file without the lines that stand below its table, as sheets have notes; None
    where other rows are too short or too long, or the file is large."""
    if path.stat().st_size > IN_MEMORY or one.blanks:
        return None
    with path.open(encoding="utf-8-sig", newline="") as stream:
        if one.quoted:
            rows = list(csv.reader(stream, delimiter=one.separator))
        else:
            rows = list(csv.reader(stream, delimiter=one.separator, quoting=csv.QUOTE_NONE))
    filled = [at for at, row in enumerate(rows) if row]
    odd = [at for at in filled if at > one.skip and len(rows[at]) != len(one.names)]
    notes = filled[-len(odd) :]
    if not odd or len(odd) > _NOTES or odd != notes or len(filled) < 3 * len(odd):
        return None
    if any(len(rows[at]) > len(one.names) for at in odd):
        return None
    apart = not rows[odd[0] - 1] or any(" " in cell.strip() for cell in rows[odd[0]])
    if not apart:  # a row that was cut, and no note
        return None
    handle, copy = tempfile.mkstemp(prefix="goldassay-", suffix=path.suffix)
    weakref.finalize(connection, Path(copy).unlink, missing_ok=True)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
        out.writelines(csv_lines(rows[: odd[0]], separator=one.separator))
    return Path(copy)


def _without_totals(query: str, names: Sequence[str], totals: Sequence[str]) -> str:
    """The rows of a query without those whose first cell that is not empty sums others up; "" is
    one whose first two cells are empty."""
    first = ", ".join(f"nullif(trim({name}), '')" for name in map(named, names[:2]))
    words = ", ".join(map(quoted, totals))
    return f"SELECT * FROM ({query}) WHERE coalesce({first}, '') NOT IN ({words})"


def _filled(query: str, names: Sequence[str], columns: Sequence[str], path: Path) -> str:
    """The rows of a query, in which an empty cell of these columns repeats the one above it."""
    columns = [name for name in columns if name in names]  # another file may have the others
    if not columns:
        return query
    if path.stat().st_size > IN_MEMORY:  # rows have no order there
        raise SourceError(
            str(path),
            f"[file] fill: is for files of at most {IN_MEMORY // 2**20} MB",
            next_step="Write the repeated cells into the file",
        )
    above = ", ".join(
        f"last_value(nullif({c}, '') IGNORE NULLS) OVER (ORDER BY line_number_) AS {c}"
        for c in map(named, columns)
    )
    return (
        f"SELECT * EXCLUDE (line_number_) REPLACE ({above}) "
        f"FROM (SELECT *, row_number() OVER () AS line_number_ FROM ({query}))"
    )


def _cells_of(names: Sequence[str], form: Form) -> str:
    """The columns; numbers without what parts their thousands, and with a decimal point."""
    if form.decimal == "." and form.thousands is None:
        return "*"
    point = re.escape(form.decimal)
    whole, between = "[0-9]+", ""
    if form.thousands is not None:
        between = form.thousands
        whole = f"(?:[0-9]{{1,3}}(?:{re.escape(between)}[0-9]{{3}})+|[0-9]+)"
    pattern = quoted(rf"^\s*[+-]?{whole}(?:{point}[0-9]+)?\s*%?\s*$")
    cells = []
    for name in map(named, names):
        plain = f"replace({name}, {quoted(between)}, '')" if between else name
        plain = plain if form.decimal == "." else f"replace({plain}, {quoted(form.decimal)}, '.')"
        cells.append(
            f"CASE WHEN regexp_matches({name}, {pattern}) THEN {plain} ELSE {name} END AS {name}"
        )
    return ", ".join(cells)


def _one_blank(path: Path, connection: Any) -> tuple[Path, str]:
    """A copy of a file separated by runs of blanks, with one tab for each run."""
    handle, copy = tempfile.mkstemp(prefix="goldassay-", suffix=".tsv")
    weakref.finalize(connection, Path(copy).unlink, missing_ok=True)
    with (
        os.fdopen(handle, "w", encoding="utf-8", newline="") as out,
        path.open(encoding="utf-8-sig", newline=None) as stream,
    ):
        out.writelines("\t".join(line.split()) + "\n" for line in stream if line.strip())
    return Path(copy), "\t"
