"""`goldassay plan` on the command line: from rates, from ratings, and the list of items."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_tables import judged, written

from goldassay.cli import command_line as run

TASK = 'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n'
RATES = ["plan", "--prevalence", "0.2", "--sensitivity", "0.9", "--specificity", "0.7"]


def pool(n: int = 600, labelled: int = 60, judges: int = 1) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.3).astype(int)
    verdicts = {}
    for judge in range(judges):
        right = rng.random(n) < 0.85 - 0.1 * judge
        verdicts[f"j{judge}"] = np.where(right, truth, 1 - truth).tolist()
    return judged([int(t) if i < labelled else -1 for i, t in enumerate(truth)], verdicts)


def plan(folder: Path, rows: list[dict[str, Any]], *options: str, task: str = TASK) -> int:
    (folder / "task.toml").write_text(task)
    path = written(folder, rows)
    return run(["plan", str(path), "--task", str(folder / "task.toml"), *options])


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_from_rates_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*RATES, "--of", "1000", "--length", "0.1", "--labels", "200", "--json"]) == 0
    found = document(capsys)
    labels = {line["label"]: line["cells"][:2] for line in found["summary"]["lines"]}
    assured, average = labels["label some of each verdict"]
    assert found["answer"][0].startswith(f"Label {assured} items, ")
    assert f"({average} would do on average)" in found["answer"][0]
    people = labels["label at random, no judge"][0]
    assert f"People alone would need {people} labels." in found["answer"]
    budget = {row[0]: row[1:] for row in found["tables"]["budget"]["rows"]}
    assert budget["separate set, Algorithm 1"][:2] == [132, 68]
    assert {chart["kind"] for chart in found["charts"]} == {"line", "heat_map"}


def test_from_counts_as_estimate_takes_them(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["plan", "--positives", "400", "--of", "1000", "--specificity", "140/200"]
    assert run([*arguments, "--sensitivity", "180/200", "--labels", "200", "--json"]) == 0
    budget = {row[0]: row[1:] for row in document(capsys)["tables"]["budget"]["rows"]}
    assert budget["separate set, Algorithm 1"][:2] == [136, 64]  # the paper's code


def test_costs_decide(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*RATES, "--length", "0.05", "--verdict-cost", "0.5", "--json"]) == 0
    assert "The judge does not pay for itself here." in document(capsys)["answer"]
    assert run([*RATES, "--length", "0.05", "--verdict-cost", "0.01", "--json"]) == 0
    assert "judged items" in document(capsys)["answer"][0]


def test_golden_set_for_two_judges(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["plan", "--prevalence", "0.5", "--sensitivity", "0.9", "--specificity", "0.8"]
    assert run([*arguments, "--against", "0.8,0.8", "--full"]) == 0
    assert "895 labelled items" in " ".join(capsys.readouterr().out.split())


def test_from_ratings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert plan(tmp_path, pool(), "--length", "0.08", "--json") == 0
    found = document(capsys)
    needed = next(r["value"] for r in found["results"] if r["name"] == "labels_needed")
    strata = found["tables"]["strata"]["rows"]
    assert sum(row[4] for row in strata) == needed
    assert found["answer"][0].startswith(f"Label {needed} more items, ")


def test_more_assurance_takes_more_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needed = []
    for assurance in ("0.5", "0.95"):
        assert plan(tmp_path, pool(), "--length", "0.1", "--assurance", assurance, "--json") == 0
        results = document(capsys)["results"]
        needed.append(next(r["value"] for r in results if r["name"] == "labels_needed"))
    assert needed[0] < needed[1]
    assert plan(tmp_path, pool(), "--assurance", "1.5") == 2


def test_a_target_that_is_reached_or_out_of_reach(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plan(tmp_path, pool(), "--length", "0.5") == 0
    assert "No more labels are needed" in " ".join(capsys.readouterr().out.split())
    assert plan(tmp_path, pool(), "--length", "0.01") == 0
    assert "No number of labels assures an interval of 1 point" in " ".join(
        capsys.readouterr().out.split()
    )


def test_no_label_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert plan(tmp_path, pool(labelled=0)) == 0
    assert "No item is labelled yet" in " ".join(capsys.readouterr().out.split())


def test_next_writes_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listing = tmp_path / "next.csv"
    texts = []
    for _ in range(2):
        assert plan(tmp_path, pool(), "--next", "50", "--list", str(listing), "--full") == 0
        texts.append(listing.read_text())
    assert texts[0] == texts[1]
    with listing.open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 50
    assert set(rows[0]) == {"item"}  # no verdict: people label blind
    assert all(int(row["item"][1:]) >= 60 for row in rows)
    assert "50 items to label next" in " ".join(capsys.readouterr().out.split())


def test_next_says_when_there_are_no_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listing = tmp_path / "next.csv"
    assert plan(tmp_path, pool(70, 60), "--next", "50", "--list", str(listing), "--full") == 0
    assert "there are no more" in " ".join(capsys.readouterr().out.split())
    assert len(listing.read_text().splitlines()) == 11


def test_a_list_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listing = tmp_path / "no" / "folder" / "next.csv"
    assert plan(tmp_path, pool(), "--next", "5", "--list", str(listing)) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert not listing.parent.exists()


def test_of_several_judges_the_best_is_planned_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = pool(judges=2)
    assert plan(tmp_path, rows) == 0
    assert "`j0`" in capsys.readouterr().out
    assert plan(tmp_path, rows, "--judge", "j9") == 2
    assert "is not a judge" in capsys.readouterr().err
    assert plan(tmp_path, rows, "--judge", "j1", "--json") == 0
    golden = document(capsys)["tables"]["golden_set"]["rows"]
    assert golden[0][:2] == ["j0", "j1"]
    assert golden[0][3] > 60


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["plan"], "needs a table of ratings, or"),
        ([*RATES, "--next", "5"], "needs a table of ratings"),
        (["plan", "--prevalence", "0.2", "--sensitivity", "1.9", "--specificity", "0.7"], "share"),
        (["plan", "--positives", "9", "--sensitivity", "0.9", "--specificity", "0.7"], "--of"),
        (
            [
                "plan",
                "--positives",
                "9",
                "--of",
                "20",
                "--sensitivity",
                "0.4",
                "--specificity",
                "0.5",
            ],
            "no information",
        ),
        ([*RATES, "--label-cost", "0"], "costs more than 0"),
        ([*RATES, "--against", "0.9"], "sensitivity,specificity"),
        ([*RATES, "--confidence-level", "95"], "between 0 and 1"),
        ([*RATES, "ratings.csv"], "Give one of the two"),
    ],
)
def test_wrong_usage_exits_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert words in capsys.readouterr().err
