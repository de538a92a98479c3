"""One embedded engine behind all connections of the tests: to start one takes a sixth of the time
in which a small file is read, a second thread a tenth.

Each connection is a cursor with a database of its own in the engine's memory: no two see each
other's tables.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

__all__ = ["in_one_engine"]

#: Databases stay until their engine ends; after so many another is started.
_MOST = 200
_NUMBERS = count()
_running: list[Any] = []


def in_one_engine(start: Callable[..., Any]) -> Callable[..., Any]:
    """`duckdb.connect`, with databases in memory in the engine that runs."""

    def connect(database: str = ":memory:", **settings: Any) -> Any:
        if database != ":memory:":
            return start(database, **settings)
        number = next(_NUMBERS)
        if number % _MOST == 0:
            roomy = {**settings.get("config", {}), "memory_limit": "2GB", "threads": "1"}
            _running[:] = [start(database, config=roomy)]
        cursor = _running[0].cursor()
        cursor.execute(f"ATTACH ':memory:' AS own_{number}")
        cursor.execute(f"USE own_{number}")
        return cursor

    return connect
