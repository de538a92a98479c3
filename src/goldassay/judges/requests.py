"""From items to requests, one at a time, beside the reference system's outputs where declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from goldassay.errors import SourceError
from goldassay.judges.capabilities import Capabilities
from goldassay.judges.items import Item, References
from goldassay.judges.prompts import Request, requests
from goldassay.judges.spec import Judge

__all__ = ["requests_of"]


def requests_of(
    judge: Judge, stream: Callable[[], Iterator[Item]], place: str | Path, offers: Capabilities
) -> Iterator[Request]:
    """All requests of a judge over a stream of items."""
    references = (
        References(stream(), judge.reference_system, place)
        if (judge.reference_system and judge.built_in.pairs)
        else None
    )
    try:
        for item in stream():
            shown = references.paired(item) if references else item
            if shown is None:
                continue
            if judge.built_in.pairs and judge.kind == "model" and not shown.output_b:
                raise SourceError(
                    f"{place}, line {item.line}",
                    f"{judge.realization} compares two outputs",
                    found=f"no output_b for {item.item!r}",
                    next_step="Add output_b (and opponent), or set reference_system in the judge",
                )
            yield from requests(
                judge,
                shown,
                structured=bool(offers.json_schema),
                top_logprobs=offers.top_logprobs or 0,
            )
    finally:
        if references:
            references.close()
