"""Run judges over items: nothing lost, nothing paid twice.

Each judge has a pipeline: items are streamed, turned into requests, planned in the journal a chunk
at a time, and asked by as many workers as its concurrency. A worker that has an answer waits until
the journal has it on the disk before it takes the next, so that a crash can repeat at most the
calls that were in flight.
"""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from goldassay.errors import GoldassayError, InputError, SourceError, UsageError
from goldassay.judges.answers import FailureError, Response, read_response
from goldassay.judges.capabilities import Capabilities, capabilities_of
from goldassay.judges.clients import Client, client_for
from goldassay.judges.flow import Budget, Gate, backoff, shared, sleep
from goldassay.judges.items import Item, read_items
from goldassay.judges.journal import Call, Journal
from goldassay.judges.parsing import Verdict
from goldassay.judges.prices import cost, price_of, tokens_of
from goldassay.judges.prompts import Request
from goldassay.judges.requests import requests_of
from goldassay.judges.spec import Judge
from goldassay.judges.text import quotations

__all__ = ["Outcome", "Tally", "run_judges"]

CHUNK = 256
#: Failures that no other item will be spared, and after how many of them a judge is given up.
HOPELESS = ("unauthorized", "forbidden", "not_found", "redirected", "out_of_quota")
GIVE_UP = 3
#: After how many failures in a row, with no answer between, a judge is given up.
GIVE_UP_ANY = 200


@dataclass(slots=True)
class Tally:
    """What happened with one judge in this run."""

    judge: str
    planned: int = 0
    known: int = 0
    calls: int = 0
    attempts: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    cost: float = 0.0
    unpriced: bool = False
    notes: list[str] = field(default_factory=list)
    given_up: str | None = None
    in_a_row: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run's end: `complete`, or why it stopped before; and the tally of every judge."""

    run: int
    reason: str
    tallies: tuple[Tally, ...]
    seconds: float


def run_judges(
    judges: Sequence[Judge],
    items: str | Path,
    out: str | Path,
    *,
    budget: Budget | None = None,
    prices: Mapping[str, tuple[float, float]] | None = None,
    on_progress: Callable[[Sequence[Tally], Mapping[str, Gate]], None] | None = None,
    on_message: Callable[[str], None] = lambda text: None,
    clients: Callable[[Judge], Client] = client_for,
    stream: Callable[[], Iterator[Item]] | None = None,
) -> Outcome:
    """Run every judge over every item into the store `out`; what is there is not asked again.

    Raises `InputError` for judges, items or a store that cannot be used. A call that fails for good
    is a rating with the status `failed`; the next run tries it again.
    """
    names = Counter(judge.name for judge in judges)
    if twice := [name for name, number in names.items() if number > 1]:
        raise UsageError("--judge", "judges have different names", found=repr(twice[0]))
    budget = budget or Budget()
    if budget.max_cost is not None:
        for judge in judges:
            if price_of(judge, prices) is None:
                raise UsageError(
                    "--max-cost",
                    f"the price of {judge.model!r} is not known",
                    next_step="Add price = [prompt, completion] per million tokens to "
                    "the judge file, or give --prices FILE",
                )
    if next(read_items(items) if stream is None else stream(), None) is None:
        raise SourceError(str(items), "holds no items")
    work = _Run(judges, items, out, budget, prices or {}, on_progress, on_message, clients, stream)
    try:
        return asyncio.run(work.main())
    except BaseExceptionGroup as group:
        raise _first(group) from None


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error to show: goldassay's own before others."""
    found: list[BaseException] = []
    for error in group.exceptions:
        found.append(_first(error) if isinstance(error, BaseExceptionGroup) else error)
    return next((error for error in found if isinstance(error, GoldassayError)), found[0])


class _Run:
    def __init__(
        self,
        judges: Sequence[Judge],
        items: str | Path,
        out: str | Path,
        budget: Budget,
        prices: Mapping[str, tuple[float, float]],
        on_progress: Callable[[Sequence[Tally], Mapping[str, Gate]], None] | None,
        on_message: Callable[[str], None],
        clients: Callable[[Judge], Client],
        stream: Callable[[], Iterator[Item]] | None,
    ) -> None:
        self.judges = judges
        self.items = items
        self.out = out
        self.budget = budget
        self.prices = {judge.name: price_of(judge, prices) for judge in judges}
        self.on_progress = on_progress
        self.on_message = on_message
        self.clients = clients
        self.stream = stream or (lambda: read_items(items))
        self.tallies = {judge.name: Tally(judge.name) for judge in judges}
        self.gates = {
            judge.endpoint: Gate(shared([o.limits for o in judges if o.endpoint == judge.endpoint]))
            for judge in judges
        }
        self.reason: str | None = None
        self.stop = asyncio.Event()

    async def main(self) -> Outcome:
        started = time.monotonic()
        clients = {judge.name: self.clients(judge) for judge in self.judges}
        journal = Journal(self.out, self.judges)
        self.journal = journal
        journal.start()
        self._listen()
        ticker = asyncio.create_task(self._tick()) if self.on_progress else None
        reason = "failed"
        try:
            async with asyncio.TaskGroup() as group:
                for judge in self.judges:
                    group.create_task(self._pipeline(judge, clients[judge.name]))
            reason = self.reason or "complete"
        except asyncio.CancelledError:
            reason = "stopped"
            raise KeyboardInterrupt from None
        finally:
            if ticker:
                ticker.cancel()
            for client in clients.values():
                with suppress(Exception):
                    await client.close()
            summary = {
                tally.judge: {"calls": tally.calls, "tokens": tally.tokens, "cost": tally.cost}
                for tally in self.tallies.values()
            }
            journal.close(reason, json.dumps(summary))
        return Outcome(
            journal.run, reason, tuple(self.tallies.values()), time.monotonic() - started
        )

    def _listen(self) -> None:
        """Ctrl-C once: finish what is in flight. Twice: stop at once."""
        task = asyncio.current_task()
        assert task is not None

        def interrupted() -> None:
            if self.reason == "interrupted":
                task.cancel()
                return
            inside = sum(gate.inside for gate in self.gates.values())
            self.on_message(f"Finishing {inside} calls in flight; Ctrl-C again stops at once.")
            self._stop("interrupted")

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # other threads, systems
                loop.add_signal_handler(number, interrupted)

    def _stop(self, reason: str) -> None:
        self.reason = self.reason or reason
        if reason == "interrupted":
            self.reason = reason
        self.stop.set()

    async def _tick(self) -> None:
        assert self.on_progress is not None
        while True:
            self.on_progress(tuple(self.tallies.values()), self.gates)
            await asyncio.sleep(0.2)

    # --- one judge

    async def _pipeline(self, judge: Judge, client: Client) -> None:
        tally = self.tallies[judge.name]
        gate = self.gates[judge.endpoint]
        try:
            offers = await capabilities_of(judge, client, self.journal, self.stop)
        except FailureError as failure:
            raise InputError(
                f"judge {judge.name!r}",
                f"the endpoint {judge.endpoint} could not be asked ({failure})",
                next_step="Check base_url, model and key; run the same command again to go on",
            ) from None
        if judge.realization == "token_probs" and judge.model and not offers.top_logprobs:
            tally.notes.append(
                f"{judge.name}: the endpoint gives no log-probabilities; the score is the "
                f"frequency of yes over {max(judge.samples, judge.fallback_samples)} samples"
            )
        queue: asyncio.Queue[Request] = asyncio.Queue(maxsize=2 * judge.limits.concurrency)
        async with asyncio.TaskGroup() as group:
            workers = [
                group.create_task(self._work(queue, client, gate, tally))
                for _ in range(judge.limits.concurrency)
            ]
            while True:
                busy = await self._feed(judge, offers, queue, tally)
                await queue.join()
                if not busy or self.stop.is_set() or tally.given_up:
                    break
                # Another process is asking for these; look again when it may have them.
                await sleep(1.0, self.stop)
                await self.journal.void_dead_claims()
            for worker in workers:
                worker.cancel()

    async def _feed(
        self, judge: Judge, offers: Capabilities, queue: asyncio.Queue[Request], tally: Tally
    ) -> int:
        """Plan all requests and hand out those to be asked; the number that others are asking."""
        busy = planned = known = 0
        stream = requests_of(judge, self.stream, self.items, offers)
        while chunk := list(islice(stream, CHUNK)):
            if self.stop.is_set() or tally.given_up:
                break
            plan = await self.journal.plan(chunk)
            busy += plan.busy
            planned += len(chunk)
            known += plan.known
            tally.planned = max(tally.planned, planned)
            tally.known = max(tally.known, known - tally.calls)
            for request in plan.ask:
                await queue.put(request)
        return busy

    async def _work(
        self, queue: asyncio.Queue[Request], client: Client, gate: Gate, tally: Tally
    ) -> None:
        while True:
            request = await queue.get()
            try:
                if self.stop.is_set() or tally.given_up:
                    await self.journal.release([request])
                else:
                    await self._ask(request, client, gate, tally)
            finally:
                queue.task_done()

    # --- one call

    async def _ask(self, request: Request, client: Client, gate: Gate, tally: Tally) -> None:
        judge = request.judge
        price = self.prices[judge.name]
        limit = request.parameters.get("max_tokens") or request.parameters.get(
            "max_completion_tokens"
        )
        likely = tokens_of(request.prompt)
        most = likely + (limit if isinstance(limit, int) else 1024)
        dear = cost(price, likely, most - likely) or 0.0
        attempt = 0
        started = time.monotonic()
        while True:
            if not self.budget.promise(most, dear):
                self._stop("budget")
                await self.journal.release([request])
                return
            if not await gate.enter(most, self.stop):
                self.budget.withdraw(most, dear)
                await self.journal.release([request])
                return
            attempt += 1
            tally.attempts += 1
            response: Response | None = None
            failure: FailureError | None = None
            paid = 0.0
            used = 0
            try:
                response = await client.ask(request)
                used = (response.prompt_tokens or 0) + (response.completion_tokens or 0)
                spent = cost(price, response.prompt_tokens, response.completion_tokens)
                tally.unpriced |= spent is None
                paid = spent or 0.0
            except FailureError as error:
                failure = error
                if failure.kind == "rate_limited" or failure.http_status in (503, 529):
                    gate.slow_down(failure.after)
            finally:
                gate.leave(well=response is not None)
                self.budget.settle(most, dear, tokens=used, cost=paid)
            if response is not None:
                await self._answered(
                    request, response, tally, attempt=attempt, started=started, paid=paid
                )
                return
            assert failure is not None
            if failure.retry and attempt <= judge.limits.retries and not self.stop.is_set():
                self.journal.note_attempt(request, attempt, str(failure), failure.http_status)
                wait = backoff(attempt) if failure.after is None else failure.after
                await sleep(wait, self.stop)
                if self.stop.is_set():
                    await self.journal.release([request])
                    return
                continue
            await self._failed(request, failure, tally, attempt=attempt, started=started)
            return

    async def _answered(
        self,
        request: Request,
        response: Response,
        tally: Tally,
        *,
        attempt: int,
        started: float,
        paid: float,
    ) -> None:
        quoted = tuple(quotations(response.answer.text or "", request.texts))
        verdicts = read_response(request.judge, request.format, response.body, quoted)
        call = Call(
            key=request.key,
            judge=request.judge.name,
            form=request.format,
            verdicts=verdicts,
            attempt=attempt,
            latency=time.monotonic() - started,
            response=response.body,
            quoted=json.dumps(quoted) if quoted else None,
            http_status=200,
            model=response.model,
            prompt_tokens=response.prompt_tokens,
            completion_tokens=response.completion_tokens,
            cost=None if self.prices[request.judge.name] is None else paid,
        )
        await self.journal.record(call)
        tally.calls += 1
        tally.in_a_row = 0
        tally.tokens += (response.prompt_tokens or 0) + (response.completion_tokens or 0)
        tally.cost += paid
        tally.models[response.model or ""] += 1
        tally.statuses.update(verdict.status for verdict in verdicts.values())

    async def _failed(
        self, request: Request, failure: FailureError, tally: Tally, *, attempt: int, started: float
    ) -> None:
        verdict = Verdict("failed", reason=str(failure))
        call = Call(
            key=request.key,
            judge=request.judge.name,
            form=request.format,
            verdicts=dict.fromkeys(request.format.criteria, verdict),
            attempt=attempt,
            latency=time.monotonic() - started,
            failure=str(failure),
            http_status=failure.http_status,
        )
        await self.journal.record(call)
        tally.calls += 1
        tally.in_a_row += 1
        tally.failures[failure.kind] += 1
        tally.statuses["failed"] += len(request.format.criteria)
        hopeless = failure.kind in HOPELESS and tally.in_a_row >= GIVE_UP
        if hopeless or tally.in_a_row >= GIVE_UP_ANY:
            tally.given_up = str(failure)
