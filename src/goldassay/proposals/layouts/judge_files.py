"""A file for each judge, every one with people's labels in it.

`gpt4.csv` and `claude.csv` both hold `id`, `label` and `prediction` of the same items. What is the
same in every file for the same item is people's and read once; what differs is the judge's, who is
called as the file is. Files of different items are parts of one table, and not of this kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import narwhals as nw

from goldassay.frozen import dataclass
from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.one_judge import one_judge
from goldassay.proposals.shape import (
    Shape,
    Table,
    called_apart,
    persons,
    raters_of_files,
    some,
    used_of,
)
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import kind_of
from goldassay.sources.frames import FILE, told_apart
from goldassay.words import named

__all__ = [
    "JudgeFiles",
    "judge_by_file",
    "labels_in_every_file",
    "named_by_files",
    "parts_of_one_table",
    "same_items",
    "same_labels",
]

#: The share of the items that must be in all files.
_SAME = 0.9
#: Without a column that tells items apart, so many rows with the same labels are the same items.
_ENOUGH = 20


@dataclass(frozen=True)
class JudgeFiles:
    """People's columns with their kinds, the judge's, the column that tells items apart, and what
    the judge of each file is called."""

    people: Mapping[str, str]
    judges: Sequence[str]
    items: str | None
    names: Mapping[str, str]


def labels_in_every_file(
    table: Table, roles: Mapping[str, str | None], rater: str | None
) -> JudgeFiles | None:
    """The columns of people and judges where every file has both; None where not."""
    parts = table.source.parts
    whole = [set(roles) <= set(names) for _, names in parts]
    if len(parts) < 2 or rater is not None or len(roles) < 2 or not any(whole):
        return None
    files = told_apart([place for place, _ in parts])
    names = called_apart([file for file, all_ in zip(files, whole, strict=True) if all_])
    if any(kind_of(name) == "human" for name in names.values()):
        return None
    items = same_items(table, roles)
    same = {name for name in roles if same_labels(table, items, name)}
    people = {n: roles[n] or "human" for n in roles if roles[n] != "judge" and n in same}
    judges = [n for n in roles if roles[n] in ("judge", None) and n not in same]
    if not people or not judges or {*people, *judges} != {*roles}:
        return None
    if any(not all_ and set(judges) & set(n) for (_, n), all_ in zip(parts, whole, strict=True)):
        return None
    return JudgeFiles(people, judges, items, names)


def parts_of_one_table(table: Table, ratings: Sequence[str]) -> bool:
    """Whether the files hold the same columns of several raters, each of other items."""
    parts = table.source.parts
    if len(parts) < 2 or len(ratings) < 2:
        return False
    if not all(set(ratings) <= set(names) for _, names in parts):
        return False
    keys = [column for name, column in table.columns.items() if name not in ratings]
    return any(column.unique for column in keys)


def judge_by_file(table: Table, shape: Shape, draft: Draft, found: JudgeFiles) -> None:
    """The cells of such files: people's, and the judge's without a name, which the file has."""
    people, judges = found.people, found.judges
    if found.items is not None and _once(table, found.items):
        shape.columns["item"] = found.items
        draft.assume(Weight.UNITS, f"{named(found.items)} names the item")
    shape.cells = {n: {"rater": n, "kind": kind} for n, kind in people.items()}
    shape.cells |= {n: {"rater": n, "kind": "judge"} for n in judges}
    one_judge(table, shape, draft)
    mine = {shape.cells[n]["rater"] for n in judges}
    for kind in dict.fromkeys(people.values()):
        theirs = [n for n, one in people.items() if one == kind]
        verb = "holds" if len(theirs) == 1 else "hold"
        draft.assume(
            Weight.WHO,
            f"{some(theirs)}, the same in every file, {verb} the ratings of {persons(kind)}",
        )
    shape.used = [used_of(table, n, kind) for n, kind in people.items()]
    shape.used += [used_of(table, n, "judge") for n in judges]
    if len(mine) > 1:
        draft.lack(
            f"Which of {some(list(judges))} holds the verdict of the judge that a file is of?",
            *({"cells": {table.own(n): {"kind": "judge"}}} for n in judges[:2]),
        )
        return
    for name in judges:
        del shape.cells[name]["rater"]
    shape.files |= {file: {"rater": name} for file, name in found.names.items()}
    verb = "holds" if len(judges) == 1 else "hold"
    called = some([*found.names.values()])
    draft.assume(
        Weight.WHO,
        f"{some(list(judges))} {verb} the ratings of "
        + (f"judges, one to a file: {called}" if len(found.names) > 1 else f"a judge, {called}"),
    )


def named_by_files(table: Table, shape: Shape, draft: Draft) -> None:
    """A column of one rater that several files hold for the same items, with other ratings: the
    raters are as many as the files, and called as these are."""
    called = raters_of_files(table)
    for name, cell in shape.cells.items():
        files = _files_with(table, [name])
        mine = [one for one in shape.cells if {*files} & {*_files_with(table, [one])}]
        if cell.get("rater") != name or len(files) < 2 or mine != [name]:
            continue
        items = same_items(table, [name], _parts_with(table, name))
        if items is None or same_labels(table, items, name):
            continue
        del cell["rater"]
        shape.files |= {file: {"rater": called[file]} for file in files}
        draft.assume(
            Weight.WHO,
            f"{named(name)} holds the ratings of {persons(cell['kind'])}, one to a file: "
            f"{some([called[file] for file in files])}",
        )


def _parts_with(table: Table, name: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(place, tuple(names)) for place, names in table.source.parts if name in names]


def same_items(
    table: Table, ratings: Iterable[str], parts: Sequence[tuple[str, Sequence[str]]] | None = None
) -> str | None:
    """The column that tells most items apart and has the same ones in every file, or part."""
    parts = table.source.parts if parts is None else parts
    shared = [
        column
        for name, column in table.columns.items()
        if name not in ratings and all(name in names for _, names in parts)
    ]
    shared.sort(key=lambda column: -column.distinct)
    for column in shared[:2]:
        if 2 * len(parts) * column.distinct >= column.filled and _in_all(table, column.name):
            return column.name
    return None


def _once(table: Table, name: str) -> bool:
    """Whether a column has another label in every row of a file."""
    column = table.columns[name]
    return column.filled == column.rows == len(table.source.parts) * column.distinct


def same_labels(table: Table, items: str | None, name: str) -> bool:
    """Whether a column says the same of the same item in every file."""
    here = _files_with(table, [name])
    if items is not None:
        filled = table.source.frame.filter(~nw.col(name).is_null() & (nw.col(name) != nw.lit("")))
        each = filled.group_by(items).agg(nw.col(name).n_unique().alias("(labels)"))
        most = fetch(each.select(most=nw.col("(labels)").max()), place=table.source.name)["most"][0]
        return len(here) > 1 and int(most or 0) == 1
    counts = table.source.frame.group_by(FILE, name).agg(nw.len().alias("(rows)"))
    found = fetch(counts, place=table.source.name)
    by: dict[str, dict[str, int]] = {file: {} for file in here}
    for file, label, n in zip(found[FILE], found[name], found["(rows)"], strict=True):
        if file in by:
            by[file][str(label)] = int(n)
    first = by[here[0]]
    return len(here) > 1 and sum(first.values()) >= _ENOUGH and all(v == first for v in by.values())


def _files_with(table: Table, names: Sequence[str]) -> list[str]:
    parts = table.source.parts
    files = told_apart([place for place, _ in parts])
    return [file for file, (_, n) in zip(files, parts, strict=True) if set(names) <= set(n)]


def _in_all(table: Table, name: str) -> bool:
    """Whether nearly all labels of a column stand in every file that has it."""
    files = _files_with(table, [name])
    if len(files) < 2:
        return False
    each = table.source.frame.filter(nw.col(FILE).is_in(files)).group_by(name)
    held = nw.when(nw.col("(files)") == len(files)).then(nw.lit(1)).otherwise(nw.lit(0))
    counted = each.agg(nw.col(FILE).n_unique().alias("(files)")).select(held=held)
    found = fetch(counted.select(all=nw.len(), held=nw.col("held").sum()), place=table.source.name)
    return int(found["held"][0] or 0) >= _SAME * int(found["all"][0])
