"""Pairs of systems: `model_a` and `model_b`, or two texts side by side."""

from __future__ import annotations

from collections.abc import Mapping

from goldassay.ratings.rating_columns import TEXTS
from goldassay.ratings.shape import Shape, Table
from goldassay.ratings.vocabulary import SYSTEMS, kind_of, words

__all__ = ["paired_systems"]

#: Words of who judges, whose model is not what is rated (`judge_model`).
_SAYS_WHO = frozenset(["judge", "grader", "evaluator", "scorer", "critic", "annotator", "rater"])
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
            if mine.rating or theirs.rating:
                continue
            texts = mine.text or theirs.text
            named_ = mine.labels and theirs.labels and not texts
            if set(words(name)) & SYSTEMS and named_ and not _SAYS_WHO & {*words(name)}:
                shape.columns |= {"system": name, "opponent": other}
                shape.sides = True
                return
            like_texts = texts or bool({*words(name)} & {*TEXTS, "conversation", "summary"})
            shape.sides |= like_texts and kind_of(name) in (None, "judge")


def _other_side(name: str, one: str, two: str, lower: Mapping[str, str]) -> str | None:
    text = name.casefold()
    tries = [text[: -len(one)] + two] if text.endswith(one) and len(text) > len(one) else []
    if text.startswith(f"{one}_"):
        tries.append(two + text[len(one) :])
    if f"_{one}_" in text:
        tries.append(text.replace(f"_{one}_", f"_{two}_"))
    return next((lower[t] for t in tries if t in lower and lower[t] != name), None)
