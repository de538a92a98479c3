"""Lists that go together member by member: a label for each sentence, a judge's beside it.

`{"sentences": ["...", "..."], "annotation": ["true", "false"], "gpt4_labels": ["true", "true"]}`
holds two ratings of two sentences. By their places (`annotation.1`) the members would be people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.proposals.profile import MOST_OPTIONS, Column
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import kind_of, plain_name
from goldassay.sources.exploded import list_in
from goldassay.sources.frames import Source

__all__ = ["parallel_lists"]

#: Cells that are looked at, and what is short enough for a label.
_LOOKED_AT, _LONGEST = 60, 40


def parallel_lists(source: Source, columns: Mapping[str, Column]) -> tuple[str, ...]:
    """The lists of one record that are of one length in every row, and of other lengths in other
    rows, where two or more hold a few labels that they share; else nothing. Texts of that length
    are what was rated, and go with them. A list that names people goes with the labels that they
    gave, whatever the lengths."""
    own = {here: theirs for theirs, here in source.renamed.items()}
    lists = {
        name: cells
        for name, column in columns.items()
        if column.labels and all(one.startswith("[") for one in column.labels)
        if "." not in own.get(name, name) and (cells := _cells(source, name))
    }
    sizes = {name: tuple(map(len, cells)) for name, cells in lists.items()}
    by: dict[tuple[int, ...], list[str]] = {}
    for name, lengths in sizes.items():
        if len({*lengths}) > 1:
            by.setdefault(lengths, []).append(name)
    for names in by.values():
        labels = {name: _labels(lists[name]) for name in names}
        rated = [n for n in names if labels[n] and _shares(n, labels)]
        if len(rated) > 1:
            return tuple(own.get(n, n) for n in names if n in rated or _texts(lists[n]))
    for who in (n for n in lists if _names_people(n) and _texts(lists[n])):
        mine = [n for n in lists if n != who and sizes[n] == sizes[who] and _labels(lists[n])]
        if len(mine) == 1:
            return own.get(mine[0], mine[0]), own.get(who, who)
    return ()


def _names_people(name: str) -> bool:
    """A list that says who gave the members of another one: `annotator_ids`, `physicians`."""
    *_, last = plain_name(name).split("_")
    several = last == "ids" or (last.endswith("s") and kind_of(last.removesuffix("s")) == "human")
    return several and kind_of(name) == "human"


def _cells(source: Source, name: str) -> list[list[Any]]:
    """The first lists of a column; nothing where one is none."""
    found = fetch(source.frame.select(name).head(_LOOKED_AT), place=source.name)[name]
    cells = [list_in(cell) if isinstance(cell, str) else None for cell in found]
    lists = [cell for cell in cells if cell is not None]
    return lists if len(lists) == len(cells) > 1 else []


def _labels(cells: Sequence[Sequence[Any]]) -> set[str]:
    """The labels of lists, where they are few and short; else nothing."""
    members = [one for cell in cells for one in cell]
    plain = all(isinstance(one, str | int | float) for one in members)
    found = {str(one) for one in members} if plain else set[str]()
    few = len(found) <= MOST_OPTIONS and 2 * len(found) <= len(members)
    return found if few and all(len(one) <= _LONGEST for one in found) else set()


def _shares(name: str, labels: Mapping[str, set[str]]) -> bool:
    return any(labels[name] & theirs for other, theirs in labels.items() if other != name)


def _texts(cells: Sequence[Sequence[Any]]) -> bool:
    return all(isinstance(one, str) for cell in cells for one in cell)
