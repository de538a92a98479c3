"""Columns that belong to others by how they are called, or by where they stand, whatever else
their names mean: `score_cost` beside `score_tone`, and a question whose answer never differs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from goldassay.proposals.layouts.column_names import is_aside, is_called_otherwise, is_flag
from goldassay.proposals.layouts.numbered_names import numbered_name
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import GENERIC, kind_of, number, plain_name, words

__all__ = ["never_differing", "with_siblings"]

#: First or last words of columns that hold grades, whatever they are of: `score_cost`.
_GRADES = frozenset(["grade", "rating", "score"])
#: So many columns of one first word, or side by side, are a list of what was asked.
_FAMILY = 3


def with_siblings(table: Table, found: Sequence[str], taken: Collection[str]) -> list[str]:
    """The columns of ratings, with those that are called as they are and use their labels."""
    every = list(found)
    for way in (_of_one_beginning, _of_one_end, _by_letter, _between, _as_raters_are):
        every += [n for n in way(table, every) if n not in every and n not in taken]
    return every


def _of_one_beginning(table: Table, found: Sequence[str]) -> Iterator[str]:
    """Those that are called as three others or more are (`err_language` beside `err_facts`), or two
    that are called grades."""
    heads: dict[str, list[str]] = {}
    for name in found:
        head, _, rest = plain_name(name).partition("_")
        if rest:
            heads.setdefault(head, []).append(name)
    for name, column in table.columns.items():
        head = plain_name(name).partition("_")[0]
        kin = heads.get(head, [])
        many = len(kin) >= _FAMILY or (len(kin) > 1 and column.few and head in _GRADES)
        plain = not is_aside(head) and not {*words(name)} & {"threshold", "thresholds"}
        if many and plain and _uses_labels_of(table, name, kin):
            yield name


def _of_one_end(table: Table, found: Sequence[str]) -> Iterator[str]:
    """Those that are called grades, as two others or more that name nobody (`agreement_score`), or
    end in the word for who rated as three others or more do (`justification_human`)."""
    ends: dict[str, list[str]] = {}
    for name in table.columns:
        head, _, last = plain_name(name).rpartition("_")
        if head and kind_of(last):
            ends.setdefault(last, []).append(name)
    for names in ends.values():
        mine = [name for name in names if name in found]
        if len(mine) >= _FAMILY:
            yield from (n for n in names if _uses_labels_of(table, n, mine))
    called = [n for n in table.columns if kind_of(n) is None and {*words(n)[-1:]} & _GRADES]
    kin = [name for name in called if name in found]
    yield from (n for n in called if len(kin) > 1 and _uses_labels_of(table, n, kin))


def _by_letter(table: Table, found: Sequence[str]) -> Iterator[str]:
    """Those that are called as two others or more but for one letter (`z` beside `x` and `y`):
    somebody's initial, whatever else the letter may mean."""
    forms: dict[str, list[str]] = {}
    for name in table.columns:
        forms.setdefault(re.sub(r"(?<![^_])[a-z](?![^_])", "?", plain_name(name)), []).append(name)
    for form, names in forms.items():
        kin = [name for name in names if name in found]
        if "?" in form and len(kin) > 1:
            yield from (name for name in names if _uses_labels_of(table, name, kin))


def _between(table: Table, found: Sequence[str]) -> Iterator[str]:
    """Those that say one thing in every row and stand in a run of others that name nobody and use
    that label: one more question, whose answer was always the same."""
    names = list(table.columns)
    unnamed = [n for n in found if kind_of(n) is None and table.columns[n].few]
    for at, name in enumerate(names):
        column = table.columns[name]
        same = len(column.labels) == 1 and column.filled == column.rows
        beside = names[max(0, at - _FAMILY) : at + _FAMILY + 1] if same else []
        alike = [n for n in beside if n in unnamed and _uses_labels_of(table, name, [n])]
        plain = kind_of(name) is None and not is_aside(name) and not is_flag(name)
        if plain and len(alike) >= _FAMILY:
            yield name


def never_differing(table: Table, names: Collection[str], said: Collection[str]) -> Iterator[str]:
    """Of columns those that say one thing wherever they say anything, and one that raters say: a
    judge who passes everything, or a setting."""
    numbers = {number(label) for label in said} - {None}
    for name in names:
        only = table.columns[name].only
        if only is not None and (only in said or number(only) in numbers):
            yield name


def _as_raters_are(table: Table, found: Sequence[str]) -> Iterator[str]:
    """Those that never differ and are called as another is (`prompt_v3` beside `prompt_v1`); or
    that say a word and stand between two others, not both of which are called after a rater."""
    said = {label for name in found for label in table.folds(name)}
    names = list(table.columns)
    same = [*never_differing(table, [n for n in names if n not in found], said)]
    rest = [name for name in names if name not in same]
    for name in same:
        at = sum(names.index(one) < names.index(name) for one in rest)
        beside = [one for one in rest[max(0, at - 1) : at + 1] if one in found]
        inside = len(beside) > 1 and not all(map(kind_of, beside))
        word = table.columns[name].only not in _MARKS and not table.columns[name].numeric
        plain = kind_of(name) is None and not is_called_otherwise(name)
        if any(_called_alike(name, other) for other in found) or (inside and word and plain):
            yield name


#: What a mark of a row says.
_MARKS = frozenset(["true", "false"])
#: Words that tell a bound or a usual value from what was said; and words that many names have.
_BOUNDS = frozenset(
    ["default", "full", "max", "maximum", "min", "minimum", "possible", "target", "total", "usual"]
)
_IN_MANY = GENERIC | frozenset(["contains", "did", "has", "mentions", "n", "num", "was"])


def _called_alike(name: str, other: str) -> bool:
    """Whether two names are one but for a number or a letter at the end, or for a word that is
    none of a setting.

    >>> _called_alike("prompt_v3", "prompt_v1"), _called_alike("lenient_rubric", "strict_rubric")
    (True, True)
    >>> _called_alike("prompt_version", "prompt_text"), _called_alike("max_score", "judge_score")
    (False, False)
    """
    one, two = numbered_name(name), numbered_name(other)
    if one[0] and one[0] == two[0] and one[1] and two[1]:
        return True
    mine, theirs = plain_name(name).split("_"), plain_name(other).split("_")
    shared = {a for a, b in zip(mine, theirs, strict=False) if a == b}
    apart = [a for a, b in zip(mine, theirs, strict=False) if a != b]
    if len(mine) != len(theirs) or len(apart) != 1 or apart[0] in _BOUNDS:
        return False
    return bool(shared - _IN_MANY) and not is_called_otherwise(apart[0])


def _uses_labels_of(table: Table, name: str, others: Sequence[str]) -> bool:
    """Whether a column has labels, and no other than others have."""
    said = {label for other in others for label in table.folds(other)}
    return bool(table.folds(name)) and table.folds(name) <= said
