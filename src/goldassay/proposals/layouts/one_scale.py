"""Columns that name nobody and are on different scales: one declaration cannot hold for all.

Whether they are raters or criteria, what is read together must mean the same: numbers of one range,
or labels of which some are shared. Where one scale has more columns than any other, these are read
and the others asked about; else which column is meant is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from goldassay.proposals.draft import Draft
from goldassay.proposals.layouts.column_names import CALLED_RATINGS, NO_LABELS, asks
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import Table, some
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    INVALID,
    SYNONYMS,
    folded,
    kind_of,
    number,
    plain_name,
    polarity,
    words,
)
from goldassay.words import listed, named

__all__ = [
    "alike",
    "ask_which_scale",
    "criteria_of",
    "declared_scale",
    "groups_of",
    "is_computed",
    "of_one_scale",
]

#: How many times larger a range may be than another, where one of them is above ten.
_TIMES = 3
#: `Accuracy (0-4)`, `Fabrication (None/Minor/Severe)`: what a name says that its cells hold.
_RANGE = re.compile(r"\(\s*(-?\d+)\s*(?:-|–|—|to|\.\.)\s*(\d+)\s*\)")
_ENDS = re.compile(r"[_\s](\d)[_\s](\d{1,3})$")
_CHOICES = re.compile(r"\(\s*([^()/|]+(?:[/|][^()/|]+)+)\s*\)")
_SHOWN = 3


def of_one_scale(
    table: Table, names: Sequence[str], draft: Draft, *, sure: bool = False
) -> list[str]:
    """Those of the columns that share a scale; what is left out is asked about. Where no scale has
    more columns than another, which is meant is asked, unless some may be read for `sure`."""
    constant = [name for name in names if len(table.columns[name].labels) < 2]
    groups = groups_of(table, [name for name in names if name not in constant])
    groups = [part for group in groups for part in _by_largest(table, group)]
    if len(groups) < 2:
        strange = [n for n in constant if groups and not alike(table, n, groups[0][0])]
        _ask_of_grades(table, groups, [name for name in strange if asks(name)], draft)
        return [name for name in names if name not in strange]
    groups.sort(key=lambda group: (-len(group), names.index(group[0])))
    groups = _without_computed(table, groups)
    valued = [group for group in groups if any(_is_a_label(table, name) for name in group)]
    best = valued[0] if len(valued) == 1 else groups[0]
    constant = [name for name in constant if alike(table, name, best[0])]
    best = [*best, *constant]
    rest = [name for name in names if name not in best and len(table.columns[name].labels) > 1]
    more = len(groups) == 1 or len(best) - len(constant) > len(groups[1])
    if sure or len(valued) == 1 or more:
        if rest:
            verb, they = ("Does", "It is") if len(rest) == 1 else ("Do", "They are")
            scale = "on another scale, and not read"
            draft.ask(f"{verb} {some(rest)} hold ratings too? {they} {scale}", left_out=rest)
        return [name for name in names if name in best]
    ask_which_scale(table, groups, draft)
    return [name for name in names if name in best]


def ask_which_scale(table: Table, groups: Sequence[Sequence[str]], draft: Draft) -> None:
    """Which of the columns on different scales hold the ratings; several of one are criteria."""
    groups = sorted(groups, key=len, reverse=True)
    said = [f"{named(one[0])} has {_some_of(table.columns[one[0]])}" for one in groups[:2]]
    draft.lack(
        f"Which column holds the ratings? They are on different scales: {' and '.join(said)}",
        *(
            {"columns": {"value": table.own(one[0])}}
            if len(one) == 1
            else criteria_of(table, one, draft)
            for one in groups[:2]
        ),
    )


def criteria_of(table: Table, names: Sequence[str], draft: Draft) -> dict[str, Any]:
    """The answer that columns are criteria of one rater, who is called as the file is."""
    kind = draft.declared.table("constants").get("kind") or kind_of(table.stem) or "human"
    who = {"rater": table.stem, "kind": kind}
    return {"columns": {"criterion": [table.own(name) for name in names]}, "constants": who}


def _without_computed(table: Table, groups: list[list[str]]) -> list[list[str]]:
    """The groups without those most of which were computed, by their decimals, where another one is
    called after ratings (`score_tone`: 4, beside `cosine_tone`: 0.8312)."""
    made = [g for g in groups if 2 * sum(is_computed(table.columns[n]) for n in g) > len(g)]
    called = [g for g in groups if g not in made and all({*words(n)} & CALLED_RATINGS for n in g)]
    return [g for g in groups if g not in made] if called else groups


#: Decimals that nobody writes by hand.
_DECIMALS = re.compile(r"\.\d{4,}$")


def is_computed(column: Column) -> bool:
    """Whether most of a column's numbers have more decimals than people write."""
    long = [label for label in column.labels if _DECIMALS.search(label.strip())]
    return column.numeric and 2 * len(long) > len(column.labels) > 2


def _ask_of_grades(
    table: Table, groups: Sequence[Sequence[str]], grades: Sequence[str], draft: Draft
) -> None:
    """Several columns that are called after what is rated and say one thing each, beside one that
    is not called so: which holds the ratings is asked."""
    if len(grades) < 2 or any(map(asks, groups[0])):
        return
    draft.lack(
        f"Which columns hold the ratings? {some(grades)} are called after what is rated, and each "
        f"says one thing in all rows; {some(groups[0])} does not",
        criteria_of(table, grades, draft),
        {"columns": {"value": table.own(groups[0][0])}},
    )


def _is_a_label(table: Table, name: str) -> bool:
    """A name that says: here is the label; of a member of a record, its last word."""
    last = plain_name(table.own(name).rpartition(".")[2])
    return last in SYNONYMS["value"] and last not in NO_LABELS


def declared_scale(name: str) -> tuple[str, ...] | None:
    """What a name says in brackets that its cells hold: the ends of a range, or the labels.

    >>> declared_scale("Accuracy (0-4)"), declared_scale("quality_1_5"), declared_scale("x")
    (('0', '4'), ('1', '5'), None)
    >>> declared_scale("label(neg/neu/pos)")
    ('neg', 'neu', 'pos')
    """
    if match := _RANGE.search(name) or _ENDS.search(name):
        return match[1], match[2]
    if match := _CHOICES.search(name):
        return tuple(folded(one) for one in re.split(r"[/|]", match[1]))
    return None


def groups_of(table: Table, names: Sequence[str]) -> list[list[str]]:
    """The columns in groups, of which each is alike to another one of its group."""
    groups: list[list[str]] = []
    for name in names:
        mine = [g for g in groups if any(alike(table, name, other) for other in g)]
        rest = [group for group in groups if group not in mine]
        groups = [*rest, [*(one for group in mine for one in group), name]]
    return groups


#: So many columns that end at one number are on a scale that ends there.
_SEVERAL = 3


def _by_largest(table: Table, names: Sequence[str]) -> list[list[str]]:
    """The columns of whole numbers apart from those that go twice as far (`overall`: 9), where
    several others all end at one number (5)."""
    ends: dict[float, list[str]] = {}
    for name in names:
        values = [number(label) for label in _labels(table.columns[name])]
        whole = [v for v in values if v is not None and v % 1 == 0]
        if len(whole) < len(values) or not whole:
            return [list(names)]
        ends.setdefault(max(whole), []).append(name)
    first, *rest = sorted(ends)
    apart = len(ends[first]) >= _SEVERAL and first > 1 and rest and rest[0] >= 2 * first
    beyond = [name for end in rest for name in ends[end]] if apart else []
    return [[n for n in names if n not in beyond], beyond] if beyond else [list(names)]


def alike(table: Table, name: str, other: str) -> bool:
    """Whether two columns may be on one scale, by what their names declare and what they hold."""
    said = declared_scale(table.own(name)), declared_scale(table.own(other))
    if said[0] and said[1]:
        return said[0] == said[1]
    one, two = _labels(table.columns[name]), _labels(table.columns[other])
    if not one or not two or (min(len(one), len(two)) == 1 and (one <= two or two <= one)):
        return True
    numbers = [[v for label in labels if (v := number(label)) is not None] for labels in (one, two)]
    whole = [len(values) == len(labels) for values, labels in zip(numbers, (one, two), strict=True)]
    if all(whole):
        return _of_one_range(*numbers)
    verdicts = [
        labels <= {"0", "1"} or all(any(polarity(w)) for w in labels) for labels in (one, two)
    ]
    return bool(one & two) or all(verdicts)


def _of_one_range(one: Sequence[float], two: Sequence[float]) -> bool:
    if (min(one) < 0) != (min(two) < 0):
        return False
    binary = [{*values} == {0.0, 1.0} for values in (one, two)]
    if binary[0] != binary[1]:
        return not any(max(values) > 1 for values in (one, two))
    shares = [max(map(abs, values)) <= 1 and any(v % 1 for v in values) for values in (one, two)]
    if shares[0] != shares[1] and max(*one, *two) > 1:  # fractions of 1 are no grades
        return False
    small, large = sorted((max(map(abs, one)), max(map(abs, two))))
    return large <= 10 or large <= _TIMES * small


def _labels(column: Column) -> set[str]:
    folds = {folded(label) for label in column.labels}
    return (folds - ABSTAIN - INVALID) | ({"-1"} & folds)


def _some_of(column: Column) -> str:
    labels = sorted(column.labels, key=lambda one: (number(one) is None, number(one) or 0.0, one))
    shown = listed([named(one) for one in labels[:_SHOWN]])
    return shown + (" and more" if len(labels) > _SHOWN else "")
