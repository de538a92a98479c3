"""`goldassay check`: what is in a table of ratings, and a task file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from goldassay.cli.common import (
    JsonOption,
    OutOption,
    RatingsArgument,
    RequireOption,
    TaskOption,
    finish,
    write_atomically,
)

__all__ = ["command"]


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    write_task: Annotated[
        str | None,
        typer.Option("--write-task", metavar="TOML", help="Draft a task file from the table."),
    ] = None,
    as_json: JsonOption = False,
    out: OutOption = None,
    require: RequireOption = None,
) -> None:
    """What is in a table of ratings: raters, labels, repeats, gaps, clusters, and what would be
    left out. Without a task file, drafts one.

    Examples:

        goldassay check ratings.csv --write-task task.toml

        goldassay check ratings.csv --task task.toml
    """
    from goldassay.errors import UsageError
    from goldassay.questions.check.study import inspect_ratings
    from goldassay.ratings.propose import propose
    from goldassay.ratings.table import read_ratings
    from goldassay.ratings.task import Task, read_task
    from goldassay.results import Table

    if task is not None and write_task is not None:
        raise UsageError("--write-task", "drafts a task where there is none; --task was given")
    if write_task is not None and Path(write_task).exists():
        raise UsageError(
            write_task, "exists already and is not overwritten", next_step="Name another file"
        )
    drafted = propose(ratings) if task is None else None
    declared = (
        Task.from_mapping(drafted.task, place="drafted task") if drafted else read_task(str(task))
    )
    table = read_ratings(ratings, declared)
    findings, exclusions = inspect_ratings(table)
    if drafted is not None:
        lines = tuple((line,) for line in drafted.to_toml().splitlines())
        findings.tables["draft"] = Table("A draft of the task file, to be corrected", ("",), lines)
        if write_task is not None:
            write_atomically(write_task, drafted.to_toml())
            findings.answer.append(f"A drafted task file is in {write_task}: read it first.")
        else:
            findings.answer.append("No task file was given; --write-task FILE saves the draft.")
    finish(
        "check",
        findings,
        task=declared,
        inputs=table.inputs,
        rows=table.census.rows,
        exclusions=exclusions,
        as_json=as_json,
        out=out,
        require=require,
    )
