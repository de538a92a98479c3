"""Columns that name nobody and cannot be people's: criteria, numbers that were computed, lists of
who was compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldassay.proposals.layouts.named_pairs import never_equal
from goldassay.proposals.layouts.one_scale import declared_scale, is_computed
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import STATISTICS, folded, plain_name, words

__all__ = ["are_statistics", "cannot_be_people", "name_raters"]

_JUDGES = frozenset(["judge", "judges", "grader", "autograder"])
#: The fewest rows in which two people who share labels would agree once.
_ENOUGH = 10


def cannot_be_people(table: Table, names: Sequence[str]) -> bool:
    """Whether columns are named after what is rated: in sentences, or with the scale that they are
    on; or stand in a file of a judge's scores; or are what each worker answered in a row, in a
    crowd platform's export (`Answer.fluency`)."""
    if {*words(table.stem)} & _JUDGES:
        return True
    if all(table.own(name).startswith("Answer.") for name in names):
        return True
    said = [name for name in names if declared_scale(table.own(name)) or _is_a_sentence(name)]
    return 2 * len(said) > len(names)


def _is_a_sentence(name: str) -> bool:
    """Three words or more, none of them a number: `Diagram is fully in frame`."""
    parts = plain_name(name).split("_")
    return len(parts) > 2 and " " in name.strip() and not any(part.isdigit() for part in parts)


def are_statistics(table: Table, names: Sequence[str]) -> bool:
    """Whether all columns are named after what was computed of ratings (`mean_kappa`), or one is
    and all were computed (`kappa` beside `rate_a` and `rate_b`); or some column, whatever else is
    there, holds what no single item has (`weighted_kappa`, `macro_f1`)."""
    if any(_is_of_many(name, column) for name, column in table.columns.items()):
        return True
    called = [name for name in names if {*words(name)} & STATISTICS]
    computed = all(is_computed(table.columns[name]) for name in names)
    return bool(called) and (computed or len(called) == len(names))


#: What is computed of many ratings; of many verdicts, under a word for how classes were weighed.
_OF_MANY = frozenset(["kappa", "krippendorff", "icc", "kendall", "spearman", "pearson"])
_OF_CLASSES, _WEIGHED = (
    frozenset(["f1", "precision", "recall"]),
    frozenset(["macro", "micro", "weighted"]),
)


def _is_of_many(name: str, column: Column) -> bool:
    """Broken numbers, more than one, under a name of what is computed of many."""
    said = {*words(name)}
    called = said & _OF_MANY or (said & _OF_CLASSES and said & _WEIGHED)
    broken = sum("." in label for label in column.labels)
    return bool(called) and column.numeric and len(column.labels) > 1 and broken > 1


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
