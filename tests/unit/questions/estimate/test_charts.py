"""Charts draw the study's results, and only those."""

from __future__ import annotations

from goldassay.questions.estimate.bare import study_counts
from goldassay.questions.estimate.charts import charts
from goldassay.questions.estimate.study import study as estimate
from goldassay.words import percent

from .conftest import study

M, U = "MET", "UNMET"


def test_charts_draw_the_results(two_systems) -> None:  # type: ignore[no-untyped-def]
    (judge,) = two_systems.judges
    shifts, systems, estimators = charts(two_systems)
    assert [row.value for row in shifts.rows] == [judge.rate.value]
    assert [row.start for row in shifts.rows] == [judge.own_rate.value]
    assert [dot.value for dot in estimators.rows] == [one.result.value for one in judge.estimators]
    assert estimators.rows[0].group == "holds here"
    assert estimators.rows[-1].group == "needs more than was declared"
    assert [dot.label for dot in systems.rows] == ["a", "b"]
    assert f"a {percent(systems.rows[0].value)}" in systems.alt
    assert [row.start for row in systems.rows] == [judge.systems.board.naive[i] for i in (0, 1)]


def test_what_has_no_value_is_not_drawn(units_of) -> None:  # type: ignore[no-untyped-def]
    found = estimate(units_of(study({}, {M: 4, U: 6}), calibration="separate"))
    (chart,) = charts(found)
    assert [dot.label for dot in chart.rows] == ["the judge's own rate"]
    nothing = estimate(units_of(study({}, {"abstained": 4}), calibration="separate"))
    assert charts(nothing) == ()


def test_options_are_drawn_in_their_order(units_of) -> None:  # type: ignore[no-untyped-def]
    options = ["bad", "fair", "good"]
    labelled = {(a, b): 4 + 30 * (a == b) for a in options for b in options}
    rows = study(labelled, {"bad": 300, "fair": 300, "good": 400})
    found = estimate(
        units_of(rows, scale="nominal", options=options, positive="good", calibration="random")
    )
    (chart,) = charts(found)
    (judge,) = found.judges
    assert [(dot.label, dot.value) for dot in chart.rows] == [
        (option, rate.value) for option, rate in zip(options, judge.rates, strict=True)
    ]


def test_bare_counts_have_no_chart() -> None:
    assert charts(study_counts(4, 10, specificity=(7, 10), sensitivity=(9, 10))) == ()
