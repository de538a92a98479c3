"""Workbooks (`.xlsx`): one sheet as CSV, the values that were saved, and nothing is run.

`FILE.xlsx::SHEET` names a sheet where several hold something. Formulas count by their saved
values, and a formula without one is refused, since its cell would look empty; macros are not
looked at. What is merged over several rows stands in each of them. A workbook is a zip of XML: how
much it unpacks to is bounded before it is parsed, and rows are read one at a time.
"""

from __future__ import annotations

import csv
import datetime
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from goldassay.errors import MissingExtraError, SourceError, shown
from goldassay.frozen import dataclass
from goldassay.sources.damage import ZIP_DAMAGE
from goldassay.sources.layout import MAX_COLUMNS
from goldassay.sources.spreadsheet import csv_lines
from goldassay.words import listed, named

__all__ = ["WORKBOOKS", "is_workbook", "sheets_alike", "write_sheet"]

WORKBOOKS = (".xlsx", ".xlsm")
#: The most that a workbook unpacks to, and the members that it may have.
MOST, MEMBERS = 512 * 2**20, 10_000
BLOCK = 2**20
#: A cell with a formula and no value, or an empty one; a formula has at most 8,192 characters.
_EMPTY = re.compile(
    rb"<(?:\w+:)?c\b([^>]*)>\s*<(?:\w+:)?f\b(?:[^>]*/>|[^>]*>[^<]*</(?:\w+:)?f>)\s*"
    rb"(<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_FORMULA = 64 * 2**10

#: Cells that are merged into one, by the sheet's own letters and numbers.
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\b[^>]*\bref="([A-Z]{1,3})(\d+):[A-Z]{1,3}(\d+)"')
#: How many rows of a sheet tell whether it is a table.
_FIRST = 20

Choose = Callable[[Path, list[str], str | None], str]
#: Row, from 1 -> the columns whose cells of it stand in rows below too, and the last such row.
Merged = Mapping[int, Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class _Book:
    """An open workbook: its sheets by name, and what is merged in them."""

    path: Path
    sheets: Mapping[str, Any]
    merged: Mapping[str, Merged]
    #: Sheets that a spreadsheet does not show.
    hidden: frozenset[str]

    def rows(self, name: str) -> Iterator[list[str]]:
        return _rows(self.sheets[name], self.path, self.merged.get(name, {}))

    def tables(self) -> list[str]:
        """The sheets with a row of several cells; those with any where none has. What is hidden is
        none, beside one that is shown."""
        first = {name: list(islice(self.rows(name), _FIRST)) for name in self.sheets}
        filled = [name for name, rows in first.items() if rows]
        several = [n for n in filled if any(sum(map(bool, row)) > 1 for row in first[n])]
        return [name for name in several if name not in self.hidden] or several or filled


def is_text(path: Path) -> bool:
    """Whether a file holds a table of text: tools write these to names of workbooks, too. Cells are
    separated in its first line, and no byte is none of a text."""
    try:
        with path.open("rb") as stream:
            head = stream.read(2**12)
    except OSError:  # who reads it tells what is wrong with it
        return False
    separated = re.search(rb"[,;\t|]", head.partition(b"\n")[0])
    binary = head.startswith(b"PK") or re.search(rb"[\0-\x08\x0e-\x1f]", head)
    return bool(separated) and not binary


def is_workbook(path: Path) -> bool:
    """Whether a file is one by its name, or by what it holds: tools write workbooks to any name."""
    if path.suffix.lower() in WORKBOOKS:
        return not is_text(path)
    try:
        with path.open("rb") as stream:
            if stream.read(4) != b"PK\x03\x04":
                return False
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except ZIP_DAMAGE:
        return False  # who reads it tells what is wrong with it


def write_sheet(
    path: Path, sheet: str | None, target: Path, choose: Choose, told: list[str]
) -> None:
    """Write one sheet as CSV; `choose(path, sheets, wanted)` says which of several. That others
    are notes goes into `told`."""
    with _opened(path) as book:
        tables = book.tables()
        every = [*book.sheets] if sheet is not None else tables
        name = choose(path, every, sheet)
        notes = sorted({*book.sheets} - {*tables} - book.hidden) if sheet is None else []
        if sheet is None and (hidden := sorted(book.hidden - {*tables})):
            are = "is a hidden sheet" if len(hidden) == 1 else "are hidden sheets"
            told.append(f"{listed([named(one) for one in hidden])} {are} and not read")
        if notes and any(True for one in notes for _ in book.rows(one)):
            told.append(f"of the sheets, {named(name)} alone is a table")
        width = least = 0
        with target.open("w", encoding="utf-8", newline="") as stream:

            def rows() -> Iterator[list[str]]:
                nonlocal width, least
                for row in book.rows(name):
                    least = least or len(row)
                    width = max(width, len(row))
                    yield row + [""] * (width - len(row))

            stream.writelines(csv_lines(rows()))
    if width > least:
        _widen(target, width)


def _widen(target: Path, width: int) -> None:
    """Give the rows above the widest one as many cells as it has."""
    wide = target.with_name(f"{target.name}.wide")
    with (
        target.open(encoding="utf-8", newline="") as stream,
        wide.open("w", encoding="utf-8", newline="") as out,
    ):
        rows = (row + [""] * (width - len(row)) for row in csv.reader(stream))
        out.writelines(csv_lines(rows))
    wide.replace(target)


def sheets_alike(path: Path) -> tuple[str, ...]:
    """The sheets of a workbook where they are several tables of the same columns: a rater or a
    round has each its own. Nothing where they differ, or there is one."""
    with _opened(path) as book:
        tables = book.tables()
        heads = {tuple(next(book.rows(name))) for name in tables}
    several = len(tables) > 1 and len(heads) == 1 and "ratings" not in tables
    return tuple(tables) if several and all(heads.pop()) else ()


@contextmanager
def _opened(path: Path) -> Iterator[_Book]:
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("openpyxl", "xlsx") from None
    merged = _bounded(path)
    try:
        # The parser gets an open file: of a name it would believe the ending.
        with warnings.catch_warnings(), path.open("rb") as stream:
            warnings.simplefilter("ignore")  # of styles and charts, which are not read
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
            try:
                sheets = {one.title: one for one in book.worksheets}
                # Which member a sheet is, is known to the parser alone.
                members = {n: getattr(one, "_worksheet_path", "") for n, one in sheets.items()}
                of_sheets = {n: merged.get(one.lstrip("/"), {}) for n, one in members.items()}
                hidden = frozenset(n for n, one in sheets.items() if one.sheet_state != "visible")
                yield _Book(path, sheets, of_sheets, hidden)
            finally:
                book.close()
    except SourceError:
        raise
    except Exception as error:  # whatever a damaged workbook makes of the parser
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise SourceError(
            str(path),
            f"cannot be read as a workbook ({shown(reason, 120)})",
            next_step="Save it again, or save the sheet as CSV",
        ) from None


def _rows(sheet: Any, path: Path, merged: Merged) -> Iterator[list[str]]:
    """The rows that hold something, as texts, without the empty cells at their ends; every row has
    at least the cells of the first."""
    sheet.reset_dimensions()  # what a workbook says of its own size may be wrong
    width = 0
    running: dict[int, tuple[int, Any]] = {}
    for at, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        if row.count(None) == len(row):
            continue
        cells = list(row)
        for column, (last, value) in running.items():
            if at <= last:
                cells += [None] * (column - len(cells))
                cells[column - 1] = value
        running |= {c: (last, cells[c - 1]) for c, last in merged.get(at, ()) if c <= len(cells)}
        while cells[-1] is None:
            cells.pop()
        if len(cells) > MAX_COLUMNS:
            raise SourceError(
                f"{path}::{sheet.title}",
                f"a table must have at most {MAX_COLUMNS:,} columns",
                found=f"{len(cells):,}",
            )
        width = width or len(cells)
        yield [_text(cell) for cell in cells] + [""] * (width - len(cells))


def _text(cell: Any) -> str:
    """A saved value as a spreadsheet would write it to CSV; dates as ISO 8601."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    return str(cell)


def _bounded(path: Path) -> dict[str, Merged]:
    """Refuse what unpacks to too much, and formulas without a saved value; what is merged, by the
    member that holds the sheet.

    Sizes are those that the zip declares: no more than that is ever unpacked of a member, here and
    by the parser, whatever is packed in it.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > MEMBERS or sum(one.file_size for one in members) > MOST:
                raise SourceError(
                    str(path),
                    f"a workbook must unpack to at most {MOST // 2**20} MB",
                    next_step="Save the sheet as CSV",
                )
            return {
                one.filename: _merged(archive, one, path)
                for one in members
                if one.filename.startswith("xl/worksheets/")
            }
    except ZIP_DAMAGE as error:
        raise SourceError(
            str(path),
            f"cannot be read as a workbook ({shown(str(error), 120)})",
            next_step="Has it a password, or is it an .xls under another name? Save it as .xlsx",
        ) from None


def _merged(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> Merged:
    """The cells of a sheet that are merged over several rows; a formula there is saved."""
    found: set[tuple[bytes, bytes, bytes]] = set()
    before = b""
    with archive.open(member) as stream:
        while block := stream.read(BLOCK):
            seen = before + block
            for attributes, value in _EMPTY.findall(seen):
                if not value or b't="str"' not in attributes:  # a saved text may be empty
                    raise SourceError(
                        f"{path}, {member.filename}",
                        "a formula must have a saved value",
                        next_step="Open it in a spreadsheet and save it, or save the sheet as CSV",
                    )
            found |= {*_MERGED.findall(seen)}
            before = block[-_FORMULA:]
    merged: dict[int, list[tuple[int, int]]] = {}
    for letters, first, last in found:
        if int(last) > int(first):
            merged.setdefault(int(first), []).append((_number(letters), int(last)))
    return merged


def _number(letters: bytes) -> int:
    """The number of a column, from 1.

    >>> _number(b"A"), _number(b"Z"), _number(b"AA")
    (1, 26, 27)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number
