"""Columns that name nobody and cannot be people's: criteria, numbers that were computed, lists of
who was compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.layouts.named_pairs import never_equal
from goldassay.proposals.layouts.one_scale import declared_scale
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import STATISTICS, folded, plain_name, words

__all__ = ["are_statistics", "cannot_be_people", "is_computed", "name_raters"]

#: Decimals that nobody writes by hand.
_DECIMALS = re.compile(r"\.\d{4,}$")
_JUDGES = frozenset(["judge", "judges", "grader", "autograder"])
#: The fewest rows in which two people who share labels would agree once.
_ENOUGH = 10


def cannot_be_people(table: Table, names: Sequence[str]) -> bool:
    """Whether columns are named after what is rated: in sentences, or with the scale that they are
    on; or stand in a file of a judge's scores."""
    if {*words(table.stem)} & _JUDGES:
        return True
    said = [name for name in names if declared_scale(table.own(name)) or _is_a_sentence(name)]
    return 2 * len(said) > len(names)


def _is_a_sentence(name: str) -> bool:
    """Three words or more, none of them a number: `Diagram is fully in frame`."""
    parts = plain_name(name).split("_")
    return len(parts) > 2 and " " in name.strip() and not any(part.isdigit() for part in parts)


def is_computed(column: Column) -> bool:
    """Whether most of a column's numbers have more decimals than people write."""
    long = [label for label in column.labels if _DECIMALS.search(label.strip())]
    return column.numeric and 2 * len(long) > len(column.labels) > 2


def are_statistics(table: Table, names: Sequence[str]) -> bool:
    """Whether all columns are named after what was computed of ratings (`mean_kappa`), or one is
    and all were computed (`kappa` beside `rate_a` and `rate_b`)."""
    called = [name for name in names if {*words(name)} & STATISTICS]
    computed = all(is_computed(table.columns[name]) for name in names)
    return bool(called) and (computed or len(called) == len(names))


def name_raters(table: Table, roles: Mapping[str, str | None]) -> bool:
    """Whether two columns of raters hold names of who was compared: the same words, three or more,
    and never the same in a row."""
    if len(roles) != 2 or len({*roles.values()}) != 1:
        return False
    one, two = roles
    folds = [{folded(label) for label in table.columns[name].labels} for name in roles]
    words_only = not any(table.columns[name].numeric for name in roles)
    enough = min(table.columns[name].filled for name in roles) >= _ENOUGH
    shared = len(folds[0] & folds[1]) > 2
    return words_only and enough and shared and never_equal(table, one, two, 1.0)
