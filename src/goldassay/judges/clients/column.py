"""A column of the items themselves, or of a table joined on item and system."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from goldassay.errors import SourceError
from goldassay.judges.clients.kind import Kind
from goldassay.judges.clients.local import digest_of_files, read_local, stored
from goldassay.judges.declaration import Declaration
from goldassay.judges.items import read_items
from goldassay.judges.request import Request

__all__ = ["COLUMN"]

_MISSING = '{"status": "abstained", "reason": "no such cell"}'


class ColumnClient:
    """Cells, looked up."""

    def __init__(self, judge: Declaration) -> None:
        self._column = judge.column or ""
        self._table: sqlite3.Connection | None = None
        if judge.table is None:
            return
        path = Path(judge.folder) / judge.table
        self._table = sqlite3.connect("")  # a private file, removed on close
        self._table.execute(
            "CREATE TABLE cells (item TEXT, system TEXT, cell TEXT, PRIMARY KEY (item, system))"
        )
        rows = (
            (one.item, one.system, stored(one.raw[self._column]))
            for one in read_items(path)
            if self._column in one.raw
        )
        try:
            self._table.executemany("INSERT INTO cells VALUES (?, ?, ?)", rows)
        except sqlite3.IntegrityError:
            raise SourceError(str(path), "an item and system occur once") from None

    async def ask(self, request: Request) -> str:
        item = request.item
        if self._table is None:
            return stored(item.raw[self._column]) if self._column in item.raw else _MISSING
        row = self._table.execute(
            "SELECT cell FROM cells WHERE item = ? AND system IN (?, '') ORDER BY system DESC",
            [item.item, item.system],
        ).fetchone()
        return row[0] if row else _MISSING

    async def close(self) -> None:
        if self._table is not None:
            self._table.close()


def _source(judge: Declaration) -> str:
    return digest_of_files([Path(judge.folder) / judge.table]) if judge.table else ""


COLUMN = Kind(
    name="column",
    declared_by="column",
    address=lambda judge: judge.column or "",
    open=ColumnClient,
    read=read_local,
    source=_source,
    asks_criteria=False,
)
