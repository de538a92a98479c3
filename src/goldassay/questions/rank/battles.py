"""Battles that judges and people decided, each beside people's votes on the very same one.

People's rule (`reference`) may count a battle several times or leave it out. A judge's verdict on
it then counts as often where the judge is set beside people, so that both rest on the same battles:
those on which people are level are closer than others, and a judge that decides them would look
less decisive than people who left them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Wins
from goldassay.counts.labels import combined
from goldassay.formulas.comparisons import Comparisons, comparisons_from_battles, shared_in_cells
from goldassay.frozen import dataclass

__all__ = ["Battles", "Verdicts", "battles_of_wins", "people_votes"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A judge's (or jury's) verdicts: kinds of battles [N], its wins [N, 3] on those of each kind,
    and how many they are [N]."""

    kind: Ints
    wins: Floats
    number: Floats

    @staticmethod
    def together(members: Sequence[Verdicts]) -> Verdicts:
        """Every member's verdicts, counted alike, on as many battles as one of them decided."""
        kinds, at = np.unique(np.concatenate([one.kind for one in members]), return_inverse=True)
        wins, number = np.zeros((len(kinds), 3)), np.zeros(len(kinds))
        np.add.at(wins, at.reshape(-1), np.concatenate([one.wins for one in members]))
        np.maximum.at(number, at.reshape(-1), np.concatenate([one.number for one in members]))
        return Verdicts(kinds, wins, number)


@dataclass(frozen=True)
class Battles:
    """Kinds [K] of battles: those of one prompt and pair of systems with the same votes by people.

    `votes` [K, 3] are people's on one battle as the reference counts them (first wins, second wins,
    ties; nothing where they are level and left out), `number` [K] how many battles people voted on
    so, and `level` [K] which are left out. People gave `n_level_ratings` rows on these.
    """

    n_systems: int
    n_clusters: int
    first: Ints
    second: Ints
    cluster: Ints
    votes: Floats
    number: Floats
    level: NDArray[np.bool_]
    n_level_ratings: int
    verdicts: tuple[Verdicts, ...]

    def with_juries(self, juries: Sequence[Sequence[int]]) -> Battles:
        """The same with juries of these members as further judges."""
        more = [Verdicts.together([self.verdicts[j] for j in jury]) for jury in juries]
        return replace(self, verdicts=(*self.verdicts, *more))

    def judged(self, judge: int) -> Comparisons:
        """All battles of a judge, each counting once."""
        one = self.verdicts[judge]
        return self._compared(one.kind, one.wins)

    def beside_people(self, judge: int) -> Comparisons | None:
        """The same, each as often as people's votes on it; None where that is once for all."""
        one = self.verdicts[judge]
        weight = self._weight[one.kind]
        if (weight == weight[:1]).all():
            return None
        return self._compared(one.kind, one.wins * weight[:, None])

    def by_people(self) -> Comparisons:
        """People's votes."""
        rated = np.flatnonzero(self.number > 0)
        return self._compared(rated, (self.votes * self.number[:, None])[rated])

    def agreement(self, judge: int) -> tuple[Floats, Floats]:
        """People's preferences by cluster, [C] twice: those the judge shares on the same battle (a
        tie of the judge shares half), and all on battles that it decided."""
        one = self.verdicts[judge]
        wins, losses, ties = one.wins.T
        first, second, _ = (self.votes[one.kind] * one.number[:, None]).T
        shared, every = shared_in_cells(wins, losses, ties, first, second)
        cluster = self.cluster[one.kind]
        agreed, compared = np.zeros(self.n_clusters), np.zeros(self.n_clusters)
        np.add.at(agreed, cluster, shared)
        np.add.at(compared, cluster, every)
        return agreed, compared

    @cached_property
    def _weight(self) -> Floats:
        """What a judge's verdict counts beside people, [K]: 1 where nobody voted."""
        return np.where(self.number > 0, self.votes.sum(axis=1), 1.0)

    def _compared(self, kind: Ints, wins: Floats) -> Comparisons:
        return comparisons_from_battles(
            self.n_systems,
            self.first[kind],
            self.second[kind],
            wins,
            self.cluster[kind],
            n_clusters=self.n_clusters,
        )


def people_votes(votes: Floats, reference: str, tied: str) -> tuple[Floats, NDArray[np.bool_]]:
    """People's votes [K, 3] on single battles as the reference counts them, and which are left out.

    Each vote counts (`each`), a battle counts once with its votes' shares (`soft`), or once for the
    outcome with most votes; a battle on which people are level is left out, or a tie where the task
    keeps such items (`reference_ties`).
    """
    never = np.zeros(len(votes), np.bool_)
    number = votes.sum(axis=1, keepdims=True)
    if reference == "each":
        return votes, never
    if reference == "soft":
        return np.divide(votes, number, out=np.zeros_like(votes), where=number > 0), never
    # Parts of votes that are shared out add up to a level battle but for the last bits.
    most = np.isclose(votes, votes.max(axis=1, keepdims=True), rtol=0, atol=1e-9)
    most &= number > 0
    level = most.sum(axis=1) > 1
    if tied == "exclude":
        return np.where(level[:, None], 0.0, most.astype(np.float64)), level
    tie = np.array([0.0, 0.0, 1.0])
    return np.where(level[:, None], tie, most.astype(np.float64)), never


def battles_of_wins(wins: Wins, reference: str, reference_ties: str) -> Battles:
    """The battles of a table, people's votes on each counted as the reference says."""
    columns = [np.unique(one, return_inverse=True)[1].reshape(-1) for one in wins.people.T]
    kind = combined([wins.prompt, wins.first, wins.second, *columns])
    _, at = np.unique(kind, return_index=True)
    people = wins.people[at]
    votes, level = people_votes(people, reference, reference_ties)
    human = np.array([one == "human" for one in wins.kinds])[wins.rater]
    given = np.bincount(kind[human], wins.wins[human].sum(axis=1), len(at))
    # Parts of votes add up to whole battles but for the last bits.
    voted = people.sum(axis=1)
    number = np.rint(np.divide(given, voted, out=np.zeros(len(at)), where=voted > 0))
    judges = [code for code, one in enumerate(wins.kinds) if one == "judge"]
    order = np.argsort(wins.rater, kind="stable")
    ends = np.searchsorted(wins.rater[order], np.arange(len(wins.raters) + 1))
    rows = [order[ends[code] : ends[code + 1]] for code in judges]
    return Battles(
        len(wins.systems),
        int(wins.cluster.max(initial=-1)) + 1,
        wins.first[at],
        wins.second[at],
        wins.cluster[wins.prompt[at]],
        votes,
        number,
        level,
        int(wins.given[human & level[kind]].sum()),
        tuple(Verdicts(kind[some], wins.wins[some], wins.wins[some].sum(axis=1)) for some in rows),
    )
