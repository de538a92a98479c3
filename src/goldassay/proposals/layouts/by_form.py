"""Answers of a form: a row for each person, a column for each item, or each item and criterion.

Grids write `Summary 1 [Fluency]`, survey tools `R1Q2. Is it fluent?`, and plain forms a question
for each item (`How helpful is answer 3?`). Read as they stand, rows would be items.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import is_aside
from goldassay.proposals.layouts.kinds_of_raters import kinds_of_raters
from goldassay.proposals.profile import MOST_OPTIONS, counted
from goldassay.proposals.shape import Shape, Table, some, used_of
from goldassay.ratings.vocabulary import folded, kind_of, plain_name
from goldassay.words import named

__all__ = ["by_grid", "grid_of_a_form"]

_CELL = re.compile(r"^(.+?)\s*\[([^\[\]]+)\]$")
#: A code of an item and a question, and what is asked: `R1Q2. Is it fluent?`.
_CODE = re.compile(r"^([A-Za-z]+\d+)_?([A-Za-z]+\d+)\s*[.:]\s*\S")
#: Columns that name who filled a form in, the likeliest first; the time tells them apart too.
_WHO = (
    *("participant_id", "participant", "prolific_id", "prolific_pid", "email_address", "email"),
    *("e_mail", "username", "your_name", "name", "full_name", "initials", "token", "respondent_id"),
    *("response_id", "responseid", "id", "timestamp", "zeitstempel"),
)
#: Columns that survey tools write: when and how far somebody filled the form in.
_FILLED_IN = frozenset(
    [
        *("start_time", "completion_time", "start_date", "end_date", "startdate", "enddate"),
        *("submitdate", "submit_date", "date_submitted", "recorded_date", "recordeddate"),
        *("timestamp", "zeitstempel", "horodateur", "marca_temporal", "interviewtime"),
        *("finished", "progress", "duration_in_seconds", "distribution_channel", "user_language"),
    ]
)
#: What is asked where nothing says when: `Q1`, `item_2`.
_ASKED = re.compile(r"(?i)^(?:q|qid|item|question|stimulus)[_ .]?\d+(?:_\d+)?$")
#: Fewer columns are hardly a grid.
_FEWEST = 4


def grid_of_a_form(table: Table, rater: str | None) -> tuple[str, dict[str, dict[str, str]]] | None:
    """Who filled in, and column -> item and criterion, where every row is another person and the
    columns of numbers or verdicts are of a grid; None where it is none."""
    back = list(table.columns)[::-1]
    by_name = {plain_name(table.own(name).split(". ")[0]): name for name in back}
    by_name |= {plain_name(name): name for name in back}
    who = [rater] if rater is not None else [by_name[one] for one in _WHO if one in by_name]
    who = [name for name in who if name is not None and table.columns[name].unique]
    if rows := _raters_in_rows(table):
        return rows
    if not who:
        return None
    found = _cells(table, _CELL)
    heads = {match[1] for match in found.values()}
    if len(found) >= _FEWEST and len(heads) == 1:  # one question about several items
        return who[0], {name: {"item": match[2]} for name, match in found.items()}
    found = found if len(found) >= _FEWEST else _cells(table, _CODE)
    items, criteria = ({match[at] for match in found.values()} for at in (1, 2))
    if len(found) >= _FEWEST and len(items) * len(criteria) == len(found) and len(items) > 1:
        return who[0], {n: {"item": m[1], "criterion": m[2]} for n, m in found.items()}
    asked = [] if found else _asked_alike(table)
    filled_in = _FILLED_IN & {*by_name} or (rater is not None and all(map(_ASKED.match, asked)))
    return (who[0], {name: {"item": name} for name in asked}) if asked and filled_in else None


def _raters_in_rows(table: Table) -> tuple[str, dict[str, dict[str, str]]] | None:
    """A table on its side: the first cell of each row names a person or a judge, and every other
    column is an item."""
    first, *rest = table.columns or [""]
    column = table.columns.get(first)
    if column is None or not column.unique or not _FEWEST <= len(rest) > column.rows:
        return None
    kinds = {kind_of(label) for label in column.labels}
    rated = [n for n in rest if table.columns[n].rating or table.columns[n].few]
    if None in kinds or "judge" not in kinds or len(kinds) < 2 or len(rated) < len(rest):
        return None
    return first, {name: {"item": name} for name in rest}


def _cells(table: Table, pattern: re.Pattern[str]) -> dict[str, re.Match[str]]:
    """The columns of few labels or numbers whose own names have a form."""
    return {
        name: match
        for name, column in table.columns.items()
        if (column.rating or column.few) and (match := pattern.match(table.own(name)))
        if not is_aside(match[2])
    }


def _asked_alike(table: Table) -> Sequence[str]:
    """Columns that ask one question of numbered items, in the same labels, and name no rater."""
    by: dict[str, list[str]] = {}
    for name, column in table.columns.items():
        own = table.own(name)
        if column.few and kind_of(own) is None:
            # The last number counts items, or the first where a loop sets it: `1_Q4`, `2_Q4`.
            for counted in (r"\d+(?=\D*$)", r"^\d+(?=_)"):
                if (alike := re.sub(counted, "#", own, count=1)) != own:
                    by.setdefault(alike, []).append(name)
    asked = max(by.values(), key=len, default=[])
    labels = [{folded(one) for one in table.columns[name].labels} for name in asked]
    rest = [set[str]().union(*labels[:at], *labels[at + 1 :]) for at in range(len(labels))]
    shared = all(mine & others for mine, others in zip(labels, rest, strict=True))
    few = len(set[str]().union(*labels)) <= MOST_OPTIONS
    return asked if len(asked) >= _FEWEST and shared and few else []


#: Of so many items it is looked whether numbers are places.
_LOOKED_AT = 3


def _are_places(table: Table, cells: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether each row gives every number from 1 on once to what it says of an item."""
    by: dict[str, list[str]] = {}
    for name, cell in cells.items():
        by.setdefault(cell["item"], []).append(name)
    for names in list(by.values())[:_LOOKED_AT]:
        places = {str(place) for place in range(1, len(names) + 1)}
        rows = [row for row in counted(table.source, *names) if all(row)]
        if len(names) < 3 or not rows or not all({*row} == places for row in rows):
            return False
    return True


def by_grid(
    table: Table, shape: Shape, draft: Draft, found: tuple[str, Mapping[str, dict[str, str]]]
) -> None:
    """Every row is a person, every column what they said of an item."""
    rater, cells = found
    shape.columns["rater"] = rater
    shape.cells = {name: dict(cell) for name, cell in cells.items()}
    kinds = kinds_of_raters(table, rater, shape, draft)
    items = list(dict.fromkeys(cell["item"] for cell in cells.values()))
    criteria = list(dict.fromkeys(c["criterion"] for c in cells.values() if "criterion" in c))
    said = f", and {some(criteria)} the criteria" if criteria else ""
    draft.assume(
        Weight.UNITS,
        f"every row is a {'rater' if 'judge' in kinds.values() else 'person'}, named by "
        f"{named(rater)}; {some(items)} are the items that they rated{said} (item in [cells])",
    )
    if criteria and _are_places(table, cells):
        draft.ask(
            f"Do the numbers put {some(criteria)} in an order, 1 first? They are read as grades, "
            "and larger as better"
        )
    kind = "judge" if {*kinds.values()} == {"judge"} else "human"
    shape.used = [used_of(table, name, kind) for name in cells]
