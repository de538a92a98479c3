"""What is chosen among: judges, and panels of judges, counted on the same items.

A panel gives the option that most of its members give. Where they tie, or none has a verdict, the
panel abstains, and the task's mode for abstentions decides what that means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from karat.counts import Tables, Units, declared_modes, resolved_tables, verdict_shares

__all__ = ["Candidates", "gather", "panel_shares", "panels_of", "tables_of"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Up to this many judges every panel of three is tried; beyond, only the panel of all.
MOST_FOR_TRIPLES = 6


@dataclass(frozen=True)
class Candidates:
    """Judges and panels with the joint counts that all comparisons start from.

    `counts[c, j]` is the declared table of candidate j in cluster c; `multiplicity[c]` clusters
    have these very tables. `members` are the judges of each candidate, one unless it is a panel.
    """

    names: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    counts: Array  # [C, J, k, k]
    multiplicity: Ints  # [C]
    clustered: bool
    n_items: Ints  # [J]
    labels: tuple[str, ...]  # of the k classes, the first `size` of them options
    size: int
    units: Units

    @property
    def n_clusters(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def totals(self) -> Array:
        """Tables [J, k, k] over all clusters."""
        total: Array = np.tensordot(self.multiplicity, self.counts, axes=1)
        return total

    def tables(self, candidate: int) -> Tables:
        """The tables of one candidate, one for a unit of each pattern."""
        return tables_of(self.units, self.members[candidate])


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


def tables_of(units: Units, members: Sequence[str]) -> Tables:
    """The tables of a judge or a panel in the task's declared modes."""
    shares = [verdict_shares(units, judge) for judge in members]
    verdict = shares[0] if len(shares) == 1 else panel_shares(shares)
    return resolved_tables(units, verdict, declared_modes(units.task))


def gather(units: Units, *, panels: bool = False) -> Candidates:
    """Count all judges, and panels if asked for, on the same items."""
    judges = units.judge_names
    names = list(judges)
    members: list[tuple[str, ...]] = [(judge,) for judge in judges]
    for panel in panels_of(judges) if panels else ():
        names.append("panel of all" if len(panel) == len(judges) else f"panel({', '.join(panel)})")
        members.append(panel)
    clusters = len(units.n) if units.single else units.n_clusters
    found = [tables_of(units, panel) for panel in members]
    # A class that only some judges use (invalid verdicts) is a class of the tables of all.
    widest = max(found, key=lambda one: len(one.labels))
    classes = len(widest.labels)
    counts = np.zeros((clusters, len(names), classes, classes))
    n_items = np.zeros(len(names), dtype=np.int64)
    for index, one in enumerate(found):
        weight = one.cells.sum(axis=(1, 2))
        n_items[index] = int(units.n[weight > 0].sum())
        own = counts[:, index, : len(one.labels), : len(one.labels)]
        if units.single:
            own[:] = one.cells
        else:
            np.add.at(own, units.cluster, one.cells * units.n[:, None, None])
    used = counts.sum(axis=(1, 2, 3)) > 0
    times = units.n if units.single else np.ones(clusters, dtype=np.int64)
    several = bool((counts.sum(axis=(2, 3)) > 1 + 1e-9).any())
    return Candidates(
        tuple(names), tuple(members), counts[used], times[used], several, n_items,
        widest.labels, widest.size, units,
    )  # fmt: skip
