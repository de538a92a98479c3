"""Columns that ask the opposite of what others ask: `judge_fail` beside `human_pass`.

Both hold yes and no, so that only their names tell that a yes of the one is a no of the other.
Where they do, and the rows do not contradict it, the column is read mirrored, and that is said.
Where only the rows tell it, it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.profile import counted_pairs
from goldassay.proposals.shape import Shape, Table
from goldassay.ratings.vocabulary import BAD, GENERIC, GOOD, folded, kind_of, words
from goldassay.words import named

__all__ = ["says_good", "turn_opposites"]

#: Labels that say only that what a column's name says is so, or is not.
_BARE = frozenset(["true", "false", "yes", "no", "1", "0", "y", "n", "t", "f"])
#: How far rows must go one way, in standard deviations of a fair coin: to believe them over the
#: names, and to ask without a name that says it.
_CLEAR, _STRIKING = 2.0, 4.0
_NEGATED = frozenset(["not", "no", "non", "without", "un", "isnt"])


def says_good(name: str) -> bool | None:
    """Whether a yes in a column of this name says that something is as it should be.

    >>> says_good("human_pass"), says_good("is_wrong"), says_good("no_error"), says_good("label")
    (True, False, True, None)
    """
    said = set(words(name))
    if kind_of(name) == "reference" and said & GENERIC:  # `correct_label`: which label is correct
        return None
    good, bad = bool(said & GOOD), bool(said & BAD)
    if good == bad:
        return None
    return good != bool(said & _NEGATED)


def turn_opposites(table: Table, shape: Shape, draft: Draft) -> None:
    """Mirror the raters' columns whose names ask the opposite of what people's ask."""
    if draft.task.get("scale") != "binary":
        return
    people = [n for n, cell in shape.cells.items() if cell.get("kind") in ("human", "reference")]
    firsts = {
        name: next((n for n in people if _of_one(cell, shape.cells[n])), name)
        for name, cell in shape.cells.items()
        if not {"cut", "means"} & cell.keys()  # what a tick means is said
    }
    pairs = [(first, name) for name, first in firsts.items() if first != name]
    rows = _rows(table, pairs, draft.task)
    for first, name in pairs:
        cell = shape.cells[name]
        same, other = rows[first, name]
        apart = other - same
        spread = math.sqrt(same + other)
        meant = {_says_good(table, first, draft.task), _says_good(table, name, draft.task)}
        if meant == {True, False}:
            bare = _is_bare(table, first) and _is_bare(table, name)
            by = "names" if bare else "names and labels"
            if -apart > _CLEAR * spread:
                draft.ask(
                    f"Does {named(name)} say the opposite of {named(first)}, as their {by} tell? "
                    f"They say the same in {same:,} of {same + other:,} rows, and are read as they "
                    "stand; if it does",
                    {"cells": {name: {"mirrored": "yes"}}},
                )
                continue
            cell["mirrored"] = "yes"
            draft.assume(
                Weight.POSITIVE,
                f"{named(name)} says the opposite of {named(first)}, by their {by}: a yes of the "
                'one is read as a no of the other (mirrored = "yes" in [cells])',
            )
        elif apart > _STRIKING * spread:
            draft.ask(
                f"Does {named(name)} say the opposite of {named(first)}? They differ in {other:,} "
                f"of {same + other:,} rows; if it does",
                {"cells": {name: {"mirrored": "yes"}}},
            )


def _of_one(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two cells rate the same: no other criterion, no other system."""
    return all(one.get(key) == other.get(key) for key in ("criterion", "system"))


def _says_good(table: Table, name: str, task: Mapping[str, Any]) -> bool | None:
    """Whether the option that is counted says in a column that something is as it should be: by the
    column's name where its labels say yes and no, else by the label that is read as that option."""
    if _is_bare(table, name):
        return says_good(name)
    aliases = {folded(label): folded(said) for label, said in task.get("labels", {}).items()}
    positive = folded(str(task.get("positive", "")))
    mine = [o for o in table.folds(name) if aliases.get(o, o) == positive]
    return says_good(mine[0]) if len(mine) == 1 else None


def _is_bare(table: Table, name: str) -> bool:
    return {folded(label) for label in table.columns[name].labels} <= _BARE


def _rows(
    table: Table, pairs: Sequence[tuple[str, str]], task: Mapping[str, Any]
) -> dict[tuple[str, str], tuple[int, int]]:
    """Rows in which two columns say the same, and in which they say the opposite, of each pair."""
    aliases = {folded(label): folded(said) for label, said in task.get("labels", {}).items()}
    options = {folded(option) for option in task.get("options", ())}
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for pair, labels in counted_pairs(table.source, pairs).items():
        same = other = 0
        for row, rows in labels.items():
            one, two = (aliases.get(folded(label), folded(label)) for label in row)
            if {one, two} <= options:
                same += rows if one == two else 0
                other += rows if one != two else 0
        found[pair] = (same, other)
    return found
