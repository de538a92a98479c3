"""Workbooks (`.xlsx`): one sheet as CSV, the values that were saved, and nothing is run.

`FILE.xlsx::SHEET` names a sheet where several hold something. Formulas count by their saved
values, and a formula without one is refused, since its cell would look empty; macros are not
looked at. A workbook is a zip of XML: how much it unpacks to is bounded before it is parsed, and
rows are read one at a time.
"""

from __future__ import annotations

import csv
import datetime
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from goldassay.errors import MissingExtraError, SourceError, shown
from goldassay.sources.layout import MAX_COLUMNS

__all__ = ["WORKBOOKS", "write_sheet"]

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

Choose = Callable[[Path, list[str], str | None], str]


def write_sheet(path: Path, sheet: str | None, target: Path, choose: Choose) -> None:
    """Write one sheet as CSV; `choose(path, sheets, wanted)` says which of several."""
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("openpyxl", "xlsx") from None
    _bounded(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and charts, which are not read
            book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
            try:
                filled = [one.title for one in book.worksheets if next(_rows(one, path), None)]
                name = choose(path, filled, sheet)
                with target.open("w", encoding="utf-8", newline="") as stream:
                    csv.writer(stream).writerows(_rows(book[name], path))
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


def _rows(sheet: Any, path: Path) -> Iterator[list[str]]:
    """The rows that hold something, as texts, without the empty cells at their ends; every row has
    at least the cells of the first."""
    sheet.reset_dimensions()  # what a workbook says of its own size may be wrong
    width = 0
    for row in sheet.iter_rows(values_only=True):
        if row.count(None) == len(row):
            continue
        cells = list(row)
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


def _bounded(path: Path) -> None:
    """Refuse what unpacks to too much, and formulas without a saved value.

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
            for one in members:
                if one.filename.startswith("xl/worksheets/") and _unsaved(archive, one):
                    raise SourceError(
                        f"{path}, {one.filename}",
                        "a formula must have a saved value",
                        next_step="Open it in a spreadsheet and save it, or save the sheet as CSV",
                    )
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, ValueError) as error:
        raise SourceError(
            str(path),
            f"cannot be read as a workbook ({shown(str(error), 120)})",
            next_step="Has it a password, or is it an .xls under another name? Save it as .xlsx",
        ) from None


def _unsaved(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    before = b""
    with archive.open(member) as stream:
        while block := stream.read(BLOCK):
            for attributes, value in _EMPTY.findall(before + block):
                if not value or b't="str"' not in attributes:  # a saved text may be empty
                    return True
            before = block[-_FORMULA:]
    return False
