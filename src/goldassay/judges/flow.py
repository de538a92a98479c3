"""How fast to ask: a concurrency limit that adapts, rates per minute, pauses, and the budget."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field

from goldassay.frozen import dataclass
from goldassay.judges.declaration import Limits

__all__ = ["LONGEST_WAIT", "QUIET", "Budget", "Gate", "backoff", "shared", "sleep"]

#: Where a limit starts; it grows by one for every `limit` calls that went well.
START = 16
LONGEST_BACKOFF = 30.0
#: Seconds without an answer after which it is said that one is waited for.
QUIET = 10.0
#: The longest that is waited for an endpoint that asks for it, in seconds; then it is asked again.
LONGEST_WAIT = 60.0


def backoff(attempt: int, *, rng: random.Random | None = None) -> float:
    """Seconds before the next try where the endpoint names none: doubling, with full jitter."""
    ceiling = min(LONGEST_BACKOFF, 0.25 * 2.0**attempt)
    return ceiling * (0.5 + 0.5 * (rng or random).random())


async def sleep(seconds: float, stop: asyncio.Event) -> None:
    """Sleep, but not past a stop."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()


def shared(limits: Sequence[Limits]) -> Limits:
    """The limits of an endpoint that several judges ask: the widest door, the lowest rates."""

    def lowest(rates: Iterable[float | None]) -> float | None:
        return min((rate for rate in rates if rate is not None), default=None)

    return Limits(
        concurrency=max(one.concurrency for one in limits),
        requests_per_minute=lowest(one.requests_per_minute for one in limits),
        tokens_per_minute=lowest(one.tokens_per_minute for one in limits),
    )


class Gate:
    """The way to one endpoint: at most `limit` at a time, so many a minute, none during a pause."""

    def __init__(self, limits: Limits) -> None:
        self.most = limits.concurrency
        self.limit = float(min(START, limits.concurrency))
        self.inside = 0
        self.paused_until = 0.0
        #: Tries that wait for an answer now, and since when none came.
        self.waiting = 0
        self._heard = 0.0
        self._halved = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._requests = _Bucket(limits.requests_per_minute)
        self._tokens = _Bucket(limits.tokens_per_minute)

    async def enter(self, tokens: int, stop: asyncio.Event) -> bool:
        """Wait for a place, then for the rates and the end of a pause; False when stopped."""
        while self.inside >= int(self.limit):
            future = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            try:
                await future
            except asyncio.CancelledError:
                self._wake()
                raise
        self.inside += 1
        try:
            delay = max(self._requests.take(1), self._tokens.take(tokens))
            while (wait := max(delay, self._pause())) > 0 and not stop.is_set():
                delay = 0.0
                await sleep(wait, stop)
        except asyncio.CancelledError:
            self.leave(well=False)
            raise
        if stop.is_set():
            self.leave(well=False)
            return False
        return True

    def leave(self, *, well: bool) -> None:
        """Free the place; a call that went well lets the limit grow a little."""
        self.inside -= 1
        if well:
            self.limit = min(float(self.most), self.limit + 1 / self.limit)
        self._wake()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While a try waits for its answer."""
        if not self.waiting:
            self._heard = time.monotonic()
        self.waiting += 1
        try:
            yield
        finally:
            self.waiting -= 1
            self._heard = time.monotonic()

    @property
    def silence(self) -> float:
        """Seconds for which answers were waited for and none came."""
        return time.monotonic() - self._heard if self.waiting else 0.0

    def slow_down(self) -> None:
        """The endpoint said that it is too much: halve the limit."""
        now = time.monotonic()
        if now - self._halved > 1.0:  # one crowd of refusals is one message
            self.limit = max(1.0, self.limit / 2)
            self._halved = now

    def pause(self, seconds: float) -> bool:
        """Let nobody in for so long; whether that is news, and not one of a crowd of refusals."""
        until = time.monotonic() + seconds
        news = until > self.paused_until + 1.0
        self.paused_until = max(self.paused_until, until)
        return news

    def _pause(self) -> float:
        return self.paused_until - time.monotonic()

    def _wake(self) -> None:
        while self._waiting and self.inside < int(self.limit):
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                break


class _Bucket:
    """A rate per minute, with a burst of one second's worth."""

    def __init__(self, per_minute: float | None) -> None:
        self.rate = per_minute / 60 if per_minute else None
        self.free_at = 0.0

    def take(self, amount: float) -> float:
        """Seconds to wait before `amount` may pass."""
        if self.rate is None:
            return 0.0
        now = time.monotonic()
        start = max(self.free_at, now - 1.0)
        self.free_at = start + amount / self.rate
        return max(0.0, start - now)


@dataclass(slots=True)
class Budget:
    """What this run may spend, what it has spent, and what is promised to calls on their way."""

    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    #: How long calls are begun, in seconds from the run's start; those in flight are finished.
    max_seconds: float | None = None
    #: The user's own prices by model, (prompt, completion) per million tokens.
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    _promised: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])

    def promise(self, tokens: int, cost: float) -> bool:
        """Whether one more call fits; when it does, it is counted until `settle`."""
        calls_, tokens_, cost_ = self._promised
        fits = (
            (self.max_calls is None or self.calls + calls_ + 1 <= self.max_calls)
            and (self.max_tokens is None or self.tokens + tokens_ + tokens <= self.max_tokens)
            and (self.max_cost is None or self.cost + cost_ + cost <= self.max_cost)
        )
        if fits:
            self._promised = [calls_ + 1, tokens_ + tokens, cost_ + cost]
        return fits

    def settle(
        self, promised_tokens: int, promised_cost: float, *, tokens: int, cost: float
    ) -> None:
        """A promised call is over: count what it took in place of what was promised."""
        self.withdraw(promised_tokens, promised_cost)
        self.calls += 1
        self.tokens += tokens
        self.cost += cost

    def withdraw(self, promised_tokens: int, promised_cost: float) -> None:
        """A promised call is not made after all."""
        calls_, tokens_, cost_ = self._promised
        self._promised = [calls_ - 1, tokens_ - promised_tokens, cost_ - promised_cost]
