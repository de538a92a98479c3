"""Rows of Python as a table of the embedded engine, in memory."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, shown
from goldassay.sources.engine import connect, named, quoted
from goldassay.sources.layout import check_names

__all__ = ["as_relation", "in_memory", "relation_of_records", "write_lines"]

_NUMBERS = count(1)
#: Columns that are numbers; all others are text.
_TYPES = {"score": "DOUBLE", "cost": "DOUBLE", "latency": "DOUBLE", "sample": "BIGINT"}
#: Bytes of the longest line that the engine reads.
LARGEST_OBJECT = 67_108_864
#: A block of columns has at most so many rows, and letters before they are escaped.
BLOCK_ROWS, BLOCK_LETTERS = 2_000, 8_000_000
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_ROW = json.JSONEncoder(ensure_ascii=False).encode


def in_memory(
    columns: Sequence[str],
    rows: Iterable[Mapping[str, Any]],
    connection: Any = None,
    types: Mapping[str, str] = _TYPES,
) -> Any:
    """A relation that every question takes; the engine lives as long as it does."""
    connection = connect(memory="1GB") if connection is None else connection
    name = f"ratings_{next(_NUMBERS)}"
    with as_relation(connection, columns, rows, types) as relation:
        relation.create(name)
    return connection.table(name)


def relation_of_records(given: Any) -> Any | None:
    """A list of records, or columns by their names, as a relation of texts; None for all else.

    >>> relation_of_records([{"id": 1, "human": "yes"}, {"id": 2}]).fetchall()
    [('1', 'yes'), ('2', None)]
    >>> relation_of_records({"id": [1, 2], "human": ["yes", None]}).fetchall()
    [('1', 'yes'), ('2', None)]
    """
    if isinstance(given, Mapping):
        columns = _across(given)
    elif isinstance(given, list | tuple) and all(isinstance(one, Mapping) for one in given):
        columns = _down(given)
    else:
        return None
    if not any(columns.values()):
        raise SourceError(
            "records", "must hold at least one row", next_step='As [{"id": 1, "human": "yes"}]'
        )
    return _of_texts({name: _texts(cells) for name, cells in columns.items()})


def _down(records: Sequence[Mapping[Any, Any]]) -> dict[str, Sequence[Any]]:
    """Records as columns by their names."""
    named = dict.fromkeys(name for one in records for name in one)
    check_names([str(name) for name in named], "records")
    if not all(isinstance(name, str) for name in named):
        return _down([{str(name): cell for name, cell in one.items()} for one in records])
    return {name: [one.get(name) for one in records] for name in named}


def _across(columns: Mapping[Any, Any]) -> dict[str, Sequence[Any]]:
    """Columns by their names, all of one length."""
    check_names([str(name) for name in columns], "records")
    cells = {
        str(name): _listed(given)
        if isinstance(given, Iterable) and not isinstance(given, str)
        else None
        for name, given in columns.items()
    }
    found: dict[str, Sequence[Any]] = {
        name: given for name, given in cells.items() if given is not None
    }
    lengths = {name: len(given) for name, given in found.items()}
    if len(found) < len(cells) or len(set(lengths.values())) > 1:
        beside = {str(name): given for name, given in columns.items()}
        raise SourceError(
            "columns by their names",
            "must be lists of one length",
            found=", ".join(f"{name} {lengths.get(name, shown(beside[name]))}" for name in cells),
        )
    return found


def _listed(cells: Iterable[Any]) -> list[Any]:
    """The cells of a column; numbers of NumPy and pandas as Python's at once."""
    kind = getattr(getattr(cells, "dtype", None), "kind", "")
    return list(cells.tolist() if kind in tuple("biuf") else cells)  # type: ignore[attr-defined]


def _texts(cells: Sequence[Any]) -> list[str | None]:
    kinds = set(map(type, cells))
    if kinds <= {str, type(None)}:
        return list(cells)
    return list(map(str, cells)) if kinds == {int} else [_text(cell) for cell in cells]


def _text(cell: Any) -> str | None:
    """A cell as a file of JSON lines would have it: NaN is nothing, lists are JSON."""
    if isinstance(cell, str) or cell is None:
        return cell
    if hasattr(cell, "tolist"):  # NumPy's
        return _text(cell.tolist()) if hasattr(cell, "dtype") else str(cell)
    if type(cell).__name__ in {"NAType", "NaTType"} or (isinstance(cell, float) and cell != cell):  # noqa: PLR0124
        return None
    if isinstance(cell, bool | int | float | list | dict):
        return json.dumps(cell, ensure_ascii=False, separators=(",", ":"), default=_inner)
    return str(cell)


def _inner(cell: Any) -> Any:
    """What stands in a list, as JSON has it."""
    return cell.tolist() if hasattr(cell, "tolist") else str(cell)


def _of_texts(columns: Mapping[str, Sequence[str | None]]) -> Any:
    """A table of texts, read from blocks of columns: a few lists are faster than many rows."""
    connection = connect(memory="1GB")
    connection.execute("SET preserve_insertion_order = true")
    name = f"ratings_{next(_NUMBERS)}"
    with tempfile.TemporaryDirectory(prefix="goldassay-") as folder:
        path = Path(folder) / "blocks.jsonl"
        _write_blocks(path, columns)
        typed = ", ".join(f"{quoted(column)}: 'VARCHAR[]'" for column in columns)
        cells = ", ".join(f"unnest({named(column)}) AS {named(column)}" for column in columns)
        connection.execute(
            f"CREATE TABLE {name} AS SELECT {cells} FROM read_json({quoted(str(path))}, "
            f"format='newline_delimited', columns={{{typed}}}, "
            f"maximum_object_size={LARGEST_OBJECT})"
        )
    return connection.table(name)


def _write_blocks(path: Path, columns: Mapping[str, Sequence[str | None]]) -> None:
    """Columns as JSON lines of so many rows that none is too long for the engine."""
    longest = sum(max((len(cell or "") for cell in cells), default=0) for cells in columns.values())
    rows = max(1, min(BLOCK_ROWS, BLOCK_LETTERS // (longest + 1)))
    with path.open("wb") as stream:
        for start in range(0, len(next(iter(columns.values()))), rows):
            block = {name: cells[start : start + rows] for name, cells in columns.items()}
            stream.write(_encoded(block) + b"\n")


def _encoded(block: Mapping[str, Sequence[str | None]]) -> bytes:
    """JSON of a block; half a pair of surrogates, which is no character, as its escape."""
    try:
        return _JSON(block).encode()
    except UnicodeEncodeError:
        sound = {
            name: [cell and cell.encode(errors="backslashreplace").decode() for cell in cells]
            for name, cells in block.items()
        }
        return _JSON(sound).encode(errors="backslashreplace")


@contextmanager
def as_relation(
    connection: Any,
    columns: Sequence[str],
    rows: Iterable[Mapping[str, Any]],
    types: Mapping[str, str] = _TYPES,
) -> Iterator[Any]:
    """Rows as a relation over a temporary file, in their order."""
    with tempfile.TemporaryDirectory(prefix="goldassay-") as folder:
        lines = Path(folder) / "rows.jsonl"
        write_lines(lines, rows)
        typed = ", ".join(f"{quoted(name)}: '{types.get(name, 'VARCHAR')}'" for name in columns)
        connection.execute("SET preserve_insertion_order = true")
        yield connection.sql(
            f"SELECT * FROM read_json({quoted(str(lines))}, format='newline_delimited', "
            f"columns={{{typed}}}, maximum_object_size={LARGEST_OBJECT})"
        )


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Rows as JSON lines; what a row does not have is left out of it."""
    with path.open("w", encoding="utf-8") as stream:
        for row in rows:
            filled = {name: cell for name, cell in row.items() if cell is not None}
            stream.write(_ROW(filled) + "\n")
