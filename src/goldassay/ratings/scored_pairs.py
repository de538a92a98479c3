"""Scores of two sides in a row: the higher one is the verdict (`score_chosen, score_rejected`)."""

from __future__ import annotations

from collections.abc import Mapping

from goldassay.ratings.draft import Draft, Weight
from goldassay.ratings.options import Used
from goldassay.ratings.shape import Shape, Table, some
from goldassay.ratings.vocabulary import kind_of
from goldassay.sources.score_pairs import KEY, VERDICT, sides_scored
from goldassay.words import named

__all__ = ["by_the_higher_score", "score_pairs"]


def score_pairs(table: Table) -> tuple[str, str] | None:
    """The two columns of scores that the source made a verdict of; None where there are none."""
    if VERDICT not in table.columns:
        return None
    return sides_scored(table.source.own)


def by_the_higher_score(
    table: Table,
    shape: Shape,
    draft: Draft,
    found: tuple[tuple[str, str], Mapping[str, str | None]],
) -> None:
    """The judge's verdict is the side with the higher score; people's is a column of theirs, or
    that the first is the chosen one."""
    (one, two), roles = found
    people = [n for n, kind in roles.items() if kind in ("human", "reference") and n != KEY]
    people = [n for n in people if table.columns[n].few and not table.columns[n].numeric]
    standard = people or ([KEY] if KEY in table.columns else [])
    shape.sides = True
    shape.cells = {
        n: {"rater": n, "kind": kind_of(n) or "reference" if n != KEY else "reference"}
        for n in standard
    }
    shape.cells[VERDICT] = {"rater": _judge(table, one), "kind": "judge"}
    draft.assume(
        Weight.WHO,
        f"the higher of {named(one)} and {named(two)} is the verdict of one judge, called "
        f"{named(shape.cells[VERDICT]['rater'])}; equal ones are a tie",
    )
    if standard == [KEY]:
        draft.assume(
            Weight.WHO, f"{named(one)} is of the side that the answer key prefers in every row"
        )
    elif standard:
        draft.assume(Weight.WHO, f"{some(standard)} say which side people prefer")
    shape.used = [
        Used(name, cell["kind"], table.columns[name].labels) for name, cell in shape.cells.items()
    ]


def _judge(table: Table, score: str) -> str:
    """What the judge is called: by the column of scores, where it says more than that."""
    head = score.rpartition("_")[0] or score.partition("_")[2]
    return head if head.casefold() not in ("score", "scores") else table.stem
