"""Scores of two sides in one row, as the side with the higher one.

Files of reward models hold `score_chosen, score_rejected`, others `score_a, score_b`: the columns
`higher score` (the side that has it, or `tie`) and, where one side is the chosen one, `preferred`
(that side, in every row) are added; the scores stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import narwhals as nw

from goldassay.sources.numbers import NUMBER

__all__ = ["KEY", "VERDICT", "other_sides", "sides_scored", "verdicts_of"]

VERDICT, KEY = "higher score", "preferred"
_SIDES = (("chosen", "rejected"), ("a", "b"), ("1", "2"), ("0", "1"), ("left", "right"))
_SCORE = re.compile(r"(?i)\b(score|scores|reward|rewards|logprob|logp)\b")


def sides_scored(columns: Sequence[str]) -> tuple[str, str] | None:
    """The columns with the scores of the first and the second side.

    >>> sides_scored(["id", "score_chosen", "score_rejected"]), sides_scored(["id", "score_a"])
    (('score_chosen', 'score_rejected'), None)
    """
    lower = {name.casefold(): name for name in reversed(columns)}
    for first, second in _SIDES:
        for name in columns:
            said = name.casefold()
            if not _SCORE.search(re.sub(r"[_\-]", " ", said)):
                continue
            parts = re.split(r"[_\-\s]", said)
            for at in (0, len(parts) - 1):
                if parts[at] != first:
                    continue
                start = 0 if at == 0 else len(said) - len(first)
                other = said[:start] + second + said[start + len(first) :]
                if other in lower and lower[other] != name and _two_sides(columns, name, first):
                    return name, lower[other]
    return None


def other_sides(columns: Sequence[str], sides: tuple[str, str]) -> list[tuple[str, str]]:
    """Further pairs of columns that end as the first does: another judge's scores of both sides.

    >>> other_sides(
    ...     ["rm_a_chosen", "rm_a_rejected", "rm_b_chosen", "rm_b_rejected"],
    ...     ("rm_a_chosen", "rm_a_rejected"),
    ... )
    [('rm_b_chosen', 'rm_b_rejected')]
    """
    ends = re.search(r"_(chosen)$", sides[0]), re.search(r"_(rejected)$", sides[1])
    if not all(ends):
        return []
    head = sides[0].split("_")[0]
    stems = [n.removesuffix("_chosen") for n in columns if n.endswith("_chosen") and n != sides[0]]
    stems = [
        stem for stem in stems if stem.startswith(f"{head}_") and f"{stem}_rejected" in columns
    ]
    return [(f"{stem}_chosen", f"{stem}_rejected") for stem in stems]


def _two_sides(columns: Sequence[str], name: str, first: str) -> bool:
    """Whether numbered scores are of two sides: numbers may as well be of runs (`score_1` to
    `score_3`), or of judges. Two sides have a text or a name each, numbered alike."""
    if not first.isdigit():
        return True
    second = str(int(first) + 1)
    stem = re.sub(rf"{first}$|^{first}", "", name.casefold())
    others = f"[^{first}{second}\\D]"
    more = [c for c in columns if re.fullmatch(rf"{re.escape(stem)}{others}", c.casefold())]
    sides = {
        c.casefold().removesuffix(second)
        for c in columns
        if re.search(rf"\D{second}$", c) and not _SCORE.search(re.sub(r"[_\-]", " ", c))
    }
    mine = (c.casefold().removesuffix(first) for c in columns if re.search(rf"\D{first}$", c))
    return not more and any(one in sides for one in mine)


def verdicts_of(sides: tuple[str, str]) -> list[nw.Expr]:
    """Which side has the higher score; and the chosen side, where one is chosen."""
    one, two = sides
    first, second = _labels(one)
    text = {name: nw.col(name) for name in sides}
    value = {
        name: nw.when(c.str.contains(NUMBER)).then(c.str.strip_chars()).cast(nw.Float64)
        for name, c in text.items()
    }
    higher = (
        nw.when(value[one] > value[two])
        .then(nw.lit(first))
        .otherwise(
            nw.when(value[one] < value[two])
            .then(nw.lit(second))
            .otherwise(nw.when(value[one] == value[two]).then(nw.lit("tie")))
        )
    )
    made = [higher.alias(VERDICT)]
    return [*made, nw.lit("chosen").alias(KEY)] if first == "chosen" else made


def _labels(name: str) -> tuple[str, str]:
    if "chosen" in name.casefold():
        return "chosen", "rejected"
    return "model_a", "model_b"
