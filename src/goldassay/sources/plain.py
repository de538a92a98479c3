"""A file that the engine reads: what is packed, a workbook or Arrow becomes one first."""

from __future__ import annotations

import codecs
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
from goldassay.sources.datasets import write_parquet
from goldassay.sources.packed import PACKED, inner_name, packing_of, unpack
from goldassay.sources.workbook import WORKBOOKS, is_workbook, write_sheet

__all__ = ["choose_table", "plain"]


#: Signs beyond letters that such texts have.
_SIGNS = frozenset("’‘“”–—…€£°±§«»¿¡•´×÷½¼ª" + "\xa0")
#: Endings of formats that are no text: their bytes are not looked at here.
_BINARY = (".parquet", ".pq", ".duckdb", ".sqlite", ".sqlite3", ".db")
#: How many bytes tell UTF-16 without its mark.
_MARKLESS = 200
#: The longest run of bytes beyond ASCII that words of Western European languages have.
_LONGEST_RUN = 3


def plain(path: Path, table: str | None, connection: Any, told: list[str]) -> Path:
    """A file that the engine reads: the file itself, or a temporary one that is made of it.

    What is to be told of how it was read goes into `told`.
    """
    suffix = path.suffix.lower()
    packing, book = packing_of(path), is_workbook(path)
    if packing or book or suffix == ".arrow":
        return _made(path, table, connection, told, packing=packing, book=book)
    if suffix in _BINARY:
        return path
    if suffix in (".csv", ".md", ".txt") and _is_markdown(path):
        target = _temporary(".csv", connection)
        _write_markdown(path, target)
        return target
    encoding = _encoding(path)
    if encoding is None:
        return path
    told.append(f"the file is written in {encoding[1]}")
    target = _temporary(suffix, connection)
    with (
        path.open(encoding=encoding[0], newline="") as stream,
        target.open("w", encoding="utf-8", newline="") as out,
    ):
        shutil.copyfileobj(stream, out)
    return target


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
        writer = csv.writer(out, lineterminator="\n")
        for at, line in enumerate(stream):
            if at != 1 and line.strip():
                writer.writerow(cell.strip() for cell in line.strip().strip("|").split("|"))


def _temporary(suffix: str, connection: Any) -> Path:
    handle, name = tempfile.mkstemp(prefix="goldassay-", suffix=suffix)
    os.close(handle)
    weakref.finalize(connection, Path(name).unlink, missing_ok=True)
    return Path(name)


def _encoding(path: Path) -> tuple[str, str] | None:
    """How a text is written that is no UTF-8, by its first bytes: the codec, and its name for
    people; None for UTF-8, and for what is no text of either kind."""
    with path.open("rb") as stream:
        head = stream.read(2**20)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ("utf-16", "UTF-16") if not path.stat().st_size % 2 else None
    if b"\0" in head:
        return _without_mark(head)
    if head.isascii():
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        runs = re.findall(rb"[\x80-\xff]+", head)
        try:
            letters = all(
                sign.isalpha() or sign in _SIGNS for run in runs for sign in run.decode("cp1252")
            )
        except UnicodeDecodeError:
            return None
        short = all(len(run) <= _LONGEST_RUN for run in runs)
        return (
            ("cp1252", "Windows-1252, as Western European spreadsheets write")
            if letters and short
            else None
        )
    return None


def _without_mark(head: bytes) -> tuple[str, str] | None:
    """UTF-16 that does not begin with its mark: every other byte of its ASCII signs is NUL."""
    first = head[:_MARKLESS]
    even, odd = first[::2], first[1::2]
    for codec, zeros, signs in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if 0 not in signs and zeros.count(0) >= 0.9 * len(zeros):
            return codec, "UTF-16"
    return None


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
        raise SourceError(str(path), "holds no table")
    raise SourceError(
        str(path),
        "has several tables",
        found=listed(sorted(tables)),
        next_step=f"Name one, as {shlex.quote(f'{path}::{sorted(tables)[0]}')}",
    )
