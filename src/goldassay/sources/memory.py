"""Rows of Python as a table of the embedded engine, in memory."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from goldassay.sources.engine import connect, quoted

__all__ = ["as_relation", "in_memory", "write_lines"]

_NUMBERS = count(1)
#: Columns that are numbers; all others are text.
_TYPES = {"score": "DOUBLE", "cost": "DOUBLE", "latency": "DOUBLE", "sample": "BIGINT"}


def in_memory(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], connection: Any = None
) -> Any:
    """A relation that every question takes; the engine lives as long as it does."""
    connection = connect(memory="1GB") if connection is None else connection
    name = f"ratings_{next(_NUMBERS)}"
    with as_relation(connection, columns, rows) as relation:
        relation.create(name)
    return connection.table(name)


@contextmanager
def as_relation(
    connection: Any, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> Iterator[Any]:
    """Rows as a relation over a temporary file, in their order."""
    with tempfile.TemporaryDirectory(prefix="goldassay-") as folder:
        lines = Path(folder) / "rows.jsonl"
        write_lines(lines, rows)
        types = ", ".join(f"{quoted(name)}: '{_TYPES.get(name, 'VARCHAR')}'" for name in columns)
        connection.execute("SET preserve_insertion_order = true")
        yield connection.sql(
            f"SELECT * FROM read_json({quoted(str(lines))}, format='newline_delimited', "
            f"columns={{{types}}}, maximum_object_size=67108864)"
        )


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Rows as JSON lines; what a row does not have is left out of it."""
    with path.open("w", encoding="utf-8") as stream:
        for row in rows:
            filled = {name: cell for name, cell in row.items() if cell is not None}
            stream.write(json.dumps(filled, ensure_ascii=False) + "\n")
