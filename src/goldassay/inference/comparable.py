"""Which candidates may be compared, and on which items: those that all compared ones decide.

A judge that leaves the hard items out would otherwise look better than one that decides them. One
that decides less than half as many as the most is not compared, so that it does not take the items
away from the others; where that would leave one judge alone, there are no others, and it is
compared on the few. Nor is one that decides less than half as much of one label of people's as of
another: what is left is not what the judges are for, and the judge that is silent on the hard label
would lead on the easy one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.frozen import dataclass

__all__ = ["Lack", "Shared", "shared_items"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: A judge that decides less than this share of what another decides is not compared; nor one that
#: decides less than this share of a label, against what it decides of another.
ENOUGH = 0.5
#: Of a label with fewer items nothing is made.
LEAST_OF_LABEL = 20


@dataclass(frozen=True)
class Lack:
    """Of people's labels (by place) the one that a candidate decides least of, and the most."""

    least: int
    least_share: float
    most: int
    most_share: float


@dataclass(frozen=True)
class Shared:
    """The candidates that are compared [J], and the units that all of these decide [P]."""

    compared: Bools
    units: Bools
    n_items: int
    #: Whether these are the very units that each of them decides.
    all_alike: bool
    #: Of candidates that leave one label out: which.
    lacks: dict[int, Lack]


def shared_items(decided: Bools, n: Ints, people: Floats | None = None) -> Shared:
    """What candidates may be compared on, from the units [J, P] that each of them decides.

    `people` [P, K] are people's labels of the units, in parts where they differ.
    """
    own = decided @ n
    compared = (own >= ENOUGH * own.max(initial=0)) & (own > 0)
    if compared.sum() == 1 and len(own) > 1:
        compared = (own >= ENOUGH * np.sort(own)[-2]) & (own > 0)
    lacks = {} if people is None else _lacks(decided, n, people, compared)
    if len(lacks) == compared.sum() and not n[decided[compared].all(0)].any():
        lacks = {}  # judges of different items, whatever people call these
    compared[list(lacks)] = False
    units = decided[compared].all(0) if compared.any() else np.zeros(decided.shape[1], bool)
    n_items = int(n[units].sum())
    alike = bool((own[compared] == n_items).all())
    return Shared(compared, units, n_items, alike, lacks)


def _lacks(decided: Bools, n: Ints, people: Floats, compared: Bools) -> dict[int, Lack]:
    """The compared candidates that decide far less of one label than of another.

    What nobody decides is nobody's lack: a label counts by what the one decides that decides most.
    """
    size = people.sum(1, keepdims=True)
    labels = np.divide(people, size, out=np.zeros_like(people, dtype=float), where=size > 0)
    every = n @ labels
    own = np.where(decided, n, 0) @ labels
    best = own[compared].max(0, initial=0)
    known = best >= LEAST_OF_LABEL
    if known.sum() < 2:
        return {}
    found = {}
    for j in np.flatnonzero(compared):
        part = np.divide(own[j], best, out=np.full(len(best), np.nan), where=known)
        least, most = int(np.nanargmin(part)), int(np.nanargmax(part))
        if part[least] < ENOUGH * part[most]:
            shares = own[j] / np.maximum(every, 1.0)
            found[int(j)] = Lack(least, float(shares[least]), most, float(shares[most]))
    return found
