"""The charts of an agreement study, as data."""

from __future__ import annotations

import numpy as np

from goldassay.charts import Chart, Dot, DotInterval, HeatMap, Line, Series
from goldassay.glossary import is_rate, words
from goldassay.questions.agree.record import AgreeStudy, Square
from goldassay.questions.agree.scores import RiskCoverage
from goldassay.results import Estimate

__all__ = ["charts"]

#: What judges are compared by, one number to a picture.
COMPARED = {"accuracy": "Agreement with people", "cohen_kappa": "Agreement beyond chance"}


def charts(found: AgreeStudy) -> tuple[Chart, ...]:
    """Agreement of judges and panels; error against coverage; kappa between judges."""
    drawn: list[Chart] = []
    for name, title in COMPARED.items():
        if dots := _dots(found, name):
            drawn.append(
                DotInterval(
                    title=title,
                    x_label=words(name),
                    rows=dots,
                    rate=is_rate(name) or None,
                    alt=f"{title}, best first; {dots[0].label} is highest.",
                )
            )
    for judge in found.judges:
        if judge.probabilities is not None and judge.probabilities.risk is not None:
            drawn.append(_risk(judge.judge, judge.probabilities.risk))
    if found.panel is not None and found.panel.kappa is not None:
        drawn.append(_heat_map("Cohen's kappa between judges", found.panel.kappa))
    return tuple(drawn)


def _dots(found: AgreeStudy, name: str) -> tuple[Dot, ...]:
    """One number of every judge and panel, best first."""
    raters = [(judge.judge, judge.micro) for judge in found.judges]
    raters += [(one.jury, one.micro) for one in (found.panel.juries if found.panel else ())]
    most = max((one.n_items for _, results in raters for one in results), default=0)
    dots = [
        Dot(
            _named(rater, result.n_items, most),
            result.value,
            result.interval.low,
            result.interval.high,
        )
        for rater, results in raters
        for result in results
        if isinstance(result, Estimate) and result.interval and result.name == name
    ]
    return tuple(sorted(dots, key=lambda dot: -(dot.value or 0.0)))


def _named(rater: str, n_items: int, most: int) -> str:
    """A judge or panel; one that decides fewer items than another says how many."""
    return rater if n_items == most else f"{rater} ({n_items:,} of {most:,})"


def _risk(judge: str, risk: RiskCoverage) -> Line:
    return Line(
        title=f"Error against coverage: {judge}",
        x_label="coverage",
        y_label="error",
        series=(Series(judge, risk.coverage.tolist(), risk.error.tolist()),),
        alt=f"Error of {judge} among its surest verdicts, as more of them are kept.",
    )


def _heat_map(title: str, square: Square) -> HeatMap:
    values = [[None if np.isnan(x) else x for x in row] for row in square.values.tolist()]
    return HeatMap(
        title=title,
        x_label="judge",
        y_label="judge",
        x_labels=square.labels,
        y_labels=square.labels,
        values=values,
        center=0.0,
        alt=f"{title}, {len(square.labels)} by {len(square.labels)}.",
    )
