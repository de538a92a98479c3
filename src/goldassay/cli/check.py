"""`goldassay check`: what is in a table of ratings, and a task file to start from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from goldassay.cli.common import (
    FullOption,
    JsonOption,
    OutOption,
    RatingsArgument,
    RequireOption,
    TaskOption,
    deliver,
)
from goldassay.errors import UsageError
from goldassay.questions.check.ask import check
from goldassay.results import Sentence
from goldassay.sources.writing import write_atomically

__all__ = ["command"]


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    write_task: Annotated[
        str | None,
        typer.Option("--write-task", metavar="TOML", help="Draft a task file from the table."),
    ] = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
) -> None:
    """What is in a table of ratings: raters, labels, repeats, gaps, clusters, and what would be
    left out. Without a task file, drafts one.

    Examples:

        goldassay check ratings.csv --write-task task.toml

        goldassay check ratings.csv --task task.toml
    """
    if task is not None and write_task is not None:
        raise UsageError("--write-task", "drafts a task where there is none; --task was given")
    if write_task is not None and Path(write_task).exists():
        raise UsageError(
            write_task, "exists already and is not overwritten", next_step="Name another file"
        )
    findings = check(ratings, task)
    if "draft" in findings.more:
        said = "No task file was given; --write-task FILE saves the draft."
        if write_task is not None:
            write_atomically(write_task, findings.more["draft"])
            said = f"A drafted task file is in {write_task}: read it first."
        findings = replace(findings, answer=(*findings.answer, Sentence("check.draft", said)))
    asked = (ratings, task or write_task)
    deliver(findings, as_json=as_json, full=full, out=out, require=require, asked=asked)
