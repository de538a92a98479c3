"""What scores show themselves of an interval that knows too little, and how it is said.

An interval of a mean or a median has two sources: the scores that were seen, and the ends of their
scale. Where nearly all prompts have one score and the scale is not known, a handful of others says
neither how often nor how far scores stray from it; where prompts are so few that all of them may
lie on one side of the median, only the lowest and the highest score that the judge gave end it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.words import counted, listed, named

__all__ = [
    "HANDFUL",
    "ONE_SCORE",
    "OPEN_SHAPE",
    "RANGE_ENDS",
    "Unusual",
    "said_of_unusual",
    "unusual_scores",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: So many prompts (or clusters of them) do not tell how often and how far scores stray: the next
#: one is the furthest of all in one of five cases, and may be further by any factor.
HANDFUL = 4
ONE_SCORE = (
    "this judge gave every output the same score: nothing shows which others it could give, and "
    "the interval has no length"
)
RANGE_ENDS = (
    "so few prompts may all lie on one side of the median: the interval ends at the lowest or the "
    "highest score that the judge gave at all"
)
OPEN_SHAPE = (
    "these prompts leave the judge's decisiveness open, and with it what is beyond: the interval "
    "rests on a model of both orders too"
)


@dataclass(frozen=True, slots=True)
class Unusual:
    """How many of so many prompts (or clusters of them) have another score than the usual one."""

    usual: float
    others: int
    number: int
    thing: str

    @property
    def warning(self) -> str:
        some = f"only {self.others}" if self.others else "none"
        have = "have" if self.others > 1 else "has"
        return (
            f"{some} of {counted(self.number, self.thing)} {have} a score other than "
            f"{self.usual:g}: how often and how far scores stray from it is hardly seen, "
            "and the interval may be too short"
        )


def unusual_scores(scores: Floats, cluster: Ints | None) -> Unusual | None:
    """Of one system's scores [I]; None where most are not alike, or enough prompts differ."""
    known = ~np.isnan(scores)
    values, number = np.unique(scores[known], return_counts=True)
    if not len(values) or 2 * number.max() < known.sum():
        return None
    usual = float(values[np.argmax(number)])
    codes = np.arange(len(scores)) if cluster is None else cluster
    others = len(np.unique(codes[known & (scores != usual)]))
    if others > HANDFUL:
        return None
    thing = "prompt" if cluster is None else "cluster"
    return Unusual(usual, others, len(np.unique(codes[known])), thing)


def said_of_unusual(judge: str, found: Mapping[str, Unusual]) -> Iterator[str]:
    """The warning of a whole ranking, by the names of systems."""
    if not found:
        return
    names = [named(name) for name in found]
    some = [*names[:3], f"{len(names) - 3} more"] if len(names) > 4 else names
    thing = next(iter(found.values())).thing
    yield (
        f"{named(judge)} gave {listed(some)} the same score on all {thing}s but {HANDFUL} or "
        "fewer: how often and how far scores stray from it is hardly seen, and the intervals of "
        "these means may be too short."
    )
