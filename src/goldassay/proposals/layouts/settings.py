"""What rows were made with, and rates nothing: it says one thing in all of them."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.proposals.layouts.column_names import CALLED_RATINGS, about_of, asks
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import VERDICTS, kind_of, number, words

__all__ = ["without_settings"]

#: Rows in which a second label would be seen.
_ENOUGH = 10
#: Words of a column that holds what somebody said of an item, be it always the same.
_RATED = CALLED_RATINGS | frozenset(
    ["decision", "value", "vote", "winner", "preference", "pass", "passed", "correct"]
)


def without_settings(table: Table, names: Sequence[str]) -> list[str]:
    """The columns without those that say one thing in every row and are not called ratings.

    Under a rater's word these are settings, if nobody else was asked what the name says, and no
    rater of that kind anything (`judge_params_b`: 7; `used_real_llm`: false). Where no column says
    two things, none of them is a rating (`category`: violence; `answer` and `reference` of one
    question).
    """
    same = [n for n in names if _says_one_thing(table, n)]
    unsaid = [n for n in same if not {*words(n)} & _RATED and not asks(n)]
    if len(unsaid) == len(names):
        return [n for n in names if kind_of(n) in ("human", "judge") and not _says_who(table, n)]
    others = {n: {*about_of(n)} for n in table.columns if kind_of(n)}
    settings = [
        n
        for n in unsaid
        if kind_of(n)
        and (about := {*about_of(n)})
        and not any(about <= theirs for other, theirs in others.items() if other != n)
        and not any(kind_of(n) == kind_of(other) for other in names if other not in unsaid)
    ]
    settings += [n for n in unsaid if not about_of(n) and _says_who(table, n)]
    return [name for name in names if name not in settings]


def _says_who(table: Table, name: str) -> bool:
    """Whether a judge's column holds a word that is no verdict: what it is called (`detector`:
    nli)."""
    words_ = [x for x in table.folds(name) if x not in VERDICTS and number(x) is None]
    return kind_of(name) == "judge" and any(len(one) > 1 for one in words_)  # `x` is a mark


def _says_one_thing(table: Table, name: str) -> bool:
    column = table.columns[name]
    return len(column.labels) == 1 and column.filled >= _ENOUGH
