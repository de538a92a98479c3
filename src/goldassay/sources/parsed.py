"""Text that was parsed once: kept in memory, or in a temporary file where it is large."""

from __future__ import annotations

import itertools
import re
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goldassay.sources.engine import quoted

__all__ = [
    "IN_MEMORY",
    "MAX_LINE",
    "columns_of",
    "is_small",
    "numbered_name",
    "path_list",
    "stored",
]

#: The longest line of a CSV or JSONL file; a longer one is a broken quote, or not a table.
MAX_LINE = 8 * 2**20
#: Text files up to this size are parsed into memory, larger ones into a temporary file.
IN_MEMORY = 64 * 2**20
_NUMBERS = itertools.count(1)


def numbered_name(stem: str) -> str:
    """A name that nothing else on a connection has."""
    return f"{stem}_{next(_NUMBERS)}"


def is_small(paths: Sequence[Path]) -> bool:
    return sum(path.stat().st_size for path in paths) <= IN_MEMORY


def path_list(paths: Sequence[Path]) -> str:
    # DuckDB reads *, ? and [ in a path as a glob; the paths were expanded already.
    escaped = [re.sub(r"([*?\[])", r"[\1]", str(path)) for path in paths]
    return "[" + ", ".join(quoted(name) for name in escaped) + "]"


def stored(connection: Any, paths: Sequence[Path], queries: Sequence[str]) -> Any:
    """Parse a text format once: into memory, or into a temporary Parquet file when it is large."""
    union = " UNION ALL BY NAME ".join(queries)
    if is_small(paths):
        name = numbered_name("parsed")
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


def columns_of(names: Sequence[str]) -> str:
    return "{" + ", ".join(f"{quoted(name)}: 'VARCHAR'" for name in names) + "}"
