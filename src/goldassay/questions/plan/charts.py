"""The plan as charts: lengths by labels, and costs against people alone."""

from __future__ import annotations

import numpy as np

from goldassay.charts import Chart, HeatMap, Line, Point, Reference, Series
from goldassay.questions.plan.comparison import Comparison
from goldassay.questions.plan.designs import DESIGNS
from goldassay.questions.plan.study import PlanStudy
from goldassay.words import decimal, percent

__all__ = ["charts"]

#: Cost ratios above these are not drawn: the judge is far from worth it.
MOST_LINE, MOST_CELL = 4, 10


def charts(study: PlanStudy) -> tuple[Chart, ...]:
    compared = study.comparison
    return _lengths(compared), _costs(compared), _separate(compared)


def _lengths(compared: Comparison) -> Chart:
    labels, length = np.array(compared.budgets, dtype=float), compared.goal.length
    series = []
    for column, design in enumerate(DESIGNS.values()):
        lengths = compared.lengths[:, column]
        seen = np.isfinite(lengths)
        if seen.any():
            series.append(Series(design.words, labels[seen].tolist(), lengths[seen].tolist()))
    return Line(
        title="Length of the interval by number of labels",
        x_label="labels by people",
        y_label="expected length",
        series=series,
        references=(Reference(length, f"target {decimal(length)}", "y"),),
        alt="The interval shortens as labels are added; labels by verdict give the shortest.",
    )


def _costs(compared: Comparison) -> Chart:
    ratios, series = compared.ratios, []
    for name, ratio in reversed(ratios.by_design.items()):
        seen = np.isfinite(ratio) & (ratio <= MOST_LINE)
        if seen.any():
            x, y = ratios.true_rates[seen].tolist(), ratio[seen].tolist()
            series.append(Series(DESIGNS[name].words, x, y))
    return Line(
        title="Cost against people alone, at equal precision",
        x_label="true rate",
        y_label="cost ratio",
        series=series,
        rates="x",
        references=(
            Reference(1.0, "people alone", "y"),
            Reference(compared.rates.prevalence, "here", "x"),
        ),
        alt="Below 1 the judge beats people alone.",
    )


def _separate(compared: Comparison) -> Chart:
    ratios, rates = compared.ratios, compared.rates
    names = [percent(float(q)) for q in ratios.qualities]
    steps = np.arange(len(names))
    across, down = (
        float(np.interp(rate, ratios.qualities, steps))
        for rate in (rates.specificity, rates.sensitivity)
    )
    return HeatMap(
        title=f"A separate set at a true rate of {percent(rates.prevalence)}: cost against people",
        x_label="specificity",
        y_label="sensitivity",
        x_labels=names,
        y_labels=names,
        values=[[float(v) if v < MOST_CELL else None for v in row] for row in ratios.separate],
        center=1.0,
        format=".1f",
        ratio=True,
        here=Point("your judge", across, down),
        alt="Below 1, correcting the judge's rate with a separate set beats people alone; that "
        "takes a judge that is right on both classes. Empty cells are 10 or more.",
    )
