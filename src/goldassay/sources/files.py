"""Files of ratings: CSV, TSV, JSONL, JSON, Parquet, DuckDB and SQLite, and globs of them.

Packed files, workbooks and Arrow files become one of these first (`packed`, `workbook`,
`datasets`), in a temporary file that goes with the connection.

Every column is text. DuckDB scans Parquet and its own files where they are; text formats are parsed
once, into a temporary file when they are large. SQLite files go through a temporary CSV (DuckDB's
own reader for them is a download).
"""

from __future__ import annotations

import atexit
import codecs
import csv
import glob
import hashlib
import itertools
import os
import re
import shutil
import sqlite3
import stat
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, listed, nearest, shown
from goldassay.sources.datasets import dataset_files, with_class_names
from goldassay.sources.engine import connect, named, quoted
from goldassay.sources.form import Form
from goldassay.sources.layout import MAX_COLUMNS, check_names, layout
from goldassay.sources.nested import records_file, with_inner_columns
from goldassay.sources.opening import ordinary, reading, sha256_of, status_of
from goldassay.sources.packed import inner_name
from goldassay.sources.plain import choose_table, plain
from goldassay.sources.segments import segments, systems
from goldassay.sources.workbook import WORKBOOKS
from goldassay.store import is_store, used_columns

__all__ = ["TEXT_SUFFIXES", "OpenFile", "expanded", "open_files"]

#: The longest line of a CSV or JSONL file; a longer one is a broken quote, or not a table.
MAX_LINE = 8 * 2**20
#: Text files up to this size are parsed into memory, larger ones into a temporary file.
IN_MEMORY = 64 * 2**20
NEWLINE = b"\n"
_NUMBERS = itertools.count(1)
SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".duckdb": "duckdb",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "database",
}


#: Endings of files whose text may be separated in any way, and have no header.
LOOSE = (".txt", ".dat", ".qrels", ".qrel", ".run", ".trec", ".score", ".scores", ".out", ".res")
SUFFIXES |= dict.fromkeys(LOOSE, "loose")
#: Endings of files that are no text, whatever they hold.
NO_TEXT = (".xls", ".ods", ".numbers", ".zip", ".pdf", ".docx", ".pkl", ".pickle", ".npy", ".npz")
TEXT_SUFFIXES = frozenset(
    suffix for suffix, kind in SUFFIXES.items() if kind in ("csv", "tsv", "jsonl", "json", "loose")
)


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


def open_files(source: str | Path, connection: Any = None, form: Form | None = None) -> OpenFile:
    """Open a file, or a glob of files of one format; `FILE::TABLE` names a table of a database.

    Files that are to be put together are opened on one `connection`.
    """
    if str(source) == "-":
        source = _from_standard_input()
    text, table = _split_table(str(source))
    connection = connect() if connection is None else connection
    given = dataset_files(text, table, choose_table)
    table = None if given else table
    given = given or expanded(text)
    told: list[str] = []
    paths = [plain(path, table, connection, told) for path in given]
    if any(path.suffix.lower() in WORKBOOKS for path in given):
        table = None
    try:
        opened = _opened(text, table, given, paths, connection, form)
        return replace(opened, told=(*told, *opened.told))
    except SourceError as error:
        # A message names the user's file, not the one that was made of it.
        moved = error.place
        for path, made in zip(given, paths, strict=True):
            moved = moved.replace(str(made), str(path))
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
        formats = {_format(path) for path in paths}
    if len(formats) > 1:
        raise SourceError(text, "the files of a glob are of one format", found=", ".join(formats))
    kind = formats.pop()
    if table and kind not in ("duckdb", "sqlite"):
        raise SourceError(text, f"::{table} names a table, but this is a {kind} file")
    is_text = kind in ("csv", "tsv", "jsonl", "json", "loose")
    with reading(text):
        digests = tuple(_scanned(path, text=is_text) for path in paths)
        digests = tuple(
            digest if path == plain else sha256_of(path)
            for path, plain, digest in zip(given, paths, digests, strict=True)
        )
    if form is None and all(inner_name(path).suffix == ".score" for path in given):
        form = Form(header=False)
    told: list[str] = []
    if is_text and sum(path.stat().st_size for path in paths) <= IN_MEMORY:
        connection.execute("SET preserve_insertion_order = true")  # rows may be numbered
    if kind in SEPARATORS:
        reader: Callable[..., Any] = partial(
            _read_separated, form or Form(), SEPARATORS[kind], told
        )
    else:
        reader = _READERS[kind]
    relation = _guarded(lambda: reader(connection, paths, table), paths, kind)
    if is_text:
        small = sum(path.stat().st_size for path in paths) <= IN_MEMORY
        relation = _guarded(
            lambda: with_inner_columns(relation, connection, keep=small), paths, kind
        )
    if len(relation.columns) == 2:
        if all(inner_name(one).name.endswith(".seg.score") for one in given):
            relation = segments(relation)
        elif all(inner_name(one).name.endswith(".sys.score") for one in given):
            relation = systems(relation)
    columns = tuple(relation.columns)
    check_names(columns, text)
    shown_as = "standard input" if text.startswith(_STANDARD_INPUT) else text
    return OpenFile(relation, columns, tuple(given), digests, shown_as, tuple(told))


_STANDARD_INPUT = str(Path(tempfile.gettempdir()) / "goldassay-stdin-")


@cache
def _from_standard_input() -> str:
    """What comes in by standard input, once, in a temporary file whose ending says its format."""
    content = sys.stdin.buffer.read()
    head = content[:2000].lstrip(b"\xef\xbb\xbf \r\n\t")
    if not head:
        raise SourceError("standard input", "is empty", next_step="Pipe a table into the command")
    suffix = ".parquet" if head.startswith(b"PAR1") else ".csv"
    if head.startswith(b"["):
        suffix = ".json"
    elif head.startswith(b"{"):
        suffix = ".jsonl"
    handle, path = tempfile.mkstemp(prefix="goldassay-stdin-", suffix=suffix)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    atexit.register(partial(Path(path).unlink, missing_ok=True))
    return path


def _split_table(text: str) -> tuple[str, str | None]:
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
    near = nearest(path.name, names)
    raise SourceError(
        text, "no such file", next_step=f"Did you mean {str(folder / near)!r}?" if near else None
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


def _format(path: Path) -> str:
    kind = SUFFIXES.get(path.suffix.lower())
    with path.open("rb") as stream:
        head = stream.read(16)
    _refuse_stand_in(path, head)
    if head.startswith(b"SQLite format 3"):
        return "sqlite"
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head.startswith(b"PAR1"):
        return "parquet"
    if (kind is None and path.suffix.lower() not in NO_TEXT) or kind in SEPARATORS:
        kind = _by_content(path) or kind
    if kind is None or kind == "database":
        raise SourceError(
            str(path),
            "the format is not known",
            found=shown(path.suffix) if path.suffix else "no file extension",
            next_step="Use .csv, .tsv, .txt, .jsonl, .json, .xlsx, .parquet, .duckdb or .sqlite",
        )
    if kind in ("parquet", "sqlite", "duckdb"):
        raise SourceError(str(path), f"the name says {kind}, but the content is not")
    return kind


def _refuse_stand_in(path: Path, head: bytes) -> None:
    """What repositories give in place of a file: a pointer to it, or a page about it."""
    if head.startswith(b"version https://"):
        raise SourceError(
            str(path),
            "is a pointer of Git LFS, not the file itself",
            next_step="Fetch it: git lfs pull, or the link to the raw file",
        )
    if head.lstrip(b"\xef\xbb\xbf \r\n\t").lower().startswith((b"<!doctype html", b"<html")):
        raise SourceError(
            str(path), "is a web page, not a table", next_step="Download the raw file instead"
        )


def _by_content(path: Path) -> str | None:
    """The format of a text file that its name does not tell: JSON, or separated values."""
    with path.open("rb") as stream:
        head = stream.read(2**16)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"{"):
        lines = text.splitlines()
        return "jsonl" if len(lines) > 1 and lines[0].rstrip().endswith(b"}") else "json"
    if text.startswith(b"[{") or re.match(rb"\[\s+\{", text):
        return "json"
    if path.suffix.lower() in SUFFIXES or b"\0" in head:
        return None
    lines = [line for line in text.splitlines()[:20] if line.strip()][:-1]
    for sign in (b"\t", b",", b";"):
        counts = {line.count(sign) for line in lines}
        if len(lines) > 2 and len(counts) == 1 and counts != {0}:
            return "loose"
    return None


def _list(paths: Sequence[Path]) -> str:
    # DuckDB reads *, ? and [ in a path as a glob; the paths were expanded already.
    escaped = [re.sub(r"([*?\[])", r"[\1]", str(path)) for path in paths]
    return "[" + ", ".join(quoted(name) for name in escaped) + "]"


def _read_separated(
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
            f"SELECT {_cells_of(one.names, form)} FROM read_csv({_list([source])}, "
            f"header={str(one.header).lower()}, auto_detect=false, delim={quoted(delimiter)}, "
            f"skip={one.skip}, quote={quote}, escape={quote}, nullstr='', "
            f"max_line_size={MAX_LINE}, buffer_size={2 * MAX_LINE}, columns={_columns(one.names)})"
        )
    if form.fill:
        queries = [
            _filled(query, one.names, form.fill, path)
            for query, one, path in zip(queries, headers, paths, strict=True)
        ]
    return _stored(connection, paths, queries)


def _filled(query: str, names: Sequence[str], columns: Sequence[str], path: Path) -> str:
    """The rows of a query, in which an empty cell of these columns repeats the one above it."""
    unknown = [name for name in columns if name not in names]
    if unknown:
        raise SourceError(
            str(path), f"[file] fill: must name columns of the file; they are {listed(names)}",
            found=shown(unknown[0]),
        )  # fmt: skip
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
    """The columns; where commas are decimal, numbers get a point."""
    if form.decimal == ".":
        return "*"
    cells = []
    for name in map(named, names):
        number = f"regexp_matches({name}, '^\\s*[+-]?[0-9]+,[0-9]+\\s*$')"
        cells.append(f"CASE WHEN {number} THEN replace({name}, ',', '.') ELSE {name} END AS {name}")
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


def _stored(connection: Any, paths: Sequence[Path], queries: Sequence[str]) -> Any:
    """Parse a text format once: into memory, or into a temporary Parquet file when it is large."""
    union = " UNION ALL BY NAME ".join(queries)
    if sum(path.stat().st_size for path in paths) <= IN_MEMORY:
        name = f"parsed_{next(_NUMBERS)}"
        connection.execute(f"CREATE TABLE {name} AS {union}")
        return connection.table(name)
    folder = tempfile.mkdtemp(prefix="goldassay-")
    weakref.finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    parsed = quoted(str(Path(folder) / "parsed.parquet"))
    # Read once or twice and thrown away: dictionaries of names and labels pay, of items do not.
    options = "FORMAT parquet, COMPRESSION lz4_raw, WRITE_BLOOM_FILTER false, "
    options += "DICTIONARY_SIZE_LIMIT 2000"
    connection.execute(f"COPY ({union}) TO {parsed} ({options})")
    return connection.sql(f"SELECT * FROM read_parquet({parsed})")


def _columns(names: Sequence[str]) -> str:
    return "{" + ", ".join(f"{quoted(name)}: 'VARCHAR'" for name in names) + "}"


def _read_whole_json(connection: Any, paths: Sequence[Path], table: str | None) -> Any:
    """Lists of records; an object that holds them is read as lines of them."""
    records = [records_file(path, connection) for path in paths]
    if any(records):
        if None in records:
            raise SourceError(str(paths[0]), "the files of a glob must all be lists of records")
        return _read_json("newline_delimited")(connection, records, table)
    return _read_json("array")(connection, paths, table)


def _read_json(form: str) -> Callable[..., Any]:
    def read(connection: Any, paths: Sequence[Path], table: str | None) -> Any:
        found = connection.sql(
            f"SELECT * FROM read_json({_list(paths)}, format='{form}', union_by_name=true, "
            f"maximum_object_size={MAX_LINE}, maximum_depth=1, sample_size=20480, "
            f"map_inference_threshold={MAX_COLUMNS})"
        )
        if found.columns == ["json"]:
            raise SourceError(
                str(paths[0]),
                f"each record is an object of column: value, of at most {MAX_COLUMNS:,} columns",
            )
        check_names(found.columns, str(paths[0]))
        return _stored(
            connection,
            paths,
            [
                f"SELECT * FROM read_json({_list(paths)}, format='{form}', "
                f"columns={_columns(found.columns)}, maximum_object_size={MAX_LINE})"
            ],
        )

    return read


def _read_parquet(connection: Any, paths: Sequence[Path], table: str | None) -> Any:
    whole = connection.sql(f"SELECT * FROM read_parquet({_list(paths)}, union_by_name=true)")
    return with_class_names(whole, connection, paths)


def _read_duckdb(connection: Any, paths: Sequence[Path], table: str | None) -> Any:
    path = _one(paths)
    alias = f"source_{next(_NUMBERS)}"
    connection.execute(f"ATTACH {quoted(str(path))} AS {alias} (READ_ONLY)")
    tables = connection.execute(
        f"SELECT table_name FROM information_schema.tables WHERE table_catalog = '{alias}'"
    ).fetchall()
    name = choose_table(path, [row[0] for row in tables], table)
    return connection.sql(f'SELECT * FROM {alias}."{name.replace(chr(34), chr(34) * 2)}"')


def _read_sqlite(connection: Any, paths: Sequence[Path], table: str | None) -> Any:
    path = _one(paths)
    uri = f"{path.resolve().as_uri()}?mode=ro"
    database = sqlite3.connect(uri, uri=True)
    try:
        tables = database.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        name = choose_table(path, [row[0] for row in tables], table)
        columns = (
            ", ".join(f'"{one}"' for one in used_columns(database))
            if is_store(database, path) and name == "ratings"
            else "*"
        )
        cursor = database.execute(f'SELECT {columns} FROM "{name.replace(chr(34), chr(34) * 2)}"')
        header = [column[0] for column in cursor.description]
        check_names(header, str(path))
        handle, copy = tempfile.mkstemp(prefix="goldassay-", suffix=".csv")
        with os.fdopen(handle, "w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
            writer.writerow(header)
            writer.writerows(_as_text(cursor))
    finally:
        database.close()
    try:
        return _stored(
            connection,
            [Path(copy)],
            [
                f"SELECT * FROM read_csv({quoted(copy)}, header=true, auto_detect=false, "
                "delim=',', "
                f"quote='\"', escape='\"', nullstr='\\N', columns={_columns(header)}, "
                f"max_line_size={MAX_LINE}, buffer_size={2 * MAX_LINE})"
            ],
        )
    finally:
        Path(copy).unlink(missing_ok=True)


def _as_text(rows: Iterator[tuple[Any, ...]]) -> Iterator[list[str]]:
    for row in rows:
        yield [r"\N" if cell is None else str(cell) for cell in row]


#: What may separate the cells of a format, the likeliest first; a blank is a run of blanks.
SEPARATORS: Mapping[str, tuple[str, ...]] = {
    "csv": (",", ";", "\t", "|"),
    "tsv": ("\t", ",", ";"),
    "loose": ("\t", ",", ";", "|", " "),
}
_READERS: dict[str, Callable[..., Any]] = {
    "jsonl": _read_json("newline_delimited"),
    "json": _read_whole_json,
    "parquet": _read_parquet,
    "duckdb": _read_duckdb,
    "sqlite": _read_sqlite,
}


def _one(paths: Sequence[Path]) -> Path:
    if len(paths) > 1:
        raise SourceError(str(paths[0]), "a database is named alone, not by a glob")
    return paths[0]


def _scanned(path: Path, *, text: bool) -> str:
    """The SHA-256 of a file; on the way, what would end in a confusing message is refused.

    A text file is UTF-8, holds no NUL byte, and has no line that is longer than `MAX_LINE`.
    """
    digest, offset, line_start = hashlib.sha256(), 0, 0
    decoder = codecs.getincrementaldecoder("utf-8")()
    whole = True  # no character is cut at the end of the last block
    with path.open("rb") as stream:
        while block := stream.read(2**20):
            digest.update(block)
            if text:
                if (at := block.find(b"\0")) >= 0:
                    raise SourceError(
                        _line(path, offset + at),
                        "a text file holds no NUL byte",
                        next_step="Is it compressed or UTF-16? Save it as plain UTF-8",
                    )
                try:
                    if not (whole and block.isascii()):
                        decoder.decode(block)
                        whole = decoder.getstate()[0] == b""
                except UnicodeDecodeError as error:
                    raise SourceError(
                        _line(path, offset + error.start),
                        "a text file is UTF-8",
                        found=f"the byte 0x{error.object[error.start]:02x}",
                        next_step="Save it as UTF-8",
                    ) from None
                last = block.rfind(NEWLINE)
                line_start = line_start if last < 0 else offset + last + 1
                if offset + len(block) - line_start > MAX_LINE:
                    raise SourceError(
                        _line(path, line_start),
                        f"a line has at most {MAX_LINE // 2**20} MB",
                        next_step="Is a quote left open, or is this one long JSON value?",
                    )
            offset += len(block)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise SourceError(
            _line(path, offset), "a text file is UTF-8", found="a cut character"
        ) from None
    return digest.hexdigest()


def _line(path: Path, offset: int) -> str:
    """The place of a byte, for a message: counted only when it is needed."""
    line, left = 1, offset
    with path.open("rb") as stream:
        while left > 0 and (block := stream.read(min(left, 2**20))):
            line += block.count(NEWLINE)
            left -= len(block)
    return f"{path}, line {line}"


def _guarded(read: Callable[[], Any], paths: Sequence[Path], kind: str) -> Any:
    try:
        return read()
    except SourceError:
        raise
    except (OSError, sqlite3.Error) as error:
        raise SourceError(str(paths[0]), f"cannot be read ({error})") from None
    except Exception as error:
        raise engine_error(error, str(paths[0]), kind) from None


def engine_error(error: Exception, place: str, kind: str = "") -> Exception:
    """DuckDB's many-lined message as one of ours; anything else is passed on as it is."""
    import duckdb

    if isinstance(error, UnicodeError):  # the engine's own message quotes broken bytes
        return SourceError(place, "a text file is UTF-8", next_step="Save it as UTF-8")
    if not isinstance(error, duckdb.Error):
        return error
    text = str(error)
    if match := re.search(r"[Ll]ine:? (\d+)", text):
        place = f"{place}, line {match.group(1)}"
    if "out of memory" in text.lower():
        return SourceError(
            place,
            "counting needs more memory than the embedded engine may take",
            next_step="Give it more, as GOLDASSAY_MEMORY=2GB in the environment",
        )
    if "maximum line size" in text.lower() or "maximum_object_size" in text.lower():
        return SourceError(
            place,
            f"a line has at most {MAX_LINE // 2**20} MB",
            next_step="Is a quote left open, or is this one long JSON value?",
        )
    if "expected number of columns" in text.lower() or "sniff" in text.lower():
        found = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
        return SourceError(
            place,
            "every row has as many cells as the header",
            found=f"{found.group(2)} instead of {found.group(1)}" if found else None,
            next_step="Quote cells that hold the separator",
        )
    if "state machine" in text.lower():
        return SourceError(
            place,
            "all lines of a CSV file end alike, and quotes inside a quoted cell are doubled",
            next_step="Save it again as CSV, with one kind of line ending",
        )
    if "unterminated quote" in text.lower() or "quote" in text.lower():
        return SourceError(place, "a quoted cell must end", next_step='Double a quote inside: ""')
    if "utf-8" in text.lower() or "unicode" in text.lower():
        return SourceError(place, "a text file is UTF-8", next_step="Save it as UTF-8")
    first = next((line for line in text.splitlines() if line.strip()), "unknown reason")
    return SourceError(place, f"cannot be read as {kind or 'a table'} ({shown(first, 200)})")
