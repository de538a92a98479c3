"""Which of a table's own columns may be one that a question lacks."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import narwhals as nw

from goldassay.ratings.fetch import fetch, texts_of
from goldassay.ratings.vocabulary import SYSTEMS, words
from goldassay.sources.numbers import is_written_number

__all__ = ["likely_systems"]

#: More names than these are no systems that one compares.
MOST_NAMES = 50
#: How many columns are offered, the likeliest first.
OFFERED = 2


def likely_systems(
    frame: nw.LazyFrame[Any], free: Collection[str], *, place: str
) -> tuple[str, ...]:
    """Of the columns without a part, the two that may name the rated system: a few names, each of
    several items; those under a word for systems first."""
    named = [name for name in free if _names_few(frame, name, place)]
    return tuple(sorted(named, key=lambda name: not {*words(name)} & SYSTEMS)[:OFFERED])


def _names_few(frame: nw.LazyFrame[Any], name: str, place: str) -> bool:
    cells = frame.select("item", name=nw.col(name).cast(nw.String)).unique()
    cells = cells.group_by("name").agg(items=nw.len())
    found = fetch(cells.head(MOST_NAMES + 1), place=place)
    names = [text for text in texts_of(found["name"]) if text.strip()]
    several = 2 <= len(names) <= MOST_NAMES and min(found["items"].tolist()) > 1
    return several and not all(is_written_number(text) for text in names)
