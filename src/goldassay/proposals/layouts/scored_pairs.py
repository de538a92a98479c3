"""Scores of two sides in a row: the higher one is the verdict (`score_chosen, score_rejected`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Sized

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.used import Used
from goldassay.proposals.layouts.column_names import about_of
from goldassay.proposals.layouts.name_grids import whose
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.vocabulary import SYNONYMS, folded, kind_of, plain_name
from goldassay.sources.score_pairs import KEY, VERDICT, sides_scored
from goldassay.words import named

__all__ = ["ask_of_sides_scored", "by_the_higher_score", "score_pairs", "scored_sides"]


def score_pairs(table: Table) -> tuple[str, str] | None:
    """The two columns of scores that the source made a verdict of; None where there are none."""
    if VERDICT not in table.columns or not table.columns[VERDICT].labels:
        return None  # scores that are records or lists have no higher one
    if _label_and_prediction(table):  # whatever was counted for the sides stands beside them
        return None
    if _two_raters(table):
        return None
    within = sides_scored(table.source.columns)  # records within records: `scores.model.chosen`
    chosen = within if within is not None and within[0].endswith("_chosen") else None
    return sides_scored(table.source.own) or chosen


def _label_and_prediction(table: Table) -> bool:
    """A label and a judge's verdict in the same words, two or with a tie three: the scores beside
    them are neither's."""
    known = {*SYNONYMS["value"]}
    few = {
        n: {folded(one) for one in c.labels}
        for n, c in table.columns.items()
        if 2 <= len(c.labels) <= _WITH_A_TIE
    }
    keys = [n for n in few if plain_name(n) in known or kind_of(n) in ("human", "reference")]
    judges = [n for n in few if kind_of(n) == "judge" and n not in keys]
    return any(few[k] == few[j] and k != VERDICT for k in keys for j in judges)


#: Two sides, and neither.
_WITH_A_TIE = 3


def _two_raters(table: Table) -> bool:
    """Numbered scores beside a judge's score in the same few grades: of two people, and not of two
    sides, of which the one score could not be."""
    pair = sides_scored(table.source.columns)
    if pair is None or not all(n in table.columns and n[-1] in "12" for n in pair):
        return False
    mine = {label for name in pair for label in table.columns[name].labels}
    judges = [n for n in table.columns if kind_of(n) == "judge" and n not in pair]
    grades = [{*table.columns[n].labels} for n in judges if table.columns[n].numeric]
    few = all(table.columns[name].few for name in pair)
    return few and any(len(one) > 2 and one <= mine for one in grades)


_SIDE = re.compile(r"(?i)^(.+?)[_ ](a|b|chosen|rejected|left|right)$")
_NUMBERED_SIDE = re.compile(r"(?i)^(.+?)[_ ](a|b|1|2|left|right)$")


def scored_sides(
    table: Table, ratings: Sequence[str], *, paired: bool = False
) -> dict[str, dict[str, str]]:
    """Scores of both sides by people and by judges (`human_score_a`, `human_score_b`,
    `gpt4_score_a`, `gpt4_score_b`): rater, kind and system of each; else nothing. Sides are
    numbered where two systems stand in every row (`paired`)."""
    side = _NUMBERED_SIDE if paired else _SIDE
    parts = {n: m for n in ratings if table.columns[n].numeric and (m := side.match(n))}
    by: dict[str, dict[str, str]] = {}
    for name, match in parts.items():
        by.setdefault(match[1], {})[match[2].casefold()] = name
    kinds = {stem: kind_of(stem) for stem in by}
    sides = {frozenset(one) for one in by.values()}
    if len(sides) != 1 or len(next(iter(sides))) != 2:
        return {}
    said = whose(by) or _criteria_beside_a_judge(kinds)
    if {one["kind"] for one in said.values()} not in ({"human", "judge"}, {"reference", "judge"}):
        return {}
    return {
        name: said[stem] | {"system": side}
        for stem, one in by.items()
        for side, name in one.items()
    }


def _criteria_beside_a_judge(kinds: Mapping[str, str | None]) -> dict[str, dict[str, str]]:
    """Of criteria that name nobody beside those of a judge (`tone`, `depth`, `judge_tone`,
    `judge_depth`), whose each is: people's, where both are the same; else nothing."""
    judges = whose([stem for stem, kind in kinds.items() if kind == "judge"])
    theirs = {one.get("criterion") for one in judges.values()}
    rest = {stem: "_".join(about_of(stem)) for stem, kind in kinds.items() if kind is None}
    if None in theirs or {*rest.values()} != theirs or len(rest) + len(judges) < len(kinds):
        return {}
    people = {n: {"rater": "label", "kind": "human", "criterion": c} for n, c in rest.items()}
    return judges | people


#: Words for one of several people, whom a letter tells apart.
_ONE_OF_SEVERAL = frozenset(
    [
        *("annotator", "assessor", "coder", "expert", "grader", "labeler", "labeller", "physician"),
        *("doctor", "rater", "reviewer", "teacher", "worker", "evaluator", "participant"),
    ]
)


def ask_of_sides_scored(shape: Shape, draft: Draft) -> None:
    """The two systems of a row, where scores are of its first and its second side: a column of
    scores cannot say whose they are."""
    names = [shape.columns.pop(key, None) for key in ("system", "opponent")]
    sides = list(dict.fromkeys(cell["system"] for cell in shape.cells.values()))
    shape.sides = False  # grades, of which none says who won
    if names[0] is not None and names[1] is not None:
        draft.ask(
            f"Which systems are {some(sides)}? {some([str(n) for n in names])} name them row by "
            "row, which is not read: they are read as two, whoever it is in a row. To compare "
            "systems, write a row for each score, with its system",
            left_out=[str(n) for n in names],
        )


def are_lettered_people(cells: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether `annotator_a` and `annotator_b` are two people rather than what one said of a and b:
    the word before the letter is for one of several."""
    people = {cell["rater"] for cell in cells.values() if cell["kind"] != "judge"}
    sides = {cell["system"] for cell in cells.values()}
    return sides == {"a", "b"} and all(who.casefold() in _ONE_OF_SEVERAL for who in people)


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
    if kind_of(one) == "human":  # their own scores: no judge, and no second opinion
        _of_people(table, shape, draft, (one, two, people))
        return
    shape.cells = {
        n: {"rater": n, "kind": kind_of(n) or "reference" if n != KEY else "reference"}
        for n in standard
    }
    others = {name: name.removeprefix(f"{VERDICT} of ") for name in table.columns}
    others = {name: first for name, first in others.items() if first != name}
    for column, first in {VERDICT: one, **others}.items():
        rater = _judge(table, first)
        shape.cells[column] = {"rater": rater, "kind": "judge"}
        second = two if column == VERDICT else f"{first.removesuffix('_chosen')}_rejected"
        draft.assume(
            Weight.WHO,
            f"the higher of {named(first)} and {named(second)} is the verdict of one judge, called "
            f"{named(rater)}; equal ones are a tie",
        )
    if standard == [KEY]:
        draft.assume(
            Weight.WHO, f"{named(one)} is of the side that the answer key prefers in every row"
        )
    elif standard:
        draft.assume(Weight.WHO, f"{some(standard)} {_say(standard)} which side people prefer")
    elif kind_of(one) is None and not draft.declared.table("cells"):
        whose = (("judge", _judge(table, one)), ("human", "people"))
        draft.lack(
            f"Whose scores are {named(one)} and {named(two)}, a judge's or people's? No name says "
            "it",
            *({"cells": {VERDICT: {"rater": rater, "kind": kind}}} for kind, rater in whose),
        )
    shape.used = [
        Used(name, cell["kind"], table.columns[name].labels) for name, cell in shape.cells.items()
    ]


def _of_people(
    table: Table, shape: Shape, draft: Draft, found: tuple[str, str, Sequence[str]]
) -> None:
    """Scores that people gave to both sides: beside their preference they say the same again; alone
    the higher one is it."""
    one, two, people = found
    names = list(people) or [VERDICT]
    shape.cells = {n: {"rater": n if n != VERDICT else _judge(table, one)} for n in names}
    for cell in shape.cells.values():
        cell["kind"] = "human"
    if people:
        draft.assume(Weight.WHO, f"{some(people)} {_say(people)} which side people prefer")
        draft.ask(f"Do {named(one)} and {named(two)} hold ratings too? They are people's, not read")
    else:
        draft.assume(
            Weight.WHO, f"the higher of {named(one)} and {named(two)} is what people prefer"
        )
    shape.used = [Used(name, "human", table.columns[name].labels) for name in names]


def _judge(table: Table, score: str) -> str:
    """What the judge is called: by the column of scores, where it says more than that."""
    head = score.rpartition("_")[0] or score.partition("_")[2]
    return head if head.casefold() not in ("score", "scores") else table.stem


def _say(names: Sized) -> str:
    return "says" if len(names) == 1 else "say"
