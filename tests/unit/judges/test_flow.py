"""The gate adapts, pauses and keeps its rates; the budget promises no more than it has."""

from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.judges.clients.http import retry_after
from goldassay.judges.flow import Budget, Gate, backoff, shared
from goldassay.judges.spec import Limits


def test_the_limit_grows_slowly_and_halves_once_for_a_crowd_of_refusals() -> None:
    async def main() -> None:
        gate, stop = Gate(Limits(concurrency=40)), asyncio.Event()
        assert gate.limit == 16
        for _ in range(16):
            assert await gate.enter(1, stop)
            gate.leave(well=True)
        assert 16.9 < gate.limit <= 17  # one more for as many calls as the limit
        for _ in range(5):
            gate.slow_down()
        assert 8 < gate.limit < 9
        for _ in range(10_000):
            assert await gate.enter(1, stop)
            gate.leave(well=True)
        assert gate.limit == 40

    asyncio.run(main())


def test_a_pause_holds_everybody_and_a_stop_lets_them_go() -> None:
    async def main() -> None:
        gate, stop = Gate(Limits(concurrency=4)), asyncio.Event()
        gate.pause(0.2)
        started = time.monotonic()
        assert await gate.enter(1, stop)
        assert time.monotonic() - started >= 0.19
        assert gate.pause(60)
        assert not gate.pause(60)  # one of a crowd of refusals
        waiting = asyncio.create_task(gate.enter(1, stop))
        await asyncio.sleep(0.01)
        stop.set()
        assert not await asyncio.wait_for(waiting, 50)  # the pause is of 60 s
        assert gate.inside == 1

    asyncio.run(main())


def test_a_rate_of_tokens() -> None:
    async def main() -> None:
        gate, stop = Gate(Limits(concurrency=8, tokens_per_minute=60_000)), asyncio.Event()
        started = time.monotonic()
        for _ in range(4):  # 1,000 a second: one second's worth at once, then its pace
            await gate.enter(400, stop)
            gate.leave(well=True)
        assert 0.15 <= time.monotonic() - started < 30  # 96 s at a pace per minute

    asyncio.run(main())


def test_judges_of_one_endpoint_share_its_limits() -> None:
    limits = shared([Limits(concurrency=4, requests_per_minute=60), Limits(concurrency=9)])
    assert (limits.concurrency, limits.requests_per_minute) == (9, 60)


@given(st.integers(1, 60))
def test_backoff_grows_and_is_bounded(attempt: int) -> None:
    assert 0 < backoff(attempt) <= 30


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-1"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@given(st.lists(st.tuples(st.integers(1, 50), st.floats(0, 2)), max_size=60))
def test_a_budget_is_never_exceeded_when_calls_take_what_was_promised(
    calls: list[tuple[int, float]],
) -> None:
    budget = Budget(max_calls=20, max_tokens=500, max_cost=10.0)
    for tokens, cost in calls:
        if budget.promise(tokens, cost):
            budget.settle(tokens, cost, tokens=tokens, cost=cost)
    assert budget.calls <= 20
    assert budget.tokens <= 500
    assert budget.cost <= 10.0 + 1e-9
