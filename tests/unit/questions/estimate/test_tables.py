"""Tables are the study's numbers, in the order that is promised."""

from __future__ import annotations

import pytest

from goldassay.questions.estimate.bare import study_counts
from goldassay.questions.estimate.scores import JudgeMean, MeansStudy
from goldassay.questions.estimate.study import study as estimate
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.tables import summary, tables
from goldassay.results import Estimate, Interval, Undefined

from .conftest import study

M, U = "MET", "UNMET"


def test_the_tables_of_a_judge(two_systems) -> None:  # type: ignore[no-untyped-def]
    assert list(tables(two_systems)) == ["estimators j", "strata j", "systems j", "differences j"]


def test_estimators_stand_side_by_side_the_headline_first(two_systems) -> None:  # type: ignore[no-untyped-def]
    rows = tables(two_systems)["estimators j"].rows
    (judge,) = two_systems.judges
    assert rows[0][0] == "stratified by verdict, within topic (headline)"
    assert rows[0][1] == judge.rate.interval.length
    assert [row[1] for row in rows[1:]] == [one.result.interval.length for one in judge.estimators]
    assert {row[2] for row in rows} == {"yes", "no"}  # the judge's own rate never holds


def test_systems_are_listed_by_their_corrected_rate(two_systems) -> None:  # type: ignore[no-untyped-def]
    table = tables(two_systems)["systems j"]
    rows = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert list(rows) == ["a", "b"]
    assert (rows["a"]["its rank"], rows["a"]["rank"], rows["a"]["rank range"]) == (2, 1, "1")
    (judge,) = two_systems.judges
    assert rows["b"]["corrected"] == judge.systems.rates[1].value
    (gap,) = tables(two_systems)["differences j"].rows
    assert gap[3] == pytest.approx(rows["a"]["corrected"] - rows["b"]["corrected"])


def test_strata_add_up_to_the_items(two_systems) -> None:  # type: ignore[no-untyped-def]
    table = tables(two_systems)["strata j"]
    assert [row[0] for row in table.rows] == ["art", "law"]
    assert sum(row[1] for row in table.rows) == 2200
    assert sum(row[2] for row in table.rows) == 200


def test_what_has_no_value_is_empty(units_of) -> None:  # type: ignore[no-untyped-def]
    found = estimate(units_of(study({}, {M: 4, U: 6}), calibration="separate"))
    rows = tables(found)["estimators j"].rows
    assert [row[0] for row in rows if row[1] is not None] == ["the judge's own rate"]


def test_a_judge_without_a_verdict_has_no_table(units_of) -> None:  # type: ignore[no-untyped-def]
    found = estimate(units_of(study({}, {"abstained": 4}), calibration="separate"))
    assert tables(found) == {}
    assert [row.result.name for row in found.rows()] == ["prevalence"]


def test_options(units_of) -> None:  # type: ignore[no-untyped-def]
    options = ["bad", "fair", "good"]
    labelled = {(a, b): 4 + 30 * (a == b) for a in options for b in options}
    rows = study(labelled, {"bad": 300, "fair": 300, "good": 400})
    found = estimate(
        units_of(rows, scale="nominal", options=options, positive="good", calibration="random")
    )
    (table,) = tables(found).values()
    assert [row[0] for row in table.rows] == options
    assert sum(row[2] for row in table.rows) == pytest.approx(1)


def test_means_and_bare_counts() -> None:
    mean = Estimate("mean_score", 3.2, Interval(3.0, 3.4, 0.95, "PPI++, Student"), 90)
    known = JudgeMean(Subject("j", None, "a"), mean, Estimate("mean_score_naive", 3.5), 30)
    unknown = JudgeMean(Subject("k"), Undefined("mean_score", "no", 5), None, 1)
    table = tables(MeansStudy("random", (known, unknown)))["means"]
    assert table.rows == (("j", None, "a", 3.5, 3.2, 3.0, 3.4, 30),)
    bare = study_counts(400, 1000, specificity=(140, 200), sensitivity=(180, 200))
    assert tables(bare) == {}


def test_a_summary_has_a_line_for_each_system_of_one_judge(two_systems) -> None:  # type: ignore[no-untyped-def]
    found = summary(two_systems)
    assert (found.about, [line.label for line in found.lines]) == ("system", ["a", "b"])
    (judge,) = two_systems.judges
    assert found.lines[0].cells[0] == judge.systems.rates[0]
    assert not found.lines[1].tied  # a is truly better, and the labels tell


def test_a_summary_has_a_line_for_each_judge_the_surest_first(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = study({(M, M): 45, (M, U): 5, (U, M): 5, (U, U): 45}, {M: 400, U: 600})
    worse = study({(M, M): 30, (M, U): 20, (U, M): 20, (U, U): 30}, {M: 400, U: 600})
    rows += [{**row, "rater": "a"} for row in worse if row["kind"] == "judge"]
    found = summary(estimate(units_of(rows, calibration="random")))
    assert (found.about, [line.label for line in found.lines]) == ("judge", ["j", "a"])


def test_where_all_is_labelled_the_summary_tells_the_judges_own_rates(units_of) -> None:  # type: ignore[no-untyped-def]
    found = summary(estimate(units_of(study({(M, M): 60, (U, M): 15, (U, U): 25}, {}))))
    assert [(line.label, line.cells[0].value) for line in found.lines] == [
        ("people", 0.6),
        ("j", 0.75),
    ]


@pytest.mark.parametrize("second", [False, True])
def test_the_footnote_is_true_of_peoples_row(units_of, second: bool) -> None:  # type: ignore[no-untyped-def]
    """People's rate is of all 60 items, the judge's own of the 55 that it decides."""
    rows = study({(M, M): 30, (U, U): 25, (M, "abstained"): 5}, {M: 4} if second else {})
    found = summary(estimate(units_of(rows, calibration="random")))
    assert found is not None
    (said,) = found.notes
    if second:  # nobody's row of all items stands there
        assert said == "95 % intervals for all items like these that the judge decides"
        return
    assert [line.label for line in found.lines] == ["people", "j"]
    assert [line.cells[1] for line in found.lines] == [60, 55]
    assert said == (
        "95 % intervals for all items like these; of the judge's own numbers, for those that it "
        "decides"
    )
