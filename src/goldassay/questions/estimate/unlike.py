"""Clusters without labels that the judge rates unlike all that have some."""

from __future__ import annotations

import numpy as np

from goldassay.inference.clusters import student_quantile
from goldassay.questions.estimate.means import Moments, ScoreSums
from goldassay.words import counted

__all__ = ["unlike_labelled", "unlike_warnings"]

#: How sure a cluster must be unlike those with labels to be warned of, whatever level is declared.
UNLIKE = 0.95


def unlike_labelled(labelled: Moments, sums: ScoreSums) -> int:
    """How many clusters without labels the judge scores as no cluster with labels lets expect.

    The judge's mean in a cluster of n items, against Student's prediction of one more from the
    means of the clusters with labels: the variance of these means, and V/n of the items' own; the
    level is shared out over all clusters looked at. Whole labelled clusters may miss a rare kind.
    """
    known, alone = sums.labelled > 0, (sums.labelled <= 0) & (sums.unlabelled > 0)
    number, others = float(sums.times[known].sum()), float(sums.times[alone].sum())
    if number < 3 or others < 1:
        return 0
    means = sums.judge[known] / sums.labelled[known]
    centre = float(sums.times[known] @ means / number)
    spread = float(sums.times[known] @ (means - centre) ** 2 / (number - 1))
    size = sums.unlabelled[alone]
    error = np.sqrt(spread * (1 + 1 / number) + labelled.judge_variance / size)
    apart = np.abs(sums.judge_unlabelled[alone] / size - centre)
    reach = student_quantile(number - 1, 1 - (1 - UNLIKE) / 2 / others)
    return int(sums.times[alone][apart > reach * error].sum())


def unlike_warnings(number: int, rates: str) -> tuple[str, ...]:
    """What stands at a mean with so many clusters unlike those with labels."""
    if not number:
        return ()
    return (
        f"the judge {rates} {counted(number, 'cluster')} without labels unlike all that have some: "
        "what people would say there is not known, and the interval may be too short; label items "
        f"of {'it' if number == 1 else 'these'}",
    )
