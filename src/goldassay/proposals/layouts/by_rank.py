"""Ranks of systems, a column for each rater and system: `human_rank_llama`, or `rank_a` of a file.

In every row a rater puts the systems in an order, 1 the best. The ranks are grades whose order runs
from the last place to the first, so that a better system has a higher grade.
"""

from __future__ import annotations

from collections.abc import Mapping

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.kinds_of_raters import kinds_of_raters
from goldassay.proposals.layouts.who_rated import rater_column
from goldassay.proposals.shape import Shape, Table, person, some, used_of
from goldassay.ratings.vocabulary import RANKS, kind_of, number, plain_name
from goldassay.words import named

__all__ = ["by_rank", "ranked_systems"]


def ranked_systems(table: Table) -> dict[str, dict[str, str]]:
    """Column -> rater, kind and system, where columns hold the ranks of two systems or more, every
    rater those of all; else nothing. Where the names say nothing of a rater there is none."""
    parts = {
        name: parts
        for name, column in table.columns.items()
        if column.numeric and (parts := _parts(table.own(name))) is not None
    }
    for who, system in ((0, 1), (1, 0)):
        by: dict[str, dict[str, str]] = {}
        for name, one in parts.items():
            by.setdefault(one[who], {})[one[system]] = name
        kinds = {one: kind_of(one) for one in by}
        alone = len(by) == 1 and not next(iter(by), "")
        if not by or not (alone or all(kinds.values())) or not _same_systems(table, by):
            continue
        return {
            name: ({"rater": one, "kind": str(kinds[one])} if one else {}) | {"system": system_}
            for one, mine in by.items()
            for system_, name in mine.items()
        }
    return {}


def _parts(name: str) -> tuple[str, str] | None:
    """What stands before and after the word for a rank; None without one.

    >>> _parts("human_rank_llama"), _parts("rank_a"), _parts("frank")
    (('human', 'llama'), ('', 'a'), None)
    """
    said = plain_name(name).split("_")
    at = [place for place, word in enumerate(said) if word in RANKS]
    return ("_".join(said[: at[0]]), "_".join(said[at[0] + 1 :])) if len(at) == 1 else None


def _same_systems(table: Table, by: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether every rater ranks the same two systems or more, from 1 to as many as they are."""
    systems = {frozenset(mine) for mine in by.values()}
    if len(systems) != 1 or len(next(iter(systems))) < 2 or "" in next(iter(systems)):
        return False
    for mine in by.values():
        values = {number(label) for name in mine.values() for label in table.columns[name].labels}
        if not values <= {float(place) for place in range(1, len(mine) + 1)} or 1.0 not in values:
            return False
    return True


def by_rank(table: Table, shape: Shape, draft: Draft, cells: Mapping[str, dict[str, str]]) -> None:
    """A column for each rater and system; or for each system, and the row or file says who."""
    systems = list(dict.fromkeys(cell["system"] for cell in cells.values()))
    unnamed = not any("rater" in cell for cell in cells.values())
    rater = rater_column(table, shape, list(cells)) if unnamed else None
    file = {"rater": table.stem, "kind": kind_of(table.stem) or "human"}
    cells = {n: (file if unnamed and rater is None else {}) | cell for n, cell in cells.items()}
    shape.cells = {name: dict(cell) for name, cell in cells.items()}
    if rater is not None:
        shape.columns["rater"] = rater
        kinds_of_raters(table, rater, shape, draft)
    raters = {cell["rater"]: cell["kind"] for cell in cells.values() if "rater" in cell}
    said = " and ".join(f"{named(who)} (a {person(kind)})" for who, kind in raters.items())
    draft.assume(
        Weight.WHO,
        f"{some(list(cells))} hold the ranks that {said or 'the rater of the row'} gave to "
        f"{some(systems)}",
    )
    shape.used = [used_of(table, name, cell.get("kind", "human")) for name, cell in cells.items()]
