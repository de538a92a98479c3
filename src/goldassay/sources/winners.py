"""Winners that are published as a column of zeros and ones for each side, as one column.

`winner_model_a, winner_model_b, winner_tie` (files of preference contests) become `winner`, which
says `model_a`, `model_b` or `tie`. A row in which not exactly one of them is 1 says what it holds,
and is no option of any task.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import narwhals as nw

__all__ = ["TIES", "sides_of", "winner_of"]

_SIDE = re.compile(r"^(winner|win|preferred|preference|vote)_(.+)$", re.IGNORECASE)
_FIRST, _SECOND = ("model_a", "a", "model_1", "1"), ("model_b", "b", "model_2", "2")
#: What says that neither side won, in small letters.
TIES = ("tie", "ties", "tied", "draw", "tie (bothbad)", "both_bad", "bothbad", "neither")


def sides_of(columns: Sequence[str]) -> Mapping[str, str]:
    """Column -> the side that wins where it is 1; nothing where there are no such columns.

    >>> sides_of(["id", "winner_model_a", "winner_model_b", "winner_tie"])
    {'winner_model_a': 'model_a', 'winner_model_b': 'model_b', 'winner_tie': 'tie'}
    >>> sides_of(["winner_model_a", "winner"]), sides_of(["vote_a", "vote_c"])
    ({}, {})
    """
    found: dict[str, dict[str, str]] = {}
    for name in columns:
        if match := _SIDE.match(name):
            found.setdefault(match[1].casefold(), {})[name] = match[2].casefold()
    for head, sides in found.items():
        said = list(sides.values())
        known = {*_FIRST, *_SECOND, *TIES}
        both = any(one in said and two in said for one, two in zip(_FIRST, _SECOND, strict=True))
        if both and set(said) <= known and head not in {name.casefold() for name in columns}:
            return sides
    return {}


def winner_of(sides: Mapping[str, str]) -> nw.Expr:
    """The side whose column is 1 where the others are 0; else what the columns hold."""
    ones = ("1", "1.0", "true", "True", "TRUE")
    is_one = {name: nw.col(name).is_in(ones) for name in sides}
    odd = nw.concat_str([nw.col(name) for name in sides], separator="/", ignore_nulls=True)
    said = odd
    for name, side in sides.items():
        alone = is_one[name]
        for other in sides:
            alone = alone if other == name else alone & ~is_one[other]
        said = nw.when(alone).then(nw.lit(side)).otherwise(said)
    return said.alias("winner")
