"""By what a judge is chosen: the criterion of each goal, and the metrics that stand beside it.

- `prevalence`: balanced accuracy (J on another scale). The judge's rate is FPR + J x for a true
  rate x, so J is the factor by which it keeps differences between systems (Collot et al., 4.1).
- `filter`: decision consistency, the share of items on which judge and people take the same
  decision (positive or not).
- `ranking`: the share of pairs of systems that the judge puts in the order that people put them in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas import agreement as coefficients
from goldassay.questions.select.candidates import Candidates
from goldassay.ratings.task import Goal

__all__ = [
    "BEHIND",
    "CRITERIA",
    "RIVALS",
    "Criterion",
    "Metric",
    "decision_consistency",
    "metrics_of",
]

Array = NDArray[np.float64]
Metric = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class Criterion:
    """By what a judge is chosen for a goal."""

    goal: Goal
    name: str
    #: Whether it compares orders of systems (`ordering`) rather than verdicts on items.
    of_systems: bool = False
    #: What a judge that tosses a coin reaches on two options, where that is one number.
    coin: float | None = None
    #: Whether other metrics, unlike it, move with the prevalence of the labelled items.
    free_of_prevalence: bool = False


CRITERIA: Mapping[Goal, Criterion] = {
    one.goal: one
    for one in (
        Criterion("prevalence", "balanced_accuracy", coin=0.5, free_of_prevalence=True),
        Criterion("filter", "decision_consistency"),
        Criterion("ranking", "ranking_agreement", of_systems=True),
    )
}
#: Metrics whose own choice of a judge stands beside the criterion's.
RIVALS = ("balanced_accuracy", "accuracy", "f1", "macro_f1", "precision", "cohen_kappa", "phi")
#: Metrics that stand behind the criterion of every candidate, where the scale has them.
BEHIND = ("youden_j", "sensitivity", "specificity")


def metrics_of(candidates: Candidates) -> dict[str, Metric]:
    """The metrics of the candidates' tables [..., k, k] by name, those that the scale has."""
    task, labels, size = candidates.units.task, candidates.labels, candidates.size
    positive = labels.index(task.positive) if task.positive in labels else None
    metrics: dict[str, Metric] = {
        "balanced_accuracy": coefficients.balanced_accuracy,
        "youden_j": coefficients.youden_j,
        "accuracy": coefficients.accuracy,
        "macro_f1": coefficients.macro_f1,
        "cohen_kappa": coefficients.cohen_kappa,
        "phi": coefficients.phi,
    }
    metrics["decision_consistency"] = lambda tables: decision_consistency(
        tables, size=size, positive=positive
    )
    if positive is not None:
        metrics |= {
            "f1": lambda tables: coefficients.f1(tables, positive=positive),
            "precision": lambda tables: coefficients.precision(tables, positive=positive),
            "sensitivity": lambda tables: coefficients.sensitivity(tables, positive=positive),
            "specificity": lambda tables: coefficients.specificity(tables, positive=positive),
        }
    return metrics


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
    return coefficients.ratio((tables * same).sum((-1, -2)), tables.sum((-1, -2)))
