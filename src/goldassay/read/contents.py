"""What a file or frame holds, before it is asked what its columns mean."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any

import narwhals as nw

from goldassay.errors import SourceError
from goldassay.frozen import dataclass
from goldassay.results import frame_name
from goldassay.sources.databases import read_duckdb, read_sqlite
from goldassay.sources.engine import connect
from goldassay.sources.engine_errors import guarded
from goldassay.sources.files import expanded, split_table
from goldassay.sources.form import Form
from goldassay.sources.formats import TEXT_FORMATS, format_of
from goldassay.sources.layout import layout
from goldassay.sources.opening import reading, sha256_of
from goldassay.sources.pandas_index import index_as_columns
from goldassay.sources.parsed import path_list
from goldassay.sources.plain import plain
from goldassay.sources.scanning import scanned
from goldassay.sources.separated import SEPARATORS, read_separated

__all__ = ["Content", "contents", "text_of", "unfolded"]

#: What stands in double brackets is a text (`[[A]]`), and no list.
_BRACKETS = re.compile(r"\[\[[^\[\],'\"]*\]\]")
_ENDINGS = re.compile(
    r"\.(csv|tsv|tab|txt|json|jsonl|ndjson|parquet|pq|xlsx|xlsm|sqlite3?|db|duckdb)(\.(gz|bz2|xz|zst))?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Content:
    """What one file or frame holds: records, a map, or rows of cells by the names of columns."""

    #: As it was named, its last part, and that without its ending.
    path: str
    name: str
    stem: str
    root: Any
    digest: str | None = None
    #: How it was read where it is not plain.
    told: tuple[str, ...] = ()
    #: Of a table of text: the same with the places of columns, from 1, for names.
    by_place: Callable[[], Content] | None = None
    #: What was made of it.
    memory: dict[str | None, Any] = field(default_factory=dict, repr=False, compare=False)


def contents(source: Any) -> list[Content]:
    """The contents of a path, a glob, several of them, records, or a frame of any library."""
    given = [source] if isinstance(source, str | Path) else source
    if isinstance(given, list | tuple) and given and all(isinstance(x, str | Path) for x in given):
        return [one for path in given for one in _files(str(path))]
    return [_frame(source)]


def _files(given: str) -> list[Content]:
    path, table = split_table(given)
    connection = connect(memory="1GB")
    connection.execute("SET preserve_insertion_order = true")
    return [_file(one, table, connection, None) for one in expanded(path)]


def _file(path: Path, table: str | None, connection: Any, header: bool | None) -> Content:
    told: list[str] = []
    try:
        made = plain(path, table, connection, told)
        with reading(str(path)):
            kind = format_of(made)
            digest = scanned(made, text=kind in TEXT_FORMATS) if made == path else sha256_of(path)
        root, by_place = guarded(
            lambda: _root(made, kind, table, connection, header, told), [path], kind
        )
    except SourceError as error:
        place = error.place.replace(str(made), str(path)) if "made" in locals() else error.place
        raise error.at(place) from None
    name = f"{path.name}::{table}" if table else path.name
    again = (lambda: _file(path, table, connection, False)) if by_place else None
    stem = table or _ENDINGS.sub("", path.name)
    return Content(str(path), name, stem, root, digest, tuple(told), again)


def _root(
    path: Path, kind: str, table: str | None, connection: Any, header: bool | None, told: list[str]
) -> tuple[Any, bool]:
    """What a plain file holds, and whether its columns have places."""
    if kind == "json":
        text = path.read_text(encoding="utf-8-sig")
        with suppress(json.JSONDecodeError):
            return json.loads(text), False
        kind = "jsonl"  # records in lines, whatever the name says
    if kind == "jsonl":
        lines = path.read_text(encoding="utf-8-sig").split("\n")
        return [json.loads(line) for line in lines if line.strip()], False
    if kind in SEPARATORS:
        tried = SEPARATORS[kind]
        form = Form(header=header)
        relation = read_separated(form, tried, told, connection, [path], table)
        named = header is not False and layout(path, None, header, tried).header
        invented = [name for name in relation.columns if re.fullmatch(r"column_\d+", name)]
        places = header is False or (not named and len(invented) == len(relation.columns))
        columns = [str(n) for n in range(1, len(relation.columns) + 1)] if places else None
        return _rows(relation, columns), True
    if kind == "parquet":
        return _rows(connection.sql(f"SELECT * FROM read_parquet({path_list([path])})")), False
    reader = read_duckdb if kind == "duckdb" else read_sqlite
    return _rows(reader(connection, [path], table)), False


def _rows(relation: Any, columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
    names = columns or [name.strip() for name in relation.columns]
    return [dict(zip(names, row, strict=True)) for row in relation.fetchall()]


def _frame(source: Any) -> Content:
    """Records of Python, columns by their names, or a frame."""
    if isinstance(source, list | tuple) and all(isinstance(one, Mapping) for one in source):
        return Content("records", "records", "records", [dict(one) for one in source])
    if isinstance(source, Mapping):
        columns = {str(name): _listed(cells) for name, cells in source.items()}
        lengths = {name: len(cells) for name, cells in columns.items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{name} {size}" for name, size in lengths.items())
            raise SourceError("columns by their names", "must be lists of one length", found=found)
        return Content("records", "records", "records", _across(columns))
    native = nw.to_native(source, pass_through=True)
    library = frame_name(type(native).__module__.partition(".")[0])
    if nw.dependencies.is_pandas_like_dataframe(native):
        native = index_as_columns(native, library)
    try:
        frame: Any = nw.from_native(native)
    except TypeError:
        raise SourceError(
            f"a {type(native).__name__}",
            "is neither a path nor a frame",
            next_step="Give a file name, a list of records, or a frame of pandas, Polars, PyArrow, "
            "DuckDB or PySpark",
        ) from None
    name = frame_name(frame.implementation.name.lower())
    if frame.implementation is nw.Implementation.DUCKDB:
        return Content(name, name, name, _rows(native))
    if frame.implementation.is_spark_like():
        rows = [row.asDict(recursive=True) for row in native.collect()]
        return Content(name, name, name, rows)
    eager = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    columns = {str(column): eager[column].to_list() for column in eager.columns}
    return Content(name, name, name, _across(columns))


def _listed(cells: Any) -> list[Any]:
    if isinstance(cells, str) or not hasattr(cells, "__iter__"):
        return [cells]
    return list(cells.tolist() if hasattr(cells, "tolist") else cells)


def _across(columns: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def unfolded(cell: Any) -> Any:
    """A cell as what it is: a text of JSON, or as Python writes it, is that list or record.

    >>> unfolded('["a", "b"]'), unfolded("{'a': 1}"), unfolded("[[A]]")
    (['a', 'b'], {'a': 1}, '[[A]]')
    """
    if not isinstance(cell, str):
        return cell.tolist() if hasattr(cell, "tolist") else cell
    if cell[:1] + cell[-1:] not in ("[]", "{}") or _BRACKETS.fullmatch(cell):
        return cell
    for parse in (json.loads, ast.literal_eval):
        try:
            made = parse(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(made, list | dict):
            return made
    return cell


def text_of(value: Any) -> str:
    """A scalar as a label: outer blanks are dropped, 1.0 is 1, and nothing is "".

    >>> text_of(" yes "), text_of(1.0), text_of(True), text_of(None), text_of(float("nan"))
    ('yes', '1', 'true', '', '')
    """
    if isinstance(value, str):
        return value.strip()
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return ""
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        return str(bool(value)).lower()
    if hasattr(value, "tolist"):
        return text_of(value.tolist())
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value).strip()
