"""How many different keys columns make, and whether one says a single thing of every item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import narwhals as nw

from goldassay.ratings.fetch import fetch
from goldassay.sources.few_cells import kept_cells
from goldassay.sources.frames import Source

__all__ = ["distinct_keys", "is_of_items"]


def distinct_keys(source: Source, columns: Sequence[str]) -> int:
    """How many different keys several columns make."""
    if (kept := kept_cells(source, columns)) is not None:
        return len(set(zip(*(kept[name] for name in columns), strict=True)))
    counts = source.frame.select(*columns).unique().select(n=nw.len())
    return int(fetch(counts, place=source.name)["n"][0])


def is_of_items(source: Source, item: str, name: str) -> bool:
    """Whether a column says one thing of every item, where it says anything: a file that lacks it
    has it from those that have the item."""
    if (kept := kept_cells(source, [item, name])) is not None:
        pairs = set(zip(kept[item], kept[name], strict=True))
        told = [one for one, said in pairs if said]
        return len({one for one, _ in pairs}) == len({*told}) == len(told)
    said = source.frame.filter(~nw.col(name).is_null() & (nw.col(name) != nw.lit("")))
    there = replace(source, frame=said)
    every = distinct_keys(source, [item])
    return distinct_keys(there, [item]) == every == distinct_keys(there, [item, name])
