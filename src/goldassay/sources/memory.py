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
from goldassay.sources.engine import connect, quoted
from goldassay.sources.layout import check_names

__all__ = ["as_relation", "in_memory", "relation_of_records", "write_lines"]

_NUMBERS = count(1)
#: Columns that are numbers; all others are text.
_TYPES = {"score": "DOUBLE", "cost": "DOUBLE", "latency": "DOUBLE", "sample": "BIGINT"}


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
        records = _across(given)
    elif isinstance(given, list | tuple) and all(isinstance(one, Mapping) for one in given):
        records = given
    else:
        return None
    columns = list(dict.fromkeys(str(name) for one in records for name in one))
    if not columns:
        raise SourceError(
            "records", "must hold at least one row", next_step='As [{"id": 1, "human": "yes"}]'
        )
    check_names(columns, "records")
    rows = ({str(name): _plain(cell) for name, cell in one.items()} for one in records)
    return in_memory(columns, rows, types={})


def _across(columns: Mapping[Any, Any]) -> Sequence[Mapping[Any, Any]]:
    """Columns by their names as records."""
    cells = {
        name: list(given) if isinstance(given, Iterable) and not isinstance(given, str) else None
        for name, given in columns.items()
    }
    lengths = {name: len(given) for name, given in cells.items() if given is not None}
    if len(lengths) < len(cells) or len(set(lengths.values())) > 1:
        raise SourceError(
            "columns by their names",
            "must be lists of one length",
            found=", ".join(f"{name} {lengths.get(name, shown(columns[name]))}" for name in cells),
        )
    return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]


def _plain(cell: Any) -> Any:
    """A cell as JSON has it: numbers of NumPy as Python's, NaN as nothing, else what it says."""
    if hasattr(cell, "item") and not getattr(cell, "shape", ()):
        cell = cell.item()
    if cell is None or cell != cell:  # noqa: PLR0124 -- NaN and the like
        return None
    return cell if isinstance(cell, bool | int | float | str | list | dict) else str(cell)


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
            f"columns={{{typed}}}, maximum_object_size=67108864)"
        )


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Rows as JSON lines; what a row does not have is left out of it."""
    with path.open("w", encoding="utf-8") as stream:
        for row in rows:
            filled = {name: cell for name, cell in row.items() if cell is not None}
            stream.write(json.dumps(filled, ensure_ascii=False) + "\n")
