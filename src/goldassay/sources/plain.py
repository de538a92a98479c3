"""A file that the engine reads: what is packed, a workbook or Arrow becomes one first."""

from __future__ import annotations

import os
import tempfile
import weakref
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, listed
from goldassay.sources.datasets import write_parquet
from goldassay.sources.packed import PACKED, inner_name, unpack
from goldassay.sources.workbook import WORKBOOKS, write_sheet

__all__ = ["choose_table", "plain"]


def plain(path: Path, table: str | None, connection: Any) -> Path:
    """A file that the engine reads: the file itself, or a temporary one that is made of it."""
    suffix = path.suffix.lower()
    if suffix not in (*PACKED, *WORKBOOKS, ".arrow"):
        return path
    inner = inner_name(path).suffix.lower()
    made = inner if suffix in PACKED else ".csv" if suffix in WORKBOOKS else ".parquet"
    handle, name = tempfile.mkstemp(prefix="goldassay-", suffix=made)
    os.close(handle)
    target = Path(name)
    weakref.finalize(connection, target.unlink, missing_ok=True)
    if suffix in PACKED:
        unpack(path, target)
    elif suffix in WORKBOOKS:
        write_sheet(path, table, target, choose_table)
    else:
        write_parquet(path, target)
    return target


def choose_table(path: Path, tables: list[str], wanted: str | None) -> str:
    if wanted is not None:
        if wanted in tables:
            return wanted
        raise SourceError(
            f"{path}::{wanted}", "no such table", next_step=f"It has: {listed(sorted(tables))}"
        )
    if "ratings" in tables:
        return "ratings"
    if len(tables) == 1:
        return tables[0]
    if not tables:
        raise SourceError(str(path), "holds no table")
    raise SourceError(
        str(path),
        "has several tables",
        found=listed(sorted(tables)),
        next_step=f"Name one, as {path}::{sorted(tables)[0]}",
    )
