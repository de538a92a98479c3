"""What an endpoint offers, found by asking once: log-probabilities, JSON schemas, a seed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from goldassay.frozen import dataclass
from goldassay.judges.items import Item
from goldassay.judges.journal import Journal
from goldassay.judges.request import Request
from goldassay.judges.responses import FailureError, Response
from goldassay.judges.spec import Judge
from goldassay.judges.verdicts import Format
from goldassay.store import now

__all__ = ["Ask", "Capabilities", "capabilities_of", "stored_capabilities", "wanted"]

#: Ask an endpoint, patiently; a `FailureError` when it gives no answer.
Ask = Callable[[Request], Awaitable[Response]]
_QUESTION = "Is water wet? Answer yes or no."
_SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Capabilities:
    """None: not asked. `top_logprobs` is how many alternatives the endpoint gives, 0 for none."""

    top_logprobs: int | None = None
    json_schema: bool | None = None
    seed: bool | None = None

    def merged(self, other: Capabilities) -> Capabilities:
        """This, with the other's findings where there are some."""
        found = {name: value for name, value in asdict(other).items() if value is not None}
        return Capabilities(**{**asdict(self), **found})


def wanted(judge: Judge) -> tuple[str, ...]:
    """What must be known about the endpoint before this judge can be asked."""
    needs = {
        "top_logprobs": judge.built_in.read_probabilities is not None,
        "json_schema": judge.wants_schema,
        "seed": "seed" in judge.sent_parameters,
    }
    return tuple(name for name in judge.kind.offers if needs[name])


def stored_capabilities(connection: sqlite3.Connection, judge: Judge) -> Capabilities:
    """What is known of a judge's endpoint."""
    row = connection.execute(
        "SELECT capabilities FROM endpoints WHERE endpoint = ? AND model = ?",
        [judge.address, judge.model or ""],
    ).fetchone()
    return Capabilities(**json.loads(row[0])) if row else Capabilities()


async def capabilities_of(judge: Judge, ask: Ask, journal: Journal) -> Capabilities:
    """What the endpoint offers this judge: from the store, or asked now and stored.

    Raises `FailureError` when the endpoint cannot be asked.
    """
    known: Capabilities = await journal.do(lambda store: stored_capabilities(store, judge))
    missing = [name for name in wanted(judge) if getattr(known, name) is None]
    if not missing:
        return known
    found = Capabilities(**{name: await _PROBES[name](judge, ask) for name in missing})

    def note(connection: sqlite3.Connection) -> Capabilities:
        offers = stored_capabilities(connection, judge).merged(found)  # others may have asked too
        connection.execute(
            "INSERT OR REPLACE INTO endpoints VALUES (?, ?, ?, ?)",
            [judge.address, judge.model or "", json.dumps(asdict(offers)), now()],
        )
        return offers

    offers: Capabilities = await journal.do(note)
    return offers


def _probe(judge: Judge, name: str) -> Request:
    """A small request, to be asked with something extra."""
    parameters = judge.sent_parameters
    if isinstance(parameters.get("max_tokens"), int):  # a small model may ramble on
        parameters["max_tokens"] = min(parameters["max_tokens"], 64)
    return Request(
        key=f"probe-{name}",
        judge=judge,
        item=Item("probe"),
        format=Format(realization=judge.realization),
        sample=1,
        prompt=_QUESTION,
        parameters=parameters,
        schema=None,
        top_logprobs=0,
        payload={},
        texts=(),
    )


async def _response(ask: Ask, request: Request) -> Response | None:
    """The response; None when what is extra in the request is refused."""
    try:
        return await ask(request)
    except FailureError as failure:
        if failure.kind in ("bad_request", "too_long") or failure.http_status == 501:
            return None
        raise


async def _top_logprobs(judge: Judge, ask: Ask) -> int:
    for number in (20, 5):
        request = replace(_probe(judge, f"logprobs-{number}"), top_logprobs=number)
        found = await _response(ask, request)
        alternatives = found.answer.alternatives if found else None
        if alternatives and len(alternatives[0]) > 1:
            return number
    return 0


async def _json_schema(judge: Judge, ask: Ask) -> bool:
    found = await _response(ask, replace(_probe(judge, "schema"), schema=_SCHEMA))
    try:
        answer = json.loads((found.answer.text if found else None) or "")
    except (ValueError, RecursionError):
        return False
    return isinstance(answer, dict) and answer.get("verdict") in ("yes", "no")


async def _seed(judge: Judge, ask: Ask) -> bool:
    request = _probe(judge, "seed")
    seeded = replace(request, parameters={**request.parameters, "seed": 1})
    return await _response(ask, seeded) is not None


_PROBES: Mapping[str, Callable[[Judge, Ask], Awaitable[Any]]] = {
    "top_logprobs": _top_logprobs,
    "json_schema": _json_schema,
    "seed": _seed,
}
