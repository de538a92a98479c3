"""The study as charts: rates with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldassay.charts import Chart, Dot, DotInterval
from goldassay.questions.estimate.bare import CountsStudy
from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.scores import MeansStudy
from goldassay.questions.estimate.study import EstimateStudy, Judged, JudgeRate
from goldassay.questions.estimate.systems import SystemRates
from goldassay.results import Result, Undefined

__all__ = ["charts"]


def charts(study: EstimateStudy | MeansStudy | CountsStudy) -> tuple[Chart, ...]:
    """Every estimator and every system of a judge of two options; the options of others."""
    if not isinstance(study, EstimateStudy):
        return ()
    return tuple(chart for judge in study.judges for chart in _judge(judge))


def _judge(judge: Judged) -> Iterator[Chart]:
    if isinstance(judge, JudgeOptions):
        rows = _dots(judge.options, judge.rates)
        if rows:
            yield DotInterval(
                title=f"True rate of each option ({judge.subject.label})",
                x_label="rate",
                rows=rows,
                alt="Corrected rates of the options: "
                + ", ".join(f"{row.label} {row.value:.2f}" for row in rows),
            )
    if isinstance(judge, JudgeRate):
        yield _estimators(judge)
        if judge.systems is not None:
            yield _systems(judge.subject.label, judge.systems)


def _estimators(judge: JudgeRate) -> Chart:
    rows = tuple(
        row
        for place, one in enumerate(judge.estimators)
        for row in _dots(
            (one.estimator.words + (" (headline)" if place == 0 else ""),),
            (one.result,),
            "holds here" if one.holds else "needs more than was declared",
        )
    )
    return DotInterval(
        title=f"The rate by every estimator ({judge.subject.label})",
        x_label="rate",
        rows=rows,
        alt="Estimates of the true rate with intervals: "
        + ", ".join(f"{row.label} {row.value:.3f}" for row in rows),
    )


def _systems(label: str, systems: SystemRates) -> Chart:
    order = systems.board.order
    rows = _dots([systems.board.systems[i] for i in order], [systems.rates[i] for i in order])
    return DotInterval(
        title=f"Corrected rate of each system ({label})",
        x_label="rate",
        rows=rows,
        alt="Corrected rates of the systems with intervals, highest first: "
        + ", ".join(f"{row.label} {row.value:.2f}" for row in rows),
    )


def _dots(
    labels: Sequence[str], results: Sequence[Result], group: str | None = None
) -> tuple[Dot, ...]:
    """Results that have a value and an interval."""
    return tuple(
        Dot(label, one.value, one.interval.low, one.interval.high, group)
        for label, one in zip(labels, results, strict=True)
        if not isinstance(one, Undefined) and one.interval is not None
    )
