"""The threshold beyond which a judge's error is held at a limit: for all verdicts, and by side.

A **rule** is a least sureness for each verdict. The common rule has the same for all of them, and
its error is that of everything it decides. Where sureness cannot be compared between verdicts (a
score that is no probability) or labels were drawn by verdict, so that they tell the error within a
verdict only, each verdict has a threshold of its own: they share the level, so that all hold
together, and then so does the error of everything decided.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.frozen import dataclass
from goldassay.inference.risk_control import (
    FIRST_SHARE,
    Steps,
    fewest_labels,
    labels_needed,
    last_held,
    least_risk,
    sequence,
    steps_of,
)
from goldassay.questions.route.signals import Signal
from goldassay.results import Estimate, Interval, Result, Undefined
from goldassay.words import counted

__all__ = ["Limit", "Part", "part_of", "shortest_between"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Decimals that a threshold is written with at most.
MOST_DECIMALS = 9
METHOD = "fixed sequence, Clopper-Pearson"


@dataclass(frozen=True)
class Limit:
    """An error of at most `risk`, shown in all but a share `level` of studies."""

    risk: float
    level: float

    @property
    def fewest(self) -> int:
        """Labels that show it where none is an error."""
        return fewest_labels(self.risk, self.level)


@dataclass(frozen=True)
class Part:
    """Some of a judge's decisions (all, or one verdict's), and the threshold that they allow."""

    #: The verdict, or None for all.
    verdict: str | None
    limit: Limit
    #: Labels, and units to be decided, in all.
    labels: int
    items: int
    steps: Steps | None = None
    #: Index of the step that holds, and its threshold, written as short as it can be.
    held: int | None = None
    at_least: float | None = None
    #: Units to be decided beyond it.
    decided: int = 0
    #: Why there is no threshold.
    reason: str = ""

    @property
    def errors(self) -> float:
        """Errors among the labels beyond the threshold."""
        if self.held is None or self.steps is None:
            return 0.0
        return float(self.steps.errors[self.held])

    @property
    def labels_beyond(self) -> int:
        return 0 if self.held is None or self.steps is None else int(self.steps.labels[self.held])

    @property
    def risk_instead(self) -> float | None:
        """The smallest limit that some threshold would hold, where none holds this one."""
        if self.held is not None or self.steps is None:
            return None
        return least_risk(self.steps, self.limit.risk)

    @property
    def labels_instead(self) -> int | None:
        """Labels in all that would show it at some threshold, were errors as frequent as here.

        With more labels the sequence begins at the first step that could pass, and that one must
        hold. None where a threshold holds, and where errors are too frequent.
        """
        steps = self.steps
        if self.held is not None or steps is None:
            return None
        some = (steps.labels >= FIRST_SHARE * steps.labels[-1]) & (steps.effective > 0)
        earlier = math.inf  # labels in all with which a surer step would be tested first
        needed = []
        for share, effective in zip(steps.share[some], steps.effective[some], strict=True):
            times = self.labels / effective
            least = labels_needed(self.limit.risk, self.limit.level, share)
            if least is not None and least * times < earlier:
                needed.append(least * times)
            earlier = min(earlier, self.limit.fewest * times)
        least = math.ceil(min(needed, default=0.0) - 1e-9)
        return least if least > self.labels else None

    def threshold(self) -> Result:
        if self.at_least is None or self.steps is None:
            side = "" if self.verdict is None else " (by side)"
            return Undefined("threshold", f"{self.reason}{side}", self.labels)
        declared = {
            "risk": self.limit.risk,
            "confidence": 1 - self.limit.level,
            "errors": self.errors,
            "labels": self.labels_beyond,
        }
        clusters = int(self.steps.clusters[-1])
        return Estimate("threshold", self.at_least, None, self.labels, clusters, declared)

    def error(self) -> Result:
        """The error of labelled decisions beyond the threshold; at most the limit, as is shown.

        The step's own bound is lower, but the step was chosen for it.
        """
        if self.held is None or self.steps is None:
            return Undefined("error_beyond", self.reason, self.labels)
        value = float(self.steps.share[self.held])
        interval = Interval(0.0, self.limit.risk, 1 - self.limit.level, METHOD)
        clusters = int(self.steps.clusters[self.held])
        return Estimate("error_beyond", value, interval, self.labels_beyond, clusters)


def part_of(signal: Signal, mine: Bools, verdict: str | None, limit: Limit, weight: Floats) -> Part:
    """The threshold of the decisions `mine`; `weight` is each unit's, for labels to stand for all.

    The threshold is the shortest number between the sureness of the step and the next lower one.
    """
    labelled, pool = mine & signal.labelled, mine & signal.pool
    part = Part(verdict, limit, int(labelled.sum()), int(pool.sum()))
    if not part.labels:
        return replace(part, reason="none of these verdicts has a label")
    cluster = None if signal.cluster is None else signal.cluster[labelled]
    sure, error = signal.sure[labelled], signal.error[labelled]
    part = replace(part, steps=steps_of(sure, error, cluster, weight[labelled], limit.level))
    assert part.steps is not None
    held = last_held(part.steps, limit.risk)
    if held is None:
        return replace(part, reason=_reason(part, clustered=cluster is not None))
    at_least = shortest_between(signal.sure[mine], float(part.steps.at_least[held]))
    decided = int((pool & (signal.sure >= at_least)).sum())
    return replace(part, held=held, at_least=at_least, decided=decided)


def _reason(part: Part, *, clustered: bool) -> str:
    assert part.steps is not None
    if len(sequence(part.steps, part.limit.risk)):
        return "no threshold is shown to hold the error at the limit"
    known, least = f"{part.labels:,}", counted(part.limit.fewest, "label")
    if clustered:
        clusters = counted(int(part.steps.clusters[-1]), "cluster")
        return f"{known} labels in {clusters}, worth fewer than the {least} that it takes at least"
    return f"{known} of the {least} that it takes at least"


def shortest_between(sure: Floats, least: float) -> float:
    """The number with fewest decimals that parts what is at least `least` from what is less.

    >>> shortest_between(np.array([0.91, 0.9372, 0.95]), 0.9372)
    0.93
    """
    below = sure[sure < least]
    lower = float(below.max()) if len(below) else -math.inf
    if math.isinf(lower):  # everything is decided: the least sureness there is
        return least
    for digits in range(MOST_DECIMALS):
        power = 10.0**digits
        for tried in (round(least, digits), math.floor(least * power) / power):
            if lower < tried <= least:
                return tried
    return least
