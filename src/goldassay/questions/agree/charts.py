"""The charts of an agreement study, as data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldassay.charts import Chart, Dot, DotInterval, HeatMap, Line, Reference, Series
from goldassay.glossary import is_rate, words
from goldassay.questions.agree.record import AgreeStudy, Square
from goldassay.results import Estimate

__all__ = ["charts"]

#: What judges are compared by, one number to a picture.
COMPARED = {"accuracy": "Agreement with people", "cohen_kappa": "Agreement beyond chance"}


def charts(found: AgreeStudy) -> tuple[Chart, ...]:
    """Agreement of judges and panels; error against coverage; kappa between judges."""
    drawn: list[Chart] = []
    for name, title in COMPARED.items():
        if compared := _compared(found, name):
            drawn.append(_dots(found, name, title, compared))
    if risks := _risks(found):
        drawn.append(risks)
    if found.panel is not None and found.panel.kappa is not None:
        drawn.append(_heat_map("Cohen's kappa between judges", found.panel.kappa))
    return tuple(drawn)


def _compared(found: AgreeStudy, name: str) -> list[tuple[str, Estimate]]:
    """One number of every judge and panel, best first."""
    raters = [(judge.judge, judge.micro) for judge in found.judges]
    raters += [(one.jury, one.micro) for one in (found.panel.juries if found.panel else ())]
    known = [
        (rater, result)
        for rater, results in raters
        for result in results
        if isinstance(result, Estimate) and result.interval and result.name == name
    ]
    return sorted(known, key=lambda one: -one[1].value)


def _dots(
    found: AgreeStudy, name: str, title: str, compared: Sequence[tuple[str, Estimate]]
) -> DotInterval:
    """Judges and panels, each on its own items; one that decides fewer says how many."""
    most = max(result.n_items for _, result in compared)
    dots = []
    for rater, result in compared:
        few = "" if result.n_items == most else f" ({result.n_items:,} of {most:,})"
        interval = result.interval
        assert interval is not None
        dots.append(Dot(rater + few, result.value, interval.low, interval.high))
    alike = all(result.n_items == most for _, result in compared)
    own = "" if alike else f", each on the {found.unit}s that it decides"
    return DotInterval(
        title=title,
        x_label=words(name),
        rows=tuple(dots),
        rate=is_rate(name) or None,
        references=_references(found) if name == "accuracy" else (),
        alt=f"{title}, best first{own}; {dots[0].label} is highest.",
    )


def _references(found: AgreeStudy) -> tuple[Reference, ...]:
    """What chance gives the best judge, and how often two people agree on the items it saw."""
    best = found.ranked[0]
    marked = [(one, "chance") for one in best.micro if one.name == "chance_agreement"]
    if (beside := found.beside.get(best.judge)) is not None:
        marked.append((beside.of_two_people, "two people"))
    return tuple(Reference(one.value, word) for one, word in marked if isinstance(one, Estimate))


def _risks(found: AgreeStudy) -> Line | None:
    """Error among the surest verdicts, as more of them are kept: a line for each judge."""
    series = tuple(
        Series(one.judge, quality.risk.coverage.tolist(), quality.risk.error.tolist())
        for one in found.ranked
        if (quality := one.probabilities) is not None and quality.risk is not None
    )
    if not series:
        return None
    return Line(
        title="Error against coverage",
        x_label="coverage: share of the items kept, the surest first",
        y_label="error",
        series=series,
        rates="xy",
        alt="Error among the surest verdicts of each judge, as more of them are kept.",
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
