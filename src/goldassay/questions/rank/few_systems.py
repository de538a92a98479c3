"""Of two to four systems: which pairs are told apart, and whether a judge's verdicts do so alike.

An interval of tau on so few systems mostly goes from -1 to 1, which says nothing; what can be said
is said pair by pair, in the very differences of `compare`: `rank` and `compare` never say different
things of two systems.
"""

from __future__ import annotations

from goldassay.errors import InputError
from goldassay.frozen import dataclass
from goldassay.questions.compare.gathering import Slicing, gathered, paired
from goldassay.questions.compare.record import Asked, Pair
from goldassay.questions.compare.study import compared
from goldassay.ratings.table import Ratings

__all__ = ["MOST_SYSTEMS", "PairsTold", "pairs_told"]

#: Of more systems tau says more than pairs one by one.
MOST_SYSTEMS = 4


@dataclass(frozen=True, slots=True)
class PairsTold:
    """Pairs of systems, how many are told apart, and of these how many a judge's verdicts tell
    apart the same way and the other way round."""

    judge: str
    pairs: int
    apart: int
    same: int
    turned: int
    #: Whether the judge leaves outputs without a verdict, of which nothing is said.
    of_decided: bool = False

    @property
    def unsure(self) -> int:
        """Pairs that are told apart, though not by the judge's own verdicts."""
        return self.apart - self.same - self.turned


def pairs_told(ratings: Ratings, judge: str, systems: int, seed: int) -> PairsTold | None:
    """What `compare` tells of the pairs by a judge; None of many systems, or of several criteria.

    `seed` is that of the ranking, as `compare` would be asked with it.
    """
    if systems > MOST_SYSTEMS:
        return None
    try:
        found = gathered(paired(ratings), (judge,), Slicing()).systems
    except InputError:  # what `compare` cannot be asked of these ratings is left out here
        return None
    subject, its = found[0]
    if len(found) > 1 or its is None:
        return None
    pairs = compared(subject, its, Asked(ratings.task.confidence_level, seed=seed)).pairs
    apart = [one for one in pairs if one.apart]
    return PairsTold(
        judge,
        len(pairs),
        len(apart),
        sum(_side(one, of_judge=True) == _side(one) for one in apart),
        sum(_side(one, of_judge=True) == -_side(one) for one in apart),
        bool(its.undecided),
    )


def _side(pair: Pair, *, of_judge: bool = False) -> int:
    """1 where the system is surely above its opponent, -1 where below, else 0."""
    interval = (pair.judge if of_judge else pair.difference).interval
    if interval is None:
        return 0
    return (interval.low > 0) - (interval.high < 0)
