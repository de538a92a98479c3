"""People under pseudonyms, for what is shared: renamed in the table, so that every part follows.

Values stay what they are; where raters are drawn, they are drawn in another order, and an interval
moves as under another seed. The numbers are given in the order of digests of the names with those
of the data. Who has the data can tell who is who, and needs no pseudonym to do so; a list of the
names alone does not tell.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw

from goldassay.ratings.table import Census, Ratings
from goldassay.ratings.task import Task, Wide
from goldassay.results import Exclusion

__all__ = ["pseudonymous"]


def pseudonymous(ratings: Ratings) -> Ratings:
    """The same ratings with the raters that are people called "person 1", "person 2", ..."""
    named = _pseudonyms(ratings)
    if not named:
        return ratings
    person = nw.col("kind") == nw.lit("human")
    rater = nw.when(person).then(_renamed(sorted(named.items()))).otherwise(nw.col("rater"))
    counts = {
        (kind, named[rater] if kind == "human" else rater, state): rows
        for (kind, rater, state), rows in ratings.census.counts.items()
    }
    census = Census(ratings.census.rows, dict(sorted(counts.items())))
    # The only rows that a table leaves out before they are counted are those without a value.
    exclusions = tuple(
        Exclusion(one.reason, one.rows, {"rater": census.by_rater("empty")})
        for one in ratings.exclusions
    )
    return replace(
        ratings,
        frame=ratings.frame.with_columns(rater=rater),
        task=_declared(ratings.task, named),
        census=census,
        exclusions=exclusions,
    )


def _pseudonyms(ratings: Ratings) -> dict[str, str]:
    """Every person that the table or the task names -> the pseudonym."""
    declared = [wide.human for wide in (ratings.task.raters, ratings.task.wide) if wide]
    people = {*ratings.humans, *(name for names in declared for name in names)}
    salt = "".join(one.sha256 or "" for one in ratings.inputs)

    def digest(name: str) -> str:
        return hashlib.sha256(f"{salt}\n{name}".encode("utf-8", "backslashreplace")).hexdigest()

    taken = any(judge.startswith("person ") for judge in ratings.judges)
    word, width = "human rater" if taken else "person", len(str(len(people)))
    ordered = enumerate(sorted(people, key=digest), start=1)
    return {name: f"{word} {number:0{width}}" for number, name in ordered}


def _renamed(pairs: Sequence[tuple[str, str]]) -> nw.Expr:
    """The column `rater` under other names, as a balanced tree: engines bound the depth of one."""
    if len(pairs) == 1:
        return nw.lit(pairs[0][1])
    middle = len(pairs) // 2
    first, rest = pairs[:middle], pairs[middle:]
    here = nw.col("rater").is_in([name for name, _ in first])
    return nw.when(here).then(_renamed(first)).otherwise(_renamed(rest))


def _declared(task: Task, named: Mapping[str, str]) -> Task:
    changed: dict[str, Any] = {}
    for key in ("raters", "wide"):
        wide: Wide | None = getattr(task, key)
        if wide is not None:
            changed[key] = replace(wide, human=tuple(named[name] for name in wide.human))
    return replace(task, **changed)
