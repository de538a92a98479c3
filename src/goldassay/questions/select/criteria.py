"""By what a judge is chosen: the criterion of each goal, and the metrics that stand beside it.

- `prevalence`: balanced accuracy (J on another scale). The judge's rate is FPR + J x for a true
  rate x, so J is the factor by which it keeps differences between systems (Collot et al., 4.1).
- `filter`: decision consistency, the share of items on which judge and people take the same
  decision (positive or not).
- `ranking`: the share of pairs of systems that the judge puts in the order that people put them in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Setting, TableMetric
from goldassay.ratings.task import Goal

__all__ = [
    "BEHIND",
    "CRITERIA",
    "METRICS",
    "RIVALS",
    "Criterion",
    "decision_consistency",
    "metrics_of",
]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Criterion:
    """By what a judge is chosen for a goal."""

    goal: Goal
    name: str
    #: Whether it compares orders of systems (`ordering`) rather than verdicts on items.
    of_systems: bool = False
    #: Whether guessing blindly among K options reaches 1/K of it, whatever their shares.
    even_by_guessing: bool = False
    #: Whether other metrics, unlike it, move with the prevalence of the labelled items.
    free_of_prevalence: bool = False


CRITERIA: Mapping[Goal, Criterion] = {
    one.goal: one
    for one in (
        Criterion(
            "prevalence", "balanced_accuracy", even_by_guessing=True, free_of_prevalence=True
        ),
        Criterion("filter", "decision_consistency"),
        Criterion("ranking", "ranking_agreement", of_systems=True),
    )
}
#: Metrics whose own choice of a judge stands beside the criterion's.
RIVALS = ("balanced_accuracy", "accuracy", "f1", "macro_f1", "precision", "cohen_kappa", "phi")
#: Metrics that stand behind the criterion of every candidate, where the scale has them.
BEHIND = ("youden_j", "sensitivity", "specificity")


def _decisions(tables: Array, setting: Setting) -> Array:
    return decision_consistency(tables, size=setting.size, positive=setting.positive)


#: The metrics of a table of verdicts: those of `agree`, and the share of equal decisions.
METRICS: Mapping[str, TableMetric] = {
    name: TABLE_METRICS[name] for name in dict.fromkeys((*RIVALS, *BEHIND))
} | {
    "decision_consistency": TableMetric(
        "decision_consistency", _decisions, scales=(), every_cell=True
    )
}


def metrics_of(setting: Setting) -> dict[str, TableMetric]:
    """The metrics that a setting has, by name."""
    lacking = {"positive"} if setting.positive is None else set()
    return {name: one for name, one in METRICS.items() if not lacking & set(one.needs)}


def decision_consistency(tables: Array, *, size: int, positive: int | None) -> Array:
    """Share of items on which the judge's decision is people's: positive, or one of the others.

    The first `size` classes are options. Without a positive one a decision is the option itself. An
    abstention agrees with an abstention only, and an invalid output with nothing.
    """
    group = np.arange(tables.shape[-1])
    if positive is not None:
        group[:size] = group[:size] == positive
        group[size:] += 2  # apart from both decisions
    same = group[:, None] == group[None, :]
    return ratio((tables * same).sum((-1, -2)), tables.sum((-1, -2)))
