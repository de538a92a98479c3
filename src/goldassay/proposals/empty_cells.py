"""What an empty cell may say: that the judge is right, or no.

Labels that are there only where a person corrects the judge, and marks without a no, would be read
as if nobody had looked at the other items.
"""

from __future__ import annotations

from collections.abc import Mapping

from goldassay.proposals.draft import Draft
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.vocabulary import ABSTAIN, INVALID, folded, words
from goldassay.words import named

__all__ = ["ask_of_empty_cells"]

#: Column -> unit -> the label there.
Labels = Mapping[str, Mapping[tuple[str, ...], str]]
#: The fewest items of which something can be said.
_ENOUGH = 10
#: Words of columns that hold another label where a person does not take the judge's.
_CORRECTED = frozenset(
    ["changed", "change", "corrected", "correction", "edited", "fixed", "overridden", "override"]
)
#: Where a person's label is there in fewer rows than this share, an empty one may say something.
_PARTLY = 0.9
#: So many numbers are finer than grades.
_GRADES = 7
#: The share of rows in which labels of one scale hardly differ by chance.
_NEARLY_ALL = 0.95


def ask_of_empty_cells(table: Table, by: Labels, shape: Shape, draft: Draft) -> bool:
    """Ask what empty cells say, where they may say something; whether it was asked."""
    return _of_corrections(table, by, shape, draft) or _of_ticks(table, shape, draft)


def _of_corrections(table: Table, by: Labels, shape: Shape, draft: Draft) -> bool:
    """A person's labels that are there in some rows, and differ from the judge's in all of these:
    what was corrected. Empty cells then say that the judge is right, and without them it never
    is."""
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    for name in (n for n, kind in kinds.items() if kind == "human" and n in by):
        column, mine = table.columns[name], by[name]
        if column.filled >= _PARTLY * column.rows or table.source.parts:
            continue
        if column.numeric and len(column.labels) > _GRADES:  # two hardly ever give the same
            continue
        for other in (n for n, kind in kinds.items() if kind == "judge" and n in by):
            both = mine.keys() & by[other].keys()
            differ = sum(mine[unit] != by[other][unit] for unit in both)
            shared = ({*mine.values()} & {*by[other].values()}) - ABSTAIN - INVALID
            called = bool({*words(name)} & _CORRECTED)
            if len(both) < (1 if called else _ENOUGH) or not shared:
                continue
            if differ < _NEARLY_ALL * len(both):
                continue
            draft.lack(
                f"Does an empty cell of {named(name)} say that {named(other)} is right? Where it "
                f"is filled, it differs from {named(other)} in {differ:,} of {len(both):,} rows",
                {"cells": {**shape.cells, name: {**shape.cells[name], "empty_as": other}}},
                {"wide": {"human": [name], "judge": [other]}},
            )
            return True
    return False


def _of_ticks(table: Table, shape: Shape, draft: Draft) -> bool:
    """Raters' columns that hold one mark or nothing: what an empty cell says must be told."""
    labels = {folded(one) for name in shape.cells for one in table.columns[name].labels}
    partly = [n for n in shape.cells if 0 < table.columns[n].filled < table.columns[n].rows]
    if len(shape.cells) < 2 or len(labels) != 1 or not partly or table.source.parts:
        return False
    mark = next(one for name in partly for one in table.columns[name].labels)
    draft.lack(
        f"Does an empty cell say no? {some(list(shape.cells))} hold nothing but {named(mark)}",
        {
            "scale": "binary",
            "options": ["yes", "no"],
            "positive": "yes",
            "labels": {mark: "yes"},
            "cells": {name: {**cell, "empty": "no"} for name, cell in shape.cells.items()},
        },
        "write yes and no into the cells, and leave those empty that nobody looked at",
    )
    return True
