"""Batch files of the OpenAI kind: written, submitted, polled, collected; found again after a crash.

The store knows of a batch before the provider does. A batch that was being submitted when the
process died is looked for at the provider by its mark, and submitted again only when it is not
there. What a batch is to answer is not asked by other runs until it is collected.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from goldassay.errors import InputError, UsageError
from goldassay.judges.answers import FailureError, read_response, response_of
from goldassay.judges.capabilities import capabilities_of
from goldassay.judges.clients import OpenAIClient
from goldassay.judges.items import read_items
from goldassay.judges.journal import Call, Journal
from goldassay.judges.parsing import Format, Verdict
from goldassay.judges.prices import BATCH_DISCOUNT, cost, price_of
from goldassay.judges.prompts import Request
from goldassay.judges.requests import requests_of
from goldassay.judges.run import CHUNK, Outcome, Tally
from goldassay.judges.spec import Judge
from goldassay.judges.text import quotations
from goldassay.store import now

__all__ = ["run_batches"]

#: The provider's limits of one file.
MOST_REQUESTS = 50_000
MOST_BYTES = 190 * 1024 * 1024
MARK = "goldassay_batch"
_OVER = ("completed", "expired", "cancelled", "failed")


def run_batches(
    judges: Sequence[Judge],
    items: str | Path,
    out: str | Path,
    *,
    prices: Mapping[str, tuple[float, float]] | None = None,
    poll: float = 30.0,
    on_message: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Run judges by batch files. Interrupt it when you like: the batches go on, and are found."""
    for judge in judges:
        if judge.kind != "model" or judge.provider != "openai":
            raise UsageError("--batch", "is for endpoints of the OpenAI kind", found=judge.name)
    return asyncio.run(_run(judges, items, out, prices or {}, poll, on_message))


async def _run(
    judges: Sequence[Judge],
    items: str | Path,
    out: str | Path,
    prices: Mapping[str, tuple[float, float]],
    poll: float,
    say: Callable[[str], None],
) -> Outcome:
    started = time.monotonic()
    clients = {judge.name: OpenAIClient(judge) for judge in judges}
    journal = Journal(out, judges)
    journal.start()
    tallies = tuple(Tally(judge.name) for judge in judges)
    reason = "submitted"
    try:
        for judge, tally in zip(judges, tallies, strict=True):
            work = _Batches(judge, clients[judge.name], journal, tally, prices)
            await work.resume()
            await work.submit(items, say)
            await work.wait(poll, say)
        reason = "complete"
    except (asyncio.CancelledError, KeyboardInterrupt):
        say("The batches go on at the provider; run the same command again to collect them.")
    finally:
        for client in clients.values():
            await client.close()
        journal.close(reason)
    return Outcome(journal.run, reason, tallies, time.monotonic() - started)


class _Batches:
    """The batches of one judge."""

    def __init__(
        self,
        judge: Judge,
        client: OpenAIClient,
        journal: Journal,
        tally: Tally,
        prices: Mapping[str, tuple[float, float]],
    ) -> None:
        self.judge, self.client, self.journal, self.tally = judge, client, journal, tally
        self.price = price_of(judge, prices)
        self.number = journal.judges[judge.name]

    async def resume(self) -> None:
        """Find again what was being submitted; forget what never arrived."""
        rows = await self._rows("remote IS NULL")
        if not rows:
            return
        known = {}
        async for batch in self.client.client.batches.list(limit=100):
            mark = (batch.metadata or {}).get(MARK)
            if mark:
                known[mark] = batch.id
        for name, *_rest in rows:
            remote = known.get(name)
            if remote is None:
                await self.journal.do(lambda c, name=name: _forget(c, name))  # type: ignore[misc]
            else:
                await self._remember(name, remote)

    async def submit(self, items: str | Path, say: Callable[[str], None]) -> None:
        """Write and submit all that has no answer yet."""
        stop = asyncio.Event()
        try:
            offers = await capabilities_of(self.judge, self.client, self.journal, stop)
        except FailureError as failure:
            raise InputError(
                f"judge {self.judge.name!r}", f"the endpoint could not be asked ({failure})"
            ) from None
        gathered: list[Request] = []
        size = 0
        stream = requests_of(self.judge, lambda: read_items(items), items, offers)
        while chunk := list(islice(stream, CHUNK)):
            plan = await self.journal.plan(chunk)
            self.tally.planned += len(chunk)
            self.tally.known += plan.known
            for request in plan.ask:
                gathered.append(request)
                size += len(request.prompt.encode()) + 1000
                if len(gathered) >= MOST_REQUESTS or size >= MOST_BYTES:
                    await self._send(gathered, say)
                    gathered, size = [], 0
        if gathered:
            await self._send(gathered, say)

    async def _send(self, requests: Sequence[Request], say: Callable[[str], None]) -> None:
        name = f"goldassay-{secrets.token_hex(8)}"
        lines = [
            {
                "custom_id": request.key,
                "method": "POST",
                "url": "/v1/chat/completions",
                "body": self.client.body(request),
            }
            for request in requests
        ]
        keys = [
            (name, one.key, one.format.to_json(), json.dumps(one.texts, ensure_ascii=False))
            for one in requests
        ]

        def note(connection: Any) -> None:
            connection.execute(
                "INSERT INTO batches (batch, judge, requests, time) VALUES (?, ?, ?, ?)",
                [name, self.number, len(requests), now()],
            )
            connection.executemany("INSERT INTO batch_keys VALUES (?, ?, ?, ?)", keys)

        await self.journal.do(note)
        text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n"
        sdk = self.client.client
        upload = await sdk.files.create(
            file=(f"{name}.jsonl", text.encode("utf-8", "backslashreplace")), purpose="batch"
        )
        batch = await sdk.batches.create(
            input_file_id=upload.id,
            endpoint="/v1/chat/completions",
            completion_window="24h",
            metadata={MARK: name},
        )
        await self._remember(name, batch.id)
        say(f"{self.judge.name}: batch {batch.id} submitted with {len(requests):,} requests.")

    async def wait(self, poll: float, say: Callable[[str], None]) -> None:
        """Poll until every batch is over, and collect each as it ends."""
        while rows := await self._rows("remote IS NOT NULL"):
            for name, remote, requests in rows:
                batch = await self.client.client.batches.retrieve(str(remote))
                if batch.status in _OVER:
                    await self._collect(name, batch)
                    say(f"{self.judge.name}: batch {remote} {batch.status}, collected.")
                else:
                    done = batch.request_counts.completed if batch.request_counts else 0
                    say(f"{self.judge.name}: batch {remote} {batch.status}, {done}/{requests}.")
            if await self._rows("remote IS NOT NULL"):
                await asyncio.sleep(poll)

    async def _collect(self, name: str, batch: Any) -> None:
        asked = {
            key: (Format.from_json(form), tuple(json.loads(texts)))
            for key, form, texts in await self.journal.do(
                lambda connection: connection.execute(
                    "SELECT key, form, texts FROM batch_keys WHERE batch = ?", [name]
                ).fetchall()
            )
        }
        for file in (batch.output_file_id, batch.error_file_id):
            if file:
                content = await self.client.client.files.content(file)
                for line in content.text.splitlines():
                    if line.strip():
                        await self._line(line, asked)
        for key, (form, _) in asked.items():  # what the provider did not answer
            await self._failed(key, form, FailureError("batch", f"the batch {batch.status}"))
        await self.journal.do(lambda connection: _collected(connection, name))

    async def _line(self, line: str, asked: dict[str, tuple[Format, tuple[str, ...]]]) -> None:
        try:
            data = json.loads(line)
            key = str(data["custom_id"])
            response = data.get("response") or {}
            body = json.dumps(response.get("body"), ensure_ascii=False)
            status = response.get("status_code")
        except (ValueError, KeyError, TypeError, AttributeError):
            return  # no line of ours; its request stays unanswered and is noted as failed
        if key not in asked:
            return
        form, texts = asked.pop(key)
        try:
            if status != 200:
                detail = json.dumps(data.get("error") or response.get("body"))[:200]
                raise FailureError("batch", f"HTTP {status} {detail}", http_status=status)
            answer = response_of(self.judge, body)
        except FailureError as failure:
            await self._failed(key, form, failure)
            return
        quoted = tuple(quotations(answer.answer.text or "", texts))
        verdicts = read_response(self.judge, form, body, quoted)
        full = cost(self.price, answer.prompt_tokens, answer.completion_tokens)
        paid = None if full is None else BATCH_DISCOUNT * full
        await self.journal.record(
            Call(
                key=key,
                judge=self.judge.name,
                form=form,
                verdicts=verdicts,
                attempt=1,
                latency=0.0,
                response=body,
                quoted=json.dumps(quoted) if quoted else None,
                http_status=200,
                model=answer.model,
                prompt_tokens=answer.prompt_tokens,
                completion_tokens=answer.completion_tokens,
                cost=paid,
            )
        )
        self.tally.calls += 1
        self.tally.attempts += 1
        self.tally.cost += paid or 0.0
        self.tally.unpriced |= paid is None
        self.tally.tokens += (answer.prompt_tokens or 0) + (answer.completion_tokens or 0)
        self.tally.models[answer.model or ""] += 1
        self.tally.statuses.update(one.status for one in verdicts.values())

    async def _failed(self, key: str, form: Format, failure: FailureError) -> None:
        verdict = Verdict("failed", reason=str(failure))
        await self.journal.record(
            Call(
                key=key,
                judge=self.judge.name,
                form=form,
                attempt=1,
                latency=0.0,
                verdicts=dict.fromkeys(form.criteria, verdict),
                failure=str(failure),
                http_status=failure.http_status,
            )
        )
        self.tally.calls += 1
        self.tally.failures[failure.kind] += 1
        self.tally.statuses["failed"] += len(form.criteria)

    async def _rows(self, where: str) -> list[tuple[str, str | None, int]]:
        rows: list[tuple[str, str | None, int]] = await self.journal.do(
            lambda connection: connection.execute(
                "SELECT batch, remote, requests FROM batches WHERE collected IS NULL"
                f" AND judge = ? AND {where} ORDER BY batch",
                [self.number],
            ).fetchall()
        )
        return rows

    async def _remember(self, name: str, remote: str) -> None:
        await self.journal.do(
            lambda connection: connection.execute(
                "UPDATE batches SET remote = ? WHERE batch = ?", [remote, name]
            )
        )


def _forget(connection: Any, name: str) -> None:
    connection.execute("DELETE FROM batch_keys WHERE batch = ?", [name])
    connection.execute("DELETE FROM batches WHERE batch = ?", [name])


def _collected(connection: Any, name: str) -> None:
    connection.execute("UPDATE batches SET collected = ? WHERE batch = ?", [now(), name])
    connection.execute("DELETE FROM batch_keys WHERE batch = ?", [name])
