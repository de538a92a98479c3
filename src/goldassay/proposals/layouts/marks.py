"""Options that are ticked, a column for each: `quality.1` to `quality.5`, one of them true.

Forms of crowd work write a radio button so (`Answer.quality.3`), and sheets a cross under `Good`,
`OK` or `Bad`. Read as they stand they would be criteria, or people, that say yes and no.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.used import Used
from goldassay.proposals.layouts.kinds_of_raters import kinds_of_raters
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.vocabulary import MARKS, ORDERS, PAIRS, folded, kind_of, number, positive_of
from goldassay.words import named

__all__ = ["ticked", "with_ticks"]

_NO = frozenset(["false", "0", "no", "off", "n"])
_MOST = 12
#: First words of ticked columns that say nothing of what is asked.
_SAYS_NOTHING = frozenset(["is", "was", "has"])
_OPTION = re.compile(r"^(.*[^\s:])(?:[._]|:+)(\w[\w \-]*)$")


def ticked(table: Table) -> tuple[str, Mapping[str, str]] | None:
    """What is asked and column -> option, where in every row exactly one of the columns is ticked;
    None where there are no such columns, or several groups of them."""
    marks = [
        name
        for name, column in table.columns.items()
        if column.labels and {folded(one) for one in column.labels} <= MARKS | _NO
        if any(folded(one) in MARKS for one in column.labels)
    ]
    by: dict[str, dict[str, str]] = {}
    for name in marks:
        if match := _OPTION.match(table.own(name)):
            by.setdefault(match[1], {})[name] = match[2]
    named_ = {
        stem: group
        for stem, group in by.items()
        if _are_options(list(group.values())) and _one_in_each(table, list(group))
    }
    if spelled := _spelled_out(table):
        return spelled
    if not named_ and _are_known(table, marks) and _one_in_each(table, marks):
        named_ = {"": {name: name for name in marks}}
    elif not named_ and (run := _run_of(table, marks)):
        named_ = {"": {name: name for name in run}}
    return next(iter(named_.items())) if len(named_) == 1 else None


#: So many columns side by side of which each row ticks one are hardly answers of their own, in so
#: many rows.
_SIDE_BY_SIDE, _ROWS = 3, 10


def _run_of(table: Table, marks: Sequence[str]) -> list[str]:
    """The columns that name nobody, stand side by side and hold true in exactly one of them in
    every row: one verdict in several columns (`correct`, `abstained`, `invented`)."""
    runs: list[list[str]] = [[]]
    for name in table.columns:
        fits = name in marks and kind_of(name) is None and table.folds(name) <= {"true", "false"}
        runs = [*runs[:-1], [*runs[-1], name]] if fits else [*runs, []]
    whole = [run for run in runs if len(run) >= _SIDE_BY_SIDE]
    found = [
        run
        for run in whole
        if min(table.columns[name].filled for name in run) >= _ROWS and _one_in_each(table, run)
    ]
    return found[0] if len(found) == 1 else []


def _spelled_out(table: Table) -> tuple[str, Mapping[str, str]] | None:
    """The same where what is ticked is the option itself: `quality:::3` holds 3, or nothing."""
    by: dict[str, dict[str, str]] = {}
    for name, column in table.columns.items():
        match = _OPTION.match(table.own(name))
        if match and {folded(one) for one in column.labels} <= {folded(match[2])}:
            by.setdefault(match[1], {})[name] = match[2]
    found = [
        (stem, group)
        for stem, group in by.items()
        if _are_options(list(group.values())) and _one_filled(table, list(group))
    ]
    return found[0] if len(found) == 1 else None


def _one_filled(table: Table, names: Sequence[str]) -> bool:
    rows = counted(table.source, *names)
    return bool(rows) and all(sum(map(bool, row)) == 1 for row in rows)


def _are_options(options: Sequence[str]) -> bool:
    """Three or more grades, or words of a known scale: categories of which one happens to hold in
    every row are not ticked. Of two, one is the other's opposite."""
    if len(options) == 2:
        return positive_of(*(folded(one.replace("_", " ")) for one in options)) is not None
    if not 2 < len(options) <= _MOST:
        return False
    whole = [number(one) for one in options]
    if None not in whole:
        values = sorted(v for v in whole if v is not None)
        return values == [values[0] + at for at in range(len(values))] and values[0] in (0, 1)
    return _of_a_scale(options)


def _of_a_scale(options: Sequence[str]) -> bool:
    folds = {folded(one.replace("_", " ")) for one in options}
    return any(folds <= {*scale} for scale in (*ORDERS, *PAIRS))


def _are_known(table: Table, names: Sequence[str]) -> bool:
    """Columns that are called as the labels of another column are, or as a known scale."""
    folds = {folded(name) for name in names}
    used = any(
        folds == {folded(label) for label in column.labels}
        for name, column in table.columns.items()
        if name not in names
    )
    return 1 < len(names) <= _MOST and (used or _of_a_scale(names))


def _one_in_each(table: Table, names: Sequence[str]) -> bool:
    rows = counted(table.source, *names)
    single = (sum(folded(cell) in MARKS for cell in row) == 1 for row in rows)
    return bool(rows) and all(single)


def with_ticks(
    table: Table,
    shape: Shape,
    draft: Draft,
    found: tuple[tuple[str, Mapping[str, str]], str | None, Sequence[str]],
) -> None:
    """The ticked options as one rating of a row; beside them columns of other raters."""
    (stem, options), rater, others = found
    stem = "" if stem in _SAYS_NOTHING else stem
    asked = stem.rpartition(".")[2] or "ticked"
    cell = {} if rater else {"rater": asked if stem else "people", "kind": "human"}
    spelled = not all(_says_mark(table, name) for name in options)
    shape.cells = {
        name: {**cell, **({"criterion": asked} if spelled else {"means": option})}
        for name, option in options.items()
    }
    draft.assume(
        Weight.MEANING,
        f"of {some(list(options))} exactly one is ticked in every row: that is the rating"
        + ("" if spelled else " (means in [cells])"),
    )
    if rater is not None:
        shape.columns["rater"] = rater
        kinds_of_raters(table, rater, shape, draft)
    else:
        draft.assume(Weight.WHO, "what is ticked is a person's rating")
        if not any(kind_of(name) for name in others):
            judged = {"rater": table.stem, "kind": "judge"}
            answer = {name: one | judged for name, one in shape.cells.items()}
            draft.ask("Did a judge tick it? Then", {"cells": answer})
    said = {
        option: sum(
            rows for label, rows in table.columns[name].labels.items() if spelled or _is_mark(label)
        )
        for name, option in options.items()
    }
    shape.used = [Used(asked, "human", {option: rows for option, rows in said.items() if rows})]
    labels = {folded(option) for option in options.values()}
    for name in others:
        kind = kind_of(name)
        mine = {folded(label) for label in table.columns[name].labels}
        if name not in options and kind is not None and mine & labels:
            shape.cells[name] = {"rater": name, "kind": kind}
            shape.used.append(Used(name, kind, table.columns[name].labels))
            whose = {"judge": "a judge's", "human": "a person's", "reference": "an answer key's"}
            draft.assume(Weight.WHO, f"{named(name)} holds {whose[kind]} ratings")


def _says_mark(table: Table, name: str) -> bool:
    labels = {folded(label) for label in table.columns[name].labels}
    return labels <= MARKS | _NO


def _is_mark(label: str) -> bool:
    return folded(label) in MARKS
