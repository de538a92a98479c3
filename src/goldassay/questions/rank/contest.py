"""What `rank` works on: systems judged on prompts, by judges and by people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import ScoreMatrix, Wins
from goldassay.errors import RatingsError
from goldassay.formulas.agreement import ratio
from goldassay.formulas.comparisons import (
    Comparisons,
    Pairs,
    comparisons_from_battles,
    comparisons_from_scores,
    pairs_of,
)

__all__ = ["Contest", "contest_of_scores", "contest_of_wins"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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
    #: Judges that have ratings, none of which can be used.
    silent: tuple[str, ...] = ()

    @property
    def pairs(self) -> Pairs:
        return pairs_of(len(self.systems))

    @property
    def item_cluster(self) -> Ints | None:
        """The clusters of the prompts, None when each prompt is its own."""
        own = np.array_equal(self.cluster, np.arange(self.n_prompts))
        return None if own else self.cluster

    def comparisons(self, judge: int) -> Comparisons:
        """A judge's comparisons, one row per cluster."""
        if self.scores is None:
            return self.battles[judge]
        return comparisons_from_scores(self.scores[judge], self.item_cluster)

    def human_means(self) -> Floats | None:
        """People's mean score of each answer [I, S], NaN where nobody scored it."""
        if self.human_scores is None:
            return None
        known = ~np.isnan(self.human_scores)
        total = np.where(known, self.human_scores, 0.0).sum(axis=0)
        return ratio(total, known.sum(axis=0))

    def human_comparisons(self) -> Comparisons | None:
        """People's comparisons on the judges' prompts, everybody's counted; None without people."""
        if self.human_scores is None:
            return self.human_battles
        each = [comparisons_from_scores(one, self.item_cluster) for one in self.human_scores]
        return Comparisons(
            each[0].pairs,
            each[0].multiplicity,
            sum(one.wins for one in each),
            sum(one.losses for one in each),
            sum(one.ties for one in each),
        )


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


def contest_of_wins(wins: Wins) -> Contest:
    """A contest of comparative verdicts (anchor or pairwise battles, with ties)."""
    n_systems, n_clusters = len(wins.systems), int(wins.cluster.max(initial=-1)) + 1
    judges = [i for i, kind in enumerate(wins.kinds) if kind == "judge"]
    people = [i for i, kind in enumerate(wins.kinds) if kind == "human"]
    _refuse_too_small(wins.systems, wins.cluster, len(judges))
    same = wins.first == wins.second
    if same.any():
        name = wins.systems[int(wins.first[same][0])]
        raise RatingsError(
            "the ratings", "a battle is between two systems", found=f"{name!r} against itself"
        )

    def battles(raters: list[int]) -> Comparisons:
        rows = np.isin(wins.rater, raters)
        return comparisons_from_battles(
            n_systems,
            wins.first[rows],
            wins.second[rows],
            wins.wins[rows],
            wins.cluster[wins.prompt[rows]],
            n_clusters=n_clusters,
        )

    return Contest(
        tuple(wins.raters[i] for i in judges),
        wins.systems,
        wins.cluster,
        n_clusters,
        len(wins.prompts),
        battles=tuple(battles([i]) for i in judges),
        human_battles=battles(people) if people else None,
    )
