"""Files that are laid out each in its own way: a column per person here, a row per judge there.

`people.csv` holds `id`, `a1`, `a2` and `a3`; `judge.csv` holds `id`, `model` and `verdict`. The
column that names judges, or people, stands in one file alone: it says who rated there, and not
which system was rated, since the other file's items have none. And files of one layout that hold
the same items with other labels of the same people: what differs between them is what was rated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from goldassay.ratings.draft import Draft, Weight
from goldassay.ratings.judge_files import same_items, same_labels
from goldassay.ratings.profile import Column
from goldassay.ratings.shape import Shape, Table, persons, raters_of_files, some, stem_of, used_of
from goldassay.ratings.vocabulary import (
    CRITERIA,
    NAMED_RATERS,
    SYNONYMS,
    kind_of,
    plain_name,
    words,
)
from goldassay.words import named

__all__ = ["Apart", "each_in_its_way", "in_their_own_way", "rated_by_file", "what_files_are_of"]

#: More labels than this are hardly names of raters.
_MOST_RATERS = 40


@dataclass(frozen=True)
class Apart:
    """One file: its columns of ratings, the column that names who rated, and of which kind."""

    ratings: Sequence[str]
    rater: str | None
    kind: str


def in_their_own_way(table: Table, ratings: Sequence[str], rater: str | None) -> list[Apart]:
    """The files one by one, where no two share a column of ratings and one names its raters in a
    column that the others lack; else nothing."""
    parts = table.source.parts
    every = [*ratings, *([rater] if rater and table.columns[rater].rating else [])]
    mine = [[n for n in every if n in names] for _, names in parts]
    if len(parts) < 2 or not all(mine) or sum(map(len, mine)) != len(every):
        return []
    found = []
    for (place, names), here in zip(parts, mine, strict=True):
        others = {n for other, theirs in parts if other != place for n in theirs}
        who = _names_raters(table, [n for n in names if n not in others and n not in here])
        kinds = {kind_of(n) for n in here} - {None} or {kind_of(stem_of(place))}
        kind = who[1] if who else kinds.pop() if len(kinds) == 1 else None
        if kind is None or (who and len(here) > 1):
            return []
        found.append(Apart(here, who[0] if who else None, kind))
    kinds_found = {one.kind for one in found}
    some_named = any(one.rater for one in found)
    return found if some_named and "judge" in kinds_found and len(kinds_found) > 1 else []


def _names_raters(table: Table, columns: Sequence[str]) -> tuple[str, str] | None:
    """The column that names raters and their kind: `annotator`, or `model` with names of models."""
    for name in columns:
        column = table.columns.get(name)
        if column is None or column.rating or not 0 < len(column.labels) <= _MOST_RATERS:
            continue
        if plain_name(name) in {*NAMED_RATERS, *SYNONYMS["rater"]}:
            return name, kind_of(name) or _kind_of_labels(column) or "human"
        if plain_name(name) in SYNONYMS["system"] and _kind_of_labels(column) == "judge":
            return name, "judge"
    return None


def _kind_of_labels(column: Column) -> str | None:
    judges = [label for label in column.labels if kind_of(label) == "judge"]
    return "judge" if 2 * len(judges) >= len(column.labels) else None


def each_in_its_way(table: Table, shape: Shape, draft: Draft, found: Sequence[Apart]) -> None:
    """Cells of all files; where a column names the raters of a file, its cell does not."""
    raters = [one.rater for one in found if one.rater]
    shape.columns["rater"] = raters[0] if len(raters) == 1 else raters
    for one in found:
        verb = "holds" if len(one.ratings) == 1 else "hold"
        if one.rater:
            shape.cells[one.ratings[0]] = {"kind": one.kind}
            said = f"{persons(one.kind)} that {named(one.rater)} names"
        else:
            shape.cells |= {n: {"rater": n, "kind": one.kind} for n in one.ratings}
            said = persons(one.kind)
        draft.assume(Weight.WHO, f"{some(list(one.ratings))} {verb} the ratings of {said}")
        shape.used += [used_of(table, n, one.kind) for n in one.ratings]


def what_files_are_of(table: Table, roles: Mapping[str, str | None]) -> str | None:
    """`criterion` or `system` where files of one layout hold the same items with other labels of
    the same people and judges; None where they do not."""
    parts = table.source.parts
    kinds = {*roles.values()}
    if len(parts) < 2 or "judge" not in kinds or not kinds & {"human", "reference"}:
        return None
    if not all(set(roles) <= set(names) for _, names in parts):
        return None
    if {"system", "criterion"} & set(table.columns):
        return None
    items = same_items(table, roles)
    if items is None or any(same_labels(table, items, name) for name in roles):
        return None
    stems = raters_of_files(table).values()
    return "criterion" if all({*words(stem)} & CRITERIA for stem in stems) else "system"


def rated_by_file(table: Table, shape: Shape, draft: Draft, what: str) -> None:
    """Each file is of one system, or of one criterion, called as the file is."""
    called = raters_of_files(table)
    shape.files |= {
        file: {**shape.files.get(file, {}), what: name} for file, name in called.items()
    }
    other = "criterion" if what == "system" else "system"
    draft.assume(
        Weight.UNITS,
        f"each file is of one {what}, called as the file is: {some([*called.values()])} (the same "
        f"items have other labels in each; if a file is of one {other}: [files] {other})",
    )
