"""What `rank` works on: systems judged on prompts, by judges and by people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import ScoreMatrix, Wins
from goldassay.counts.scores import mean_of_raters
from goldassay.errors import RatingsError
from goldassay.formulas.comparisons import (
    Comparisons,
    Pairs,
    comparisons_from_scores,
    pairs_of,
    shared_preferences,
)
from goldassay.frozen import dataclass
from goldassay.inference.clusters import worth_in_equal_clusters
from goldassay.questions.rank.battles import Battles, battles_of_wins

__all__ = ["APART", "Contest", "contest_of_scores", "contest_of_wins"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Why nothing that compares two answers to one prompt is known, where a contest is `apart`.
APART = "no prompt was answered by two systems"


@dataclass(frozen=True, slots=True)
class Contest:
    """Systems judged on prompts: scores [J, I, S] or battles per judge, people's likewise.

    `cluster[i]` is the cluster of prompt i: what a resample draws.
    """

    judges: tuple[str, ...]
    systems: tuple[str, ...]
    cluster: Ints
    n_clusters: int
    n_prompts: int
    scores: Floats | None = None
    human_scores: Floats | None = None
    battles: tuple[Comparisons, ...] = ()
    human_battles: Comparisons | None = None
    #: The single battles that these are counts of.
    single: Battles | None = None
    #: Members of the judges that are juries, by the jury's name.
    juries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Judges that have ratings, none of which can be used.
    silent: tuple[str, ...] = ()
    #: Battles on which people's votes are level, and so left out beside people.
    n_level: int = 0
    #: The rows that people's votes on these battles were given in.
    n_level_ratings: int = 0
    #: Whether scores are 0 or 1, so that a system's mean is a rate.
    rates: bool = False
    #: Whether all judges and people score on one scale (grades), so that one's range is all's.
    one_scale: bool = False

    @property
    def pairs(self) -> Pairs:
        return pairs_of(len(self.systems))

    @property
    def item_cluster(self) -> Ints | None:
        """The clusters of the prompts, None when each prompt is its own."""
        own = np.array_equal(self.cluster, np.arange(self.n_prompts))
        return None if own else self.cluster

    @property
    def worth(self) -> float:
        """How many clusters of equally many prompts would know their spread as well as these."""
        sizes = np.bincount(self.cluster, minlength=self.n_clusters).astype(np.float64)
        return float(worth_in_equal_clusters(sizes))

    @property
    def apart(self) -> bool:
        """Whether every system has prompts of its own, so that no two answers can be compared."""
        if self.scores is None:
            return False
        answers = (~np.isnan(self.scores)).any(axis=0).sum(axis=1)
        return int(answers.max(initial=0)) == 1

    def score_range(self, judge: int) -> tuple[float, float]:
        """The lowest and the highest score that a judge may give, as far as scores show it."""
        assert self.scores is not None
        seen = [self.scores if self.one_scale else self.scores[judge]]
        if self.one_scale and self.human_scores is not None:
            seen.append(self.human_scores)
        known = np.concatenate([[0.0, 1.0] * self.rates, *(one[~np.isnan(one)] for one in seen)])
        return float(known.min()), float(known.max())

    def scores_of_any_scale(self, judge: int, system: int) -> Floats | None:
        """A system's scores [I] on a scale without known ends; None where the ends are known."""
        if self.scores is None or self.rates or self.one_scale:
            return None
        return np.asarray(self.scores[judge, :, system])

    def comparisons(self, judge: int) -> Comparisons:
        """A judge's comparisons, one row per cluster."""
        if self.scores is None:
            return self.battles[judge]
        return comparisons_from_scores(self.scores[judge], self.item_cluster)

    def beside_people(self, judge: int) -> Comparisons | None:
        """A judge's comparisons where each battle counts as often as people's votes on it; None
        where these are the judge's `comparisons`."""
        return None if self.single is None else self.single.beside_people(judge)

    def human_means(self) -> Floats | None:
        """People's mean score of each answer [I, S], NaN where nobody scored it."""
        return None if self.human_scores is None else mean_of_raters(self.human_scores)

    def agreement(self, judge: int) -> tuple[Floats, Floats] | None:
        """People's preferences between two answers by cluster, [C] twice: those that the judge
        shares, and all of those between answers that it rated. None without people."""
        if self.single is not None:
            return None if self.human_battles is None else self.single.agreement(judge)
        if self.scores is None:
            people = self.human_battles
            return None if people is None else shared_preferences(self.battles[judge], people)
        if self.human_scores is None:
            return None
        judged = comparisons_from_scores(self.scores[judge])
        agreed, compared = np.zeros(self.n_clusters), np.zeros(self.n_clusters)
        for one in self.human_scores:
            shares = shared_preferences(judged, comparisons_from_scores(one))
            for total, share in zip((agreed, compared), shares, strict=True):
                np.add.at(total, self.cluster, share)
        return agreed, compared


def _refuse_too_small(systems: tuple[str, ...], cluster: Ints, judges: int) -> None:
    if not judges:
        raise RatingsError(
            "the ratings",
            "a ranking needs ratings of kind judge",
            found="people only",
            next_step='Set kind to "judge" for the judges\' rows',
        )
    if len(systems) < 2:
        raise RatingsError(
            "the ratings, column system",
            "a ranking needs at least two systems",
            found=f"{len(systems)} ({', '.join(systems) or 'no column system'})",
            next_step="Name the system that made each item in a column system",
        )
    if len(cluster) < 2:
        raise RatingsError(
            "the ratings",
            "resampling prompts needs at least two of them",
            found=f"{len(cluster)}",
            next_step="Rate the systems on more prompts; systems answer the same prompts, so one "
            "prompt says nothing about another",
        )
    if cluster.max() == 0:
        raise RatingsError(
            "the ratings",
            "resampling needs at least two clusters of prompts",
            found=f"one, which joins all {len(cluster)} prompts",
            next_step='Declare a cluster that holds whole prompts, or cluster = "item"',
        )


def contest_of_scores(matrix: ScoreMatrix) -> Contest:
    """A contest of absolute scores (numbers, Likert positions, probabilities, rewards)."""
    systems = tuple(name for name in matrix.systems if name)
    keep = [matrix.systems.index(name) for name in systems]
    _refuse_too_small(systems, matrix.cluster, len(matrix.judges))
    return Contest(
        matrix.judges,
        systems,
        matrix.cluster,
        int(matrix.cluster.max()) + 1,
        len(matrix.items),
        scores=matrix.judge[:, :, keep],
        human_scores=matrix.human[:, :, keep] if len(matrix.humans) else None,
    )


def contest_of_wins(
    wins: Wins, *, reference: str = "each", reference_ties: str = "exclude"
) -> Contest:
    """A contest of comparative verdicts (anchor or pairwise battles, with ties).

    `reference` says how several people's votes on one battle count (`people_votes`).
    """
    judges = [i for i, kind in enumerate(wins.kinds) if kind == "judge"]
    _refuse_too_small(wins.systems, wins.cluster, len(judges))
    same = wins.first == wins.second
    if same.any():
        name = wins.systems[int(wins.first[same][0])]
        raise RatingsError(
            "the ratings", "a battle is between two systems", found=f"{name!r} against itself"
        )

    single = battles_of_wins(wins, reference, reference_ties)
    return Contest(
        tuple(wins.raters[i] for i in judges),
        wins.systems,
        wins.cluster,
        single.n_clusters,
        len(wins.prompts),
        battles=tuple(single.judged(i) for i in range(len(judges))),
        human_battles=single.by_people() if "human" in wins.kinds else None,
        single=single,
        n_level=int(single.number[single.level].sum()),
        n_level_ratings=single.n_level_ratings,
    )
