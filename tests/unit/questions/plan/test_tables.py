"""The plan's tables are the study's numbers."""

from __future__ import annotations

from pathlib import Path

from goldassay.questions.plan.comparison import BUDGETS, Goal
from goldassay.questions.plan.designs import BY_VERDICT, DESIGNS, Purpose, expected_length
from goldassay.questions.plan.precision import JudgeRates
from goldassay.questions.plan.study import PlanStudy, judge_to_plan_for, study_rates, study_ratings
from goldassay.questions.plan.tables import summary, tables

from .conftest import pool_units

RATES = JudgeRates(0.2, 0.9, 0.7)


def test_strata_say_where_the_labels_asked_for_fall(planned: PlanStudy) -> None:
    rows = tables(planned)["strata"].rows
    assert sum(row[1] for row in rows) == 600
    assert sum(row[2] for row in rows) == 60
    assert sum(row[4] for row in rows) == 100


def test_without_a_budget_they_say_what_the_length_needs(tmp_path: Path) -> None:
    counted = pool_units(tmp_path)
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.08))
    assert found.pool is not None
    assert found.pool.reach is not None
    assert sum(row[4] for row in tables(found)["strata"].rows) == found.pool.reach.labels
    beyond = study_ratings(counted, judge_to_plan_for(counted), Goal(0.001))
    assert [row[4] for row in tables(beyond)["strata"].rows] == [None, None]


def test_every_design_has_a_row_the_cheapest_first() -> None:
    found = study_rates(RATES, Goal(0.01), items=500)
    rows = tables(found)["designs"].rows
    assert {row[0] for row in rows} == {one.words for one in DESIGNS.values()}
    costs = [row[7] for row in rows if row[7] is not None]
    assert costs == sorted(costs)
    assert [row[1] for row in rows[len(costs) :]] == [None] * (len(DESIGNS) - len(costs))


def test_a_budget_is_sorted_by_length_and_has_the_papers_split() -> None:
    table = tables(study_rates(RATES, Goal(0.1, 200), items=1000))["budget"]
    lengths = [row[-1] for row in table.rows]
    assert lengths == sorted(lengths)
    named = {row[0]: row[1:3] for row in table.rows}
    assert named["separate set, Algorithm 1"] == (132, 68)
    assert "budget" not in tables(study_rates(RATES, Goal(0.1)))


def test_lengths_by_number_of_labels() -> None:
    table = tables(study_rates(RATES, Goal(0.1), items=300))["lengths"]
    assert [row[0] for row in table.rows] == list(BUDGETS)
    assert table.columns == ("labels", "by verdict", "random", "by label", "people")
    by_labels = {row[0]: row[1:] for row in table.rows}
    length = expected_length(BY_VERDICT, RATES, 100, Purpose(0.1, 300))
    assert by_labels[100][0] == round(100 * length, 1)  # in points
    assert by_labels[400][:2] == (None, None)  # more than the pool holds
    assert by_labels[400][3] == 8.0  # the hedged binomial of 80 in 400


def test_pairs_of_judges(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, judges=3)
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.1))
    table = tables(found)["golden_set"]
    assert [row[:2] for row in table.rows] == [("j0", "j1"), ("j0", "j2"), ("j1", "j2")]
    assert "(3)" in table.notes[0]
    assert "golden_set" not in tables(study_rates(RATES, Goal(0.1)))


def test_the_summary_has_a_line_for_the_judge_or_each_design(planned: PlanStudy) -> None:
    found = summary(planned)
    assert found is not None
    assert (found.about, [line.label for line in found.lines]) == ("judge", ["j0"])
    rows = {row.result.name: row.result for row in planned.rows()}
    assert found.lines[0].cells[:2] == (rows["length_now"], rows["labels_needed"])
    compared = study_rates(RATES, Goal(0.1), items=1000)
    designs = summary(compared)
    assert designs is not None
    assert [line.cells[0] for line in designs.lines] == [
        plan.labels for plan in compared.comparison.plans
    ]
