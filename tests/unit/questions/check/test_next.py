"""What to do next can be done: a frame has no name for a command."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import goldassay
from goldassay.examples import rubric


def _next(found: goldassay.Findings) -> str:
    return next(str(one.facts["command"]) for one in found.notes if one.key == "check.next")


def test_of_a_file_it_is_a_command_and_of_a_frame_a_call() -> None:
    file = goldassay.check(rubric.path, rubric.task)
    frame = goldassay.check(pl.read_csv(rubric.path, infer_schema=False), rubric.task)
    assert _next(file) == f"goldassay report {rubric.path} --task {rubric.task}"
    assert _next(frame) == "goldassay.report(table, task)"


def test_of_a_frame_without_a_task_it_is_to_declare_one() -> None:
    frame = pl.DataFrame({"id": [f"i{n}" for n in range(12)], "human": ["yes", "no"] * 6})
    found = goldassay.check(frame.with_columns(judge=pl.col("human")))
    assert _next(found) == "goldassay.check(table, task)"


def test_without_a_judge_or_people_the_other_file_is_asked_for_once(tmp_path: Path) -> None:
    people, judge = tmp_path / "people.csv", tmp_path / "gpt4.csv"
    rows = "\n".join(f"i{n},{'yes' if n % 3 else 'no'}" for n in range(12))
    people.write_text(f"id,human\n{rows}\n")
    judge.write_text(f"id,gpt4\n{rows}\n")
    found = goldassay.check(str(people))
    assert found.summary is not None
    assert [line.label for line in found.summary.lines] == ["every one"]
    assert _next(found) == f"goldassay check {people} OTHER.csv"
    assert found.answer[1].facts["lacks"] == "a judge's ratings"
    found = goldassay.check(str(judge))
    assert found.summary is not None
    needs = [str(line.cells[1]) for line in found.summary.lines]
    assert sum(one.startswith("people's labels") for one in needs) == 1
    assert needs.count("what agree needs") > 3
    assert found.answer[1].facts["lacks"] == "people's labels"
    both = goldassay.check([str(people), str(judge)])
    assert "lacks" not in both.answer[1].facts
