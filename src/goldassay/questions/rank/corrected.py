"""The ranking that a judge's scores and people's labels of some items make together.

Where people labelled a sample of the judged items, every system has a true rate or mean, that of
`estimate`, and all differences between systems hold at once, those of `compare`. A system's rank is
what these differences leave open: `rank` and `compare` never say different things of two systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from goldassay.errors import InputError
from goldassay.frozen import dataclass
from goldassay.questions.compare.gathering import Slicing, gathered, paired
from goldassay.questions.compare.record import Asked, JudgeComparison
from goldassay.questions.compare.study import compared
from goldassay.questions.rank.contest import Contest
from goldassay.ratings.table import Ratings
from goldassay.results import Estimate

__all__ = ["RANDOM_GOLD", "CorrectedRanking", "CorrectedScore", "corrected_ranking"]

#: What corrected scores assume.
RANDOM_GOLD = "the items that people scored are a random subset of the judged ones"


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """A system's corrected score, how many of its items are labelled, and its possible ranks."""

    system: str
    score: Estimate
    labels: int
    places: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CorrectedRanking:
    """The systems by a judge's scores corrected with people's, the highest first."""

    judge: str
    systems: tuple[CorrectedScore, ...]


def corrected_ranking(
    ratings: Ratings, contest: Contest, judges: Sequence[str], seed: int
) -> CorrectedRanking | None:
    """The corrected ranking by the first of `judges` that is no jury.

    None unless people scored some of its items and not all; with several criteria `compare` tells
    it of each. `seed` is that of the ranking, as `compare` would be asked with it.
    """
    if ratings.task.scale not in ("binary", "ordinal", "continuous"):
        return None
    alone = [name for name in judges if name not in contest.juries]
    if not alone or not _sampled(contest, alone[0]):
        return None
    try:
        found = gathered(paired(ratings), (alone[0],), Slicing()).systems
    except InputError:  # what `compare` cannot be asked of these ratings is left out here
        return None
    subject, systems = found[0]
    if len(found) > 1 or systems is None:  # several criteria, or fewer than two systems
        return None
    return _ranking(compared(subject, systems, Asked(ratings.task.confidence_level, seed=seed)))


def _sampled(contest: Contest, judge: str) -> bool:
    """Whether people scored some of the items that the judge scored, and not all."""
    human = contest.human_means()
    if contest.scores is None or human is None:
        return False
    scores = contest.scores[contest.judges.index(judge)]
    rated = ~np.isnan(scores) & ~np.isnan(human).all(axis=0)
    return bool((rated & np.isnan(human)).any() and (rated & ~np.isnan(human)).any())


def _ranking(one: JudgeComparison) -> CorrectedRanking:
    """Ranks from the differences: one place down for each system that is surely better."""
    names = one.systems.systems
    better, worse = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for pair in one.pairs:
        interval = pair.difference.interval
        if interval is not None and interval.low > 0:
            worse[pair.system] += 1
            better[pair.opponent] += 1
        elif interval is not None and interval.high < 0:
            worse[pair.opponent] += 1
            better[pair.system] += 1
    known = [i for i in one.order if isinstance(one.systems.results[i], Estimate)]

    def line(i: int) -> CorrectedScore:
        result = one.systems.results[i]
        assert isinstance(result, Estimate)
        score = replace(result, name="corrected_score", assumptions=(RANDOM_GOLD,))
        places = 1 + better[names[i]], len(known) - worse[names[i]]
        return CorrectedScore(names[i], score, round(float(one.systems.whole.labelled[i])), places)

    return CorrectedRanking(one.subject.judge, tuple(line(i) for i in known))
