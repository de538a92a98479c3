"""The plan's charts draw what can be reached."""

from __future__ import annotations

import math

from goldassay.charts import HeatMap, Line
from goldassay.questions.plan.charts import charts
from goldassay.questions.plan.comparison import Goal
from goldassay.questions.plan.designs import BY_LABEL, DESIGNS
from goldassay.questions.plan.precision import JudgeRates
from goldassay.questions.plan.study import study_rates

RATES = JudgeRates(0.2, 0.9, 0.7)


def test_lengths_end_where_the_pool_does() -> None:
    lengths = charts(study_rates(RATES, Goal(0.1), items=300))[0]
    assert isinstance(lengths, Line)
    last = {series.label: max(series.x) for series in lengths.series}
    assert last["label some of each verdict"] <= 300 < last["label at random, no judge"]
    assert lengths.references[0].value == 0.1


def test_costs_are_of_designs_with_a_judge() -> None:
    found = study_rates(RATES, Goal(0.1))
    costs = charts(found)[1]
    assert isinstance(costs, Line)
    assert {series.label for series in costs.series} == {
        one.words for name, one in DESIGNS.items() if name != "people"
    }
    assert all(ratio is not None and ratio <= 4 for series in costs.series for ratio in series.y)
    worthless = charts(study_rates(JudgeRates(0.2, 0.5, 0.4), Goal(0.1)))[1]
    assert isinstance(worthless, Line)
    assert BY_LABEL.words not in {series.label for series in worthless.series}


def test_a_separate_set_over_qualities() -> None:
    found = study_rates(RATES, Goal(0.1))
    grid = charts(found)[2]
    assert isinstance(grid, HeatMap)
    assert (len(grid.values), len(grid.values[0])) == (11, 11)
    assert grid.values[0][0] is None  # sensitivity and specificity .5: no information
    assert grid.values[-1][-1] == 0  # a perfect judge with free verdicts
    drawn = [value for row in grid.values for value in row if value is not None]
    assert all(math.isfinite(value) and value < 10 for value in drawn)
