"""From items to requests, one at a time, beside the reference system's outputs where declared."""

from __future__ import annotations

from collections.abc import Iterator

from goldassay.errors import SourceError
from goldassay.judges.capabilities import Capabilities
from goldassay.judges.items import Items, References
from goldassay.judges.prompts import requests
from goldassay.judges.request import Request
from goldassay.judges.spec import Judge, JudgeError

__all__ = ["requests_of"]


def requests_of(judge: Judge, items: Items, offers: Capabilities) -> Iterator[Request]:
    """All requests of a judge over the items."""
    pairs = judge.built_in.pairs
    references = (
        References(items, judge.reference_system) if judge.reference_system and pairs else None
    )
    try:
        for item in items.stream():
            shown = references.paired(item) if references else item
            if shown is None:
                continue
            if pairs and judge.kind.chat and not shown.output_b:
                raise SourceError(
                    f"{items.place}, line {item.line}",
                    f"{judge.realization} compares two outputs",
                    found=f"no output_b for {item.item!r}",
                    next_step="Add output_b (and opponent), or set reference_system in the judge",
                )
            try:
                yield from requests(
                    judge,
                    shown,
                    structured=bool(offers.json_schema),
                    top_logprobs=offers.top_logprobs or 0,
                )
            except JudgeError as error:
                raise error.at(f"{items.place}, {error.place}") from None
    finally:
        if references:
            references.close()
