"""`goldassay.plan` from Python: what it takes and refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_tables import BINARY, judged, written

from goldassay import examples, plan
from goldassay.errors import TaskError, UsageError

RATES: dict[str, Any] = {"sensitivity": 0.9, "specificity": "140/200", "prevalence": 0.2}


@pytest.mark.parametrize(
    "options",
    [
        {"length": 0},
        {"length": 2},
        {"labels": 1},
        {"prevalence": 1.2},
        {"of": 0},
        {"label_cost": 0},
        {"confidence_level": 95},
        {"assurance": 80},
        {"against": (0.9, 0.8, 0.7)},
    ],
)
def test_what_the_command_refuses_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(options)).replace("_", "-")):
        plan(**{**RATES, **options})


def test_a_known_rate_is_written_in_two_ways() -> None:
    found = {plan(**{**RATES, "specificity": q}).to_json() for q in (0.7, "70%")}
    assert len(found) == 1


def test_a_count_is_no_known_rate() -> None:
    """The more was counted, the nearer to a rate that is known, which no count reaches."""
    needed = [
        plan(**{**RATES, "specificity": q}).answer[0].facts["labels"]
        for q in ("7/10", "140/200", 0.7)
    ]
    assert needed[0] > needed[1] > needed[2]


@pytest.mark.parametrize("count", ["7.5/10", "11/10"])
def test_a_count_is_of_whole_items(count: str) -> None:
    with pytest.raises(UsageError, match="--specificity"):
        plan(**{**RATES, "specificity": count})


def test_the_judge_is_chosen_once_and_said(tmp_path: Path) -> None:
    truth = [1, 0] * 20
    wrong = [0, 0, 1, 1] * 10
    path = written(tmp_path, judged(truth, {"a": wrong, "b": truth}))
    found = plan(str(path), BINARY, next=3)
    assert {row.about["judge"] for row in found.rows} == {"b"}
    said = {one.key: one for one in (*found.answer, *found.notes)}
    assert said["plan.judge"].facts["value"] == 1
    assert found.more["next"]["rows"] == []  # every item is labelled
    named = plan(str(path), BINARY, judge="a")
    assert "plan.judge" not in {one.key for one in (*named.answer, *named.notes)}


def test_options_of_which_none_is_positive_have_no_rate_to_plan_for() -> None:
    with pytest.raises(TaskError, match="planning is for the rate of a positive option"):
        plan(examples.grades.path, task=examples.grades.task)


def test_weighted_clusters_of_which_all_is_labelled_in_the_end(tmp_path: Path) -> None:
    """Weights that add up to nothing but for a rounding error: no number is made of that."""
    rng = np.random.default_rng(0)
    truth, right = rng.random(80) < 0.1, rng.random(80) < 0.9
    labels = np.where(np.arange(80) % 3 == 0, truth, -1)
    columns = {
        "topic": [f"t{k // 5}" for k in range(80)],
        "weight": [f"{one:.6f}" for one in rng.lognormal(0, 0.5, 80)],
    }
    rows = judged(labels.tolist(), {"j": (truth == right).astype(int).tolist()}, **columns)
    task = {**BINARY, "calibration": "random", "cluster": "topic"}
    found = plan(written(tmp_path, rows), task, length=0.05)
    assert found.answer[0].facts["least"] < found["length_now", "j"].value
