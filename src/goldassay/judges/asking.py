"""Asking one judge: through its gate, within the budget, with retries, every try noted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import field, replace

from goldassay.frozen import dataclass
from goldassay.judges.calls import Call, Tally, answered, failed, said
from goldassay.judges.flow import LONGEST_WAIT, Budget, Gate, backoff, sleep
from goldassay.judges.journal import Journal
from goldassay.judges.prices import cost, price_of, tokens_of
from goldassay.judges.request import Request
from goldassay.judges.responses import FailureError, Response
from goldassay.judges.spec import Judge
from goldassay.words import duration

__all__ = ["Asking", "Running"]


@dataclass(slots=True)
class Running:
    """What all judges of a run share."""

    journal: Journal
    budget: Budget
    say: Callable[[str], None]
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    #: Why it stopped before its end; Ctrl-C goes before other reasons.
    reason: str | None = None

    def halt(self, reason: str) -> None:
        if self.reason is None or reason == "interrupted":
            self.reason = reason
        self.stop.set()


class Asking:
    """One judge of a run."""

    def __init__(self, judge: Judge, gate: Gate, tally: Tally) -> None:
        self.judge, self.gate, self.tally = judge, gate, tally
        self.client = judge.kind.open(judge)

    async def probe(self, request: Request, run: Running) -> Response:
        """Ask about the endpoint itself, as often as the judge's retries allow."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return (await self._once(request))[1]
            except FailureError as failure:
                self._heed(failure, run)
                if not self._again(failure, attempt, run):
                    raise
                await sleep(_pause(failure, attempt), run.stop)

    async def ask(self, request: Request, run: Running) -> Call | None:
        """The finished call; None when the run stops before it was answered."""
        price = price_of(self.judge, run.budget.prices)
        likely = tokens_of(request.prompt)
        limit = request.parameters.get("max_tokens") or request.parameters.get(
            "max_completion_tokens"
        )
        most = likely + (limit if isinstance(limit, int) else 1024)
        dear = cost(price, likely, most - likely) or 0.0
        attempt, started = 0, time.monotonic()
        while True:
            if not run.budget.promise(most, dear):
                run.halt("budget")
                return None
            if not await self.gate.enter(most, run.stop):
                run.budget.withdraw(most, dear)
                return None
            attempt += 1
            self.tally.attempts += 1
            found: tuple[str, Response] | None = None
            failure: FailureError | None = None
            spent: float | None = None
            try:
                found = await self._once(request)
                spent = cost(price, found[1].prompt_tokens, found[1].completion_tokens)
            except FailureError as error:
                failure = error
            finally:
                self.gate.leave(well=found is not None)
                used = found[1].tokens if found else 0
                run.budget.settle(most, dear, tokens=used, cost=spent or 0.0)
            if found is not None:
                call = replace(answered(self.judge, request.asked, *found), cost=spent)
                break
            assert failure is not None
            self._heed(failure, run)
            if not self._again(failure, attempt, run):
                call = failed(self.judge, request.asked, failure)
                break
            run.journal.note_attempt(request.key, attempt, failure)
            await sleep(_pause(failure, attempt), run.stop)
            if run.stop.is_set():
                return None
        return replace(call, attempt=attempt, latency=time.monotonic() - started)

    async def _once(self, request: Request) -> tuple[str, Response]:
        """One try: the body and what it says. Whatever goes wrong is this call's failure."""
        try:
            with self.gate.listening():
                body = await self.client.ask(request)
        except FailureError:
            raise
        except Exception as error:
            raise FailureError("crash", type(error).__name__, retry=False) from error
        return body, said(self.judge, body)

    def _again(self, failure: FailureError, attempt: int, run: Running) -> bool:
        return failure.retry and attempt <= self.judge.limits.retries and not run.stop.is_set()

    def _heed(self, failure: FailureError, run: Running) -> None:
        """Ask less of an endpoint that says it is too much, and say when it is waited for."""
        if failure.kind == "rate_limited" or failure.http_status in (503, 529):
            self.gate.slow_down()
        if failure.after is None:
            return
        wait = min(failure.after, LONGEST_WAIT)
        if self.gate.pause(wait) and wait >= 1:
            more = f" ({duration(failure.after)})" if failure.after > wait else ""
            run.say(f"{self.judge.name}: waiting {duration(wait)}: the endpoint asks for it{more}")


def _pause(failure: FailureError, attempt: int) -> float:
    """Seconds before the next try."""
    return backoff(attempt) if failure.after is None else min(failure.after, LONGEST_WAIT)
