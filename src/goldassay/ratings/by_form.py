"""Answers of a form: a row for each person, columns `Summary 1 [Fluency]` of a grid."""

from __future__ import annotations

import re
from collections.abc import Mapping

from goldassay.ratings.draft import Draft, Weight
from goldassay.ratings.shape import Shape, Table, some, used_of
from goldassay.ratings.vocabulary import plain_name
from goldassay.ratings.who_rated import kinds_of_raters
from goldassay.words import named

__all__ = ["by_grid", "grid_of_a_form"]

_CELL = re.compile(r"^(.+?)\s*\[([^\[\]]+)\]$")
#: Columns that name who filled a form in, the likeliest first; the time tells them apart too.
_WHO = (
    *("participant_id", "participant", "prolific_id", "prolific_pid", "email_address", "email"),
    *(
        "e_mail",
        "username",
        "your_name",
        "name",
        "full_name",
        "initials",
        "timestamp",
        "zeitstempel",
    ),
)
#: Fewer columns are hardly a grid.
_FEWEST = 4


def grid_of_a_form(table: Table, rater: str | None) -> tuple[str, dict[str, dict[str, str]]] | None:
    """Who filled in, and column -> item and criterion, where every row is another person and the
    columns of numbers or verdicts are of a grid; None where it is none."""
    found = {
        name: match
        for name, column in table.columns.items()
        if column.rating and (match := _CELL.match(table.own(name)))
    }
    if len(found) < _FEWEST:
        return None
    by_name = {plain_name(name): name for name in table.columns}
    who = [rater] if rater is not None else [by_name[one] for one in _WHO if one in by_name]
    who = [name for name in who if name is not None and table.columns[name].unique]
    if not who:
        return None
    heads = list(dict.fromkeys(match[1] for match in found.values()))
    inner = list(dict.fromkeys(match[2] for match in found.values()))
    if len(heads) == 1:  # one question about several items
        return who[0], {name: {"item": match[2]} for name, match in found.items()}
    if len(heads) * len(inner) != len(found):
        return None
    return who[0], {n: {"item": m[1], "criterion": m[2]} for n, m in found.items()}


def by_grid(
    table: Table, shape: Shape, draft: Draft, found: tuple[str, Mapping[str, dict[str, str]]]
) -> None:
    """Every row is a person, every column what they said of an item."""
    rater, cells = found
    shape.columns["rater"] = rater
    shape.cells = {name: dict(cell) for name, cell in cells.items()}
    kinds_of_raters(table, rater, shape, draft)
    items = list(dict.fromkeys(cell["item"] for cell in cells.values()))
    criteria = list(dict.fromkeys(c["criterion"] for c in cells.values() if "criterion" in c))
    said = f", and {some(criteria)} the criteria" if criteria else ""
    draft.assume(
        Weight.UNITS,
        f"every row is a person, named by {named(rater)}; {some(items)} are the items that they "
        f"rated{said} (item in [cells])",
    )
    shape.used = [used_of(table, name, "human") for name in cells]
