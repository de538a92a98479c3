"""What an endpoint offers, found by asking once: log-probabilities, JSON schemas, a seed."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from dataclasses import asdict, dataclass
from typing import Any

from goldassay.judges.answers import FailureError, response_of
from goldassay.judges.clients import Client, OpenAIClient
from goldassay.judges.flow import backoff, sleep
from goldassay.judges.journal import Journal
from goldassay.judges.spec import Judge
from goldassay.store import now

__all__ = ["Capabilities", "capabilities_of", "wanted"]

_TRIES = 12


@dataclass(frozen=True, slots=True)
class Capabilities:
    """None: not asked. `top_logprobs` is how many alternatives the endpoint gives, 0 for none."""

    top_logprobs: int | None = None
    json_schema: bool | None = None
    seed: bool | None = None

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    def merged(self, other: Capabilities) -> Capabilities:
        """This, with the other's findings where there are some."""
        found = {name: value for name, value in asdict(other).items() if value is not None}
        return Capabilities(**{**asdict(self), **found})


def wanted(judge: Judge) -> tuple[str, ...]:
    """What must be known about the endpoint before this judge can be asked."""
    if judge.kind != "model" or judge.provider != "openai":
        return ()
    schema = judge.built_in.structured if judge.structured is None else judge.structured
    needs = {
        "top_logprobs": judge.realization == "token_probs",
        "json_schema": schema,
        "seed": "seed" in judge.sent_parameters,
    }
    return tuple(name for name, needed in needs.items() if needed)


async def capabilities_of(
    judge: Judge, client: Client, journal: Journal, stop: asyncio.Event
) -> Capabilities:
    """What the endpoint offers this judge: from the store, or asked now and stored.

    Raises `FailureError` when the endpoint cannot be asked.
    """
    place = [judge.endpoint, judge.model or ""]
    row = await journal.do(
        lambda connection: connection.execute(
            "SELECT capabilities FROM endpoints WHERE endpoint = ? AND model = ?", place
        ).fetchone()
    )
    known = Capabilities(**json.loads(row[0])) if row else Capabilities()
    missing = [name for name in wanted(judge) if getattr(known, name) is None]
    if not missing or not isinstance(client, OpenAIClient):
        return known
    found: dict[str, Any] = {}
    for name in missing:
        found[name] = await _PROBES[name](judge, client, stop)
    offers: Capabilities = await journal.do(
        lambda connection: _noted(connection, place, Capabilities(**found))
    )
    return offers


def _noted(connection: sqlite3.Connection, place: list[str], found: Capabilities) -> Capabilities:
    """Add findings to what is stored; other judges may have asked the endpoint meanwhile."""
    row = connection.execute(
        "SELECT capabilities FROM endpoints WHERE endpoint = ? AND model = ?", place
    ).fetchone()
    offers = (Capabilities(**json.loads(row[0])) if row else Capabilities()).merged(found)
    connection.execute(
        "INSERT OR REPLACE INTO endpoints VALUES (?, ?, ?, ?)", [*place, offers.to_json(), now()]
    )
    return offers


async def _patiently(client: OpenAIClient, body: dict[str, Any], stop: asyncio.Event) -> str:
    """Send a request until it is answered or refused; what is worth a retry is tried again."""
    attempt = 0
    while True:
        attempt += 1
        try:
            text = await client.post(body, key="probe")
            response_of(client.judge, text)  # half an answer is no answer
            return text
        except FailureError as failure:
            if not failure.retry or attempt >= _TRIES or stop.is_set():
                raise
            wait = backoff(attempt) if failure.after is None else failure.after
        await sleep(wait, stop)


async def _sent(
    judge: Judge, client: OpenAIClient, stop: asyncio.Event, **extra: Any
) -> str | None:
    """The response to a small request with something extra; None when it is refused."""
    body = {
        "model": judge.model,
        "messages": [{"role": "user", "content": "Is water wet? Answer yes or no."}],
        **judge.sent_parameters,
        **extra,
    }
    if isinstance(body.get("max_tokens"), int):  # a small model may ramble on
        body["max_tokens"] = min(body["max_tokens"], 64)
    try:
        return await _patiently(client, body, stop)
    except FailureError as failure:
        if failure.kind in ("bad_request", "too_long") or failure.http_status == 501:
            return None
        raise


async def _top_logprobs(judge: Judge, client: OpenAIClient, stop: asyncio.Event) -> int:
    for number in (20, 5):
        text = await _sent(judge, client, stop, logprobs=True, top_logprobs=number)
        if text is not None:
            alternatives = response_of(judge, text).answer.alternatives
            if alternatives and len(alternatives[0]) > 1:
                return number
    return 0


async def _json_schema(judge: Judge, client: OpenAIClient, stop: asyncio.Event) -> bool:
    schema = {
        "type": "object",
        "properties": {"verdict": {"type": "string", "enum": ["yes", "no"]}},
        "required": ["verdict"],
        "additionalProperties": False,
    }
    wrapped = {"name": "verdict", "strict": True, "schema": schema}
    text = await _sent(
        judge, client, stop, response_format={"type": "json_schema", "json_schema": wrapped}
    )
    if text is None:
        return False
    try:
        answer = json.loads(response_of(judge, text).answer.text or "")
    except ValueError:
        return False
    return isinstance(answer, dict) and answer.get("verdict") in ("yes", "no")


async def _seed(judge: Judge, client: OpenAIClient, stop: asyncio.Event) -> bool:
    return await _sent(judge, client, stop, seed=1) is not None


_PROBES = {"top_logprobs": _top_logprobs, "json_schema": _json_schema, "seed": _seed}
