"""Choices among several, and orders of several, as a row for each pair (`[file] pairs`).

A row that shows four members, of which one was called the best and one the worst, says who wins in
five of the six pairs: the best wins over every other, and every other over the worst. Of the two
between them nothing was said. An order (`B > A > C`) says who wins in all of its pairs. What was
said in one row goes together: the row stays the item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from goldassay.errors import SourceError, listed
from goldassay.sources.engine import kept, named, queried, quoted

__all__ = ["ABOVE", "BETWEEN", "MOST_MEMBERS", "SET", "with_pairs"]

#: The column that tells apart what was chosen from: its members, or the row of an order.
SET = "set"

#: What stands between the columns of the best and the worst, and between the members of an order.
BETWEEN, ABOVE = " > ", r"\s*[>≻]\s*"
#: The most members of a row: of more, pairs would be too many rows.
MOST_MEMBERS = 12


def with_pairs(relation: Any, pairs: Mapping[str, str], members: Sequence[str], place: str) -> Any:
    """The table with a row for each pair of members: `system`, `opponent`, and for each rater a
    column that says which of the two wins, the `first` or the `second`, or nothing."""
    used = {name: said.split(BETWEEN) for name, said in pairs.items()}
    asked = [*members, *(column for columns in used.values() for column in columns)]
    if not set(asked) & set(relation.columns):
        return relation  # another file's
    lacking = [name for name in asked if name not in relation.columns]
    if lacking:
        raise SourceError(
            place,
            f"[file] pairs: must have the columns {listed(lacking)}; it has "
            f"{listed(list(relation.columns)[:8])}",
        )
    rest = [named(name) for name in relation.columns if name not in asked]
    if SET not in relation.columns:
        texts = ", ".join(f"trim({named(name)})" for name in members)
        which = f"array_to_string(list_sort([{texts}]), ' | ')"
        which = which if members else "'row ' || row_number() OVER ()"
        rest.append(named(SET))
        relation = relation.project(f"*, {which} AS {named(SET)}")
    shown = [f"trim({named(name)})" for name in members]
    shown = shown or [quoted(one) for one in _ordered(relation, used, place)]
    if len(shown) < 2 or len(shown) > MOST_MEMBERS:
        raise SourceError(
            place,
            f"[file] pairs: a row must have from 2 to {MOST_MEMBERS} members",
            found=f"{len(shown)}",
        )
    if members:
        _check_chosen(relation, used, members, place)
    says = _chosen if members else _above

    def query(rows: str) -> str:
        return " UNION ALL ".join(
            f"SELECT {', '.join([*rest, f'{one} AS system', f'{two} AS opponent'])}, "
            + ", ".join(f"{says(columns, one, two)} AS {named(n)}" for n, columns in used.items())
            + f" FROM {rows}"
            for one, two in combinations(shown, 2)
        )

    return kept(queried(relation, query))


def _check_chosen(
    relation: Any, used: Mapping[str, Sequence[str]], members: Sequence[str], place: str
) -> None:
    """Refuse a choice that is none of what its row shows: nothing could be made of it."""
    shown = ", ".join(f"trim({named(name)})" for name in members)
    counted = relation.project("row_number() OVER () AS row_, *")
    for column in dict.fromkeys(name for columns in used.values() for name in columns):
        cell = f"trim({named(column)})"
        odd = counted.filter(f"{cell} <> '' AND coalesce({cell} NOT IN ({shown}), true)")
        first = odd.order("row_").limit(1).project(f"row_, {cell}, [{shown}]").fetchall()
        if first:
            rows = int(odd.aggregate("count(*)").fetchall()[0][0])
            more = f", and {rows - 1:,} more" if rows > 1 else ""
            raise SourceError(
                place,
                f"[file] pairs: {column!r} must be one of what its row shows "
                f"({listed([str(one) for one in first[0][2]])})",
                found=f"{first[0][1]!r} in row {first[0][0]:,}{more}",
                next_step="Mend it, or leave the cell empty where nothing was chosen",
            )


def _chosen(columns: Sequence[str], one: str, two: str) -> str:
    """Who wins of two members by the column of the best, and of the worst where there is one."""
    best, *worst = (f"trim({named(name)})" for name in columns)
    cases = f"WHEN {best} = {one} THEN 'first' WHEN {best} = {two} THEN 'second'"
    if not worst:
        return f"CASE {cases} END"
    cases += f" WHEN {worst[0]} = {one} THEN 'second' WHEN {worst[0]} = {two} THEN 'first'"
    return f"CASE WHEN {best} = {worst[0]} THEN NULL {cases} END"  # both says nothing


def _above(columns: Sequence[str], one: str, two: str) -> str:
    """Who stands before the other in an order."""
    order = _members(columns[0])
    places = [f"list_position({order}, {member})" for member in (one, two)]
    first, second = places
    return f"CASE WHEN {first} < {second} THEN 'first' WHEN {first} > {second} THEN 'second' END"


def _ordered(relation: Any, used: Mapping[str, Sequence[str]], place: str) -> list[str]:
    """All members that the orders name."""
    several = [name for name, columns in used.items() if len(columns) > 1]
    if several:
        raise SourceError(
            place, f"[file] pairs: must name members of {listed(several)} in [file] members"
        )
    lists = [
        relation.project(f"unnest({_members(columns[0])}) AS member") for columns in used.values()
    ]
    found = {row[0] for one in lists for row in one.distinct().limit(1000).fetchall()}
    return sorted(member for member in found if member)


def _members(column: str) -> str:
    return f"string_split_regex(trim({named(column)}), {quoted(ABOVE)})"
