"""What is declared of a source is a fact for every question, in Python and on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import goldassay as ga
from goldassay.cli import command_line


def wide(size: int = 60) -> dict[str, list[Any]]:
    """Columns whose names say nothing, or what is not so."""
    people = ["yes" if n % 3 else "no" for n in range(size)]
    other = {"yes": "no", "no": "yes"}
    return {
        "claim": [f"c{n}" for n in range(size)],
        "judge_gpt4": people,
        "human": [one if n % 5 else other[one] for n, one in enumerate(people)],
        "topic": ["ab"[n % 2] for n in range(size)],
        "status": ["open" if n % 4 else "closed" for n in range(size)],
        "score": [n / size for n in range(size)],
    }


#: Against every name.
SAID: dict[str, Any] = {"item": "claim", "human": "judge_gpt4", "judge": "human"}


def saved(folder: Path, columns: dict[str, list[Any]]) -> Path:
    path = folder / "wide.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        out = csv.writer(stream)
        out.writerow(columns)
        out.writerows(zip(*columns.values(), strict=True))
    return path


def test_names_are_never_held_against_what_is_declared() -> None:
    found = ga.agree(wide(), **SAID, by=["topic"], resamples=100)
    row = found.rows_where(name="accuracy", judge="human")[0].result
    assert isinstance(row, ga.Estimate)
    assert row.value == pytest.approx(0.8)
    assert row.n_items == 60
    assert "declared: not used: topic, status, score" in found.readings
    assert not any("asked" in line for line in found.readings)


@pytest.mark.parametrize("verb", ["agree", "select", "audit", "estimate", "report"])
def test_every_question_takes_it(verb: str) -> None:
    found = getattr(ga, verb)(wide(), **SAID)
    assert "human" in {row.about.get("judge") for row in found.rows}
    assert "judge_gpt4" not in {row.about.get("judge") for row in found.rows}


def test_route_takes_several_judges() -> None:
    columns = wide()
    columns["zeta"] = columns["human"][1:] + columns["human"][:1]
    columns["eta"] = columns["human"][2:] + columns["human"][:2]
    said = {**SAID, "judge": ["human", "zeta", "eta"]}
    assert ga.route(columns, **said).rows


@pytest.mark.parametrize("verb", ["compare", "rank"])
def test_systems_are_declared_too(verb: str) -> None:
    columns = wide(60)
    columns["claim"] = [f"c{n // 2}" for n in range(60)]
    columns["zeta"] = [["x", "y"][n % 2] for n in range(60)]
    found = getattr(ga, verb)(columns, **SAID, system="zeta")
    assert {"x", "y"} <= {str(v) for row in found.rows for v in row.about.values()}


def test_the_command_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path, wide())
    words = ["--item", "claim", "--human", "judge_gpt4", "--judge", "human"]
    assert command_line(["agree", str(path), *words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = ga.agree(str(path), **SAID).document()
    assert document["results"] == found["results"]
    assert command_line(["agree", str(path), *words]) == 0
    following = " ".join(capsys.readouterr().out.split())
    assert "--item claim --human judge_gpt4" in following
    assert "--judge human" in following


def test_what_contradicts_the_task_names_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, wide())
    task = tmp_path / "task.toml"
    task.write_text('scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n', "utf-8")
    words = ["agree", str(path), "--task", str(task), "--human", "human", "--judge", "judge_gpt4"]
    assert command_line(words) == 0
    assert "assumed" not in capsys.readouterr().out
    with task.open("a", encoding="utf-8") as stream:
        stream.write('[wide]\nhuman = ["human"]\njudge = ["judge_gpt4"]\n')
    assert command_line(words) == 2
    said = capsys.readouterr().err
    assert "--task, [wide]" in said
    assert "Keep one of the two" in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--human", "labels", "--judge", "human"], "--human labels"),
        (["--human", "human", "--judge", "human=topics"], "no column `topics`"),
        (["--human", "human", "--item", "uid"], "--item uid"),
        (["--human", "human", "--rows", "a", "--rows", "b"], "--rows: is given once"),
        (["--human", "human", "--write-task", "t.toml"], "--write-task"),
    ],
)
def test_what_is_not_there_ends_with_2(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line(["agree", str(saved(tmp_path, wide())), *words]) == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_a_judge_alone_is_the_one_that_is_looked_at() -> None:
    columns = wide()
    columns["judge_b"] = columns["human"]
    said = {"item": "claim", "human": "human", "judge": ["judge_gpt4", "judge_b"]}
    declared = ga.agree(columns, **said)  # type: ignore[arg-type]
    assert {row.about.get("judge") for row in declared.rows} >= {"judge_gpt4", "judge_b"}
    one = ga.agree({k: columns[k] for k in ("claim", "human", "judge_gpt4")}, judge="judge_gpt4")
    assert {row.about["judge"] for row in one.rows if "judge" in row.about} == {"judge_gpt4"}


def test_ratings_that_are_read_take_no_declaration() -> None:
    ratings = ga.simulate(prompts=10).ratings()
    with pytest.raises(ga.InputError, match="are read already"):
        ga.agree(ratings, human="human")
