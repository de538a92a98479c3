"""Whose labels correct a system: its own, or with `shared_labels = true` those of all systems.

Own labels assume nothing of the judge. Labels of all systems tell how the judge errs (`shared`),
which is right for a system where it errs there as elsewhere. No test tells from few labels whether
it does, so that this is declared, never found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    ROGAN_GLADEN,
    Estimator,
    headline,
)
from goldassay.questions.estimate.shared import SHARED_ASSUMES
from goldassay.results import Sentence
from goldassay.words import points

__all__ = ["OR_SHARED", "OWN_ASSUMES", "LabelUse", "Lengths", "if_alike", "if_shared_said"]

Array = NDArray[np.float64]

OWN_ASSUMES = "each system is corrected with its own labels"
#: What corrects a system of which nobody labelled an item.
OR_SHARED = "or declare shared_labels = true, if the judge errs alike on every system"


@dataclass(frozen=True)
class LabelUse:
    """The labels that correct systems, and the estimator that goes with them.

    Where the labels are `complete` there is nothing to correct: people's rate is the rate.
    """

    drawn: Drawing
    shared: bool
    complete: bool

    @classmethod
    def of(
        cls, total: Array, drawn: Drawing, *, shared: bool, asked: Sequence[int] | None = None
    ) -> LabelUse:
        """Of groups with these cells [G, K + 1, V]; `asked` are those whose rates are wanted."""
        wanted = np.ones(len(total), bool)
        if asked is not None:
            wanted = np.isin(np.arange(len(total)), asked)
        wanted &= total.any((1, 2))
        whole = (total[wanted][:, -1].sum(-1) <= 0) & drawn.from_pool
        complete = bool(len(whole) and whole.all())
        return cls(drawn, shared and not complete, complete)

    @property
    def estimator(self) -> Estimator:
        """Rogan-Gladen of shared labels: what they share is P(verdict | label), not the rates."""
        if self.shared:
            return ROGAN_GLADEN
        return CALIBRATION_ONLY if self.complete else headline(self.drawn)

    @property
    def method(self) -> str:
        """How a system is corrected, in words."""
        labels = "labels of all systems" if self.shared else "own labels"
        return f"{self.estimator.words}, {labels}"

    @property
    def assumption(self) -> str:
        """What the rates of systems assume."""
        if self.complete:
            return "all items that count are labelled"
        labels = SHARED_ASSUMES if self.shared else OWN_ASSUMES
        return labels if self.drawn.from_pool else f"{labels}; {ROGAN_GLADEN.assumes}"


@dataclass(frozen=True, slots=True)
class Lengths:
    """Mean lengths of intervals with each system's own labels, and with those of all."""

    own: float
    shared: float


def if_shared_said(
    key: str, who: str, what: str, lengths: Lengths, about: Mapping[str, str]
) -> Sentence | None:
    """By how much labels of all systems would shorten intervals; None where they would not."""
    own, shared = (points(length) for length in (lengths.own, lengths.shared))
    if lengths.shared >= lengths.own or own == shared:
        return None
    text = (
        f"If {who} errs alike on every system, labels of all of them (shared_labels = true in the "
        f"task) would shorten the interval of {what} from {own} to {shared} on average."
    )
    facts = {"own": lengths.own, "shared": lengths.shared}
    return Sentence(key, text, dict(about), facts)


def if_alike(who: str, *, shared: bool) -> str:
    """What is taken for granted where systems rest on the labels of all of them."""
    return f"if {who} errs alike on every system, " if shared else ""
