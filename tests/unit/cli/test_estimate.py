from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldassay.cli import command_line as run

COUNTS = ["--positives", "400", "--of", "1000"]
JUDGE = ["--specificity", "140/200", "--sensitivity", "180/200"]


def test_bare_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["estimate", *COUNTS, *JUDGE, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    first = document["results"][0]
    assert first["name"] == "prevalence"
    assert first["value"] == pytest.approx(1 / 6)
    assert (first["low"], first["high"]) == pytest.approx((0.0563507248, 0.2627330258))
    assert first["method"] == "Lang-Reiczigel"


def test_bare_counts_of_a_useless_judge(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--specificity", "40/100", "--sensitivity", "30/100"]
    assert run(["estimate", *COUNTS, *arguments]) == 0
    assert "carries no information" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "needs a table of ratings or bare counts"),
        (COUNTS, "need --specificity, --sensitivity too"),
        ([*COUNTS, "--specificity", "x", "--sensitivity", "1/2"], "is written as 140/200"),
        ([*COUNTS, "--specificity", "3/2", "--sensitivity", "1/2"], "a count out of a count"),
        (["r.csv", *COUNTS], "cannot be given together"),
        (["r.csv", "--labels", "own"], "shared_labels = true"),
        (["r.csv"], "r.csv: no such file"),
    ],
)
def test_wrong_usage(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["estimate", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.fixture
def table(tmp_path: Path) -> tuple[str, str]:
    rows = ["item,rater,kind,value"]
    for index in range(300):
        truth = index % 3 == 0
        verdict = truth if index % 7 else not truth
        rows.append(f"i{index},gpt,judge,{'MET' if verdict else 'UNMET'}")
        if index % 4 == 0:
            rows.append(f"i{index},ann,human,{'MET' if truth else 'UNMET'}")
    ratings, task = tmp_path / "ratings.csv", tmp_path / "task.toml"
    ratings.write_text("\n".join(rows) + "\n", encoding="utf-8")
    task.write_text(
        'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\ncalibration = "random"\n',
        encoding="utf-8",
    )
    return str(ratings), str(task)


def test_a_table(table: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    ratings, task = table
    assert run(["estimate", ratings, "--task", task, "--full"]) == 0
    text = capsys.readouterr().out
    assert "the true rate is likely" in text
    assert "Which estimator to trust" in text
    assert "375 ratings read, all used" in text


def test_a_gate(table: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    ratings, task = table
    assert run(["estimate", ratings, "--task", task, "--require", "prevalence>=0.2"]) == 0
    assert run(["estimate", ratings, "--task", task, "--require", "prevalence.low>=0.9"]) == 1


def test_continuous_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["item,rater,kind,value"]
    for index in range(200):
        rows.append(f"i{index},gpt,judge,{(index * 37 % 100) / 10}")
        if index % 5 == 0:
            rows.append(f"i{index},ann,human,{(index * 37 % 100) / 10 + 1}")
    ratings, task = tmp_path / "r.csv", tmp_path / "t.toml"
    ratings.write_text("\n".join(rows) + "\n", encoding="utf-8")
    task.write_text('scale = "continuous"\ncalibration = "random"\n', encoding="utf-8")
    assert run(["estimate", str(ratings), "--task", str(task), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    by_name = {row["name"]: row for row in document["results"]}
    assert by_name["mean_score"]["value"] == pytest.approx(
        by_name["mean_score_naive"]["value"] + 1, abs=0.2
    )
