"""What is said of a mean where nearly all scores are one number, in the same words everywhere.

A handful of other scores says neither how often nor how far scores stray from the usual one, and no
interval of a mean on a scale without known ends holds the truth as often as it claims
(`docs/intervals.md`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.words import counted

__all__ = ["HANDFUL", "Unusual", "unusual_scores"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: So many prompts (or clusters of them) do not tell how often and how far scores stray: the next
#: one is the furthest of all in one of five cases, and may be further by any factor.
HANDFUL = 4


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


def unusual_scores(
    scores: Floats, cluster: Ints | None, things: tuple[str, str] = ("prompt", "cluster")
) -> Unusual | None:
    """Of scores [I]; None where most are not alike, or enough prompts (or clusters) differ.

    `things` are what a lone score is of, and what a cluster is called.
    """
    known = ~np.isnan(scores)
    values, number = np.unique(scores[known], return_counts=True)
    if not len(values) or 2 * number.max() < known.sum():
        return None
    usual = float(values[np.argmax(number)])
    codes = np.arange(len(scores)) if cluster is None else cluster
    others = len(np.unique(codes[known & (scores != usual)]))
    if others > HANDFUL:
        return None
    return Unusual(usual, others, len(np.unique(codes[known])), things[cluster is not None])
