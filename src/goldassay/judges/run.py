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
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from goldassay.errors import GoldassayError, InputError, SourceError, UsageError
from goldassay.frozen import dataclass
from goldassay.judges.asking import Asking, Running
from goldassay.judges.calls import Call, Tally, bare, failed
from goldassay.judges.capabilities import Capabilities, capabilities_of
from goldassay.judges.flow import QUIET, Budget, Gate, shared, sleep
from goldassay.judges.item_requests import requests_of
from goldassay.judges.items import Items
from goldassay.judges.journal import Journal
from goldassay.judges.prices import price_of
from goldassay.judges.request import Request
from goldassay.judges.responses import FailureError
from goldassay.judges.spec import Judge
from goldassay.words import counted, duration, listed

__all__ = ["Outcome", "Tally", "run_judges"]

CHUNK = 256
#: How often progress is told, in seconds.
TICK = 0.2

OnProgress = Callable[[Sequence[Tally], Mapping[str, Gate]], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run's end: `complete`, or why it stopped before; and the tally of every judge."""

    run: int
    reason: str
    tallies: tuple[Tally, ...]
    seconds: float
    #: Whether the store holds an answer of any of these judges as they are, of whichever run.
    answered: bool
    #: How many items there are, and where.
    items: int = 0
    place: str = ""

    @property
    def total_failure(self) -> InputError | None:
        """What to tell of a run in which every call failed, where no earlier one has an answer.

        None for any other run: one that goes on ends as one that was never broken off.
        """
        calls = sum(tally.calls for tally in self.tallies)
        failures: Counter[str] = sum((tally.failures for tally in self.tallies), Counter())
        if self.answered or not calls or failures.total() < calls:
            return None
        kind, often = failures.most_common(1)[0]
        example = next(one.examples[kind] for one in self.tallies if kind in one.examples)
        judges = ", ".join(repr(tally.judge) for tally in self.tallies)
        return InputError(
            f"judge {judges}",
            f"every call failed ({calls:,})",
            found=f"most often ({often:,}) {example}",
            next_step="Check the judge file; run the same command again to go on",
        )


def run_judges(
    judges: Sequence[Judge],
    items: str | Path | Items,
    out: str | Path,
    *,
    budget: Budget | None = None,
    on_progress: OnProgress | None = None,
    on_message: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Run every judge over every item into the store `out`; what is there is not asked again.

    Raises `InputError` for judges, items or a store that cannot be used. A call that fails for good
    is a rating with the status `failed`; the next run tries it again.
    """
    budget = budget or Budget()
    items = Items.of(items)
    names = Counter(judge.name for judge in judges)
    if twice := [name for name, number in names.items() if number > 1]:
        raise UsageError("--judge", "judges have different names", found=repr(twice[0]))
    for judge in judges:
        if budget.max_cost is not None and price_of(judge, budget.prices) is None:
            raise UsageError(
                "--max-cost",
                f"the price of {judge.model!r} is not known",
                next_step="Add price = [prompt, completion] per million tokens to "
                "the judge file, or give --prices FILE",
            )
    number = sum(1 for _ in items.stream())
    if not number:
        raise SourceError(items.place, "holds no items")
    work = _Run([judge.with_source() for judge in judges], items, on_progress)
    try:
        found = asyncio.run(work.main(out, budget, on_message))
        return replace(found, items=number, place=items.place)
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
        self, judges: Sequence[Judge], items: Items, on_progress: OnProgress | None
    ) -> None:
        self.judges, self.items, self.on_progress = judges, items, on_progress
        self.tallies = {judge.name: Tally(judge.name) for judge in judges}
        self.gates = {
            judge.address: Gate(shared([o.limits for o in judges if o.address == judge.address]))
            for judge in judges
        }

    async def main(self, out: str | Path, budget: Budget, say: Callable[[str], None]) -> Outcome:
        started = time.monotonic()
        askings = [
            Asking(judge, self.gates[judge.address], self.tallies[judge.name])
            for judge in self.judges
        ]
        journal = Journal(out, self.judges)
        journal.start()
        run = Running(journal, budget, say)
        self._listen(run)
        if budget.max_seconds is not None:
            asyncio.get_running_loop().call_later(budget.max_seconds, run.halt, "time")
        ticker = asyncio.create_task(self._tick()) if self.on_progress else None
        watch = asyncio.create_task(self._watch(say))
        reason = "failed"
        try:
            async with asyncio.TaskGroup() as group:
                for asking in askings:
                    group.create_task(self._pipeline(asking, run))
            reason = run.reason or "complete"
        except asyncio.CancelledError:
            reason = "stopped"
            raise KeyboardInterrupt from None
        finally:
            watch.cancel()
            if ticker:
                ticker.cancel()
            for asking in askings:
                with suppress(Exception):
                    await asking.client.close()
            summary = {
                tally.judge: {"calls": tally.calls, "tokens": tally.tokens, "cost": tally.cost}
                for tally in self.tallies.values()
            }
            journal.close(reason, json.dumps(summary))
        tallies, seconds = tuple(self.tallies.values()), time.monotonic() - started
        return Outcome(journal.run, reason, tallies, seconds, journal.answered)

    def _listen(self, run: Running) -> None:
        """Ctrl-C once: finish what is in flight. Twice: stop at once."""
        task = asyncio.current_task()
        assert task is not None

        def interrupted() -> None:
            if run.reason == "interrupted":
                task.cancel()
                return
            inside = sum(gate.inside for gate in self.gates.values())
            run.say(f"Finishing {inside} calls in flight; Ctrl-C again stops at once.")
            run.halt("interrupted")

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # other threads, systems
                loop.add_signal_handler(number, interrupted)

    async def _tick(self) -> None:
        assert self.on_progress is not None
        while True:
            self.on_progress(tuple(self.tallies.values()), self.gates)
            await asyncio.sleep(TICK)

    async def _watch(self, say: Callable[[str], None]) -> None:
        """Say of an endpoint that does not answer that it is waited for: once, then ever rarer."""
        due = dict.fromkeys(self.gates, QUIET)
        while True:
            await asyncio.sleep(QUIET / 10)
            for address, gate in self.gates.items():
                silence = gate.silence
                if silence < QUIET:
                    due[address] = QUIET
                elif silence >= due[address]:
                    due[address] *= 3
                    asked = [judge for judge in self.judges if judge.address == address]
                    longest = max(judge.limits.timeout for judge in asked)
                    say(
                        f"{listed([judge.name for judge in asked])}: no answer for "
                        f"{duration(silence)}; waiting for {counted(gate.waiting, 'call')}, "
                        f"each for at most {duration(longest)} (timeout in the judge file)"
                    )

    async def _pipeline(self, asking: Asking, run: Running) -> None:
        """One judge, from its endpoint's capabilities to its last call."""
        judge, tally = asking.judge, asking.tally
        try:
            offers = await capabilities_of(judge, partial(asking.probe, run=run), run.journal)
        except FailureError as failure:
            raise InputError(
                f"judge {judge.name!r}",
                f"the endpoint {judge.address} could not be asked ({failure})",
                next_step="Check base_url, model and key; run the same command again to go on",
            ) from None
        if judge.kind.chat and judge.built_in.read_probabilities and not offers.top_logprobs:
            tally.notes.append(
                f"{judge.name}: the endpoint gives no log-probabilities; the score is the "
                f"frequency of yes over {max(judge.samples, judge.fallback_samples)} samples"
            )
        queue: asyncio.Queue[Request] = asyncio.Queue(maxsize=2 * judge.limits.concurrency)
        async with asyncio.TaskGroup() as group:
            workers = [
                group.create_task(_work(queue, asking, run))
                for _ in range(judge.limits.concurrency)
            ]
            while True:
                busy = await self._feed(asking, offers, queue, run)
                await queue.join()
                if not busy or run.stop.is_set() or tally.given_up:
                    break
                # Another process is asking for these; look again when it may have them.
                await sleep(1.0, run.stop)
                await run.journal.void_dead_claims()
            for worker in workers:
                worker.cancel()

    async def _feed(
        self, asking: Asking, offers: Capabilities, queue: asyncio.Queue[Request], run: Running
    ) -> int:
        """Plan all requests and hand out those to be asked; the number that others are asking."""
        tally = asking.tally
        busy = planned = known = 0
        stream = requests_of(asking.judge, self.items, offers)
        while chunk := list(islice(stream, CHUNK)):
            if run.stop.is_set() or tally.given_up:
                break
            plan = await run.journal.plan(chunk)
            busy += plan.busy
            planned += len(chunk)
            known += plan.known
            tally.planned = max(tally.planned, planned)
            tally.known = max(tally.known, known - tally.calls)
            for request in plan.ask:
                await queue.put(request)
        return busy


async def _work(queue: asyncio.Queue[Request], asking: Asking, run: Running) -> None:
    while True:
        request = await queue.get()
        try:
            await _settle(request, asking, run)
        finally:
            queue.task_done()


async def _settle(request: Request, asking: Asking, run: Running) -> None:
    """Ask one request and write what came of it. Nothing that one call does ends the run."""
    call: Call | None = None
    if not run.stop.is_set() and not asking.tally.given_up:
        try:
            call = await asking.ask(request, run)
        except GoldassayError:
            raise
        except Exception as error:
            failure = FailureError("crash", type(error).__name__)
            call = failed(asking.judge, request.asked, failure)
    if call is None:
        await run.journal.release(request.key)
        return
    try:
        await run.journal.record(call)
    except GoldassayError:  # the store cannot be written: the run ends, and says so
        raise
    except Exception as error:
        call = bare(call, error)
        await run.journal.record(call)
    asking.tally.note(call)
