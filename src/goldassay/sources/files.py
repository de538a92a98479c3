"""Files of ratings: CSV, TSV, JSONL, JSON, Parquet, DuckDB and SQLite, and globs of them.

Packed files, workbooks and Arrow files become one of these first (`packed`, `workbook`,
`datasets`), in a temporary file that goes with the connection.

Every column is text. DuckDB scans Parquet and its own files where they are; text formats are parsed
once, into a temporary file when they are large. SQLite files go through a temporary CSV (DuckDB's
own reader for them is a download).
"""

from __future__ import annotations

import atexit
import glob
import itertools
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.sources.archives import is_archive
from goldassay.sources.choices import with_pairs
from goldassay.sources.databases import read_duckdb, read_sqlite
from goldassay.sources.datasets import dataset_files, with_class_names
from goldassay.sources.engine import connect
from goldassay.sources.engine_errors import guarded
from goldassay.sources.exploded import exploded_cells, exploded_file
from goldassay.sources.form import Form
from goldassay.sources.formats import TEXT_FORMATS, format_of
from goldassay.sources.json_files import read_json_lines, read_whole_json
from goldassay.sources.layout import check_names
from goldassay.sources.nested import records_file, with_inner_columns
from goldassay.sources.opening import ordinary, reading, sha256_of, status_of
from goldassay.sources.packed import inner_name
from goldassay.sources.parsed import is_small, path_list
from goldassay.sources.plain import choose_table, plain
from goldassay.sources.repeated import with_repeats
from goldassay.sources.scanning import scanned
from goldassay.sources.segments import segments, systems
from goldassay.sources.separated import SEPARATORS, read_separated
from goldassay.sources.several import with_lists
from goldassay.sources.vote_counts import with_voters
from goldassay.sources.workbook import is_workbook

__all__ = ["STANDARD_INPUT", "OpenFile", "expanded", "open_files", "split_table"]


@dataclass(frozen=True)
class OpenFile:
    """A relation over the file(s), the columns in the file's order, and who was read."""

    relation: Any
    columns: tuple[str, ...]
    paths: tuple[Path, ...]
    digests: tuple[str, ...]
    name: str
    #: How the files were read where they are not plain tables, to be told as assumptions.
    told: tuple[str, ...] = ()


def open_files(
    source: str | Path, connection: Any = None, form: Form | None = None, paths: Sequence[Path] = ()
) -> OpenFile:
    """Open a file, or a glob of files of one format; `FILE::TABLE` names a table of a database.

    Files that are to be put together are opened on one `connection`. `paths` are those of a glob,
    where they are known.
    """
    if str(source) == "-":
        source = _from_standard_input()
    text, table = split_table(str(source))
    connection = connect() if connection is None else connection
    given = list(paths) or dataset_files(text, table, choose_table)
    table = None if given else table
    given = given or expanded(text)
    told: list[str] = []
    part = "" if table is None else f"::{table}"  # two tables of one file are told apart
    paths = list(given)
    try:
        paths = [plain(path, table, connection, told) for path in given]
        if any(is_workbook(path) or is_archive(path) for path in given):
            table = None
        opened = _opened(text, table, given, paths, connection, form)
        return replace(opened, name=f"{opened.name}{part}", told=(*told, *opened.told))
    except SourceError as error:
        # A message names the user's file, not the one that was made of it.
        moved = error.place
        for path, made in zip(given, paths, strict=True):
            moved = moved.replace(str(made), str(path))
        if text.startswith(_PIPED):
            moved = moved.replace(text, STANDARD_INPUT)
        raise error.at(moved) from None


def _opened(
    text: str,
    table: str | None,
    given: Sequence[Path],
    paths: Sequence[Path],
    connection: Any,
    form: Form | None,
) -> OpenFile:
    """The files `given`, read from the plain `paths`."""
    with reading(text):
        formats = {format_of(path) for path in paths}
    if len(formats) > 1:
        raise SourceError(text, "the files of a glob are of one format", found=", ".join(formats))
    kind = formats.pop()
    if table and kind not in ("duckdb", "sqlite"):
        raise SourceError(text, f"::{table} names a table, but this is a {kind} file")
    is_text = kind in TEXT_FORMATS
    with reading(text):
        digests = tuple(scanned(path, text=is_text) for path in paths)
        digests = tuple(
            digest if path == plain else sha256_of(path)
            for path, plain, digest in zip(given, paths, digests, strict=True)
        )
    if form is None and all(inner_name(path).suffix == ".score" for path in given):
        form = Form(header=False)
    told: list[str] = []
    if form is not None and form.rows:
        if kind in SEPARATORS and is_small(paths):  # the cells of a table hold the lists
            whole = partial(read_separated, form, SEPARATORS[kind], told, connection)
            read = [guarded(partial(whole, [path], table), [path], kind) for path in paths]
            paths = [exploded_cells(one, form.rows, connection, text) for one in read]
        elif kind not in ("json", "jsonl"):
            raise SourceError(text, f"[file] rows: is of JSON, and this is a {kind} file")
        else:
            if kind == "json":  # an object that holds or names the records
                paths = [records_file(path, connection) or path for path in paths]
            paths = [exploded_file(path, form.rows, connection) for path in paths]
        kind = "jsonl"
    if is_text and is_small(paths):
        connection.execute("SET preserve_insertion_order = true")  # rows may be numbered
    if kind in SEPARATORS:
        reader: Callable[..., Any] = partial(read_separated, form or Form(), SEPARATORS[kind], told)
    elif kind in _JSON_READERS:
        reader = partial(_JSON_READERS[kind], told)
    else:
        reader = _READERS[kind]
    relation = guarded(lambda: reader(connection, paths, table), paths, kind)
    if form is not None and form.several:
        several = dict(form.several)
        relation = guarded(lambda: with_lists(relation, several, text), paths, kind)
    if is_text:
        relation = guarded(
            lambda: with_inner_columns(relation, connection, keep=is_small(paths)), paths, kind
        )
    if len(relation.columns) == 2:
        if all(inner_name(one).name.endswith(".seg.score") for one in given):
            relation = segments(relation)
        elif all(inner_name(one).name.endswith(".sys.score") for one in given):
            relation = systems(relation)
    if form is not None and form.pairs:
        made = dict(form.pairs), form.members
        relation = guarded(lambda: with_pairs(relation, *made, text), paths, kind)
    if form is not None and form.times:
        times = form.times
        relation = guarded(lambda: with_repeats(relation, times, text), paths, kind)
    if form is not None and form.votes:
        votes = dict(form.votes)
        relation = guarded(lambda: with_voters(relation, votes, text), paths, kind)
    columns = tuple(relation.columns)
    check_names(columns, text)
    shown_as = STANDARD_INPUT if text.startswith(_PIPED) else text
    return OpenFile(relation, columns, tuple(given), digests, shown_as, tuple(told))


#: What the table that comes in by a pipe is called.
STANDARD_INPUT = "standard input"
_PIPED = str(Path(tempfile.gettempdir()) / "goldassay-stdin-")


@cache
def _from_standard_input() -> str:
    """What comes in by standard input, once, in a temporary file whose ending says its format."""
    content = sys.stdin.buffer.read()
    head = content[:2000].lstrip(b"\xef\xbb\xbf \r\n\t")
    if not head:
        raise SourceError(STANDARD_INPUT, "is empty", next_step="Pipe a table into the command")
    suffix = ".parquet" if head.startswith(b"PAR1") else ".csv"
    if head.startswith(b"PK"):  # an archive, or a workbook, which is told by what it holds
        suffix = ".zip"
    if head.startswith(b"["):
        suffix = ".json"
    elif head.startswith(b"{"):
        suffix = ".jsonl"
    handle, path = tempfile.mkstemp(prefix="goldassay-stdin-", suffix=suffix)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    atexit.register(partial(Path(path).unlink, missing_ok=True))
    return path


def split_table(text: str) -> tuple[str, str | None]:
    """`FILE::TABLE` as the two."""
    head, separator, tail = text.rpartition("::")
    return (head, tail) if separator and head else (text, None)


def expanded(text: str) -> list[Path]:
    """The readable files that a path or a glob names."""
    path = Path(text)
    mode = status_of(path)
    if mode is not None and stat.S_ISDIR(mode):
        raise SourceError(
            text,
            "is a directory",
            next_step=f"Name a file, or a glob as '{text.rstrip('/')}/*.csv'",
        )
    if mode is not None:
        return [_readable(path)]
    if path.is_symlink():
        raise SourceError(text, f"is a link to {shown(str(path.readlink()))}, which does not exist")
    if any(sign in text for sign in "*?["):
        found = sorted(Path(name) for name in glob.glob(text, recursive=True))  # noqa: PTH207
        if files := [_readable(path) for path in found if path.is_file()]:
            return files
        raise SourceError(text, "no file matches this pattern")
    folder = path.parent if path.parent.is_dir() else Path()
    with reading(text):
        names = [entry.name for entry in itertools.islice(folder.iterdir(), 10_000)]
    # An ending that files share says nothing of which was meant.
    stems = {Path(name).stem: name for name in names}
    near = nearest(path.stem, stems)
    raise SourceError(
        text,
        "no such file",
        next_step=f"Did you mean {str(folder / stems[near])!r}?" if near else None,
    )


def _readable(path: Path) -> Path:
    ordinary(path)
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise SourceError(
            str(path), "the embedded engine opens names in UTF-8 only", next_step="Rename the file"
        ) from None
    if not os.access(path, os.R_OK):
        raise SourceError(str(path), "may not be read by this user")
    if path.stat().st_size == 0:
        raise SourceError(
            str(path),
            "the file is empty",
            next_step="A ratings table has the columns item, rater, kind, value",
        )
    return path


def _read_parquet(connection: Any, paths: Sequence[Path], table: str | None) -> Any:
    whole = connection.sql(f"SELECT * FROM read_parquet({path_list(paths)}, union_by_name=true)")
    return with_class_names(whole, connection, paths)


_JSON_READERS: dict[str, Callable[..., Any]] = {"jsonl": read_json_lines, "json": read_whole_json}
_READERS: dict[str, Callable[..., Any]] = {
    "parquet": _read_parquet,
    "duckdb": read_duckdb,
    "sqlite": read_sqlite,
}
