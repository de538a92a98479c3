"""A survey: a row for each person, a column for each item that they were asked about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.who_rated import kinds_of_raters
from goldassay.proposals.shape import Shape, Table, some, used_of
from goldassay.ratings.vocabulary import folded
from goldassay.words import named

__all__ = ["by_question", "questions_of_a_survey"]

_ASKED = re.compile(r"(?i)^(?:q|qid|item|question|stimulus)[_ .]?\d+(?:_\d+)?$")
#: Fewer columns may as well be criteria of one item.
_FEWEST = 4


def questions_of_a_survey(table: Table, rater: str, ratings: Sequence[str]) -> list[str]:
    """Columns `Q1`, `Q2` and so on with the same labels, where every row is another person; else
    nothing."""
    asked = [name for name in ratings if _ASKED.match(name)]
    if len(asked) < _FEWEST or not table.columns[rater].unique:
        return []
    first = {folded(label) for name in asked[:2] for label in table.columns[name].labels}
    alike = [n for n in asked if {folded(one) for one in table.columns[n].labels} & first]
    return asked if len(alike) == len(asked) else []


def by_question(table: Table, shape: Shape, draft: Draft, found: tuple[str, Sequence[str]]) -> None:
    """Every question is an item, every row a person who rates all of them."""
    rater, asked = found
    shape.columns["rater"] = rater
    shape.cells = {name: {"item": name} for name in asked}
    kinds = kinds_of_raters(table, rater, shape, draft)
    kind = "judge" if set(kinds.values()) == {"judge"} else "human"
    shape.used = [used_of(table, name, kind) for name in asked]
    draft.assume(
        Weight.UNITS,
        f"every row is a person, named by {named(rater)}, and {some(asked)} are the items that "
        "they rated (item in [cells])",
    )
