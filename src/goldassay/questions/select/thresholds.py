"""Where to cut a judge's scores: the threshold of the greatest J, and what it is really worth.

The threshold that is best on some items looks better on them than it is. It is therefore chosen
without, and applied to, each part of the clusters in turn (cross-fitting), several times over; the
difference between the two values of J is the optimism of reporting where one has tuned.

Each answer's own score is cut, and the answers to an item share it, as repeats of a verdict do: the
mean of several answers is another judge, which costs as many calls.

Reference: Collot et al., "Balanced Accuracy: The Right Metric for Evaluating LLM Judges", 4.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import PairedScores, Units, scored_columns
from goldassay.formulas.agreement import youden_j
from goldassay.frozen import dataclass
from goldassay.inference.posterior import hedged_draws, hedged_interval
from goldassay.questions.select.candidates import Cut
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = [
    "CutScores",
    "Roc",
    "Threshold",
    "Tuned",
    "best_cut",
    "cross_fitted",
    "cut_scores",
    "cuts_of",
    "held_out_interval",
    "roc",
    "tuned_thresholds",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Parts of the clusters, each called by a threshold chosen on the others; and how often over.
FOLDS, REPEATS = 5, 10
#: A smaller difference is one of adding shares of items in another order.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Roc:
    """Points of the ROC curve by falling threshold; the first, (0, 0), calls nothing positive."""

    thresholds: Array
    false_positive_rate: Array
    sensitivity: Array

    @property
    def best(self) -> int:
        """The point furthest above the diagonal: the greatest J."""
        return int(np.argmax(self.sensitivity - self.false_positive_rate))


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold, its J where it was tuned, and J on items that it was not tuned on."""

    threshold: float
    apparent_j: float
    youden_j: float
    tables: Array  # [R, C, 2, 2] held-out counts of each repeat and cluster: reference, verdict
    called: Array  # how often each score was called positive by thresholds it was not tuned on
    spread: tuple[float, float]  # the thresholds chosen over all folds and repeats

    @property
    def optimism(self) -> float:
        found = self.apparent_j - self.youden_j
        return found if abs(found) > ROUNDING else 0.0


def roc(scores: Array, positives: Array, negatives: Array) -> Roc:
    """The curve of calling `score >= threshold` positive; weights of the classes by item."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    hits = np.cumsum(positives[order])[last]
    false = np.cumsum(negatives[order])[last]
    return Roc(
        np.concatenate([[np.inf], ranked[last]]),
        np.concatenate([[0.0], false / false[-1]]),
        np.concatenate([[0.0], hits / hits[-1]]),
    )


def best_cut(curve: Roc) -> float:
    """The threshold of the greatest J, half-way to the next lower score."""
    best, cuts = curve.best, curve.thresholds
    if best == 0:
        return float(np.nextafter(cuts[1], np.inf))  # nothing is called positive
    if best == len(cuts) - 1:
        return float(cuts[best])
    return float((cuts[best] + cuts[best + 1]) / 2)


def cross_fitted(
    scores: Array, positives: Array, negatives: Array, cluster: Ints, *, seed: int
) -> Threshold | Undefined:
    """Choose a threshold on some clusters and apply it to the others, in turn and repeatedly."""
    labels, cluster = np.unique(cluster, return_inverse=True)
    n_items = len(scores)
    if not (positives.sum() > 0 and negatives.sum() > 0):
        return Undefined("youden_j", "the scored items have one class only", n_items)
    if len(labels) < 2 * FOLDS:
        reason = f"{len(labels)} clusters are too few to tune a threshold and to test it"
        return Undefined("youden_j", reason, n_items)
    whole = roc(scores, positives, negatives)
    rng = np.random.default_rng(seed)
    called = np.zeros((REPEATS, n_items), dtype=bool)
    chosen = []
    for repeat in range(REPEATS):
        fold = (rng.permutation(len(labels)) % FOLDS)[cluster]
        for part in range(FOLDS):
            rest = fold != part
            if not (positives[rest].sum() > 0 and negatives[rest].sum() > 0):
                return Undefined(
                    "youden_j", "a class is too rare to tune a threshold and to test it", n_items
                )
            cut = best_cut(roc(scores[rest], positives[rest], negatives[rest]))
            chosen.append(cut)
            called[repeat, ~rest] = scores[~rest] >= cut
    tables = np.zeros((REPEATS, len(labels), 2, 2))
    for repeat, yes in enumerate(called):
        for row, weight in enumerate((negatives, positives)):
            np.add.at(tables[repeat, :, row], (cluster, yes.astype(np.int64)), weight)
    total = tables.sum((0, 1))
    held_out = total[1, 1] / total[1].sum() - total[0, 1] / total[0].sum()
    return Threshold(
        best_cut(whole),
        float(whole.sensitivity[whole.best] - whole.false_positive_rate[whole.best]),
        float(held_out),
        tables,
        called.mean(0),
        (min(chosen), max(chosen)),
    )


def held_out_interval(
    found: Threshold, *, clustered: bool, draws: int, seed: int, confidence_level: float
) -> Interval | None:
    """The interval of J on items that the threshold was not tuned on.

    The draws are shared out over the repeats, so that the interval also holds what other folds,
    and so other thresholds, would have given.
    """
    each, ones = -(-draws // len(found.tables)), np.ones(found.tables.shape[1])
    parts = [
        hedged_draws(tables, ones, draws=each, seed=seed + repeat, clustered=clustered)
        for repeat, tables in enumerate(found.tables)
    ]
    posterior = replace(
        parts[0],
        lower=np.concatenate([part.lower for part in parts]),
        upper=np.concatenate([part.upper for part in parts]),
    )
    return hedged_interval(youden_j, posterior, found.youden_j, confidence_level=confidence_level)


@dataclass(frozen=True, slots=True)
class Tuned:
    """The threshold of one judge's scores, and the answers that it was tuned on."""

    judge: str
    unit: Ints  # the scored unit of each answer
    scores: Array
    positives: Array  # the answers' shares in the weights of their units' classes
    negatives: Array
    n_units: int
    clustered: bool  # whether some of all scored units share a cluster, or count more than once
    found: Threshold | Undefined


def tuned_thresholds(scored: PairedScores, task: Task, *, seed: int) -> list[Tuned]:
    """The cross-fitted threshold of every judge with scores."""
    positives, negatives = _reference(scored.votes, task)
    clustered = scored.n_clusters < len(scored.cluster)
    out = []
    for at, judge in enumerate(scored.judges):
        mine = scored.answer_judge == at
        mine &= (positives + negatives > 0)[scored.answer_unit]
        unit, score = scored.answer_unit[mine], scored.answer_score[mine]
        pos, neg = (weight[unit] / scored.repeats[at, unit] for weight in (positives, negatives))
        found = cross_fitted(score, pos, neg, scored.cluster[unit], seed=seed)
        number = len(np.unique(unit))
        if isinstance(found, Undefined):
            found = replace(found, n_items=number)
        several = clustered or bool((positives + negatives)[unit].max(initial=0) > 1)
        out.append(Tuned(judge, unit, score, pos, neg, number, several, found))
    return out


def cuts_of(units: Units, scored: PairedScores, tuned: Sequence[Tuned]) -> list[Cut] | None:
    """Cut scores as candidates, on the patterns of `units`; None where these merge units.

    Each answer is called by the majority of the thresholds that were chosen without its unit.
    """
    names = [n for n in ("item", "criterion", "system", "opponent") if n in units.by]
    if "item" not in names or len(names) != len(scored.units[0]):
        return None
    column = scored_columns(units, scored, names)
    if column is None:
        return None
    task, out = units.task, []
    at = [units.options.index(option) for option in (task.negative, task.positive) if option]
    for one in tuned:
        if isinstance(one.found, Undefined):
            continue
        size = len(scored.units)
        number = np.bincount(one.unit, minlength=size)
        positive = np.bincount(one.unit, one.found.called >= 0.5, size)
        called = np.where(number > 0, positive / np.maximum(number, 1), np.nan)
        mine = np.where(column >= 0, called[np.maximum(column, 0)], np.nan)
        shares = np.zeros((len(units.n), len(units.options) + 3))
        shares[:, at] = np.nan_to_num(np.stack([1 - mine, mine], 1))
        out.append(Cut(f"{one.judge} cut at {one.found.threshold:.3g}", one.judge, shares))
    return out


@dataclass(frozen=True, slots=True)
class CutScores:
    """The threshold of a judge's scores, and J on items that it was not tuned on."""

    judge: str
    result: Result
    #: None where no threshold could be tuned.
    threshold: Threshold | None = None
    curve: Roc | None = None


def cut_scores(
    tuned: Sequence[Tuned], task: Task, *, draws: int, seed: int
) -> tuple[CutScores, ...]:
    """Each judge with scores: its threshold's J with an interval, and its ROC curve."""
    out = []
    for one in tuned:
        found, pos, neg = one.found, one.positives, one.negatives
        if isinstance(found, Undefined):
            undefined = Undefined("threshold_youden_j", found.reason, found.n_items)
            out.append(CutScores(one.judge, undefined))
            continue
        interval = held_out_interval(
            found,
            clustered=one.clustered,
            draws=draws,
            seed=seed,
            confidence_level=task.confidence_level,
        )
        result = Estimate(
            "threshold_youden_j",
            found.youden_j,
            interval,
            one.n_units,
            found.tables.shape[1],
            declared={
                "threshold": found.threshold,
                "apparent": found.apparent_j,
                "optimism": found.optimism,
                "folds": FOLDS,
                "repeats": REPEATS,
            },
        )
        out.append(CutScores(one.judge, result, found, roc(one.scores, pos, neg)))
    return tuple(out)


def _reference(people: Array, task: Task) -> tuple[Array, Array]:
    """Weights of the positive and the other class by the task's rule for several ratings."""
    negatives, positives = people[:, 0], people[:, 1]
    total = positives + negatives
    if task.reference == "each":
        return positives, negatives
    if task.reference in ("soft", "response_set"):
        return positives / np.maximum(total, 1), negatives / np.maximum(total, 1)
    half = ((positives == negatives) & (total > 0)) * (0.5 * (task.reference_ties == "half"))
    return (positives > negatives) + half, (negatives > positives) + half
