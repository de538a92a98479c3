"""Batch files: written, submitted, polled, collected; found again after a crash.

The store knows of a batch before the provider does. A batch that was being submitted when the
process died is looked for at the provider by its mark, and submitted again only when it is not
there. What a batch is to answer is not asked by other runs until it is collected.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from goldassay.errors import InputError, UsageError
from goldassay.frozen import dataclass
from goldassay.judges.asking import Asking, Running
from goldassay.judges.calls import Call, Tally, answered, failed, said
from goldassay.judges.capabilities import capabilities_of
from goldassay.judges.clients.kind import BatchClient, RemoteBatch
from goldassay.judges.flow import LONGEST_WAIT, Budget, Gate, backoff
from goldassay.judges.item_requests import requests_of
from goldassay.judges.items import Items
from goldassay.judges.journal import Journal
from goldassay.judges.prices import BATCH_DISCOUNT, cost, price_of
from goldassay.judges.request import Asked, Request
from goldassay.judges.responses import FailureError, count, loads
from goldassay.judges.run import CHUNK, Outcome
from goldassay.judges.spec import Judge
from goldassay.judges.verdicts import Format
from goldassay.store import now

__all__ = ["run_batches"]

#: The provider's limits of one file.
MOST_REQUESTS = 50_000
MOST_BYTES = 190 * 1024 * 1024

Found = TypeVar("Found")


def run_batches(
    judges: Sequence[Judge],
    items: str | Path | Items,
    out: str | Path,
    *,
    prices: Mapping[str, tuple[float, float]] | None = None,
    poll: float = 30.0,
    on_message: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Run judges by batch files. Interrupt it when you like: the batches go on, and are found."""
    for judge in judges:
        if judge.kind.open_batches is None:
            raise UsageError("--batch", "is for endpoints of the OpenAI kind", found=judge.name)
    budget = Budget(prices=prices or {})
    return asyncio.run(_run(judges, Items.of(items), out, budget, poll, on_message))


async def _run(
    judges: Sequence[Judge],
    items: Items,
    out: str | Path,
    budget: Budget,
    poll: float,
    say: Callable[[str], None],
) -> Outcome:
    started = time.monotonic()
    clients = [(Asking(one, Gate(one.limits), Tally(one.name)), _client(one)) for one in judges]
    journal = Journal(out, judges)
    journal.start()
    run = Running(journal, budget, say)
    reason = "submitted"
    try:
        for asking, client in clients:
            await _whole(_Batches(asking, client, run), items, poll)
        reason = "complete"
    except (asyncio.CancelledError, KeyboardInterrupt):
        say("The batches go on at the provider; run the same command again to collect them.")
    finally:
        for asking, client in clients:
            await asking.client.close()
            await client.close()
        journal.close(reason)
    tallies = tuple(asking.tally for asking, _ in clients)
    seconds = time.monotonic() - started
    number = sum(1 for _ in items.stream())
    return Outcome(
        journal.run, reason, tallies, seconds, journal.answered, items=number, place=items.place
    )


def _client(judge: Judge) -> BatchClient:
    assert judge.kind.open_batches is not None
    return judge.kind.open_batches(judge)


async def _whole(work: _Batches, items: Items, poll: float) -> None:
    """All batches of one judge, from what an earlier process left to the last answer."""
    try:
        await work.resume()
        await work.submit(items)
        await work.wait(poll)
    except FailureError as failure:
        raise InputError(
            f"judge {work.judge.name!r}",
            f"the endpoint {work.judge.address} could not be asked ({failure})",
            next_step="What was submitted goes on there; run the same command again",
        ) from None


@dataclass(frozen=True, slots=True)
class _Known:
    """A batch that the store knows."""

    name: str
    remote: str | None
    requests: int


class _Batches:
    """The batches of one judge."""

    def __init__(self, asking: Asking, client: BatchClient, run: Running) -> None:
        self.asking, self.client, self.run = asking, client, run
        self.judge, self.tally = asking.judge, asking.tally
        self.price = price_of(self.judge, run.budget.prices)
        self.number = run.journal.judges[self.judge.name]

    async def resume(self) -> None:
        """Find again what was being submitted; forget what never arrived."""
        unsure = [one for one in await self._known() if one.remote is None]
        if not unsure:
            return
        marked = {batch.mark: batch for batch in await self._patiently(self.client.known)}
        for one in unsure:
            if one.name in marked:
                await self._remember(one.name, marked[one.name])
            else:
                await self.run.journal.do(partial(_forget, name=one.name))

    async def submit(self, items: Items) -> None:
        """Write and submit all that has no answer yet."""
        ask = partial(self.asking.probe, run=self.run)
        offers = await capabilities_of(self.judge, ask, self.run.journal)
        gathered: list[Request] = []
        size = 0
        stream = requests_of(self.judge, items, offers)
        while chunk := list(islice(stream, CHUNK)):
            plan = await self.run.journal.plan(chunk)
            self.tally.planned += len(chunk)
            self.tally.known += plan.known
            for request in plan.ask:
                gathered.append(request)
                size += len(request.prompt.encode()) + 1000
                if len(gathered) >= MOST_REQUESTS or size >= MOST_BYTES:
                    await self._send(gathered)
                    gathered, size = [], 0
        if gathered:
            await self._send(gathered)

    async def _send(self, requests: Sequence[Request]) -> None:
        mark = f"goldassay-{secrets.token_hex(8)}"
        keys = [
            (mark, one.key, one.format.to_json(), json.dumps(one.texts, ensure_ascii=False))
            for one in requests
        ]

        def note(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO batches (batch, judge, requests, time) VALUES (?, ?, ?, ?)",
                [mark, self.number, len(requests), now()],
            )
            connection.executemany("INSERT INTO batch_keys VALUES (?, ?, ?, ?)", keys)

        await self.run.journal.do(note)
        batch = await self.client.submit(mark, [self.client.line(one) for one in requests])
        await self._remember(mark, batch)
        self._say(f"batch {batch.id} submitted with {len(requests):,} requests.")

    async def wait(self, poll: float) -> None:
        """Poll until every batch is over, and collect each as it ends."""
        while known := await self._known():
            for one in known:
                assert one.remote is not None
                batch = await self._patiently(partial(self.client.look, one.remote))
                if batch.over:
                    await self._collect(one.name, batch)
                    self._say(f"batch {batch.id} {batch.status}, collected.")
                else:
                    done = f"{batch.completed}/{one.requests}"
                    self._say(f"batch {batch.id} {batch.status}, {done}.")
            if await self._known():
                await asyncio.sleep(poll)

    async def _collect(self, name: str, batch: RemoteBatch) -> None:
        rows = await self.run.journal.do(
            lambda connection: connection.execute(
                "SELECT key, form, texts FROM batch_keys WHERE batch = ?", [name]
            ).fetchall()
        )
        asked = {
            key: Asked(key, Format.from_json(form), tuple(json.loads(texts)))
            for key, form, texts in rows
        }
        for file in batch.files:
            text = await self._patiently(partial(self.client.download, file))
            for line in text.split("\n"):
                if found := _line(line):
                    key, response, error = found
                    if key in asked:
                        await self._record(self._call(asked.pop(key), response, error))
        for one in asked.values():  # what the provider did not answer
            unanswered = FailureError("batch", f"the batch {batch.status}")
            await self._record(failed(self.judge, one, unanswered))
        await self.run.journal.do(partial(_collected, name=name))

    def _call(self, asked: Asked, given: Mapping[str, Any], error: Any) -> Call:
        body = json.dumps(given.get("body"))
        status = count(given.get("status_code"))
        try:
            if status != 200:
                detail = f"HTTP {status} {json.dumps(error or given.get('body'))}"
                raise FailureError("batch", detail, http_status=status)
            response = said(self.judge, body)
        except FailureError as failure:
            return failed(self.judge, asked, failure)
        full = cost(self.price, response.prompt_tokens, response.completion_tokens)
        paid = None if full is None else BATCH_DISCOUNT * full
        return replace(answered(self.judge, asked, body, response), cost=paid)

    async def _record(self, call: Call) -> None:
        await self.run.journal.record(call)
        self.tally.attempts += call.failure is None
        self.tally.note(call)

    async def _patiently(self, work: Callable[[], Awaitable[Found]]) -> Found:
        """Look something up, as often as the judge's retries allow."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return await work()
            except FailureError as failure:
                if not failure.retry or attempt > self.judge.limits.retries:
                    raise
                wait = backoff(attempt) if failure.after is None else failure.after
                await asyncio.sleep(min(wait, LONGEST_WAIT))

    async def _known(self) -> list[_Known]:
        """The judge's batches that are not collected."""
        rows = await self.run.journal.do(
            lambda connection: connection.execute(
                "SELECT batch, remote, requests FROM batches WHERE collected IS NULL"
                " AND judge = ? ORDER BY batch",
                [self.number],
            ).fetchall()
        )
        return [_Known(*row) for row in rows]

    async def _remember(self, name: str, batch: RemoteBatch) -> None:
        await self.run.journal.do(
            lambda connection: connection.execute(
                "UPDATE batches SET remote = ? WHERE batch = ?", [batch.id, name]
            )
        )

    def _say(self, text: str) -> None:
        self.run.say(f"{self.judge.name}: {text}")


def _line(line: str) -> tuple[str, Mapping[str, Any], Any] | None:
    """The key, the response and the error of a line of a batch's file; None for any other line.

    What such a line should have answered stays unanswered, and is noted as failed.
    """
    try:
        data = loads(line)
    except FailureError:
        return None
    if not isinstance(data, dict) or not isinstance(data.get("custom_id"), str):
        return None
    response = data.get("response")
    return data["custom_id"], response if isinstance(response, dict) else {}, data.get("error")


def _forget(connection: sqlite3.Connection, *, name: str) -> None:
    connection.execute("DELETE FROM batch_keys WHERE batch = ?", [name])
    connection.execute("DELETE FROM batches WHERE batch = ?", [name])


def _collected(connection: sqlite3.Connection, *, name: str) -> None:
    connection.execute("UPDATE batches SET collected = ? WHERE batch = ?", [now(), name])
    connection.execute("DELETE FROM batch_keys WHERE batch = ?", [name])
