"""Which of a table's own columns may be one that a question lacks."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import narwhals as nw

from goldassay.ratings.fetch import fetch, texts_of
from goldassay.ratings.vocabulary import ASIDE, CRITERIA, GENERIC, SYSTEMS, VERDICTS, folded, words
from goldassay.sources.numbers import is_written_number

__all__ = ["likely_systems"]

#: More names than these are no systems that one compares.
MOST_NAMES = 50
#: Words of columns that say something else of an item.
_OTHERS = ASIDE | CRITERIA | GENERIC | {"category", "domain", "error", "subject", "topic", "type"}
#: How many columns are offered, the likeliest first.
OFFERED = 2


def likely_systems(
    frame: nw.LazyFrame[Any], free: Collection[str], *, place: str
) -> tuple[str, ...]:
    """Of the columns without a part, the two that may name the rated system: a few names, each of
    several items; those under a word for systems first. What is called a rating, a topic or the
    like names none."""
    called = [name for name in free if {*words(name)} & SYSTEMS or not {*words(name)} & _OTHERS]
    named = [name for name in called if _names_few(frame, name, place)]
    return tuple(sorted(named, key=lambda name: not {*words(name)} & SYSTEMS)[:OFFERED])


def _names_few(frame: nw.LazyFrame[Any], name: str, place: str) -> bool:
    cells = frame.select("item", name=nw.col(name).cast(nw.String)).unique()
    cells = cells.group_by("name").agg(items=nw.len())
    found = fetch(cells.head(MOST_NAMES + 1), place=place)
    names = [text for text in texts_of(found["name"]) if text.strip()]
    several = 2 <= len(names) <= MOST_NAMES and min(found["items"].tolist()) > 1
    said = all(is_written_number(text) or folded(text) in VERDICTS for text in names)
    return several and not said
