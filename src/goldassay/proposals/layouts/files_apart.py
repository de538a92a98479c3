"""Files that are laid out each in its own way: a column per person here, a row per judge there.

`people.csv` holds `id`, `a1`, `a2` and `a3`; `judge.csv` holds `id`, `model` and `verdict`. The
column that names judges, or people, stands in one file alone: it says who rated there, and not
which system was rated, since the other file's items have none. And files of one layout that hold
the same items with other labels of the same people: what differs between them is what was rated.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from goldassay.frozen import dataclass
from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import are_criteria
from goldassay.proposals.layouts.judge_files import same_items, same_labels
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import (
    Shape,
    Table,
    person,
    persons,
    raters_of_files,
    some,
    stem_of,
    used_of,
)
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
    """One file: its columns of ratings, the column that names who rated, of which kind they are,
    and what a rater without such a column is called."""

    file: str
    ratings: Sequence[str]
    rater: str | None
    kind: str
    called: str


def in_their_own_way(table: Table, ratings: Sequence[str], rater: str | None) -> list[Apart]:
    """The files one by one, where some of them, but not all, share a column of ratings or name
    their raters in a column; nothing where files are alike, or one cannot be told."""
    parts = table.source.parts
    every = [*ratings, *([rater] if rater and table.columns[rater].rating else [])]
    mine = [[n for n in every if n in names] for _, names in parts]
    if len(parts) < 2 or not all(mine) or any(are_criteria(here) for here in mine):
        return []
    found = []
    for (place, names), here, (file, called) in zip(
        parts, mine, raters_of_files(table).items(), strict=True
    ):
        others = {n for other, theirs in parts if other != place for n in theirs}
        who = _names_raters(table, [n for n in names if n not in here], others)
        kinds = {kind_of(n) for n in here} - {None} or {kind_of(stem_of(place))}
        kind = who[1] if who else kinds.pop() if len(kinds) == 1 else None
        shared = any(set(here) & set(other) for other in mine if other is not here)
        if kind is None or (len(here) > 1 and (who or shared)):
            return []
        found.append(Apart(file, here, who[0] if who else None, kind, called))
    if not {one.kind for one in found} > {"judge"}:
        return []
    shared_by = {n: sum(n in one.ratings for one in found) for n in every}
    some_share = any(1 < number < len(found) for number in shared_by.values())
    named_in = sum(one.rater is not None for one in found)
    return found if some_share or 0 < named_in < len(found) or _of_other_names(found) else []


def _of_other_names(found: Sequence[Apart]) -> bool:
    """Whether every file names its raters and its ratings in columns of its own."""
    names = [(one.rater, *one.ratings) for one in found]
    return all(one.rater for one in found) and len({*names}) == len(names)


def _names_raters(
    table: Table, columns: Sequence[str], others: Collection[str]
) -> tuple[str, str] | None:
    """The column that names raters and their kind: `annotator`, or `model` with names of models,
    where no other file has it."""
    for name in columns:
        column = table.columns.get(name)
        if column is None or column.rating or not 0 < len(column.labels) <= _MOST_RATERS:
            continue
        if plain_name(name) in {*NAMED_RATERS, *SYNONYMS["rater"]}:
            return name, kind_of(name) or _kind_of_labels(column) or "human"
        models = plain_name(name) in SYNONYMS["system"] and _kind_of_labels(column) == "judge"
        if models and name not in others:
            return name, "judge"
    return None


def _kind_of_labels(column: Column) -> str | None:
    judges = [label for label in column.labels if kind_of(label) == "judge"]
    return "judge" if 2 * len(judges) >= len(column.labels) else None


def each_in_its_way(table: Table, shape: Shape, draft: Draft, found: Sequence[Apart]) -> None:
    """Cells of all files. Where a column names the raters of a file, or several files share a
    column, its cell does not say whose it is, but the row or the file does."""
    columns = list(dict.fromkeys(one.rater for one in found if one.rater))
    if columns:
        shape.columns["rater"] = columns[0] if len(columns) == 1 else columns
    for one in found:
        verb = "holds" if len(one.ratings) == 1 else "hold"
        said = persons(one.kind)
        alone = len(one.ratings) == 1
        shared = any({*one.ratings} & {*other.ratings} for other in found if other is not one)
        if one.rater:
            said = f"{said} that {named(one.rater)} names"
            shape.cells[one.ratings[0]] = {"kind": one.kind}
        elif shared:
            said = f"one {person(one.kind)}, called {named(one.called)}"
            shape.cells[one.ratings[0]] = {"kind": one.kind}
            shape.files[one.file] = {"rater": one.called}
        else:
            named_ = one.called if alone and not kind_of(one.ratings[0]) else None
            shape.cells |= {n: {"rater": named_ or n, "kind": one.kind} for n in one.ratings}
        place = f" in {named(one.file)}" if shared else ""
        draft.assume(Weight.WHO, f"{some(list(one.ratings))}{place} {verb} the ratings of {said}")
        shape.used += [used_of(table, n, one.kind) for n in one.ratings]
    _kinds_by_file(shape, found)


def _kinds_by_file(shape: Shape, found: Sequence[Apart]) -> None:
    """A column that people and judges share: the kind is the file's."""
    for name in dict.fromkeys(n for one in found for n in one.ratings):
        mine = [one for one in found if name in one.ratings]
        if len({one.kind for one in mine}) > 1:
            del shape.cells[name]["kind"]
            for one in mine:
                shape.files.setdefault(one.file, {})["kind"] = one.kind
            if not shape.cells[name]:
                del shape.cells[name]
                shape.columns["value"] = name


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
