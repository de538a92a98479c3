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
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from goldassay.counts.units import Units, reference_weights
from goldassay.inference.cells import MOST_OPTIONS, Cells, outer_cells
from goldassay.inference.clusters import distinct_clusters
from goldassay.ratings.task import Task

__all__ = [
    "DeclaredModes",
    "Modes",
    "Resolution",
    "Tables",
    "by_cluster",
    "declared_modes",
    "resolved_tables",
]

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
    cells: Cells
    n: Ints
    cluster: Ints
    single: bool
    #: As in `Units`.
    alike: Ints | None = None

    @property
    def total(self) -> Floats:
        size, cells = len(self.labels), self.cells
        place, value = cells.row * size + cells.column, cells.value * self.n[cells.owner]
        return np.asarray(np.bincount(place, value, size * size), np.float64).reshape(size, size)

    @property
    def decided(self) -> npt.NDArray[np.bool_]:
        """The patterns [P] that count in some cell."""
        return self.sizes > 0

    @property
    def hits(self) -> Floats:
        """What agrees of each pattern's unit [P]."""
        return self.cells.sums()[0][:, 0]

    @property
    def sizes(self) -> Floats:
        """For how many decisions a unit of each pattern counts [P]."""
        return self.cells.sums()[1][:, 0]

    def only(self, mask: npt.NDArray[np.bool_]) -> Tables:
        """The tables of some patterns; those of the others are empty."""
        return replace(self, cells=self.cells.only(mask))

    def clusters(self, group: Ints | None = None, groups: int = 1) -> tuple[Floats | Cells, Ints]:
        """Tables [C, groups, L, L] of the distinct clusters, and how many clusters have each.

        By their cells where there are many options.
        """
        cells = self.cells if group is None else self.cells.grouped(group, groups)
        return by_cluster(cells, self.n, None if self.single else self.cluster, self.alike)


def by_cluster(
    cells: Cells, n: Ints, cluster: Ints | None, alike: Ints | None = None, *, apart_up_to: int = 1
) -> tuple[Floats | Cells, Ints]:
    """Tables of the distinct clusters from those of patterns, and how many clusters have each.

    `n[p]` units have the tables of pattern p, in the cluster `cluster[p]`, or each its own;
    `alike[c]` clusters are like c (one each, where it is None). Whole tables, by their cells where
    there are many options. Up to `apart_up_to` clusters are left as they are; without a count there
    is none.
    """
    used = cells.sums()[1].sum(1) > 0
    cells, times = cells.kept(used), n[used]
    if cluster is not None:
        labels, code = np.unique(cluster[used], return_inverse=True)
        number = np.ones(len(labels), np.int64) if alike is None else alike[labels]
        code = code.reshape(-1)
        cells, times = cells.summed(code, len(labels), times // number[code]), number
        apart_up_to = apart_up_to if alike is None else 1  # those alike are together already
    if cells.size <= MOST_OPTIONS:
        return distinct_clusters(cells.dense(), times, apart_up_to=apart_up_to)
    return (cells, times) if len(times) <= apart_up_to else cells.distinct(times)


class Resolution:
    """How verdicts on the same units become tables: their reference, resolved once."""

    def __init__(self, units: Units, modes: Modes) -> None:
        self._units, self._modes, self._to = units, modes, None
        human, size = units.human, len(units.options)
        if modes.abstentions == "recode" and modes.recode_to is not None:
            self._to = units.options.index(modes.recode_to)
            human = _recoded(human, self._to, size)
        as_class = modes.abstentions == "class"
        self._reference, _, _ = reference_weights(replace(units, human=human), abstained=as_class)
        # Declared weights count relative to one another: on average a unit is one decision.
        mean = float(units.weight @ units.n) / max(int(units.n.sum()), 1)
        self._weight = units.weight / mean if mean > 0 else units.weight

    def tables(self, shares: Floats) -> Tables:
        """Tables against verdict shares [P, K + 3] (`verdict_shares`, or a panel's)."""
        units, modes, size = self._units, self._modes, len(self._units.options)
        if self._to is not None:
            shares = _recoded(shares, self._to, size)
        pattern = shares * self._weight[:, None]
        cells, labels = _square(self._reference, pattern, units.options, modes)
        if units.task.tie is not None and modes.ties != "class":
            cells, labels, size = _without_tie(cells, labels, units.task.tie, modes.ties, size)
        return Tables(labels, size, cells, units.n, units.cluster, units.single, units.alike)


def _recoded(counts: npt.NDArray[Any], to: int, size: int) -> npt.NDArray[Any]:
    """Counts by option and state with abstentions as an option."""
    found = counts.copy()
    found[:, to] += found[:, size]
    found[:, size] = 0
    return found


def resolved_tables(units: Units, shares: Floats, modes: Modes) -> Tables:
    """Tables of reference against verdict shares [P, K + 3]."""
    return Resolution(units, modes).tables(shares)


def _square(
    reference: Floats, pattern: Floats, options: tuple[str, ...], modes: Modes
) -> tuple[Cells, tuple[str, ...]]:
    """Reference x verdict over the options and the classes that the modes keep."""
    size = len(options)
    labels, new = list(options), np.full(size + 3, -1)
    new[:size] = np.arange(size)
    if modes.abstentions == "class":
        new[size] = len(labels)
        labels.append("abstained")
    rows = new.copy()
    other = modes.invalids == "wrong" and size == 2
    if not other and modes.invalids != "exclude" and pattern[:, size + 1].any():
        new[size + 1] = len(labels)
        labels.append("invalid")
    every = outer_cells(reference, pattern)
    row, column = rows[every.row], new[every.column]
    if other:  # the wrong answer to a yes-no question is the other answer
        column = np.where((every.column == size + 1) & (row < size), 1 - row, column)
    found = replace(every, row=row, column=column, shape=(len(reference), 1, len(labels)))
    return found.where((row >= 0) & (column >= 0)), tuple(labels)


def _without_tie(
    cells: Cells, labels: tuple[str, ...], tie: str, rule: str, size: int
) -> tuple[Cells, tuple[str, ...], int]:
    """Ties left out, or half a vote to each side (two ties agree whichever side is drawn)."""
    at = labels.index(tie)
    rest = [index for index in range(len(labels)) if index != at]
    sides = [index for index, label in enumerate(labels[:size]) if label != tie]
    row, column = cells.row == at, cells.column == at
    parts = [cells.where(~row & ~column)]
    for side in sides if rule == "half" else ():
        for mask in (row & ~column, ~row & column, row & column):
            half = cells.where(mask)
            parts.append(
                replace(
                    half,
                    row=np.where(half.row == at, side, half.row),
                    column=np.where(half.column == at, side, half.column),
                    value=half.value / 2,
                )
            )
    new = np.full(len(labels), -1)
    new[rest] = np.arange(len(rest))
    owner, group, rows, columns, value = (
        np.concatenate([getattr(one, name) for one in parts])
        for name in ("owner", "group", "row", "column", "value")
    )
    shape = (cells.shape[0], 1, len(rest))
    found = Cells(owner, group, new[rows], new[columns], value, shape)
    return found, tuple(labels[index] for index in rest), size - 1
