"""The embedded engine: one DuckDB connection in memory, bounded, that spills to disk."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from os import cpu_count, environ
from pathlib import Path
from typing import Any
from uuid import uuid4

__all__ = ["coded", "connect", "kept", "named", "queried", "quoted"]

#: Memory that DuckDB may hold before it spills; GOLDASSAY_MEMORY overrides it ("8GB").
DEFAULT_MEMORY = "170MB"
#: Every thread holds buffers of its own; more of them would not fit.
MOST_THREADS = 4
_NUMBERS = count(1)


def connect(*, memory: str = DEFAULT_MEMORY, threads: int = MOST_THREADS) -> Any:
    """A new in-memory DuckDB connection with bounded memory and no network."""
    import duckdb

    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": environ.get("GOLDASSAY_MEMORY", memory),
        "threads": str(min(threads, cpu_count() or 1)),
        # Its own: DuckDB empties the folder when it closes, whoever else writes there.
        "temp_directory": str(Path(tempfile.gettempdir()) / f"goldassay-spill-{uuid4().hex}"),
        "preserve_insertion_order": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    connection = duckdb.connect(":memory:", config=settings)
    # In a notebook without widgets the engine refuses to hear of its bar, and draws none.
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    return connection


def kept(relation: Any) -> Any:
    """The rows of a relation as a table of its own connection: no later query makes them again.

    Where they cannot be copied, the relation itself: a query that needs only some of its columns
    may work, and else says what is wrong.
    """
    import duckdb

    name = f"kept_{next(_NUMBERS)}"
    try:
        relation.create(name)
    except duckdb.Error:
        return relation
    return queried(relation, lambda _: f"SELECT * FROM {name}")


def queried(relation: Any, query: Callable[[str], str]) -> Any:
    """What a query gives, which is told the name of the relation's rows.

    The engine keeps that name as a view of its connection and looks it up when the result is
    wanted: under the same name twice, the first result would be made from the second's rows.
    """
    name = f"goldassay_rows_{next(_NUMBERS)}"
    return relation.query(name, query(name))


def coded(relation: Any, labels: Mapping[str, Sequence[str]], others: Sequence[str] = ()) -> Any:
    """Texts as whole numbers, the place of each among its column's labels; other columns as they
    are. An empty cell is "".

    Numbers come back in a tenth of the time and memory of texts, of which each is an object.
    """

    def place(column: str, known: Sequence[str]) -> str:
        labels = ", ".join(quoted(label) for label in known)
        cell = f"coalesce({named(column)}, '')"
        return f"CAST(enum_code(CAST({cell} AS ENUM({labels}))) AS INTEGER) AS {named(column)}"

    cells = [place(*one) for one in labels.items()] + [named(column) for column in others]
    return queried(relation, lambda rows: f"SELECT {', '.join(cells)} FROM {rows}")


def quoted(text: str) -> str:
    """A text literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def named(column: str) -> str:
    """A column's name in SQL."""
    return '"' + column.replace('"', '""') + '"'
