"""Findings on real-valued scores: people's mean score of each system, by PPI++."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.counts import ScoreMatrix
from karat.prevalence.design import ASSUMPTIONS
from karat.prevalence.means import Moments, moments, ppi_mean
from karat.results import Estimate, Findings, Interval, Table, Undefined
from karat.task import Task

__all__ = ["estimate_means"]

Array = NDArray[np.float64]


def estimate_means(scores: ScoreMatrix, task: Task, *, criterion: str | None = None) -> Findings:
    """The mean of people's scores behind each judge's, over items people scored and did not.

    An item counts as labelled when a person scored it. Several people's scores are averaged.
    """
    findings = Findings()
    level = task.confidence_level
    if task.calibration != "random":
        findings.warnings.append(
            "A corrected mean score needs labels drawn at random from the pool; declared: "
            f"{task.calibration or 'nothing'}."
        )
    with np.errstate(invalid="ignore"):
        known = (~np.isnan(scores.human)).sum(0)
        people = np.where(known > 0, np.nansum(scores.human, axis=0) / np.maximum(known, 1), np.nan)
    rows = []
    for j, judge in enumerate(scores.judges):
        for s, system in enumerate(scores.systems):
            machine, human = scores.judge[j, :, s], people[:, s]
            about = {"judge": judge, "criterion": criterion, "system": system or None}
            seen = ~np.isnan(machine)
            both = seen & ~np.isnan(human)
            if both.sum() < 2:
                reason = f"{int(both.sum())} items have a person's score and the judge's"
                findings.add(Undefined("mean_score", reason, int(seen.sum())), **about)
                continue
            rest = seen & ~both
            labelled = moments(human[both], machine[both])
            unlabelled = moments(machine[rest], machine[rest])
            inflation = _inflation(scores.cluster, both, human, machine, labelled)
            value, low, high, weight = ppi_mean(
                labelled, unlabelled, confidence_level=level, inflation=inflation
            )
            clusters = len(np.unique(scores.cluster[seen]))
            findings.add(
                Estimate(
                    "mean_score", value, Interval(low, high, level, "PPI++, Student"),
                    int(seen.sum()), clusters,
                    declared={"weight of the judge": weight, "labelled": int(both.sum())},
                    assumptions=(ASSUMPTIONS["power_tuned"],),
                ),
                **about,
            )  # fmt: skip
            own = float(machine[seen].mean())
            findings.add(Estimate("mean_score_naive", own, n_items=int(seen.sum())), **about)
            rows.append((judge, system, own, value, low, high, int(both.sum())))
            where = f" for {system}" if system else ""
            findings.answer.append(
                f"{judge} scores {own:.3g} on average{where}; people's mean is likely "
                f"{low:.3g} to {high:.3g} (best estimate {value:.3g})."
            )
    findings.tables["means"] = Table(
        "Mean score: the judge's, and people's behind it",
        ("judge", "system", "judge's mean", "corrected", "low", "high", "labels"),
        tuple(rows),
    )
    return findings


def _inflation(
    cluster: NDArray[np.int64], both: NDArray[np.bool_], human: Array, machine: Array, m: Moments
) -> float:
    """The design effect of clusters on the mean error of the judge among labelled items."""
    error = (human - machine)[both]
    _, codes = np.unique(cluster[both], return_inverse=True)
    sums = np.bincount(codes, weights=error - error.mean())
    single = float(((error - error.mean()) ** 2).sum())
    if single <= 0 or len(sums) == len(error):
        return 1.0
    return max(1.0, float((sums**2).sum()) / single)
