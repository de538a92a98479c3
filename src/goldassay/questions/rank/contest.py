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
    comparisons_from_battles,
    comparisons_from_scores,
    pairs_of,
)
from goldassay.frozen import dataclass
from goldassay.inference.clusters import worth_in_equal_clusters

__all__ = ["APART", "Contest", "contest_of_scores", "contest_of_wins", "people_votes"]

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
    #: Members of the judges that are juries, by the jury's name.
    juries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Judges that have ratings, none of which can be used.
    silent: tuple[str, ...] = ()
    #: Battles on which people's votes are level, and so left out.
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

    def human_means(self) -> Floats | None:
        """People's mean score of each answer [I, S], NaN where nobody scored it."""
        return None if self.human_scores is None else mean_of_raters(self.human_scores)

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


def people_votes(
    wins: Floats, battle: Ints, reference: str, tied: str
) -> tuple[Floats, NDArray[np.bool_]]:
    """People's votes [N, 3] on battles as the declared reference counts them, and which rows stay.

    `battle` [N] numbers the battles. Each vote counts (`each`), a battle counts once with its
    votes' shares (`soft`), or once for the outcome with most votes; a battle on which people are
    level is left out, or a tie where the task keeps such items (`reference_ties`).
    """
    if reference == "each":
        return wins, np.ones(len(wins), np.bool_)
    total = np.zeros((int(battle.max(initial=-1)) + 1, 3))
    np.add.at(total, battle, wins)
    _, rows = np.unique(battle, return_index=True)
    first = np.zeros(len(wins), np.bool_)
    first[rows] = True
    votes = total[battle]
    if reference == "soft":
        number = votes.sum(axis=1, keepdims=True)
        return np.divide(votes, number, out=np.zeros_like(votes), where=number > 0), first
    # Parts of votes that are shared out add up to a level battle but for the last bits.
    most = np.isclose(votes, votes.max(axis=1, keepdims=True), rtol=0, atol=1e-9)
    level = most.sum(axis=1) > 1
    outcome = np.where(level[:, None], np.array([0.0, 0.0, 1.0]), most.astype(np.float64))
    return outcome, first & ~level if tied == "exclude" else first


def contest_of_wins(
    wins: Wins, *, reference: str = "each", reference_ties: str = "exclude"
) -> Contest:
    """A contest of comparative verdicts (anchor or pairwise battles, with ties).

    `reference` says how several people's votes on one battle count (`people_votes`).
    """
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

    def battles(raters: list[int], how: str = "each") -> tuple[Comparisons, Ints, Ints]:
        """The comparisons, and of those left out: the battle of each row, and the row of `wins`."""
        rows = np.flatnonzero(np.isin(wins.rater, raters))
        turned = wins.first[rows] > wins.second[rows]
        low = np.where(turned, wins.second[rows], wins.first[rows])
        high = np.where(turned, wins.first[rows], wins.second[rows])
        counts = np.where(turned[:, None], wins.wins[rows][:, [1, 0, 2]], wins.wins[rows])
        keys = np.column_stack([wins.prompt[rows], low, high])
        battle = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
        counts, kept = people_votes(counts, battle, how, reference_ties)
        compared = comparisons_from_battles(
            n_systems,
            low[kept],
            high[kept],
            counts[kept],
            wins.cluster[wins.prompt[rows[kept]]],
            n_clusters=n_clusters,
        )
        out = ~np.isin(battle, battle[kept])
        return compared, battle[out], rows[out]

    nothing = np.zeros(0, np.int64)
    human, level, out = battles(people, reference) if people else (None, nothing, nothing)
    return Contest(
        tuple(wins.raters[i] for i in judges),
        wins.systems,
        wins.cluster,
        n_clusters,
        len(wins.prompts),
        battles=tuple(battles([i])[0] for i in judges),
        human_battles=human,
        n_level=len(np.unique(level)),
        n_level_ratings=int(wins.given[out].sum()),
    )
