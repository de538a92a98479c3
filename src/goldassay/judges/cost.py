"""What a run would do, without a call: how many calls, tokens, and what they would cost."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from goldassay.judges.capabilities import Capabilities
from goldassay.judges.items import read_items
from goldassay.judges.prices import cost, price_of, tokens_of
from goldassay.judges.requests import requests_of
from goldassay.judges.spec import Judge
from goldassay.store import open_store

__all__ = ["Estimated", "estimate_run"]

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Estimated:
    """The calls of one judge: in all, answered already, and what the others may take."""

    judge: str
    calls: int
    known: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


def estimate_run(
    judges: Sequence[Judge],
    items: str | Path,
    out: str | Path,
    *,
    prices: Mapping[str, tuple[float, float]] | None = None,
) -> list[Estimated]:
    """Count the calls that `run` would make. Completions are taken to use their whole limit."""
    store = open_store(out) if Path(out).exists() else None
    estimates = []
    for judge in judges:
        offers = Capabilities(top_logprobs=20, json_schema=True)
        if store is not None:
            row = store.execute(
                "SELECT capabilities FROM endpoints WHERE endpoint = ? AND model = ?",
                [judge.endpoint, judge.model],
            ).fetchone()
            offers = offers.merged(Capabilities(**json.loads(row[0]))) if row else offers
        calls = known = prompt = completion = 0
        stream = requests_of(judge, lambda: read_items(items), items, offers)
        while chunk := list(islice(stream, _CHUNK)):
            keys = [request.key for request in chunk]
            answered: set[str] = set()
            if store is not None:
                marks = ", ".join("?" * len(keys))
                found = store.execute(
                    f"SELECT key FROM calls WHERE failure IS NULL AND key IN ({marks})", keys
                )
                answered = {key for (key,) in found}
            calls += len(chunk)
            known += sum(key in answered for key in keys)
            for request in chunk:
                if request.key not in answered:
                    limit = request.parameters.get("max_tokens")
                    prompt += tokens_of(request.prompt)
                    completion += limit if isinstance(limit, int) else 1024
        price = price_of(judge, prices)
        estimates.append(
            Estimated(judge.name, calls, known, prompt, completion, cost(price, prompt, completion))
        )
    if store is not None:
        store.close()
    return estimates
