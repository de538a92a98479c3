"""From items to requests, one at a time, beside the reference system's outputs where declared."""

from __future__ import annotations

from collections.abc import Iterator

from goldassay.errors import SourceError, listed
from goldassay.judges.capabilities import Capabilities
from goldassay.judges.items import Item, Items, References
from goldassay.judges.prompts import requests
from goldassay.judges.request import Request
from goldassay.judges.spec import Judge, JudgeError
from goldassay.sources.two_answers import answers_among

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
            if pairs and judge.kind.chat and references is None:
                shown = _with_both(item, judge, items.place)
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


def _with_both(item: Item, judge: Judge, place: str) -> Item:
    """The item with the two answers that a judge of pairs is shown."""
    found = answers_among(item.raw) if item.raw else [("output", "output_b")]
    both = item.with_answers(*found[0]) if len(found) == 1 and item.raw else item
    if len(found) == 1 and both.output_b:
        return both
    said = f"no two answers of {item.item!r} among {listed(list(item.raw))}"
    several = f"several of {item.item!r}: {listed([f'{one} and {two}' for one, two in found])}"
    raise SourceError(
        f"{place}, line {item.line}",
        f"{judge.realization} compares two outputs",
        found=several if len(found) > 1 else said,
        next_step="Name them output and output_b, or set reference_system in the judge",
    )
