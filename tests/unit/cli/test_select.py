"""`goldassay select` on the command line: the answers, the hard cases and wrong input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_tables import judged, written

from goldassay.cli import command_line as run

TASK = 'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n'


def study(
    n: int = 200, seed: int = 0, **rates: tuple[float, float]
) -> tuple[list[int], dict[str, Any]]:
    """True labels, and verdicts of judges with these (sensitivity, specificity)."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.3).astype(int)
    verdicts = {}
    for judge, (sensitivity, specificity) in rates.items():
        right = rng.random(n) < np.where(truth == 1, sensitivity, specificity)
        verdicts[judge] = np.where(right, truth, 1 - truth).tolist()
    return truth.tolist(), verdicts


def select(
    folder: Path, rows: list[dict[str, Any]], *options: str, task: str = TASK
) -> tuple[int, list[str]]:
    (folder / "task.toml").write_text(task)
    path = written(folder, rows)
    arguments = ["select", str(path), "--task", str(folder / "task.toml"), *options]
    return run([*arguments, "--resamples", "400"]), arguments


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_clear_winner_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = judged(*study(300, good=(0.95, 0.95), poor=(0.6, 0.7)))
    assert select(tmp_path, rows, "--json")[0] == 0
    found = document(capsys)
    assert found["answer"][0].startswith("`good` has the highest balanced accuracy")
    assert "It is better than `poor`" in found["answer"][1]
    table = found["tables"]["judges"]["rows"]
    assert [row[0] for row in table] == ["good", "poor"]
    assert table[1][7] == "yes"
    assert {chart["kind"] for chart in found["charts"]} == {"dot_interval", "line", "scatter"}


def test_judges_that_cannot_be_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = judged(*study(200, a=(0.9, 0.85), b=(0.88, 0.84)))
    assert select(tmp_path, rows)[0] == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "It cannot be told from `a`" in text


def test_the_metrics_that_would_have_chosen_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Table 1 of the balanced-accuracy paper as ratings: only balanced accuracy takes judge A."""
    truth = [1] * 83 + [0] * 917
    a = [1] * 63 + [0] * 20 + [1] * 133 + [0] * 784
    b = [1] * 47 + [0] * 36 + [1] * 69 + [0] * 848
    assert select(tmp_path, judged(truth, {"A": a, "B": b}), "--json")[0] == 0
    found = document(capsys)
    assert found["answer"][0].startswith(
        "`A` has the highest balanced accuracy of the 2 judges, 81 %"
    )
    choices = {row[0]: row[1] for row in found["tables"]["choices"]["rows"]}
    assert choices["f1"] == choices["macro_f1"] == choices["accuracy"] == "B"
    assert any("would have chosen `B`" in one["text"] for one in found["sentences"])


def test_the_goals_choose_differently(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth, verdicts = study(400, lenient=(0.95, 0.7), strict=(0.55, 0.98))
    rows = judged(truth, verdicts, system=["s", "t"] * 200)
    chosen = {}
    for goal in ("prevalence", "filter", "ranking"):
        assert select(tmp_path, rows, "--goal", goal, "--json")[0] == 0
        chosen[goal] = document(capsys)
    assert chosen["prevalence"]["answer"][0].startswith(
        "`lenient` has the highest balanced accuracy"
    )
    assert chosen["filter"]["answer"][0].startswith("`strict` has the highest decision consistency")
    assert "agreement with the people's order" in chosen["ranking"]["answer"][0]


def test_same_seed_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = judged(*study(80, a=(0.9, 0.85), b=(0.8, 0.84)), thread=[i // 4 for i in range(80)])
    task = TASK + 'cluster = "thread"\n'
    texts = []
    for _ in range(2):
        assert select(tmp_path, rows, "--json", task=task)[0] == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_scores_costs_and_systems_are_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth, verdicts = study(120, a=(0.9, 0.85), b=(0.8, 0.9), c=(0.85, 0.8))
    rng = np.random.default_rng(0)
    rows = judged(truth, verdicts, system=["s", "t", "u"] * 40)
    price = {"a": 0.03, "b": 0.01, "c": 0.02}
    for row in rows:
        is_judge = row["kind"] == "judge"
        value = 0.3 + 0.4 * (row["value"] == "yes") + 0.2 * rng.random()
        row["score"] = f"{value:.3f}" if is_judge else ""
        row["cost"] = price[row["rater"]] if is_judge else ""
    assert select(tmp_path, rows, "--panels", "--json")[0] == 0
    found = document(capsys)
    assert set(found["tables"]) == {"judges", "differences", "choices", "stability", "thresholds"}
    by_name = {row[0]: row[-1] for row in found["tables"]["judges"]["rows"]}
    assert by_name["panel of all"] == pytest.approx(0.06)
    assert len(found["tables"]["stability"]["rows"]) == 6


@pytest.mark.parametrize(
    ("truth", "verdicts", "words"),
    [
        ([1, 0, 1, 0], {"only": [1, 0, 0, 0]}, "is the only judge"),
        ([1, 1, 1, 1], {"a": [1, 0, 1, 1], "b": [1, 1, 1, 1]}, "one class only (`yes`)"),
        ([1], {"a": [1], "b": [0]}, "one class only (`yes`)"),
        ([1, 0], {f"j{k}": [1, 0] for k in range(5)}, "It cannot be told from any"),
    ],
)
def test_little_data_gets_a_clear_answer(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    truth: list[int],
    verdicts: dict[str, Any],
    words: str,
) -> None:
    assert select(tmp_path, judged(truth, verdicts))[0] == 0
    assert words in " ".join(capsys.readouterr().out.split())


def test_no_overlap_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = judged([1, 0, -1, -1], {"a": [-1, -1, 1, 0]})
    assert select(tmp_path, rows)[0] == 2
    assert "no item has both" in capsys.readouterr().err


def test_all_abstained_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = judged([1, 0, 1], {"a": [1, 1, 1]})
    for row in rows:
        row["value"] = "unsure" if row["kind"] == "judge" else row["value"]
    assert select(tmp_path, rows, task=TASK + 'abstain = ["unsure"]\n')[0] == 2
    assert "no item has both" in capsys.readouterr().err


def test_ranking_needs_systems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = judged([1, 0, 1], {"a": [1, 1, 1]})
    assert select(tmp_path, rows, "--goal", "ranking")[0] == 2
    assert "column system" in capsys.readouterr().err


def test_a_continuous_task_is_sent_to_rank(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"item": "i", "rater": "a", "kind": "judge", "value": "0.5"}]
    assert select(tmp_path, rows, task='scale = "continuous"\n')[0] == 2
    assert "rank and compare take scores" in capsys.readouterr().err


def test_an_unknown_goal_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = judged([1, 0, 1], {"a": [1, 1, 1]})
    assert select(tmp_path, rows, "--goal", "best")[0] == 2
    capsys.readouterr()


def test_a_gate_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = judged(*study(60, a=(0.7, 0.7)))
    assert select(tmp_path, rows, "--require", "balanced_accuracy.low>=0.95")[0] == 1
    assert "does not hold" in capsys.readouterr().err


def test_invalid_verdicts_count_as_wrong_when_declared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = judged([1, 1, 0, 0], {"a": [1, 1, 0, 0]})
    rows[1]["value"] = "garbage"  # the judge's verdict of the first item
    task = TASK + 'invalid = ["garbage"]\ninvalids = "{}"\n'
    values = {}
    for mode in ("exclude", "wrong"):
        assert select(tmp_path, rows, "--json", task=task.format(mode))[0] == 0
        found = document(capsys)
        values[mode] = found["results"][0]["value"]
    assert values == {"exclude": 1.0, "wrong": 0.75}


def test_weights_count_relative_to_one_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every weight 50 is every weight 1: no more information than the items hold."""
    truth, verdicts = study(80, a=(0.9, 0.85), b=(0.8, 0.84))
    found = []
    for weight in ("1", "50"):
        rows = judged(truth, verdicts, weight=[weight] * 80)
        assert select(tmp_path, rows, "--json")[0] == 0
        found.append(document(capsys))
    assert found[0]["results"] == found[1]["results"]
    assert found[0]["tables"]["judges"] == found[1]["tables"]["judges"]
