"""What is chosen among: judges, panels of judges and cut scores, compared on the same items.

Compared are the candidates on the items that all of them decide (`inference.comparable`):
two judges that give the same verdicts wherever both commit themselves are level, however much
either leaves undecided. What each decides on its own stands beside that, with its coverage.

A panel gives the option that most of its members give, of one answer by each; where judges were
asked several times, these panels share their item as a judge's answers do. Where they tie, or none
has a verdict, the panel abstains, and the task's mode for abstentions decides what that means. A
cut score calls each answer by thresholds that were chosen on other items (`thresholds`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import (
    Resolution,
    Tables,
    Units,
    column_shares,
    declared_modes,
    reference_weights,
    verdict_shares,
)
from goldassay.frozen import dataclass
from goldassay.inference.cells import Cells, several_decisions, total_of
from goldassay.inference.comparable import Shared, shared_items
from goldassay.inference.draw import Draw
from goldassay.metrics.tables import Setting
from goldassay.questions.agree.abstention import rate
from goldassay.questions.agree.judges import setting_of
from goldassay.questions.agree.standing import joint_counts
from goldassay.questions.cluster_sizes import size_warnings_of_tables
from goldassay.questions.select.criteria import decision_consistency
from goldassay.ratings.task import Task
from goldassay.results import Result

__all__ = ["Candidates", "Cut", "gather", "panel_shares", "panel_verdicts", "panels_of"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Up to this many judges every panel of three is tried; beyond, only the panel of all.
MOST_FOR_TRIPLES = 6
#: At most so many panels of single answers to an item; judges of unlike numbers of repeats need as
#: many as their least common multiple for every answer to count alike.
MOST_ROUNDS = 60


@dataclass(frozen=True)
class Cut:
    """The scores of a judge, cut: a name, the judge, and its calls as verdict shares [P, K + 3]."""

    name: str
    judge: str
    shares: Array


@dataclass(frozen=True)
class Candidates:
    """Judges, panels and cut scores with the joint counts that all comparisons start from.

    `counts[c, j]` is the declared table of candidate j in cluster c, of the `shared` items alone;
    `multiplicity[c]` clusters have these very tables. `n_items[j]` are all that j decides,
    `members[j]` the judges of it, one unless it is a panel, `shares[j]` its verdicts of each
    pattern of units, `asked[j]` 1 where it was to give one: a panel where any member was, a cut
    score (chosen on labels) where its judge was and there is a label.
    """

    names: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    shares: tuple[Array, ...]
    asked: tuple[Array, ...]
    counts: Array | Cells  # [C, J, k, k]
    multiplicity: Ints  # [C]
    n_items: Ints  # [J]
    labels: tuple[str, ...]  # of the k classes, the first `size` of them options
    size: int
    setting: Setting  # what the tables of all mean
    units: Units
    shared: Shared

    @property
    def judges(self) -> range:
        """The candidates that are single judges by their verdicts; they come first."""
        return range(len(self.units.judge_names))

    @property
    def repeated(self) -> bool:
        """Whether some judge has several answers to an item."""
        return len(self.units.judges) > len(self.judges)

    @property
    def clustered(self) -> bool:
        """Whether a cluster may hold more than one decision."""
        return several_decisions(self.counts)

    @property
    def n_clusters(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def size_warnings(self) -> tuple[str, ...]:
        """What stands at differences over these clusters."""
        if self.units.single:
            return ()
        return size_warnings_of_tables(self.counts, self.multiplicity)

    @property
    def totals(self) -> Array:
        """Tables [J, k, k] over all clusters."""
        return total_of(self.counts, self.multiplicity)

    def tables(self, candidate: int) -> Tables:
        """The tables of one candidate, one for a unit of each pattern, of all that it decides."""
        return self._resolution.tables(self.shares[candidate])

    @cached_property
    def _resolution(self) -> Resolution:
        return Resolution(self.units, declared_modes(self.units.task))

    def shared_tables(self, candidate: int) -> Tables:
        """The same of the items that all compared candidates decide; empty for the others."""
        kept = self.shared.units & self.shared.compared[candidate]
        return self.tables(candidate).only(kept)

    def spent(self, spending: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """What a verdict of each candidate costs (`cost`) or how long it takes (`latency`).

        A panel pays all its members, and waits for the slowest.
        """
        return {
            column: {
                name: float((sum if column == "cost" else max)(by_judge[m] for m in members))
                for name, members in zip(self.names, self.members, strict=True)
                if by_judge.keys() >= set(members)
            }
            for column, by_judge in spending.items()
        }

    def with_no_verdict_wrong(self, candidate: int, *, decisions: bool) -> float:
        """The share that a candidate gets right of all it was asked: on average over people's
        labels, or of all `decisions` (positive or not)."""
        tables = self.tables(candidate)
        assert tables.people is not None
        asked = self.units.n * self.asked[candidate]
        every, total = asked @ tables.people, tables.total
        if not decisions:
            right = np.diag(total)[: self.size]
            known = np.flatnonzero(every[: self.size] > 0)
            return float((right[known] / every[known]).mean())
        positive = self.setting.positive
        same = decision_consistency(total, size=self.size, positive=positive)
        return float(same * total.sum() / every.sum()) if total.any() else 0.0

    def coverage(self, candidate: int, draw: Draw) -> Result:
        """How much of what it was asked a candidate decides, as `agree` has it of a judge."""
        decided = self.shares[candidate][:, : len(self.units.options)].sum(1)
        asked = self.asked[candidate]
        return rate(self.units, "coverage", decided * asked, asked, draw)


def panels_of(judges: Sequence[str]) -> list[tuple[str, ...]]:
    """Panels worth trying: every three judges while these are few, and all of them."""
    panels: list[tuple[str, ...]] = []
    if 3 <= len(judges) <= MOST_FOR_TRIPLES:
        panels += combinations(judges, 3)
    if len(judges) > 3:
        panels.append(tuple(judges))
    return panels


def panel_shares(members: Sequence[Array]) -> Array:
    """The majority verdict [P, K + 3] of members' verdict shares, each [P, K + 3]."""
    votes: Array = np.sum(members, axis=0)
    options = votes.shape[1] - 3
    best = votes[:, :options].max(axis=1)
    winners = np.isclose(votes[:, :options], best[:, None]) & (best > 0)[:, None]
    out = np.zeros_like(votes)
    alone = winners.sum(axis=1) == 1
    out[:, :options][alone] = winners[alone]
    out[~alone & (votes.sum(axis=1) > 0), options] = 1.0
    return out


def panel_verdicts(units: Units, panels: Sequence[Sequence[str]]) -> list[Array]:
    """The verdict shares [P, K + 3] of panels of one answer by each member.

    Repeat k of each member is one panel, and one with fewer repeats begins again.
    """
    given, number = {}, {}
    for judge in {member for panel in panels for member in panel}:
        verdict = units.verdict[:, units.columns_of(judge)]
        present = verdict >= 0
        first = np.argsort(~present, axis=1, kind="stable")
        given[judge] = np.take_along_axis(verdict, first, 1)
        number[judge] = np.maximum(present.sum(1), 1)
    repeats = {int(one) for counted in number.values() for one in np.unique(counted)}
    rounds, size = min(math.lcm(*repeats), MOST_ROUNDS), len(units.options)
    out = [np.zeros((len(units.n), size + 3)) for _ in panels]
    for turn in range(rounds):
        answer = {
            judge: column_shares(
                np.take_along_axis(verdict, (turn % number[judge])[:, None], 1), size
            )
            for judge, verdict in given.items()
        }
        for place, panel in enumerate(panels):
            out[place] += panel_shares([answer[judge] for judge in panel]) / rounds
    return out


def gather(units: Units, *, panels: bool = False, cuts: Sequence[Cut] = ()) -> Candidates:
    """Count all judges, panels if asked for, and cut scores, on the items that all decide."""
    judges = units.judge_names
    own = {judge: verdict_shares(units, judge) for judge in judges}
    to_rate = {judge: units.to_rate(judge).astype(float) for judge in judges}
    labelled = reference_weights(units)[0].any(axis=1)
    names, shares, asked = list(judges), list(own.values()), list(to_rate.values())
    members: list[tuple[str, ...]] = [(judge,) for judge in judges]
    tried = panels_of(judges) if panels else []
    for panel, verdicts in zip(tried, panel_verdicts(units, tried), strict=True):
        names.append("panel of all" if len(panel) == len(judges) else f"panel({', '.join(panel)})")
        members.append(panel)
        shares.append(verdicts)
        asked.append(np.max([to_rate[judge] for judge in panel], axis=0))
    for cut in cuts:
        names.append(cut.name)
        members.append((cut.judge,))
        shares.append(cut.shares)
        asked.append(to_rate[cut.judge] * labelled)
    resolution = Resolution(units, declared_modes(units.task))
    found = [resolution.tables(one) for one in shares]
    widest = max(found, key=lambda one: len(one.labels))
    decided = np.stack([one.decided for one in found])
    shared = shared_items(decided, units.n, widest.people)
    return Candidates(
        tuple(names),
        tuple(members),
        tuple(shares),
        tuple(asked),
        *joint_counts(found, shared),
        decided @ units.n,
        widest.labels,
        widest.size,
        _setting(widest, units.task),
        units,
        shared,
    )


def _setting(tables: Tables, task: Task) -> Setting:
    """What tables mean; the positive option is one even beside classes of no verdict."""
    at = tables.labels.index(task.positive) if task.positive in tables.labels else None
    return replace(setting_of(task, tables), positive=at)
