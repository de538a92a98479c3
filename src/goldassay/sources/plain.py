"""A file that the engine reads: what is packed, in an archive, a workbook or Arrow becomes one
first."""

from __future__ import annotations

import csv
import os
import re
import shlex
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, listed
from goldassay.sources.archives import is_archive, write_member
from goldassay.sources.datasets import write_parquet
from goldassay.sources.encodings import encoding_of
from goldassay.sources.packed import PACKED, inner_name, is_unpacked, packing_of, unpack
from goldassay.sources.records import lines_of_records
from goldassay.sources.spreadsheet import csv_lines
from goldassay.sources.workbook import WORKBOOKS, is_text, is_workbook, write_sheet

__all__ = ["choose_table", "plain"]


#: Endings of formats that are no text: their bytes are not looked at here.
_BINARY = (".parquet", ".pq", ".duckdb", ".sqlite", ".sqlite3", ".db")
#: Cells in single quotes, all of a line, with one sign between them.
_SINGLE = re.compile(rb"'(?:[^']|'')*'(?:([,;\t|])'(?:[^']|'')*')(?:\1'(?:[^']|'')*')*\r?\n?")


def plain(path: Path, table: str | None, connection: Any, told: list[str]) -> Path:
    """A file that the engine reads: the file itself, or a temporary one that is made of it.

    What is to be told of how it was read goes into `told`.
    """
    suffix = path.suffix.lower()
    packing, book = packing_of(path), is_workbook(path)
    if suffix in (*WORKBOOKS, ".xls") and is_text(path):
        told.append("the file is a text and no workbook, whatever its name says")
        copy = _temporary(".csv", connection)
        shutil.copyfile(path, copy)
        return plain(copy, None, connection, told)
    if not book and is_archive(path):
        name, member = write_member(
            path, table, choose_table, lambda ending: _temporary(ending, connection)
        )
        told.append(f"the table is {name} in the archive")
        return plain(member, None, connection, told)
    if packing or book or suffix == ".arrow":
        made = _made(path, table, connection, told, packing=packing, book=book)
        return plain(made, None, connection, told) if suffix == ".arrow" else made
    if suffix in _BINARY:
        lines = lines_of_records(path, connection, lambda end: _temporary(end, connection))
        return lines or path
    if suffix in (".csv", ".md", ".txt") and _is_markdown(path):
        target = _temporary(".csv", connection)
        _write_markdown(path, target)
        return target
    if (encoding := encoding_of(path)) is not None:
        told.append(f"the file is written in {encoding[1]}")
        target = _temporary(suffix, connection)
        try:
            with (
                path.open(encoding=encoding[0], newline="") as stream,
                target.open("w", encoding="utf-8", newline="") as out,
            ):
                shutil.copyfileobj(stream, out)
        except UnicodeDecodeError:
            raise SourceError(
                str(path),
                f"seems to be written in {encoding[1].partition(',')[0]}, and cannot be read so to "
                "its end",
                next_step="Was it cut while it was written or copied? Else save it as UTF-8",
            ) from None
        path = target
    if suffix in (".csv", ".tsv", ".txt") and (separator := _in_single_quotes(path)):
        told.append("cells stand in single quotes")
        target = _temporary(suffix, connection)
        _with_double_quotes(path, target, separator)
        path = target
    return path


def _made(
    path: Path,
    table: str | None,
    connection: Any,
    told: list[str],
    *,
    packing: str | None,
    book: bool,
) -> Path:
    """A temporary file of what a packed file, a workbook or an Arrow file holds."""
    suffix = path.suffix.lower()
    made = inner_name(path).suffix.lower() if packing else ".csv" if book else ".parquet"
    target = _temporary(made, connection)
    if packing:
        if suffix not in PACKED:
            told.append(f"the file is packed ({packing}), whatever its name says")
        elif is_unpacked(path):
            told.append("the file is a text and not packed, whatever its name says")
        unpack(path, target)
    elif book:
        if suffix not in WORKBOOKS:
            told.append("the file is a workbook, whatever its name says")
        write_sheet(path, table, target, choose_table, told)
    else:
        write_parquet(path, target)
    return target


def _is_markdown(path: Path) -> bool:
    """A table of pipes whose second line is a rule, as a README shows it."""
    with path.open("rb") as stream:
        first, second = stream.readline(2**16), stream.readline(2**16)
    return first.lstrip().startswith(b"|") and bool(re.fullmatch(rb"[|\s:-]+-[|\s:-]*", second))


def _write_markdown(path: Path, target: Path) -> None:
    with (
        path.open(encoding="utf-8-sig", errors="replace") as stream,
        target.open("w", encoding="utf-8", newline="") as out,
    ):
        lines = (line.strip().strip("|") for at, line in enumerate(stream) if at != 1)
        rows = ([cell.strip() for cell in line.split("|")] for line in lines if line)
        out.writelines(csv_lines(rows))


def _in_single_quotes(path: Path) -> str | None:
    """What separates cells in single quotes; None where the first two lines are not all so."""
    with path.open("rb") as stream:
        lines = [stream.readline(2**16).removeprefix(b"\xef\xbb\xbf") for _ in range(2)]
    found = [_SINGLE.fullmatch(line) for line in lines]
    return found[0][1].decode() if found[0] and found[1] else None


def _with_double_quotes(path: Path, target: Path, separator: str) -> None:
    with (
        path.open(encoding="utf-8-sig", errors="replace", newline="") as stream,
        target.open("w", encoding="utf-8", newline="") as out,
    ):
        rows = csv.reader(stream, delimiter=separator, quotechar="'", strict=True)
        try:
            out.writelines(csv_lines(rows, separator=separator))
        except csv.Error:
            raise SourceError(
                f"{path}, line {rows.line_num}",
                "a cell in single quotes must end with one",
                next_step="Double a quote inside: ''",
            ) from None


def _temporary(suffix: str, connection: Any) -> Path:
    handle, name = tempfile.mkstemp(prefix="goldassay-", suffix=suffix)
    os.close(handle)
    weakref.finalize(connection, Path(name).unlink, missing_ok=True)
    return Path(name)


#: Tables that a message names.
_MOST_NAMED = 12


def choose_table(path: Path, tables: list[str], wanted: str | None) -> str:
    if wanted is not None:
        if wanted in tables:
            return wanted
        raise SourceError(
            f"{path}::{wanted}", "no such table", next_step=f"It has: {listed(sorted(tables))}"
        )
    if "ratings" in tables:
        return "ratings"
    if len(tables) == 1:
        return tables[0]
    if not tables:
        raise SourceError(
            str(path), "holds no table", next_step="Is it the file that was meant? It has no cell"
        )
    shown, more = sorted(tables)[:_MOST_NAMED], len(tables) - _MOST_NAMED
    raise SourceError(
        str(path),
        "has several tables",
        found=listed([*shown, f"{more} more"] if more > 0 else shown),
        next_step=f"Name one, as {shlex.quote(f'{path}::{shown[0]}')}"
        f"{', or several of its files' if path.is_dir() else ''}",
    )
