"""The scales that a rating can have, one record each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from goldassay.frozen import dataclass

__all__ = ["SCALES", "Scale", "ScaleName", "option_numbers", "option_scores"]

ScaleName = Literal["binary", "nominal", "ordinal", "continuous", "pairwise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """What a scale asks of a declaration, and what follows from it where nothing is declared."""

    name: ScaleName
    #: How many options it has, a tie aside; 0 for real numbers, None where any number will do.
    options: int | None = None
    #: Whether one rating can lie between two others.
    ordered: bool = False
    needs_positive: bool = False
    may_tie: bool = False
    #: How an item's criteria become one verdict.
    item_rule: str
    #: What a person is asked.
    question: str = "Which applies?"


SCALES: Mapping[str, Scale] = {
    one.name: one
    for one in (
        Scale(
            name="binary",
            options=2,
            needs_positive=True,
            item_rule="positive when every criterion is",
        ),
        Scale(name="nominal", item_rule="the option that most criteria have"),
        Scale(
            name="ordinal",
            ordered=True,
            item_rule="the option nearest to the criteria's mean position",
        ),
        Scale(
            name="continuous",
            options=0,
            ordered=True,
            item_rule="the mean over the criteria",
            question="Your rating",
        ),
        Scale(
            name="pairwise",
            options=2,
            may_tie=True,
            item_rule="the side that wins more criteria",
            question="Which answer is better?",
        ),
    )
}


def option_scores(options: Sequence[str]) -> tuple[float, ...]:
    """What ordered options count as: their own numbers, else 1, 2, ... in the declared order."""
    numbers = option_numbers(options)
    return numbers or tuple(float(place) for place in range(1, len(options) + 1))


def option_numbers(options: Sequence[str]) -> tuple[float, ...] | None:
    """The options as numbers, where each is one."""
    try:
        numbers = tuple(map(float, options))
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None
