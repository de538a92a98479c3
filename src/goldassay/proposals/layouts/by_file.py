"""A file for each rater, or for people and for a judge, with the same columns of criteria.

`human_ratings.csv` and `llm_judge_results.csv` both hold `clarity` and `safety`: who rated is what
the files are called, or a column that some of them have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.used import Used
from goldassay.proposals.layouts.by_criterion import NO_CRITERION
from goldassay.proposals.layouts.by_text import systems_by_criterion, tell_systems
from goldassay.proposals.layouts.column_names import are_criteria, asks
from goldassay.proposals.layouts.summed_up import sum_of_criteria
from goldassay.proposals.profile import MANY
from goldassay.proposals.shape import (
    Shape,
    Table,
    person,
    raters_of_files,
    some,
    some_asked,
    stem_of,
)
from goldassay.ratings.vocabulary import kind_of
from goldassay.words import named

__all__ = ["by_file", "criteria_of_files"]


def criteria_of_files(table: Table, rater: str | None, ratings: Sequence[str]) -> list[str]:
    """The columns that all files hold ratings in, where no column of all of them says who rated,
    and two or more files say it by their names; else nothing."""
    parts = table.source.parts
    if len(parts) < 2 or (rater is not None and all(rater in names for _, names in parts)):
        return []
    everywhere = [n for n in ratings if all(n in names for _, names in parts)]
    kinds = {_kind(table, place, rater, names) for place, names in parts}
    if len(kinds - {None}) > 1 and systems_by_criterion(everywhere):
        return everywhere  # `gpt-4o_tone`: a system that was rated, since files say who rated
    shared = [n for n in everywhere if kind_of(n) is None]
    if len(shared) < 2 or len(kinds - {None}) < 2:
        return []
    own = [n for n in ratings if n not in shared and kind_of(n)]
    return shared if not own or are_criteria(shared) else []


def _kind(table: Table, place: str, rater: str | None, names: Sequence[str]) -> str | None:
    """What a file's name says its rater is; else that a column of its own names people."""
    said = kind_of(stem_of(place))
    return said or ("human" if rater is not None and rater in names else None)


def by_file(
    table: Table, shape: Shape, draft: Draft, found: tuple[str | None, Sequence[str], Sequence[str]]
) -> None:
    """The criteria of every file; who rated is its name, or the column that it has."""
    rater, criteria, ratings = found
    criteria = list(criteria)
    if (total := sum_of_criteria(table, criteria)) is not None:
        criteria = [name for name in criteria if name != total]
        draft.assume(Weight.COLUMNS, f"{named(total)} sums the others up, and is left out")
    odd = [n for n in criteria if not asks(n) and not _alike(table, n, criteria)]
    rest = [n for n in ratings if n not in criteria] + odd
    criteria = [n for n in criteria if n not in odd]
    if rest:
        draft.ask(some_asked(rest, *NO_CRITERION))
    called = raters_of_files(table)
    for (place, names), (file, whose) in zip(table.source.parts, called.items(), strict=True):
        kind = _kind(table, place, rater, names) or "human"
        shape.files[file] = {"kind": kind}
        if rater is None or rater not in names:
            shape.files[file]["rater"] = whose
        shape.used += [
            Used(f"{name} of {whose}", kind, labels, len(labels) > MANY)
            for name in criteria
            for labels in [table.columns[name].labels]
        ]
        who = f"one {person(kind)}, called {named(whose)}"
        who = who if "rater" in shape.files[file] else f"those whom {named(str(rater))} names"
        draft.assume(Weight.WHO, f"{named(file)} holds the ratings of {who}")
    if rater is not None:
        shape.columns["rater"] = rater
    if cells := systems_by_criterion(criteria):
        shape.cells = cells
        tell_systems(cells, draft)
        return
    shape.cells = {name: {"criterion": name} for name in criteria}
    draft.assume(
        Weight.COLUMNS,
        f"{some(criteria, 30)} are criteria, each with a rating in every row of every file",
    )


def _alike(table: Table, name: str, others: Sequence[str]) -> bool:
    mine: Mapping[str, int] = table.columns[name].labels
    return any({*mine} & {*table.columns[one].labels} for one in others if one != name)
