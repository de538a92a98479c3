"""Gathered on real-valued scores: people's mean score behind each judge's, by PPI++."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import PairedScores
from goldassay.questions.estimate.design import ASSUMPTIONS
from goldassay.questions.estimate.means import moments, ppi_mean
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Gathered, Interval, Table, Undefined

__all__ = ["estimate_means"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def estimate_means(scores: PairedScores, task: Task) -> Gathered:
    """The mean of people's scores, over items they scored and did not, by criterion and system.

    Labelled items are those that people scored; with a split, the calibration items among them.
    Several people's scores of an item are averaged.
    """
    findings = Gathered()
    if task.calibration != "random":
        findings.warnings.append(
            "A corrected mean score needs labels drawn at random from the pool; declared: "
            f"{task.calibration or 'nothing'}."
        )
    labelled = ~np.isnan(scores.people)
    if "split" in scores.by and "calibration" in scores.by["split"].labels:
        split = scores.by["split"]
        labelled &= split.codes == split.labels.index("calibration")
    rows = []
    for (criterion, inside), (system, own) in product(
        _parts(scores, "criterion"), _parts(scores, "system")
    ):
        for j, judge in enumerate(scores.judges):
            about = {"judge": judge, "criterion": criterion, "system": system}
            row = _add_mean(findings, scores, task, j, inside & own, labelled, about)
            if row is not None:
                rows.append((judge, criterion, system, *row))
    findings.tables["means"] = Table(
        "Mean score: the judge's, and people's behind it",
        ("judge", "criterion", "system", "judge's mean", "corrected", "low", "high", "labels"),
        tuple(rows),
    )
    return findings


def _parts(scores: PairedScores, column: str) -> list[tuple[str | None, Mask]]:
    everything = np.ones(len(scores.people), bool)
    if column not in scores.by or scores.by[column].labels in ((), ("",)):
        return [(None, everything)]
    by = scores.by[column]
    return [(label or None, by.codes == index) for index, label in enumerate(by.labels)]


def _add_mean(
    findings: Gathered,
    scores: PairedScores,
    task: Task,
    judge: int,
    part: Mask,
    labelled: Mask,
    about: dict[str, str | None],
) -> tuple[float, float, float, float, int] | None:
    level, machine = task.confidence_level, scores.judge[judge]
    seen = part & ~np.isnan(machine)
    both, rest = seen & labelled, seen & ~labelled
    if both.sum() < 2:
        reason = f"{int(both.sum())} items have a person's score and the judge's"
        findings.add(Undefined("mean_score", reason, int(seen.sum())), **about)
        return None
    inflation = _inflation(scores.cluster[both], scores.people[both] - machine[both])
    value, low, high, weight = ppi_mean(
        moments(scores.people[both], machine[both]),
        moments(machine[rest], machine[rest]),
        confidence_level=level,
        inflation=inflation,
    )
    clusters = len(np.unique(scores.cluster[seen]))
    findings.add(
        Estimate(
            "mean_score",
            value,
            Interval(low, high, level, "PPI++, Student"),
            int(seen.sum()),
            clusters,
            declared={"weight of the judge": weight, "labelled": int(both.sum())},
            assumptions=(ASSUMPTIONS["power_tuned"],),
        ),
        **about,
    )
    own = float(machine[seen].mean())
    findings.add(Estimate("mean_score_naive", own, n_items=int(seen.sum())), **about)
    where = "".join(f" for {about[key]}" for key in ("system", "criterion") if about[key])
    findings.answer.append(
        f"{about['judge']} scores {own:.3g} on average{where}; people's mean is likely "
        f"{low:.3g} to {high:.3g} (best estimate {value:.3g}, {int(both.sum())} labels)."
    )
    return own, value, low, high, int(both.sum())


def _inflation(cluster: NDArray[np.int64], error: Array) -> float:
    """The design effect of clusters on the judge's mean error among labelled items."""
    _, codes = np.unique(cluster, return_inverse=True)
    centred = error - error.mean()
    sums, single = np.bincount(codes, weights=centred), float((centred**2).sum())
    if single <= 0 or len(sums) == len(error):
        return 1.0
    return max(1.0, float((sums**2).sum()) / single)
