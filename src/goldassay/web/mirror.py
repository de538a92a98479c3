"""The store's labels, resolutions and flags in memory, by unit and by rater, as they are now.

Only what is new in the store is read, from this process or another.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Any

from goldassay.frozen import dataclass
from goldassay.web.cases import Given, Unit

__all__ = ["Mirror"]

_LABELS = """
SELECT label, item, criterion, system, opponent, rater, value, status, elicitation, comment, time,
  seconds, kind, supersedes FROM labels WHERE label > ? ORDER BY label
"""
_FLAGS = """
SELECT flag, item, criterion, system, opponent, rater, raised FROM flags
WHERE flag > ? ORDER BY flag
"""


@dataclass
class Mirror:
    """What people gave here. `counts` tells which labels answer what is asked here."""

    connection: sqlite3.Connection
    counts: Callable[[Given], bool]
    #: Unit -> its labels.
    by_unit: dict[str, tuple[Given, ...]] = field(default_factory=dict)
    #: Rater -> unit -> label, in the order in which the rater first came to the units.
    by_rater: dict[str, dict[str, Given]] = field(default_factory=dict)
    #: What a rater took back and did not give again.
    withdrawn: dict[tuple[str, str], Given] = field(default_factory=dict)
    #: Unit -> what was resolved where people differ.
    resolved: dict[str, Given] = field(default_factory=dict)
    #: Rater -> the units that they want to talk about.
    flags: dict[str, dict[str, None]] = field(default_factory=dict)
    #: Everybody who ever labelled.
    names: set[str] = field(default_factory=set)
    #: Units whose labels changed, one after another; readers remember how far they have read.
    changes: list[str] = field(default_factory=list)
    last: int = 0
    last_flag: int = 0

    @classmethod
    def of(cls, store: Path, counts: Callable[[Given], bool]) -> Mirror:
        """Through a connection beside the one that writes, which waits for nobody for long."""
        where = f"{store.resolve().as_uri()}?mode=ro"
        found = sqlite3.connect(where, uri=True, timeout=1, check_same_thread=False)
        return cls(found, counts)

    def refresh(self) -> None:
        """Read what is new; nothing where the store cannot be read now, but later."""
        for number, *unit, rater, value, status, form, comment, at, took, kind, old in self._new(
            _LABELS, self.last
        ):
            key = Unit(*unit).key
            one = Given(rater, value or "", status, form, comment, at, number, took)
            if kind == "reference":
                if status == "undone":
                    self.resolved.pop(key, None)
                else:
                    self.resolved[key] = one
            else:
                self._take(key, one, old)
            self.changes.append(key)
            self.last = number
        for number, *unit, rater, raised in self._new(_FLAGS, self.last_flag):
            mine = self.flags.setdefault(rater, {})
            mine.pop(Unit(*unit).key, None)
            if raised:
                mine[Unit(*unit).key] = None
            self.last_flag = number

    def _take(self, key: str, one: Given, supersedes: int | None) -> None:
        rater = one.rater
        self.names.add(rater)
        mine = self.by_rater.setdefault(rater, {})
        before = self.by_unit.get(key, ())
        current = [other for other in before if other.number != supersedes]
        self.withdrawn.pop((rater, key), None)
        if one.status == "undone":
            taken = next((other for other in before if other.number == supersedes), None)
            if taken is not None and self.counts(taken):
                self.withdrawn[rater, key] = taken
                mine.pop(key, None)
        else:
            current.append(one)
            if self.counts(one):
                mine[key] = one
        self.by_unit[key] = tuple(current)

    def _new(self, query: str, last: int) -> list[tuple[Any, ...]]:
        try:
            return self.connection.execute(query, [last]).fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            return []
