"""Tables: pure functions of the study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from goldassay.questions.rank.items import Explained
from goldassay.questions.rank.study import AgainstPeople, Options, RankStudy, study
from goldassay.questions.rank.systems import SystemLine
from goldassay.questions.rank.tables import tables
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Undefined
from goldassay.words import points
from tests.support.contests import contest

TASK = Task(scale="continuous")
DESCRIBED = {f"judge {j}": {"model": f"m{j % 3}", "realization": f"r{j // 3}"} for j in range(6)}


@pytest.fixture(scope="module")
def found() -> RankStudy:
    options = Options(resamples=200, judges=DESCRIBED, detailed=("judge 1",))
    task = Task(scale="continuous", families={"judge 0": "f", "system 1": "f"})
    return study(contest(judges=6, noise=4.0), task, options=options)


def people_of(found: RankStudy) -> AgainstPeople:
    assert found.people is not None
    return found.people


def test_every_table_in_order(found: RankStudy) -> None:
    assert list(tables(found)) == [
        "judges",
        "best",
        "behaviour",
        "systems:judge 1",
        "aggregations:judge 1",
        "ranks:judge 1",
        "bias:judge 1",
        "kin",
        "levels",
        "factors",
        "traits",
        "realizations",
    ]
    for table in tables(found).values():
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_without_gold_only_systems_are_shown() -> None:
    options = Options(resamples=200, aggregations=("mean",))
    bare = study(contest(human_scores=None), TASK, options=options)
    assert list(tables(bare)) == ["systems:judge 0"]
    assert "people" not in tables(bare)["systems:judge 0"].columns


def test_judges_stand_best_first(found: RankStudy) -> None:
    names = [one.judge.name for one in people_of(found).standings]
    made = tables(found)
    for key in ("judges", "best", "behaviour"):
        assert [row[0] for row in made[key].rows] == names
    assert made["best"].rows[0][1] == ""  # the best is not behind itself


def test_cells_are_the_results(found: RankStudy) -> None:
    people, made = people_of(found), tables(found)
    (bias,) = people.biases
    shown = {row[0]: row for row in made["bias:judge 1"].rows}
    for one in bias.systems:
        assert one.corrected.interval is not None
        low, high = one.corrected.interval.low, one.corrected.interval.high
        assert shown[f"system {one.system}"][1:] == (
            points(one.raw.value),
            points(one.corrected.value, (low, high)),
        )
    values = [float(row[2].split()[0]) for row in made["bias:judge 1"].rows]
    assert values == sorted(values, reverse=True)


def test_places_of_the_item_level(found: RankStudy) -> None:
    rows = tables(found)["levels"].rows
    by_items = sorted(rows, key=lambda row: -row[1])
    assert [row[2] for row in by_items] == ["1st", "2nd", "3rd", "4th", "5th", "6th"]
    assert rows[0][4] == "1st"
    people = replace(people_of(found), explained=Explained(6, 0.254, 0.5))
    notes = tables(replace(found, people=people))["levels"].notes
    assert notes[1] == (
        "Over these 6 judges, item accuracy explains 25 % of the variance of tau; with bias delta "
        "50 %."
    )


def test_systems_without_a_finite_score(found: RankStudy) -> None:
    ranked = found.systems[0]
    above = Undefined("system_score", "undefeated", 60, Interval(1.5, np.inf, 0.95, ""))
    unlinked = Undefined("system_score", "no battle links it", 60)
    first = Estimate("system_rank", 1.0, Interval(1, 2, 0.95, ""))
    lines = (
        SystemLine(3, above, first, (1, 2), None, 4),
        SystemLine(4, unlinked, Undefined("system_rank", "no battle links it", 60)),
    )
    changed = replace(
        ranked, lines={"bradley_terry": lines}, n_separated=3, resamples=200, design_factor=1.74
    )
    table = tables(replace(found, systems=(changed,)))["systems:judge 1"]
    assert [(row[0], row[1], *row[3:]) for row in table.rows] == [
        ("system 3", "1st to 2nd", "above 1.50", ""),
        ("system 4", "unranked", "undefined", ""),
    ]
    assert table.notes[1:] == (
        "system 3: undefeated.",
        "system 4: no battle links it.",
        "Bradley-Terry: in 3 of 200 resamples some system was undefeated, winless or unlinked; "
        "its score is unbounded there, and counted so.",
        "Intervals from battles taken as independent would be 1.7 times too short: the systems "
        "share the prompts.",
    )
