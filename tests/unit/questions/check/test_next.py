"""What to do next can be done: a frame has no name for a command."""

from __future__ import annotations

import polars as pl

import goldassay
from goldassay.examples import rubric


def _next(found: goldassay.Findings) -> str:
    return next(str(one.facts["command"]) for one in found.notes if one.key == "check.next")


def test_of_a_file_it_is_a_command_and_of_a_frame_a_call() -> None:
    file = goldassay.check(rubric.path, rubric.task)
    frame = goldassay.check(pl.read_csv(rubric.path, infer_schema=False), rubric.task)
    assert _next(file) == f"goldassay report {rubric.path} --task TASK --out report.html"
    assert _next(frame) == 'goldassay.report(table, task).save("report.html")'


def test_of_a_frame_without_a_task_it_is_to_declare_one() -> None:
    frame = pl.DataFrame({"id": [f"i{n}" for n in range(12)], "human": ["yes", "no"] * 6})
    found = goldassay.check(frame.with_columns(judge=pl.col("human")))
    assert _next(found) == "goldassay.check(table, task)"
