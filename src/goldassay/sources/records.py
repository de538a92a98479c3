"""Parquet files with records and lists within their cells, as most datasets of a Hub have them: as
JSON lines, so that what is within is read as in any file of JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from goldassay.sources.datasets import with_class_names
from goldassay.sources.engine import named, quoted
from goldassay.sources.parsed import is_small, path_list

__all__ = ["lines_of_records"]

#: Types of the engine for numbers that JSON may not be able to write.
_FLOATS = ("FLOAT", "DOUBLE")


def lines_of_records(path: Path, connection: Any, temporary: Callable[[str], Path]) -> Path | None:
    """A Parquet file as JSON lines where a cell holds a record or a list; None where none does, the
    file is large, or it is none: who reads it tells what is wrong with it."""
    import duckdb

    if path.suffix.lower() not in (".parquet", ".pq") or not is_small([path]):
        return None
    try:
        whole = connection.sql(f"SELECT * FROM read_parquet({path_list([path])})")
        whole = with_class_names(whole, connection, [path])
        if not any(map(_is_nested, whole.types)):
            return None
        cells = [
            # What JSON has no number for is a label, as in a file without records: `nan`.
            f"CASE WHEN isfinite({c}) THEN to_json({c}) ELSE to_json({c}::VARCHAR) END AS {c}"
            if str(kind) in _FLOATS
            else c
            for c, kind in zip(map(named, whole.columns), whole.types, strict=True)
        ]
        target = temporary(".jsonl")
        rows = whole.project(", ".join(cells)).sql_query()
        connection.execute("SET preserve_insertion_order = true")  # rows may be numbered
        connection.execute(f"COPY ({rows}) TO {quoted(str(target))} (FORMAT json)")
    except duckdb.Error:
        return None
    return target


def _is_nested(kind: Any) -> bool:
    said = str(kind)
    return said.startswith(("STRUCT", "MAP", "UNION")) or said.endswith("]")
