"""The journal of a run: one thread writes to the store, in groups, durably.

A call counts once the commit that holds it has returned. The writer takes everything that has
gathered, writes it in one transaction, and only then tells those who wait. Claims keep two
processes on one store from asking the same thing; those of a process that died are void.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from goldassay.errors import InputError
from goldassay.frozen import dataclass
from goldassay.judges.calls import Call
from goldassay.judges.parsing import PARSER
from goldassay.judges.request import Request
from goldassay.judges.responses import FailureError, storable
from goldassay.judges.spec import Judge
from goldassay.judges.verdicts import Verdict
from goldassay.store import now, open_store, store_errors, transaction

__all__ = ["Journal", "Plan", "write_verdicts"]

#: How long the writer lets a group gather, in seconds, where the last one had several in it.
GATHER = 0.004
#: A run on another machine that has not been heard of for this long is taken for dead, in seconds.
SILENCE = 300.0
#: The longest reason of a verdict that is kept, in characters.
LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done about the requests: ask, wait for another process, or nothing."""

    ask: list[Request]
    busy: int
    known: int


Work = Callable[[sqlite3.Connection], Any]

#: Runs of this very process that are open now, by store and number.
_OPEN: set[tuple[str, int]] = set()


class Journal:
    """The open journal of one run. Use it as a context manager, from one event loop."""

    def __init__(self, path: str | Path, judges: Sequence[Judge]) -> None:
        self.path = Path(path)
        self._connection = open_store(path, create=True, any_thread=True)
        with store_errors(path), transaction(self._connection):
            self.run = _begin(self._connection)
            self.judges = {one.name: _register(self._connection, one) for one in judges}
            _void_dead_claims(self._connection, self.path, self.run)
        #: Whether the store holds an answer to what these judges, as they are, were ever asked:
        #: known once it is closed.
        self.answered = False
        self._current: set[str] = set()
        _OPEN.add((str(self.path.resolve()), self.run))
        self._queue: queue.SimpleQueue[tuple[Work, asyncio.Future[Any] | None] | None]
        self._queue = queue.SimpleQueue()
        self._broken: Exception | None = None
        self._thread = threading.Thread(target=self._write, name="goldassay journal", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin writing for the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def close(self, outcome: str, summary: str = "") -> None:
        """Write what is left, mark the run as ended, and close the store."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        try:
            with transaction(self._connection):
                self.answered = any(
                    _answered(self._connection, number) for number in self.judges.values()
                )
                self._connection.execute("DELETE FROM claims WHERE run = ?", [self.run])
                self._connection.execute(
                    "UPDATE runs SET ended = ?, outcome = ?, summary = ? WHERE run = ?",
                    [now(), outcome, summary, self.run],
                )
        except sqlite3.Error as error:
            if self._broken is None:
                with store_errors(self.path):
                    raise error
        finally:
            self._connection.close()
            _OPEN.discard((str(self.path.resolve()), self.run))

    async def plan(self, requests: Sequence[Request]) -> Plan:
        """Note what is asked for, and claim what has no answer yet."""
        plan: Plan = await self.do(lambda connection: self._plan(connection, requests))
        return plan

    async def record(self, call: Call) -> None:
        """Write a finished call; returns once it is on the disk."""
        await self.do(lambda connection: self._record(connection, call))

    def note_attempt(self, key: str, number: int, failure: FailureError) -> None:
        """Write that a try failed; nobody waits for it."""
        values = [key, number, str(failure), failure.http_status, now(), self.run]
        self._queue.put(
            (
                lambda connection: connection.execute(
                    "INSERT INTO attempts (key, number, failure, http_status, time, run)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    values,
                ),
                None,
            )
        )

    async def release(self, key: str) -> None:
        """Give up the claim on what will not be asked."""
        await self.do(
            lambda connection: connection.execute(
                "DELETE FROM claims WHERE key = ? AND run = ?", [key, self.run]
            )
        )

    async def void_dead_claims(self) -> None:
        await self.do(lambda connection: _void_dead_claims(connection, self.path, self.run))

    async def do(self, work: Work) -> Any:
        """Run some work in the writer's thread, in its next transaction.

        Work that fails is undone and raises here; what others gave to the same transaction is kept.
        """
        if self._broken is not None:
            raise self._broken
        assert self._loop is not None
        future = self._loop.create_future()
        self._queue.put((work, future))
        return await future

    # --- the writer

    def _write(self) -> None:
        last_beat = 0.0
        stop = False
        group: list[tuple[Work, asyncio.Future[Any] | None]] = []
        while not stop:
            # Who asks one at a time waits for each commit: nothing would gather meanwhile.
            several, group = len(group) > 1, []
            first = self._queue.get()
            if first is not None:
                group.append(first)
                if several:
                    time.sleep(GATHER)
            else:
                stop = True
            while True:
                try:
                    more = self._queue.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    stop = True
                else:
                    group.append(more)
            if group:
                beat = time.monotonic() - last_beat > SILENCE / 10
                self._commit(group, beat=beat)
                last_beat = time.monotonic() if beat else last_beat

    def _commit(
        self, group: Sequence[tuple[Work, asyncio.Future[Any] | None]], *, beat: bool
    ) -> None:
        outcomes: list[tuple[asyncio.Future[Any], Any, Exception | None]] = []
        try:
            if self._broken is not None:
                raise self._broken
            with store_errors(self.path), transaction(self._connection):
                for work, future in group:
                    result, problem = _alone(self._connection, work)
                    if future is not None:
                        outcomes.append((future, result, problem))
                if beat:
                    self._connection.execute(
                        "UPDATE runs SET beat = ? WHERE run = ?", [now(), self.run]
                    )
        except Exception as error:
            self._broken = error
            outcomes = [(future, None, error) for _, future in group if future is not None]
        assert self._loop is not None
        self._loop.call_soon_threadsafe(_tell, outcomes)

    # --- what is written

    def _plan(self, connection: sqlite3.Connection, requests: Sequence[Request]) -> Plan:
        for name in {one.judge.name for one in requests} - self._current:
            _make_current(connection, name, self.judges[name])
            self._current.add(name)
        rows = [row for one in requests for row in self._slots(one)]
        _note_slots(connection, rows, self.run)
        keys = list(dict.fromkeys(one.key for one in requests))
        answered = _among(  # and what this run has tried in vain
            connection,
            f"SELECT key FROM calls WHERE (failure IS NULL OR run = {self.run}) AND key IN ({{}})",
            keys,
        )
        busy = _among(
            connection, f"SELECT key FROM claims WHERE run <> {self.run} AND key IN ({{}})", keys
        ) | _among(
            connection,
            "SELECT key FROM batch_keys JOIN batches USING (batch) WHERE collected IS NULL"
            " AND key IN ({})",
            keys,
        )
        mine = _among(
            connection, f"SELECT key FROM claims WHERE run = {self.run} AND key IN ({{}})", keys
        )
        ask: dict[str, Request] = {}
        for one in requests:
            if one.key not in answered and one.key not in busy and one.key not in mine:
                ask.setdefault(one.key, one)
        connection.executemany(
            "INSERT OR IGNORE INTO claims (key, run) VALUES (?, ?)",
            [(key, self.run) for key in ask],
        )
        return Plan(
            list(ask.values()),
            sum(one.key in busy and one.key not in answered for one in requests),
            sum(one.key in answered for one in requests),
        )

    def _slots(self, request: Request) -> list[tuple[Any, ...]]:
        item, carried = request.item, request.item.carried
        opponent = item.opponent if request.judge.built_in.pairs else ""
        return [
            (
                self.judges[request.judge.name],
                item.item,
                criterion,
                item.system,
                opponent,
                request.sample,
                request.format.order,
                request.judge.built_in.elicitation,
                *(
                    carried.get(name, "")
                    for name in ("prompt", "cluster", "stratum", "split", "weight")
                ),
                request.key,
                self.run,
            )
            for criterion in request.format.criteria
        ]

    def _record(self, connection: sqlite3.Connection, call: Call) -> None:
        cursor = connection.execute(
            "INSERT INTO calls (key, judge, form, response, quoted, failure, http_status, model,"
            " prompt_tokens, completion_tokens, cost, latency, criteria, attempt, time, run)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET judge = excluded.judge, response = excluded.response,"
            " quoted = excluded.quoted, failure = excluded.failure, model = excluded.model,"
            " http_status = excluded.http_status, prompt_tokens = excluded.prompt_tokens,"
            " completion_tokens = excluded.completion_tokens, cost = excluded.cost,"
            " latency = excluded.latency, attempt = calls.attempt + excluded.attempt,"
            " time = excluded.time, run = excluded.run WHERE calls.failure IS NOT NULL",
            [
                call.key,
                self.judges[call.judge],
                call.form.to_json(),
                call.response,
                json.dumps(call.quoted) if call.quoted else None,
                call.failure,
                call.http_status,
                call.model,
                call.prompt_tokens,
                call.completion_tokens,
                call.cost,
                call.latency,
                len(call.verdicts),
                call.attempt,
                now(),
                self.run,
            ],
        )
        if cursor.rowcount:  # an answer that is there already stays
            write_verdicts(connection, call.key, call.verdicts)
        connection.execute("DELETE FROM claims WHERE key = ?", [call.key])


#: Errors of SQLite that are one statement's, not the file's.
_OF_A_STATEMENT = (
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)


def _alone(connection: sqlite3.Connection, work: Work) -> tuple[Any, Exception | None]:
    """Do some work of a group; when it fails of itself, only it is undone."""
    connection.execute("SAVEPOINT work")
    try:
        result, problem = work(connection), None
    except Exception as error:
        if isinstance(error, sqlite3.Error) and not isinstance(error, _OF_A_STATEMENT):
            raise
        connection.execute("ROLLBACK TO work")
        result, problem = None, error
    connection.execute("RELEASE work")
    return result, problem


def write_verdicts(connection: sqlite3.Connection, key: str, verdicts: dict[str, Verdict]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO verdicts (key, criterion, status, value, score, reason, parser)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (key, criterion, one.status, one.value, one.score, _reason(one), PARSER)
            for criterion, one in verdicts.items()
        ],
    )


def _reason(verdict: Verdict) -> str | None:
    return None if verdict.reason is None else storable(verdict.reason, LONGEST_REASON)


def _note_slots(connection: sqlite3.Connection, rows: Sequence[tuple[Any, ...]], run: int) -> None:
    """Point every slot at its key; a slot that this very run pointed elsewhere is a conflict."""
    for row in rows:
        cursor = connection.execute(
            'INSERT INTO slots (judge, item, criterion, system, opponent, sample, "order",'
            " elicitation, prompt, cluster, stratum, split, weight, key, run)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            ' ON CONFLICT (judge, item, criterion, system, opponent, sample, "order") DO UPDATE SET'
            " elicitation = excluded.elicitation, prompt = excluded.prompt,"
            " cluster = excluded.cluster, stratum = excluded.stratum, split = excluded.split,"
            " weight = excluded.weight, key = excluded.key, run = excluded.run"
            " WHERE slots.run <> excluded.run OR slots.key = excluded.key",
            row,
        )
        if not cursor.rowcount:
            names = [part for part in (row[1], row[3], row[4], row[2]) if part]
            raise InputError(
                "--items",
                "an item is given once for each system",
                found=f"{' / '.join(names)!r} twice, with different texts",
                next_step="Give each its own name in `item` or `system`",
            )


def _among(connection: sqlite3.Connection, query: str, keys: Sequence[str]) -> set[str]:
    marks = ", ".join("?" * len(keys))
    return {row[0] for row in connection.execute(query.format(marks), list(keys))}


def _tell(outcomes: Sequence[tuple[asyncio.Future[Any], Any, Exception | None]]) -> None:
    for future, result, error in outcomes:
        if not future.done():
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)


# --- runs and judges


def _begin(connection: sqlite3.Connection) -> int:
    command = json.dumps(sys.argv[1:])
    time_ = now()
    cursor = connection.execute(
        "INSERT INTO runs (host, pid, process, command, started, beat) VALUES (?, ?, ?, ?, ?, ?)",
        [*_identity(), command, time_, time_],
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def _register(connection: sqlite3.Connection, judge: Judge) -> int:
    """The number of a judge's definition."""
    connection.execute(
        "INSERT OR IGNORE INTO judges (name, digest, definition, source, current, time)"
        " VALUES (?, ?, ?, ?, 0, ?)",
        [
            judge.name,
            judge.digest,
            json.dumps(judge.definition(), ensure_ascii=False),
            judge.source,
            now(),
        ],
    )
    (number,) = connection.execute(
        "SELECT judge FROM judges WHERE name = ? AND digest = ?", [judge.name, judge.digest]
    ).fetchone()
    return int(number)


def _answered(connection: sqlite3.Connection, number: int) -> bool:
    """Whether the store holds an answer to anything that this version of a judge was asked."""
    query = (
        "SELECT EXISTS (SELECT 1 FROM slots JOIN calls USING (key)"
        " WHERE slots.judge = ? AND failure IS NULL)"
    )
    return bool(connection.execute(query, [number]).fetchone()[0])


def _make_current(connection: sqlite3.Connection, name: str, number: int) -> None:
    """From the first request on, the ratings show this definition and no other of the name."""
    connection.execute("UPDATE judges SET current = (judge = ?) WHERE name = ?", [number, name])


def _void_dead_claims(connection: sqlite3.Connection, path: Path, mine: int) -> None:
    rows = connection.execute(
        "SELECT run, host, pid, process, beat FROM runs WHERE ended IS NULL AND run <> ?", [mine]
    ).fetchall()
    for run, host, pid, process, beat in rows:
        own = (host, pid, process) == _identity() and (str(path.resolve()), run) not in _OPEN
        if own or not _alive(host, pid, process, beat):
            connection.execute("DELETE FROM claims WHERE run = ?", [run])
            connection.execute(
                "UPDATE runs SET ended = ?, outcome = 'killed' WHERE run = ?", [now(), run]
            )


def _identity() -> tuple[str, int, str]:
    return socket.gethostname(), os.getpid(), _process(os.getpid()) or ""


def _alive(host: str, pid: int, process: str, beat: str) -> bool:
    if host == socket.gethostname() and process:
        return _process(pid) == process
    from datetime import UTC, datetime

    heard = datetime.fromisoformat(beat.replace("Z", "+00:00"))
    return (datetime.now(UTC) - heard).total_seconds() < SILENCE


def _process(pid: int) -> str | None:
    """What tells a process from a later one with its number: boot and start time on Linux."""
    if sys.platform == "win32":  # there a signal of 0 ends the process; the heartbeat tells
        return None
    if not sys.platform.startswith("linux"):
        try:
            os.kill(pid, 0)
        except OSError:
            return None
        return "alive"
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = status.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else f"{boot}/{fields[19]}"
