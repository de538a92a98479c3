"""Verdicts that `goldassay run` adds while people label: noticed at once, read aside."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock, Thread

__all__ = ["News"]

LOG = logging.getLogger("goldassay.web")

_MARK = """
SELECT (SELECT max(call) FROM calls), (SELECT max(slot) FROM slots),
  (SELECT group_concat(judge) FROM (SELECT judge FROM judges WHERE current ORDER BY judge))
"""


class News:
    """Looks whether the store has new verdicts, and has them read again, one reading at a time.

    A reading takes as long as the start did, so that it waits five times as long before the next.
    """

    def __init__(self, store: Path, read: Callable[[], None]) -> None:
        where = f"{store.resolve().as_uri()}?mode=ro"
        self._connection = sqlite3.connect(where, uri=True, check_same_thread=False)
        self._read = read
        self._lock = Lock()
        self._thread: Thread | None = None
        self._earliest = 0.0
        self._version = self._data_version()
        self._mark = self._marked()

    def look(self) -> None:
        """Start a reading when something is new; never waits for it."""
        with self._lock:
            busy = self._thread is not None and self._thread.is_alive()
            if busy or time.monotonic() < self._earliest:
                return
            if (version := self._data_version()) == self._version:
                return
            self._version = version
            if (mark := self._marked()) == self._mark:
                return  # labels, not verdicts
            self._mark = mark
            self._thread = Thread(target=self._again, daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Until the reading that is under way has ended (for tests, and the end)."""
        if (thread := self._thread) is not None:
            thread.join()

    def close(self) -> None:
        self.wait()
        with self._lock:
            self._connection.close()

    def _again(self) -> None:
        started = time.monotonic()
        try:
            self._read()
        except Exception:
            LOG.exception("the new verdicts could not be read")
        took = time.monotonic() - started
        self._earliest = time.monotonic() + 5 * took

    def _data_version(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _marked(self) -> tuple[object, ...]:
        return tuple(self._connection.execute(_MARK).fetchone())
