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

from karat.counts import (
    Units,
    declared_classes,
    declared_tables,
    reference_weights,
    verdict_shares,
)

__all__ = ["Candidates", "gather", "panel_shares", "panels_of", "pattern_tables"]

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
    units: Units

    @property
    def n_clusters(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def totals(self) -> Array:
        """Tables [J, k, k] over all clusters."""
        total: Array = np.tensordot(self.multiplicity, self.counts, axes=1)
        return total

    def tables(self, candidate: int) -> Array:
        """The declared tables [P, k, k] of one candidate, one for a unit of each pattern."""
        return pattern_tables(self.units, self.members[candidate])


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


def pattern_tables(units: Units, members: Sequence[str]) -> Array:
    """The declared table [P, k, k] of one unit of each pattern, for a judge or a panel."""
    task = units.task
    shares = [verdict_shares(units, judge) for judge in members]
    verdict = shares[0] if len(shares) == 1 else panel_shares(shares)
    reference, _, _ = reference_weights(units, abstained=task.abstentions == "class")
    cells = reference[:, :, None] * (verdict * units.weight[:, None])[:, None, :]
    return declared_tables(cells, task)


def gather(units: Units, *, panels: bool = False) -> Candidates:
    """Count all judges, and panels if asked for, on the same items."""
    judges = units.judge_names
    names = list(judges)
    members: list[tuple[str, ...]] = [(judge,) for judge in judges]
    for panel in panels_of(judges) if panels else ():
        names.append("panel of all" if len(panel) == len(judges) else f"panel({', '.join(panel)})")
        members.append(panel)
    clusters = len(units.n) if units.single else units.n_clusters
    classes = len(declared_classes(units.task))
    counts = np.zeros((clusters, len(names), classes, classes))
    n_items = np.zeros(len(names), dtype=np.int64)
    several = False
    for index, panel in enumerate(members):
        tables = pattern_tables(units, panel)
        weight = tables.sum(axis=(1, 2))
        n_items[index] = int(units.n[weight > 0].sum())
        several |= bool((weight > units.weight * (1 + 1e-9)).any())
        if units.single:
            counts[:, index] = tables
        else:
            np.add.at(counts[:, index], units.cluster, tables * units.n[:, None, None])
    used = counts.sum(axis=(1, 2, 3)) > 0
    times = units.n if units.single else np.ones(clusters, dtype=np.int64)
    return Candidates(
        tuple(names), tuple(members), counts[used], times[used], not units.single or several,
        n_items, units,
    )  # fmt: skip
