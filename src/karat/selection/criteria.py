"""By what a judge is chosen: the criterion of each goal, and the metrics that stand beside it.

- `prevalence`: balanced accuracy (J on another scale). The judge's rate is FPR + J x for a true
  rate x, so J is the factor by which it keeps differences between systems (Collot et al., 4.1).
- `filter`: decision consistency, the share of items on which judge and people take the same
  decision (positive or not).
- `ranking`: the share of pairs of systems that the judge puts in the order that people put them in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from karat import coefficients
from karat.counts import Tables, Units
from karat.selection.candidates import Candidates
from karat.task import Goal

__all__ = [
    "CRITERIA",
    "Metric",
    "decision_consistency",
    "metrics_of",
    "order_agreement",
    "system_sums",
]

Array = NDArray[np.float64]
Metric = Callable[[Array], Array]

CRITERIA: Mapping[Goal, str] = {
    "prevalence": "balanced_accuracy",
    "filter": "decision_consistency",
    "ranking": "ranking_agreement",
}


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


def system_sums(units: Units, found: Tables) -> Array:
    """For each cluster and system: decisions, people's and the judge's sum of values [C, S, 3].

    `found` are the candidate's tables of the units.

    The value of an option is 1 for the positive one and 0 for the others, or its position on an
    ordinal scale. Clusters are patterns where each unit is one (times their multiplicity).
    """
    task, systems = units.task, units.by["system"]
    tables, value = found.cells, np.zeros(len(found.labels))
    if task.scale == "ordinal":
        value[: found.size] = np.arange(found.size)
    elif task.positive in found.labels:
        value[found.labels.index(task.positive)] = 1.0
    people = np.einsum("prv,r->p", tables, value)
    judge = np.einsum("prv,v->p", tables, value)
    sums = np.stack([tables.sum((1, 2)), people, judge], axis=-1)
    clusters = len(units.n) if units.single else units.n_clusters
    out = np.zeros((clusters, len(systems.labels), 3))
    where = np.arange(clusters) if units.single else units.cluster
    times = np.ones(len(units.n)) if units.single else units.n
    np.add.at(out, (where, systems.codes), sums * times[:, None])
    return out


def order_agreement(sums: Array) -> Array:
    """Share of pairs of systems in people's order, from sums [..., S, 3]; a tie counts half.

    Systems without decisions are left out of all pairs; NaN when fewer than two remain, or when
    people put all of them level.
    """
    people = coefficients.ratio(sums[..., 1], sums[..., 0])
    judge = coefficients.ratio(sums[..., 2], sums[..., 0])
    first, second = np.triu_indices(sums.shape[-2], 1)
    true = np.sign(np.round(people[..., first] - people[..., second], 12))
    found = np.sign(np.round(judge[..., first] - judge[..., second], 12))
    known = np.isfinite(true) & (true != 0)
    right = np.where(found == 0, 0.5, found == true)
    return coefficients.ratio(np.where(known, right, 0.0).sum(-1), known.sum(-1))
