"""The study as charts: rates with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldassay.charts import Chart, Dot, DotInterval, Move, Moves
from goldassay.questions.estimate.bare import CountsStudy
from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.known import KnownStudy
from goldassay.questions.estimate.order import in_order
from goldassay.questions.estimate.scores import MeansStudy
from goldassay.questions.estimate.study import EstimateStudy, Judged, JudgeRate
from goldassay.questions.estimate.systems import SystemRates
from goldassay.results import Estimate, Result, Undefined
from goldassay.words import named, percent

__all__ = ["charts"]

#: Judges and criteria in the picture of all of them, in the sentence that describes it, and those
#: that have pictures of their own; the tables have the others.
MOST_MOVES, MOST_SAID, MOST_PANELS = 20, 6, 6


def charts(study: EstimateStudy | MeansStudy | CountsStudy | KnownStudy) -> tuple[Chart, ...]:
    """Every estimator and every system of a judge of two options; the options of others."""
    if not isinstance(study, EstimateStudy):
        return ()
    judges = in_order(study.judges)
    shown = judges[:MOST_PANELS]
    return (
        *_shifts(judges),
        *(chart for judge in shown for chart in _options(judge)),
        *(_systems(one.subject.label, one.systems) for one in _rates(shown) if one.systems),
        *(_estimators(one) for one in _rates(shown)),
    )


def _rates(judges: Sequence[Judged]) -> list[JudgeRate]:
    return [one for one in judges if isinstance(one, JudgeRate)]


def _shifts(judges: Sequence[Judged]) -> Iterator[Chart]:
    """What correcting does to each judge's rate: the picture of all, the best known first."""
    rows = tuple(
        Move(one.subject.label, _value(one.own_rate), one.rate.value, *_ends(one.rate))
        for one in _rates(judges)
        if isinstance(one.rate, Estimate)
    )
    if rows:
        yield Moves(
            title="From the judge's own rate to the true one",
            x_label="rate",
            rows=rows[:MOST_MOVES],
            names=("judge itself", "corrected, with its interval", ""),
            alt="; ".join(
                f"{row.label}: {percent(row.value)}"
                + (f", where the judge says {percent(row.start)}" if row.start is not None else "")
                for row in rows[:MOST_SAID]
            )
            + (f"; and {len(rows) - MOST_SAID} more." if len(rows) > MOST_SAID else "."),
        )


def _value(result: Result) -> float | None:
    return result.value if isinstance(result, Estimate) else None


def _ends(result: Estimate) -> tuple[float | None, float | None]:
    return (result.interval.low, result.interval.high) if result.interval else (None, None)


def _options(judge: Judged) -> Iterator[Chart]:
    if isinstance(judge, JudgeOptions):
        rows = _dots(judge.options, judge.rates)
        if rows:
            yield DotInterval(
                title=f"True rate of each option ({judge.subject.label})",
                x_label="rate",
                rows=rows,
                alt="True rates of the options: "
                + ", ".join(f"{named(row.label)} {percent(row.value or 0.0)}" for row in rows),
                rate=True,
            )


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
        + ", ".join(f"{named(row.label)} {percent(row.value or 0.0)}" for row in rows),
        rate=True,
    )


def _systems(label: str, systems: SystemRates) -> Chart:
    order = systems.board.order
    dots = _dots([systems.board.systems[i] for i in order], [systems.rates[i] for i in order])
    own = dict(zip(systems.board.systems, systems.board.naive, strict=True))
    return Moves(
        title=f"Rate of each system, before and after correction ({label})",
        x_label="rate",
        rows=tuple(
            Move(dot.label, float(own[dot.label]), dot.value or 0.0, dot.low, dot.high)
            for dot in dots
        ),
        names=("judge itself", "corrected, with its interval", ""),
        alt="Corrected rates of the systems, highest first: "
        + ", ".join(f"{dot.label} {percent(dot.value or 0.0)}" for dot in dots),
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
