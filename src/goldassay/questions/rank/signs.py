"""What scores show themselves of an interval that knows too little, and how it is said.

An interval of a mean or a median has two sources: the scores that were seen, and the ends of their
scale. Where nearly all prompts have one score and the scale is not known, a handful of others says
neither how often nor how far scores stray from it; where prompts are so few that all of them may
lie on one side of the median, only the lowest and the highest score that the judge gave end it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from goldassay.questions.usual_score import HANDFUL, Unusual
from goldassay.words import listed, named

__all__ = ["ONE_SCORE", "OPEN_SHAPE", "RANGE_ENDS", "TOO_SKEWED", "said_of_unusual"]

ONE_SCORE = (
    "this judge gave every output the same score: nothing shows which others it could give, and "
    "the interval has no length"
)
TOO_SKEWED = (
    "the scores are so skewed, or so few, that rare far ones on other prompts may move the mean: "
    "its interval may be too short"
)
RANGE_ENDS = (
    "so few prompts may all lie on one side of the median: the interval ends at the lowest or the "
    "highest score that the judge gave at all"
)
OPEN_SHAPE = (
    "these prompts leave the judge's decisiveness open, and with it what is beyond: the interval "
    "rests on a model of both orders too"
)


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
