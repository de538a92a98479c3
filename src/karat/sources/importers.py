"""Other tools' files to a table that karat reads: one entry per format.

An importer is a function `(connection, path) -> relation` of DuckDB, in a module of this package.
To add one, write the module and name it here.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from karat.errors import SourceError, UsageError, nearest, shown
from karat.sources.engine import connect
from karat.spreadsheet import neutral_sql

__all__ = ["IMPORTERS", "Importer", "import_table"]


class Importer(NamedTuple):
    """A format: its module and function in this package, what it reads and what it gives."""

    module: str
    function: str
    reads: str
    gives: str


IMPORTERS: Mapping[str, Importer] = {
    "justrank": Importer(
        "justrank", "judge_scores", "JuStRank's published judge scores (Parquet)", "ratings"
    ),
    "arena-battles": Importer(
        "justrank", "arena_battles", "Chatbot Arena battles (English hard prompts)",
        "gold for karat rank",
    ),
    "label-studio": Importer(
        "label_studio", "relation_of", "Label Studio's JSON export", "ratings"
    ),
}  # fmt: skip


def import_table(name: str, path: str | Path, out: str | Path) -> int:
    """Convert a file with the importer `name`; writes `out` (Parquet or CSV) whole or not at all.

    Returns the number of rows.
    """
    if name not in IMPORTERS:
        near = nearest(name, IMPORTERS)
        raise UsageError(
            f"the importer {name!r}", f"must be one of {', '.join(IMPORTERS)}",
            next_step=f"Did you mean {near!r}?" if near else None,
        )  # fmt: skip
    source, target = Path(path), Path(out)
    if target.suffix not in (".parquet", ".csv"):
        raise UsageError(
            "--out", "is written as .parquet or .csv", found=shown(target.suffix or target.name)
        )
    if not source.exists():
        raise SourceError(str(source), "does not exist")
    known = IMPORTERS[name]
    read = getattr(import_module(f"karat.sources.{known.module}"), known.function)
    connection = connect(memory="1GB")  # published files may be one long JSON array
    handle, temporary = -1, ""
    try:
        relation = read(connection, source)
        handle, temporary = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name}.", suffix=target.suffix
        )
        os.close(handle)
        if target.suffix == ".parquet":
            relation.write_parquet(temporary)
        else:
            texts = [
                neutral_sql(name) if str(kind) == "VARCHAR" else f'"{name}"'
                for name, kind in zip(relation.columns, relation.types, strict=True)
            ]
            relation.project(", ".join(texts)).write_csv(temporary, header=True)
        rows = int(connection.sql(f"select count(*) from '{temporary}'").fetchone()[0])
        Path(temporary).replace(target)
        return rows
    except OSError as error:
        raise SourceError(str(target), f"cannot be written ({error.strerror or error})") from None
    except _engine_errors() as error:
        reason = str(error).splitlines()[0]
        raise SourceError(str(source), f"cannot be read ({shown(reason, 200)})") from None
    finally:
        connection.close()
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _engine_errors() -> Any:
    import duckdb

    return duckdb.Error
