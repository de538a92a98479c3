"""The published JuStRank files, from copies of the same form; and the registry of importers."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from goldassay.cli import command_line as run
from goldassay.sources.importers import IMPORTERS
from tests.support.justrank_files import write_battles, write_judge_scores


def rows_of(path: Path) -> list[dict[str, str]]:
    relation = duckdb.sql(f"select * from '{path}'")
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def test_judge_scores_become_ratings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_judge_scores(tmp_path)
    out = tmp_path / "ratings.parquet"
    assert run(["import", "justrank", str(tmp_path), "--out", str(out)]) == 0
    assert "1,920 rows" in capsys.readouterr().out
    rows = rows_of(out)
    assert len(rows) == 8 * 60 * 4
    assert {row["rater"] for row in rows} == {
        f"model-{m} ({r})" for m in (0, 1) for r in ("Numeric", "Likert")
    }
    assert sum(row["value"] == "None" for row in rows) == 1
    assert {row["kind"] for row in rows} == {"judge"}


def test_battles_keep_the_english_hard_subset(tmp_path: Path) -> None:
    source = write_battles(tmp_path, battles=400)
    out = tmp_path / "gold.csv"
    assert run(["import", "arena-battles", str(source), "--out", str(out)]) == 0
    kept = [
        b
        for b in json.loads(source.read_text())
        if b["language"] == "English"
        and b["dedup_tag"]["sampled"]
        and b["category_tag"]["criteria_v0.1"]["complexity"]
    ]
    rows = rows_of(out)
    assert len(rows) == len(kept)
    assert sum(row["winner"] == "tie" for row in rows) == sum("tie" in b["winner"] for b in kept)


def test_imported_files_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_judge_scores(tmp_path)
    ratings, gold = tmp_path / "ratings.parquet", tmp_path / "gold.csv"
    run(["import", "justrank", str(tmp_path / "data"), "--out", str(ratings)])
    run(["import", "arena-battles", str(write_battles(tmp_path)), "--out", str(gold)])
    task = tmp_path / "task.toml"
    task.write_text('scale = "continuous"\ninvalid = ["None"]\n')
    capsys.readouterr()
    command = [
        "rank",
        str(ratings),
        "--task",
        str(task),
        "--gold",
        str(gold),
        "--resamples",
        "200",
        "--json",
    ]
    assert run(command) == 0
    document = json.loads(capsys.readouterr().out)
    names = {row["name"] for row in document["results"] if row["value"] is not None}
    assert {"kendall_tau", "decisiveness", "bias_delta"} <= names
    assert any("system-8" in warning for warning in document["warnings"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["justrnk", "x", "--out", "r.csv"], "Did you mean 'justrank'?"),
        (["justrank", "nowhere", "--out", "r.csv"], "does not exist"),
        (["justrank", ".", "--out", "r.xlsx"], ".parquet or .csv"),
        (["justrank"], "needs a file"),
    ],
)
def test_wrong_calls_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    out = [str(tmp_path / a) if a.startswith("r.") else a for a in arguments]
    assert run(["import", *out]) == 2
    assert words in capsys.readouterr().err


def test_a_file_of_another_form_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    for name in IMPORTERS:
        assert run(["import", name, str(other), "--out", str(tmp_path / "r.csv")]) == 2
        words = "columns" if IMPORTERS[name].table else f"is no log of {name}"
        assert words in capsys.readouterr().err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.csv"]


def test_the_importers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", "--list"]) == 0
    assert "justrank" in capsys.readouterr().out
