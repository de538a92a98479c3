"""What a monitor has seen, kept in a store between two looks.

Rows are appended, never changed: one record for each batch, rater and criterion that a look added,
with the verdicts in numbers. What was seen is the union of the records, so that a stream gives the
same state in whatever pieces it came. Rows that are known already are passed over; a row that
contradicts one, or a verdict of a batch before the newest, is refused. People's labels may come
late.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from goldassay.counts.stream import (
    JUDGE,
    PERSON,
    REFERENCE,
    StreamRows,
    apart,
    batch_order,
    no_rows,
    two_judges,
)
from goldassay.errors import RatingsError, SourceError, UsageError, shown
from goldassay.store import now, open_store, store_errors, transaction

__all__ = ["State", "opened_state"]

#: How a row is kept: 26 bytes, the same on every machine.
ROW = np.dtype(
    [("unit", "<u8"), ("cluster", "<u8"), ("repeat", "<u8"), ("code", "i1"), ("anchor", "?")]
)


class State:
    """What was seen before, and a way to add to it; `connection` is None where there is no file."""

    def __init__(self, path: str, connection: sqlite3.Connection | None) -> None:
        self.path = path
        self._connection = connection
        self.rows = no_rows() if connection is None else _read(connection, path)

    def check(self, settings: Mapping[str, Any], identities: Mapping[tuple[str, str], str]) -> None:
        """Refuse other settings than it was begun with, and another judge under a known name."""
        if self._connection is None:
            return
        begun = self._connection.execute("SELECT settings FROM monitors").fetchone()
        if begun is None and len(self.rows):
            raise _damaged(self.path, "its settings are gone")
        old = _settings(begun[0], self.path) if begun else dict(settings)
        for key in (*settings, *(one for one in old if one not in settings)):
            if old.get(key) != settings.get(key):
                raise UsageError(
                    f"{self.path}, {key}",
                    "must be what the state was begun with",
                    found=f"{_told(settings.get(key))}, not {_told(old.get(key))}",
                    next_step="Ask as before, or begin another state",
                )
        _check_codes(self.rows, len(settings["task options"]), self.path)
        known = {
            (rater, field): value
            for rater, field, value in self._connection.execute("SELECT * FROM monitored_judges")
        }
        for (rater, field), value in identities.items():
            if known.get((rater, field), value) != value:
                raise two_judges(self.path, rater, field, (known[rater, field], value))

    def with_new(self, new: StreamRows, place: str) -> tuple[StreamRows, StreamRows]:
        """Everything seen, and what of it is new; an error where it contradicts or comes late."""
        if not len(self.rows):
            return new, new
        both = self.rows.with_more(new)
        _check_order(self.rows.batches, both.batches, place)
        keys, size = both.keys(), len(self.rows)
        order = np.argsort(keys[:size])
        at = np.minimum(np.searchsorted(keys[:size], keys[size:], sorter=order), size - 1)
        twin = order[at]
        known = keys[twin] == keys[size:]
        later = np.arange(size, len(both))
        differing = later[known][both.code[twin[known]] != both.code[later[known]]]
        if len(differing):
            raise RatingsError(
                place,
                f"must not contradict what {self.path} holds",
                found=f"{len(differing):,} other ratings, the first by "
                f"{shown(both.raters[both.rater[differing[0]]])}",
                next_step="What was seen stays; give a judge that answers anew another batch",
            )
        added = later[~known]
        judged = (both.kind[:size] == JUDGE).nonzero()[0]
        newest = int(both.batch[judged].max()) if len(judged) else -1
        late = added[(both.kind[added] == JUDGE) & (both.batch[added] < newest)]
        if len(late):
            batches = both.batches
            raise RatingsError(
                place,
                "verdicts must not come before the newest batch that was seen",
                found=f"{len(late):,} of batch {shown(batches[both.batch[late[0]]])}, after "
                f"{shown(batches[newest])}",
                next_step="Add batches in the order of time, or begin another state with all",
            )
        kept = np.concatenate([np.arange(size), added])
        return both.where(kept), both.where(added)

    def add(
        self,
        rows: StreamRows,
        settings: Mapping[str, Any],
        identities: Mapping[tuple[str, str], str],
    ) -> None:
        """Append what is new, whole or not at all."""
        if self._connection is not None:
            _append(self._connection, rows, settings, identities)
            return
        connection = open_store(self.path, create=True)
        try:
            with store_errors(self.path), transaction(connection):
                if connection.execute("SELECT count(*) FROM monitored").fetchone()[0]:
                    raise SourceError(
                        self.path,
                        "was begun by another process meanwhile",
                        next_step="Run the same command again",
                    )
                _append(connection, rows, settings, identities)
        finally:
            connection.close()


def _check_order(old: tuple[str, ...], both: tuple[str, ...], place: str) -> None:
    """Batches that were seen keep their order; beside a name that is no number, 10 is before 9."""
    known = set(old)

    def kept(order: tuple[str, ...]) -> bool:
        return tuple(one for one in order if one in known) == old

    if not kept(both):
        odd = next(one for one in both if not kept(batch_order({*old, one})))
        raise RatingsError(
            place,
            "new batches must leave those that were seen in their order",
            found=f"{shown(odd)} beside {shown(old[0])} to {shown(old[-1])}",
            next_step="Name batches as before: all of them numbers, or all as dates",
        )


def _told(value: Any) -> str:
    return "nothing" if value is None else shown(value)


@contextmanager
def opened_state(path: str, *, looking: bool = False) -> Iterator[State]:
    """The state in a store, locked against other writers; none is made before it is added to.

    Who is only `looking` adds nothing, and there must be one.
    """
    if not Path(path).exists():
        if looking:
            raise SourceError(
                path,
                "there is no such state to look at",
                next_step="Begin it with ratings: goldassay monitor RATINGS --state FILE",
            )
        yield State(path, None)
        return
    connection = open_store(path)
    try:
        with store_errors(path), transaction(connection):
            yield State(path, connection)
    finally:
        connection.close()


def _append(
    connection: sqlite3.Connection,
    rows: StreamRows,
    settings: Mapping[str, Any],
    identities: Mapping[tuple[str, str], str],
) -> None:
    time = now()
    begun = json.dumps(dict(settings), ensure_ascii=False, sort_keys=True)
    connection.execute("INSERT OR IGNORE INTO monitors VALUES (1, ?, ?)", (begun, time))
    connection.executemany(
        "INSERT OR IGNORE INTO monitored_judges VALUES (?, ?, ?)",
        [(rater, field, value) for (rater, field), value in identities.items()],
    )
    for (batch, rater, kind, criterion), part in apart(rows):
        cells = np.zeros(len(part), ROW)
        for name in ROW.names or ():
            cells[name] = getattr(part, name)
        connection.execute(
            "INSERT INTO monitored (batch, rater, kind, criterion, rows, cells, time) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (batch, rater, kind, criterion, len(part), cells.tobytes(), time),
        )


def _damaged(path: str, what: str) -> SourceError:
    return SourceError(
        path,
        f"is damaged: {what}",
        next_step="Restore it from a copy, or begin another state with all ratings",
    )


def _settings(text: Any, path: str) -> dict[str, Any]:
    """What the state was begun with."""
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _damaged(path, "its settings cannot be read")
    return found


def _check_codes(rows: StreamRows, options: int, path: str) -> None:
    """A code is that of an option, of no rating at all (three of them), or of none of these."""
    if len(rows) and not (rows.code.min() >= -1 and rows.code.max() <= options + 2):
        raise _damaged(path, "it holds ratings that the scale does not have")


def _check_record(record: tuple[Any, ...], path: str) -> None:
    """A record of `monitored` as `_append` writes it."""
    batch, rater, kind, criterion, rows, cells = record
    texts = all(isinstance(one, str) for one in (batch, rater, criterion))
    if not texts or kind not in (JUDGE, PERSON, REFERENCE) or (kind == JUDGE and not batch):
        raise _damaged(path, "a record has no known rater, kind or batch")
    if (
        not isinstance(rows, int)
        or not isinstance(cells, bytes)
        or len(cells) != rows * ROW.itemsize
    ):
        raise _damaged(path, f"a record of batch {shown(batch)} has not the length it should")


def _read(connection: sqlite3.Connection, path: str) -> StreamRows:
    records = connection.execute(
        "SELECT batch, rater, kind, criterion, rows, cells FROM monitored ORDER BY part"
    ).fetchall()
    if not records:
        return no_rows()
    for record in records:
        _check_record(record, path)
    batches = batch_order({one[0] for one in records if one[0]})
    raters, criteria = (tuple(sorted({one[k] for one in records})) for k in (1, 3))
    sizes = [one[4] for one in records]

    def column(codes: list[int], kind: Any) -> Any:
        return np.repeat(np.array(codes, dtype=kind), sizes)

    place = {label: code for code, label in enumerate(batches)}
    cells = np.concatenate([np.frombuffer(one[5], ROW) for one in records])
    return StreamRows(
        raters,
        criteria,
        batches,
        kind=column([one[2] for one in records], np.int8),
        rater=column([raters.index(one[1]) for one in records], np.int32),
        criterion=column([criteria.index(one[3]) for one in records], np.int32),
        batch=column([place.get(one[0], -1) for one in records], np.int32),
        **{name: np.ascontiguousarray(cells[name]) for name in ROW.names or ()},
    )
