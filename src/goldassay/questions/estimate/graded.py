"""Grades that are numbers, as scores: people's mean behind each judge's.

The rates of five grades are five numbers; whoever grades asks for the mean first. It is that of
`classes` (by PPI++ or by verdict), told in the words and tables of `scores`.
"""

from __future__ import annotations

from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.scores import JudgeMean, MeansStudy
from goldassay.questions.estimate.study import EstimateStudy

__all__ = ["graded_means"]


def graded_means(study: EstimateStudy) -> MeansStudy | None:
    """The means of all judges of grades; None where options are no numbers, or a mean is not
    known."""
    judges = [one for one in study.judges if isinstance(one, JudgeOptions)]
    if not judges or not all(one.graded for one in judges):
        return None
    criteria = len({one.subject.criterion for one in study.judges})
    means = tuple(_mean(one, study) for one in judges)
    return MeansStudy(study.design, means, study.unit, criteria)


def _mean(one: JudgeOptions, study: EstimateStudy) -> JudgeMean:
    assert one.mean is not None
    return JudgeMean(
        one.subject,
        one.mean,
        one.own_mean,
        round(one.n_labelled),
        of_decided=bool(one.without_verdict),
        scored_by_people=study.labelled_on(one.subject.criterion),
    )
