"""Pairs of systems that no name tells: a column names one of two others' cells in every row.

`left, right, winner` or `method_1, baseline, preferred` are pairs by what they hold: the winner is
one of the two that stand in its row, or nobody.
"""

from __future__ import annotations

from itertools import combinations

from goldassay.proposals.profile import Column, counted
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import ABSTAIN, INVALID, TIES, folded, words

__all__ = ["LOSERS", "best_of_several", "named_pair", "never_equal"]

#: Words of columns that say who won, and who did not.
_WINNERS = frozenset(
    [
        *("winner", "winners", "winning", "won", "preferred", "preference", "better", "best"),
        *("chosen", "choice", "vote", "picked", "pick", "favored", "favoured", "verdict"),
    ]
)
LOSERS = frozenset(["loser", "losers", "losing", "lost", "rejected", "worse", "worst"])
#: Systems that a column may name, and columns that are looked at.
_MOST_NAMES, _MOST_COLUMNS = 60, 12
#: The share of rows in which the two sides must differ.
_NEARLY_ALL = 0.9


def named_pair(table: Table) -> tuple[str, str] | None:
    """The two columns whose cells a column of winners names, row by row; None without such."""
    names = {name: _names(column) for name, column in table.columns.items()}
    names = {name: mine for name, mine in names.items() if 0 < len(mine) <= _MOST_NAMES}
    says = {n for n in names if {*words(n)} & (_WINNERS | LOSERS)}
    sides = [name for name in names if name not in says][:_MOST_COLUMNS]
    winners = [n for n in names if n in says and not {*words(n)} & LOSERS and len(names[n]) > 1]
    for winner in winners[:2]:
        for one, two in combinations(sides, 2):
            if names[winner] <= names[one] | names[two] and _names_one(table, winner, one, two):
                return one, two
    return None


def best_of_several(table: Table) -> tuple[str, list[str]] | None:
    """The column that names the best of three others' cells or more in nearly every row, and these
    (best and worst of a set); None without such."""
    names = {n: _names(c) for n, c in table.columns.items()}
    best = [
        n for n, mine in names.items() if mine and {*words(n)} & {"best", "most", "worst", "least"}
    ]
    for name in best[:1]:
        sets = [n for n, mine in names.items() if n not in best and mine & names[name]]
        sets = sets[:_MOST_COLUMNS]
        found = counted(table.source, name, *sets) if len(sets) > 2 else {}
        rows = sum(n for (said, *_), n in found.items() if said)
        shown_ = sum(
            n for (said, *shown), n in found.items() if said and folded(said) in map(folded, shown)
        )
        if shown_ and shown_ >= _NEARLY_ALL * rows:  # what is not shown is refused, with its row
            return name, sets
    return None


def never_equal(table: Table, one: str, two: str, share: float = _NEARLY_ALL) -> bool:
    """Whether two columns differ in nearly all rows, as two systems do and two raters do not."""
    rows = same = 0
    for (first, second), n in counted(table.source, one, two).items():
        if first and second:
            rows += n
            same += n if folded(first) == folded(second) else 0
    return rows > 0 and rows - same >= share * rows


def _names(column: Column) -> set[str]:
    """The names that a column may hold: words, short, not one for each row."""
    if column.numeric or column.text or column.times or (column.unique and column.rows > 2):
        return set()
    return {folded(label) for label in column.labels} - TIES - ABSTAIN - INVALID


def _names_one(table: Table, winner: str, one: str, two: str) -> bool:
    won = {one: 0, two: 0}
    for (said, *sides), rows in counted(table.source, winner, one, two).items():
        label = folded(said)
        first, second = (folded(side) for side in sides)
        if not label or label in TIES | ABSTAIN | INVALID:
            continue
        if first == second or label not in (first, second):
            return False
        won[one if label == first else two] += rows
    return all(won.values())
