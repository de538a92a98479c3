"""`goldassay check`: what is in a table of ratings, and a task file to start from."""

from __future__ import annotations

from goldassay.cli.common import (
    ExcludeOption,
    JsonOption,
    OnlyOption,
    OutOption,
    RatingsArgument,
    RequireOption,
    TaskOption,
    WriteTaskOption,
    deliver,
    draft,
)
from goldassay.questions.check.ask import check

__all__ = ["command"]


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    write_task: WriteTaskOption = None,
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
    draft(ratings, task, write_task, only=only, exclude=exclude)
    findings = check(ratings, task, only=only or (), exclude=exclude or ())
    deliver(findings, as_json=as_json, out=out, require=require)
