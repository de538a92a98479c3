"""Pairs of systems: `model_a` and `model_b`, or two texts side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping

from goldassay.proposals.draft import Draft
from goldassay.proposals.layouts.column_names import TEXTS
from goldassay.proposals.layouts.named_pairs import named_pair, never_equal
from goldassay.proposals.shape import Shape, Table
from goldassay.ratings.vocabulary import SYSTEMS, kind_of, plain_name, words
from goldassay.words import named

__all__ = ["ask_of_order", "ask_of_sides", "paired_systems"]

#: Words of who judges, whose model is not what is rated (`judge_model`).
_SAYS_WHO = frozenset(["judge", "grader", "evaluator", "scorer", "critic", "annotator", "rater"])
#: In fewer rows every system may occur once.
_FEW = 10
_SIDE = (("a", "b"), ("1", "2"), ("left", "right"), ("x", "y"), ("first", "second"))


def paired_systems(table: Table, shape: Shape) -> None:
    """`model_a` and `model_b`, and pairs of texts: ratings are of pairs."""
    if {"system", "opponent"} <= set(table.columns):
        shape.columns |= {"system": "system", "opponent": "opponent"}
        shape.sides = True
        return
    lower = {name.casefold(): name for name in table.columns}
    for name in table.columns:
        for one, two in _SIDE:
            if (other := _other_side(name, one, two, lower)) is None:
                continue
            mine, theirs = table.columns[name], table.columns[other]
            if mine.rating or theirs.rating or _is_one_of_many(table, name):
                continue
            texts = mine.text or theirs.text
            named_ = mine.labels and theirs.labels and not texts
            systems = {*words(name)} & {*SYSTEMS, "name", "policy"} and not _SAYS_WHO & {
                *words(name)
            }
            # What is there once is compared, and no system.
            again = mine.rows <= _FEW or 2 * min(mine.distinct, theirs.distinct) <= mine.rows
            if systems and named_ and again and never_equal(table, name, other):
                shape.columns |= {"system": name, "opponent": other}
                shape.sides = True
                return
            like_texts = texts or bool({*words(name)} & {*TEXTS, "conversation", "summary"})
            shape.sides |= like_texts and kind_of(name) in (None, "judge")
    if (pair := named_pair(table)) is not None:
        shape.columns |= {"system": pair[0], "opponent": pair[1]}
        shape.sides = True


def ask_of_sides(table: Table, shape: Shape, draft: Draft) -> None:
    """Whether two columns of one name (`a_source`, `b_source`), which hold few names and hardly
    ever the same one, name the two sides of a pair, where nothing else does."""
    if draft.task.get("scale") != "pairwise" or "system" in shape.columns or table.source.parts:
        return
    lower = {name.casefold(): name for name in table.columns}
    for name, mine in table.columns.items():
        if name in shape.taken or mine.text or mine.numeric or mine.times or mine.rows <= _FEW:
            continue
        if re.search(r"\.\d+(\.|$)", table.own(name)):  # a member of a list
            continue
        others = [o for one, two in _SIDE if (o := _other_side(name, one, two, lower)) is not None]
        for other in others:
            theirs = table.columns[other]
            known = {*mine.labels, *theirs.labels}
            words_ = not (theirs.text or theirs.numeric) and len(known) > 1
            words_ = words_ and not table.folds(name) <= {"true", "false", "yes", "no"}
            again = 2 * max(mine.distinct, theirs.distinct) <= mine.rows
            if words_ and again and never_equal(table, name, other):
                draft.ask(
                    f"Do {named(name)} and {named(other)} name the two that are compared? Then",
                    {"columns": {"system": name, "opponent": other}},
                )
                return


def _is_one_of_many(table: Table, name: str) -> bool:
    """A member of a record in a list of three or more, of which the first two are no pair."""
    third = re.sub(r"\.[12]\.", ".3.", table.own(name))
    return third != table.own(name) and third in table.source.own


def _other_side(name: str, one: str, two: str, lower: Mapping[str, str]) -> str | None:
    text = name.casefold()
    tries = [text[: -len(one)] + two] if text.endswith(one) and len(text) > len(one) else []
    if text.startswith(f"{one}_"):
        tries.append(two + text[len(one) :])
    if f"_{one}_" in text:
        tries.append(text.replace(f"_{one}_", f"_{two}_"))
    return next((lower[t] for t in tries if t in lower and lower[t] != name), None)


#: Names of columns that say how the two were shown.
_SHOWN = frozenset(
    [
        *("order", "presentation_order", "display_order", "shown_order", "pair_order", "position"),
        *("swapped", "is_swapped", "swap", "flipped", "is_flipped", "flip", "reversed"),
    ]
)


def ask_of_order(table: Table, shape: Shape, draft: Draft) -> None:
    """A column that says in which order the two were shown, beside verdicts that name a side: they
    may be of the side as it was shown."""
    pair = [shape.columns.get(key) for key in ("system", "opponent")]
    names = [
        n
        for n, c in table.columns.items()
        if plain_name(n) in _SHOWN and len(c.labels) == 2 and n not in shape.taken
    ]
    if draft.task.get("scale") != "pairwise" or None in pair or not names:
        return
    systems = {label for name in pair for label in table.columns[str(name)].labels}
    if any(set(one.labels) & systems for one in shape.used):
        return
    first = draft.task["options"][0]
    draft.ask(
        f"Does {named(names[0])} say in which order the two were shown? {named(first)} is read as "
        f"{named(str(pair[0]))} in every row; if it is the side as it was shown, give a column "
        "that names the system that won"
    )
