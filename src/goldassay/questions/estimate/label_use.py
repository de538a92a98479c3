"""Whose labels correct a system: its own where it has enough of them, else those of all systems.

Own labels assume nothing of the judge. Labels of all systems tell how the judge errs (`shared`),
which is right for a system where it errs there as elsewhere. A system that is labelled well is
therefore not corrected with others' labels because a third one has hardly any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.contrasts import Contrasts, Recovered
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    ROGAN_GLADEN,
    Estimator,
    headline,
)
from goldassay.questions.estimate.shared import SHARED_ASSUMES, SharedLabels
from goldassay.words import counted, listed, named

__all__ = ["OWN_ASSUMES", "LabelUse", "PartlyShared", "if_alike"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: Labels of a system for it to be corrected by its own, and of each true label where error rates
#: are taken from them. Below about 15 labels the intervals of own ones are hardly of use.
OWN_LABELS, OF_EACH_LABEL = 15, 5
#: So many systems are named in what is assumed, and in an answer.
NAMED, FEW = 3, 2
OWN_ASSUMES = "each system is corrected with its own labels"
OWN, OF_ALL = "own labels", "labels of all systems"


@dataclass(frozen=True)
class LabelUse:
    """Which groups `borrow` the labels of all [G], and the estimator of those with their own.

    Where the labels are `complete` there is nothing to correct: people's rate is the rate.
    """

    drawn: Drawing
    borrow: Mask
    complete: bool

    @classmethod
    def of(
        cls, total: Array, drawn: Drawing, labels: str | None, asked: Sequence[int] | None = None
    ) -> LabelUse:
        """Of groups with these cells [G, K + 1, V]; `asked` are those whose rates are wanted.

        As `labels` says, "own" or "shared"; else a group borrows that has not enough of its own,
        nor is labelled whole.
        """
        wanted = np.ones(len(total), bool)
        if asked is not None:
            wanted = np.isin(np.arange(len(total)), asked)
        held = total.any((1, 2))
        whole = (total[:, -1].sum(-1) <= 0) & held & drawn.from_pool
        complete = bool((wanted & held).any() and whole[wanted & held].all())
        if labels is not None or complete:
            return cls(drawn, np.full(len(total), labels == "shared"), complete)
        enough = whole | _enough(total, headline(drawn))
        alike = enough[wanted].all() or not enough[wanted].any()
        # What is of no system goes with the systems where these are all corrected alike.
        borrow = np.full(len(total), not enough[wanted].any()) if alike else ~enough
        return cls(drawn, borrow, complete)

    def sliced(self, number: int) -> LabelUse:
        """The same systems in so many slices; what is of no system comes last."""
        return replace(self, borrow=np.append(np.tile(self.borrow[:-1], number), self.borrow[-1:]))

    @property
    def some(self) -> bool:
        return bool(self.borrow.any())

    @property
    def all(self) -> bool:
        return bool(self.borrow.all())

    @property
    def own(self) -> Estimator:
        return CALIBRATION_ONLY if self.complete else headline(self.drawn)

    def estimator(self, group: int) -> Estimator:
        """Rogan-Gladen of shared labels: what they share is P(verdict | label), not the rates."""
        return ROGAN_GLADEN if self.borrow[group] else self.own

    def method(self, group: int) -> str:
        """How a group is corrected, in words."""
        words = self.estimator(group).words
        return f"{words}, {OF_ALL if self.borrow[group] else OWN}"

    def method_of_pair(self, first: int, second: int) -> str:
        """How the difference of two groups is told, in words."""
        both = self.borrow[[first, second]]
        how = "Fieller" if both.all() else "MOVER with covariance"
        if both.all() or not both.any():
            return f"{self.method(first)}, {how}, simultaneous"
        return f"{OWN} and {OF_ALL}, {how}, simultaneous"

    def borrowing(self, names: Sequence[str]) -> dict[str, Any]:
        """The systems among groups with these names that borrow, of how many."""
        found = [name for name, one in zip(names, self.borrow, strict=False) if name and one]
        return {"borrowing": found, "systems": sum(bool(name) for name in names)}

    def assumption(self, names: Sequence[str]) -> str:
        """What the rates of groups with these names assume."""
        if not self.some:
            return "all items that count are labelled" if self.complete else OWN_ASSUMES
        if self.all:
            return SHARED_ASSUMES
        borrowing = self.borrowing(names)["borrowing"]
        who = (
            listed([named(one) for one in borrowing])
            if len(borrowing) <= NAMED
            else f"{counted(len(borrowing), 'system')} with few labels"
        )
        return (
            f"the judge errs on {who} as on all systems together: P(verdict | label) is the same, "
            f"the rates may differ, and labels of all systems are used; each other system is "
            "corrected with its own labels"
        )


def if_alike(who: str, borrowing: Sequence[str], systems: int) -> str:
    """What is taken for granted where some of so many systems rest on the labels of all of them:
    that the judge errs there as elsewhere; nothing where none does."""
    if not borrowing:
        return ""
    where = "alike on every system"
    if len(borrowing) <= FEW and len(borrowing) < systems:
        where = f"on {listed([named(one) for one in borrowing])} as elsewhere"
    return f"if {who} errs {where}, "


def _enough(total: Array, estimator: Estimator) -> Mask:
    """Which groups have enough labels of their own.

    Rates within verdicts need so many in all: a verdict without labels makes the interval longer,
    not wrong, while labels of other systems are right only where the judge errs alike on all.
    Error rates need some of each true label.
    """
    calibration = total[:, :-1]
    if estimator.within != "label":
        return np.asarray(calibration.sum((-1, -2)) >= OWN_LABELS)
    by_class = calibration.sum(-1)
    seen = by_class.sum(0) > 0
    return np.asarray((by_class[:, seen] >= OF_EACH_LABEL).all(-1))


@dataclass(frozen=True)
class PartlyShared:
    """Contrasts of groups of which some borrow: Fieller's limits where all of a contrast's do.

    Elsewhere they are recovered from the limits of the single rates.
    """

    recovered: Recovered
    shared: SharedLabels
    borrow: Mask

    def contrast_limits(self, contrasts: Contrasts, confidence_level: float) -> tuple[Array, Array]:
        """Low and high of every contrast at one level, each by itself."""
        fieller = self.shared.contrast_limits(contrasts, confidence_level)
        return self._chosen(
            contrasts, fieller, self.recovered.contrast_limits(contrasts, confidence_level)
        )

    def distances(
        self, contrasts: Contrasts, against: float = 0.0, *, exact_at: float = 1.96
    ) -> tuple[Array, Array]:
        """How many normal quantiles away the lower, and the upper, end meets `against`."""
        fieller = self.shared.distances(contrasts, against, exact_at=exact_at)
        recovered = self.recovered.distances(contrasts, against, exact_at=exact_at)
        return self._chosen(contrasts, fieller, recovered)

    def like_chance(self, confidence_level: float) -> bool:
        """Whether labels leave open that the judge is no better than chance."""
        return self.shared.like_chance(confidence_level)

    def _chosen(
        self, contrasts: Contrasts, fieller: tuple[Array, Array], recovered: tuple[Array, Array]
    ) -> tuple[Array, Array]:
        all_borrow = self.borrow[contrasts.index].all(1)
        low, high = (
            np.where(all_borrow, one, other) for one, other in zip(fieller, recovered, strict=True)
        )
        return low, high
