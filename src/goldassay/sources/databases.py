"""Tables of DuckDB and SQLite files."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError
from goldassay.sources.engine import quoted
from goldassay.sources.layout import check_names
from goldassay.sources.parsed import MAX_LINE, columns_of, numbered_name, stored
from goldassay.sources.plain import choose_table
from goldassay.sources.spreadsheet import csv_lines
from goldassay.store import check_sides, is_store, used_columns

__all__ = ["read_duckdb", "read_sqlite"]


def read_duckdb(connection: Any, paths: Sequence[Path], table: str | None) -> Any:
    path = _one(paths)
    alias = numbered_name("source")
    connection.execute(f"ATTACH {quoted(str(path))} AS {alias} (READ_ONLY)")
    tables = connection.execute(
        f"SELECT table_name FROM information_schema.tables WHERE table_catalog = '{alias}'"
    ).fetchall()
    name = choose_table(path, [row[0] for row in tables], table)
    return connection.sql(f'SELECT * FROM {alias}."{name.replace(chr(34), chr(34) * 2)}"')


def read_sqlite(connection: Any, paths: Sequence[Path], table: str | None) -> Any:
    path = _one(paths)
    uri = f"{path.resolve().as_uri()}?mode=ro"
    database = sqlite3.connect(uri, uri=True)
    try:
        tables = database.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        name = choose_table(path, [row[0] for row in tables], table)
        columns = "*"
        if is_store(database, path) and name == "ratings":
            check_sides(database, path)
            columns = ", ".join(f'"{one}"' for one in used_columns(database))
        cursor = database.execute(f'SELECT {columns} FROM "{name.replace(chr(34), chr(34) * 2)}"')
        header = [column[0] for column in cursor.description]
        check_names(header, str(path))
        handle, copy = tempfile.mkstemp(prefix="goldassay-", suffix=".csv")
        with os.fdopen(handle, "w", newline="", encoding="utf-8") as stream:
            stream.writelines(csv_lines(chain([header], _as_text(cursor))))
    finally:
        database.close()
    try:
        return stored(
            connection,
            [Path(copy)],
            [
                f"SELECT * FROM read_csv({quoted(copy)}, header=true, auto_detect=false, "
                "delim=',', "
                f"quote='\"', escape='\"', nullstr='\\N', columns={columns_of(header)}, "
                f"max_line_size={MAX_LINE}, buffer_size={2 * MAX_LINE})"
            ],
        )
    finally:
        Path(copy).unlink(missing_ok=True)


def _as_text(rows: Iterator[tuple[Any, ...]]) -> Iterator[list[str]]:
    for row in rows:
        yield [r"\N" if cell is None else str(cell) for cell in row]


def _one(paths: Sequence[Path]) -> Path:
    if len(paths) > 1:
        raise SourceError(str(paths[0]), "a database is named alone, not by a glob")
    return paths[0]
