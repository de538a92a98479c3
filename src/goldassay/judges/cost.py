"""What a run would do, without a call: how many calls, tokens, and what they would cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from goldassay.frozen import dataclass
from goldassay.judges.capabilities import Capabilities, stored_capabilities
from goldassay.judges.item_requests import requests_of
from goldassay.judges.items import Items
from goldassay.judges.prices import cost, price_of, tokens_of
from goldassay.judges.spec import Judge
from goldassay.store import open_store

__all__ = ["Estimated", "estimate_run"]

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Estimated:
    """The calls of one judge: in all, answered already, and what the others may take."""

    judge: str
    #: Items in the file.
    items: int
    calls: int
    known: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


def estimate_run(
    judges: Sequence[Judge],
    items: str | Path | Items,
    out: str | Path,
    *,
    prices: Mapping[str, tuple[float, float]] | None = None,
) -> list[Estimated]:
    """Count the calls that `run` would make. Completions are taken to use their whole limit."""
    store = open_store(out) if Path(out).exists() else None
    estimates = []
    number = sum(1 for _ in Items.of(items).stream())
    for judge in [one.with_source() for one in judges]:
        offers = Capabilities(top_logprobs=20, json_schema=True)
        if store is not None:
            offers = offers.merged(stored_capabilities(store, judge))
        calls = known = prompt = completion = 0
        stream = requests_of(judge, Items.of(items), offers)
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
            Estimated(
                judge.name,
                number,
                calls,
                known,
                prompt,
                completion,
                cost(price, prompt, completion),
            )
        )
    if store is not None:
        store.close()
    return estimates
