"""How abstentions, invalid verdicts and ties are resolved: units to square tables of counts.

Every question that counts verdicts against a reference resolves them here, so that the same task
gives the same table everywhere. What is left out is counted by `pairing_exclusions`.

- Abstentions: `exclude` leaves them out, `recode` makes them the option `recode_to` (people's too),
  `class` makes them a class of their own.
- Invalid verdicts: `exclude` leaves them out; `wrong` makes them the other answer of a yes-no
  question, and otherwise, as `class` does, a class that the reference never has.
- Ties of a pairwise task: `exclude` leaves them out, `half` gives half to each side, `class` keeps
  them. Failed calls have no verdict.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from goldassay.counts.units import Units, reference_weights
from goldassay.inference.clusters import distinct_clusters
from goldassay.ratings.task import Task

__all__ = ["DeclaredModes", "Modes", "Tables", "declared_modes", "resolved_tables"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Modes(Protocol):
    """How each kind of rating that is not a plain verdict is resolved."""

    @property
    def abstentions(self) -> Literal["exclude", "recode", "class"]: ...
    @property
    def invalids(self) -> Literal["exclude", "wrong", "class"]: ...
    @property
    def ties(self) -> Literal["half", "exclude", "class"]: ...
    @property
    def recode_to(self) -> str | None: ...


@dataclass(frozen=True)
class DeclaredModes:
    """The modes that a task declares."""

    abstentions: Literal["exclude", "recode", "class"]
    invalids: Literal["exclude", "wrong", "class"]
    ties: Literal["half", "exclude", "class"]
    recode_to: str | None


def declared_modes(task: Task) -> DeclaredModes:
    """The task's own modes; without a tie option there is nothing to resolve about ties."""
    ties = task.ties if task.tie is not None else "class"
    return DeclaredModes(task.abstentions, task.invalids, ties, task.recode_to)


@dataclass(frozen=True)
class Tables:
    """A judge's tables under a mode: one L x L table for each pattern of units.

    `labels` are the classes of both sides in order: the task's options (`size` of them, less a
    tie that was resolved), then "abstained" or "invalid" where these are classes.
    """

    labels: tuple[str, ...]
    size: int
    cells: Floats
    n: Ints
    cluster: Ints
    single: bool

    @property
    def total(self) -> Floats:
        return np.asarray(np.tensordot(self.n, self.cells, axes=1))

    def clusters(self, group: Ints | None = None, groups: int = 1) -> tuple[Floats, Ints]:
        """Tables [C, groups, L, L] of the distinct clusters, and how many clusters have each."""
        at = np.zeros(len(self.n), np.int64) if group is None else group
        used = self.cells.any((1, 2))
        width = self.cells.shape[-1]
        if self.single:
            stack = np.zeros((int(used.sum()), groups, width, width))
            stack[np.arange(len(stack)), at[used]] = self.cells[used]
            times = self.n[used]
        else:
            labels, cluster = np.unique(self.cluster[used], return_inverse=True)
            stack = np.zeros((len(labels), groups, width, width))
            np.add.at(stack, (cluster, at[used]), self.cells[used] * self.n[used, None, None])
            times = np.ones(len(labels), np.int64)
        return distinct_clusters(stack, times)


def resolved_tables(units: Units, shares: Floats, modes: Modes) -> Tables:
    """Tables of reference against verdict shares [P, K + 3] (`verdict_shares`, or a panel's)."""
    size = len(units.options)
    human = units.human
    if modes.abstentions == "recode" and modes.recode_to is not None:
        to = units.options.index(modes.recode_to)
        human, shares = human.copy(), shares.copy()
        for side in (human, shares):
            side[:, to] += side[:, size]
            side[:, size] = 0
    as_class = modes.abstentions == "class"
    reference, _, _ = reference_weights(replace(units, human=human), abstained=as_class)
    # Declared weights count relative to one another: on average a unit is one decision.
    mean = float(units.weight @ units.n) / max(int(units.n.sum()), 1)
    pattern = shares * (units.weight / mean if mean > 0 else units.weight)[:, None]
    cells, labels = _square(reference, pattern, units.options, modes)
    if units.task.tie is not None and modes.ties != "class":
        cells, labels, size = _without_tie(cells, labels, units.task.tie, modes.ties, size)
    return Tables(labels, size, cells, units.n, units.cluster, units.single)


def _square(
    reference: Floats, pattern: Floats, options: tuple[str, ...], modes: Modes
) -> tuple[Floats, tuple[str, ...]]:
    """Reference x verdict over the options and the classes that the modes keep."""
    size = len(options)
    kept, labels = list(range(size)), list(options)
    if modes.abstentions == "class":
        kept.append(size)
        labels.append("abstained")
    if modes.invalids == "wrong" and size == 2:
        # The wrong answer to a yes-no question is the other answer.
        cells = reference[:, kept, None] * pattern[:, None, kept]
        wrong = pattern[:, size + 1]
        cells[:, 0, 1] += reference[:, 0] * wrong
        cells[:, 1, 0] += reference[:, 1] * wrong
        return cells, tuple(labels)
    rows = list(kept)
    if modes.invalids != "exclude" and pattern[:, size + 1].any():
        kept.append(size + 1)
        labels.append("invalid")
    wide = np.zeros((len(reference), len(kept), len(kept)))
    wide[:, : len(rows)] = reference[:, rows, None] * pattern[:, None, kept]
    return wide, tuple(labels)


def _without_tie(
    cells: Floats, labels: tuple[str, ...], tie: str, rule: str, size: int
) -> tuple[Floats, tuple[str, ...], int]:
    """Ties left out, or half a vote to each side (two ties agree whichever side is drawn)."""
    at = labels.index(tie)
    rest = [index for index in range(len(labels)) if index != at]
    sides = [index for index, label in enumerate(labels[:size]) if label != tie]
    out = cells[:, rest][:, :, rest].copy()
    if rule == "half":
        half = [rest.index(side) for side in sides]
        for side in half:
            out[:, side, :] += cells[:, at, rest] / 2
            out[:, :, side] += cells[:, rest, at] / 2
            out[:, side, side] += cells[:, at, at] / 2
    return out, tuple(labels[index] for index in rest), size - 1
