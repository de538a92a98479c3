"""JSON lines and JSON files as tables of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError
from goldassay.sources.layout import MAX_COLUMNS, check_names
from goldassay.sources.nested import records_file
from goldassay.sources.parsed import MAX_LINE, columns_of, path_list, stored

__all__ = ["read_json_lines", "read_whole_json"]


def read_whole_json(connection: Any, paths: Sequence[Path], table: str | None) -> Any:
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
            f"SELECT * FROM read_json({path_list(paths)}, format='{form}', union_by_name=true, "
            f"maximum_object_size={MAX_LINE}, maximum_depth=1, sample_size=20480, "
            f"map_inference_threshold={MAX_COLUMNS})"
        )
        if found.columns == ["json"]:
            raise SourceError(
                str(paths[0]),
                f"each record must be an object, of at most {MAX_COLUMNS:,} columns",
                next_step='As {"item": "q1", "human": "yes", "judge": "no"}',
            )
        check_names(found.columns, str(paths[0]))
        return stored(
            connection,
            paths,
            [
                f"SELECT * FROM read_json({path_list(paths)}, format='{form}', "
                f"columns={columns_of(found.columns)}, maximum_object_size={MAX_LINE})"
            ],
        )

    return read


read_json_lines = _read_json("newline_delimited")
