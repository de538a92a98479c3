"""How many different keys columns make, and whether one says a single thing of every item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import narwhals as nw

from goldassay.ratings.fetch import fetch
from goldassay.sources.frames import Source

__all__ = ["distinct_keys", "is_of_items"]


def distinct_keys(source: Source, columns: Sequence[str]) -> int:
    """How many different keys several columns make."""
    counts = source.frame.select(*columns).unique().select(n=nw.len())
    return int(fetch(counts, place=source.name)["n"][0])


def is_of_items(source: Source, item: str, name: str) -> bool:
    """Whether a column says one thing of every item, where it says anything: a file that lacks it
    has it from those that have the item."""
    said = source.frame.filter(~nw.col(name).is_null() & (nw.col(name) != nw.lit("")))
    there = replace(source, frame=said)
    every = distinct_keys(source, [item])
    return distinct_keys(there, [item]) == every == distinct_keys(there, [item, name])
