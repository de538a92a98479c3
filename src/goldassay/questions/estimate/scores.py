"""Real-valued scores: people's mean score behind each judge's, by PPI++."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import PairedScores
from goldassay.questions.estimate.estimators import POWER_TUNED
from goldassay.questions.estimate.means import ScoreSums, clustered_ppi_mean, moments, ppi_mean
from goldassay.questions.estimate.subject import Subject
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = ["JudgeMean", "MeansStudy", "study_scores"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class JudgeMean:
    """People's mean score behind a judge's, by criterion and system."""

    subject: Subject
    mean: Result
    #: The judge's own mean, where there is a corrected one.
    judged: Estimate | None
    #: Items with a person's score and the judge's.
    labelled: int

    def rows(self) -> Iterator[Row]:
        yield Row(self.mean, self.subject.named)
        if self.judged is not None:
            yield Row(self.judged, self.subject.named)


@dataclass(frozen=True, slots=True)
class MeansStudy:
    """Mean scores of all judges; `design` is how labels were drawn, as declared."""

    design: str | None
    means: tuple[JudgeMean, ...]

    def rows(self) -> tuple[Row, ...]:
        return tuple(row for mean in self.means for row in mean.rows())


def study_scores(scores: PairedScores, task: Task) -> MeansStudy:
    """The mean of people's scores, over items they scored and did not, by criterion and system.

    Labelled items are those that people scored; with a split, the calibration items among them.
    Several people's scores of an item are averaged.
    """
    labelled = ~np.isnan(scores.people)
    if "split" in scores.by and "calibration" in scores.by["split"].labels:
        split = scores.by["split"]
        labelled &= split.codes == split.labels.index("calibration")
    parts = product(_parts(scores, "criterion"), _parts(scores, "system"))
    means = (
        _mean(
            scores,
            Subject(judge, criterion, system),
            (inside & own, labelled),
            task.confidence_level,
        )
        for (criterion, inside), (system, own) in parts
        for judge in scores.judges
    )
    return MeansStudy(task.calibration, tuple(means))


def _parts(scores: PairedScores, column: str) -> list[tuple[str | None, Mask]]:
    everything = np.ones(len(scores.people), bool)
    if column not in scores.by or scores.by[column].labels in ((), ("",)):
        return [(None, everything)]
    by = scores.by[column]
    return [(label or None, by.codes == index) for index, label in enumerate(by.labels)]


def _mean(
    scores: PairedScores, subject: Subject, where: tuple[Mask, Mask], confidence_level: float
) -> JudgeMean:
    """The mean of a part of the items; `where` marks the part, and the labelled items."""
    part, labelled = where
    machine = scores.judge[scores.judges.index(subject.judge)]
    seen = part & ~np.isnan(machine)
    both, rest = seen & labelled, seen & ~labelled
    n_items, n_labelled = int(seen.sum()), int(both.sum())
    if n_labelled < 2:
        reason = f"{n_labelled} items have a person's score and the judge's"
        return JudgeMean(subject, Undefined("mean_score", reason, n_items), None, n_labelled)
    parts = moments(scores.people[both], machine[both]), moments(machine[rest], machine[rest])
    sums = _sums(scores, machine, both, rest)
    method = "PPI++, Student"
    if len(sums.times) == n_items:
        value, low, high, weight = ppi_mean(*parts, confidence_level=confidence_level)
    elif sums.labelled_clusters < 2:
        reason = "the labelled items are of 1 cluster, which does not say how clusters vary"
        return JudgeMean(subject, Undefined("mean_score", reason, n_items), None, n_labelled)
    else:
        value, low, high, weight = clustered_ppi_mean(
            *parts, sums, confidence_level=confidence_level
        )
        method += f", {sums.labelled_clusters} clusters with labels"
    mean = Estimate(
        "mean_score",
        value,
        Interval(low, high, confidence_level, method),
        n_items,
        len(sums.times),
        declared={"weight of the judge": weight, "labelled": n_labelled},
        assumptions=(POWER_TUNED.assumes,),
    )
    own = Estimate("mean_score_naive", float(machine[seen].mean()), n_items=n_items)
    return JudgeMean(subject, mean, own, n_labelled)


def _sums(scores: PairedScores, machine: Array, both: Mask, rest: Mask) -> ScoreSums:
    """Scores of labelled items (`both`) and of the others (`rest`) by cluster."""
    seen = both | rest
    names, cluster = np.unique(scores.cluster[seen], return_inverse=True)

    def by_cluster(values: Array, where: Mask) -> Array:
        sums = np.zeros(len(names))
        np.add.at(sums, cluster.reshape(-1), np.where(where, values, 0.0)[seen])
        return sums

    one = np.ones(len(seen))
    return ScoreSums(
        labelled=by_cluster(one, both),
        human=by_cluster(scores.people, both),
        judge=by_cluster(machine, both),
        unlabelled=by_cluster(one, rest),
        judge_unlabelled=by_cluster(machine, rest),
        times=np.ones(len(names), np.int64),
    )
