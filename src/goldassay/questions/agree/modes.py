"""How abstentions, invalid verdicts and ties are resolved before anything is counted.

The resolutions are not preprocessing: each estimates another quantity (Rao and Callison-Burch 2026,
section 6). A `Mode` names one, and `resolved` turns units into tables under it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from goldassay.counts import Resolution, Tables, Units, column_shares
from goldassay.frozen import dataclass
from goldassay.ratings.task import Task

__all__ = ["Mode", "Tables", "declared_mode", "modes_of", "resolved", "resolved_each"]

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
                modes.append(
                    replace(
                        declared,
                        name=name,
                        abstentions=name,
                        recode_to=to,
                        estimand=_ESTIMANDS[name].format(to=to),
                    )
                )
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


def resolved_each(units: Units, verdicts: Iterable[Ints], mode: Mode) -> list[Tables]:
    """Tables of several raters' verdicts [P, S] on the same units."""
    found, size = Resolution(units, mode), len(units.options)
    return [found.tables(column_shares(verdict, size)) for verdict in verdicts]


def resolved(units: Units, verdict: Ints, mode: Mode) -> Tables:
    """Tables of reference against verdict[P, S] (S repeats, which share a unit's weight)."""
    return resolved_each(units, [verdict], mode)[0]
