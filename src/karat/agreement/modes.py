"""How abstentions, invalid verdicts and ties are resolved before anything is counted.

The resolutions are not preprocessing: each estimates another quantity (Rao and Callison-Burch 2026,
section 6). A `Mode` names one, and `resolved` turns units into tables under it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.counts import Units, reference_weights
from karat.task import Task

__all__ = ["Mode", "Tables", "declared_mode", "modes_of", "resolved"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Mode:
    """A way to resolve what is not a plain verdict, and the quantity it estimates."""

    name: str
    abstentions: Literal["exclude", "recode", "class"]
    invalids: Literal["exclude", "wrong", "class"]
    ties: Literal["half", "exclude", "class"]
    recode_to: str | None
    estimand: str


_ESTIMANDS = {
    "exclude": "agreement where both people and the judge committed themselves; says nothing of"
    " the rest",
    "recode": "agreement when an abstention counts as {to}; abstaining and saying {to} are one",
    "class": "agreement on all items with abstention as a verdict of its own",
}


def declared_mode(task: Task) -> Mode:
    """The mode that the task declares; the headline numbers use it."""
    return Mode(
        name=task.abstentions,
        abstentions=task.abstentions,
        invalids=task.invalids,
        ties=task.ties if task.tie is not None else "class",
        recode_to=task.recode_to,
        estimand=_ESTIMANDS[task.abstentions].format(to=task.recode_to),
    )


def modes_of(task: Task, *, abstained: bool, invalid: bool) -> list[Mode]:
    """The modes that differ on this data, the declared one first."""
    declared = declared_mode(task)
    modes = [declared]
    if abstained:
        to = task.recode_to or task.negative
        names: tuple[Literal["exclude", "recode", "class"], ...] = ("exclude", "recode", "class")
        for name in names:
            if name != declared.abstentions and (name != "recode" or to is not None):
                modes.append(replace(
                    declared, name=name, abstentions=name, recode_to=to,
                    estimand=_ESTIMANDS[name].format(to=to),
                ))  # fmt: skip
    if invalid and declared.invalids != "exclude":
        estimand = "agreement where the verdict could be read"
        modes.append(
            replace(declared, name="invalid excluded", invalids="exclude", estimand=estimand)
        )
    if invalid and declared.invalids != "wrong":
        estimand = "agreement with an unreadable verdict counted as wrong"
        modes.append(
            replace(declared, name="invalid as wrong", invalids="wrong", estimand=estimand)
        )
    return modes


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
        if not len(stack):
            return stack, times
        distinct, inverse = np.unique(stack.reshape(len(stack), -1), axis=0, return_inverse=True)
        merged = np.bincount(inverse.reshape(-1), weights=times).astype(np.int64)
        return distinct.reshape(len(distinct), groups, width, width), merged


def resolved(units: Units, verdict: Ints, mode: Mode) -> Tables:
    """Tables of reference against verdict[P, S] (S repeats, which share a unit's weight)."""
    size = len(units.options)
    human, verdict = units.human, verdict.copy()
    if mode.abstentions == "recode" and mode.recode_to is not None:
        to = units.options.index(mode.recode_to)
        human = human.copy()
        human[:, to] += human[:, size]
        human[:, size] = 0
        verdict[verdict == size] = to
    as_class = mode.abstentions == "class"
    reference, _, _ = reference_weights(replace(units, human=human), abstained=as_class)
    present = verdict >= 0
    share = units.weight / np.maximum(present.sum(1), 1)
    pattern = np.zeros((len(units.n), size + 3))
    for column in range(verdict.shape[1]):
        rows = np.flatnonzero(present[:, column])
        np.add.at(pattern, (rows, verdict[rows, column]), share[rows])
    cells, labels = _square(reference, pattern, units.options, mode)
    if units.task.tie is not None and mode.ties != "class":
        cells, labels, size = _without_tie(cells, labels, units.task.tie, mode.ties, size)
    return Tables(labels, size, cells, units.n, units.cluster, units.single)


def _square(
    reference: Floats, pattern: Floats, options: tuple[str, ...], mode: Mode
) -> tuple[Floats, tuple[str, ...]]:
    """Reference x verdict over the options and the classes that the mode keeps."""
    size = len(options)
    kept, labels = list(range(size)), list(options)
    if mode.abstentions == "class":
        kept.append(size)
        labels.append("abstained")
    if mode.invalids == "wrong" and size == 2:
        # The wrong answer to a yes-no question is the other answer.
        cells = reference[:, kept, None] * pattern[:, None, kept]
        wrong = pattern[:, size + 1]
        cells[:, 0, 1] += reference[:, 0] * wrong
        cells[:, 1, 0] += reference[:, 1] * wrong
        return cells, tuple(labels)
    rows = list(kept)
    if mode.invalids != "exclude" and pattern[:, size + 1].any():
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
