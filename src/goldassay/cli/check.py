"""`goldassay check`: what is in a table of ratings, and a task file to start from."""

from __future__ import annotations

from goldassay.cli.common import (
    ExcludeOption,
    Form,
    FormOption,
    FullOption,
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
from goldassay.cli.following import Asked
from goldassay.cli.stages import stages
from goldassay.questions.check.ask import check

__all__ = ["command"]


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    write_task: WriteTaskOption = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
) -> None:
    """What is in a table of ratings, which questions it answers, what one column or declaration
    would unlock another, and what looks wrong. Without a task, what the ratings mean is guessed.

    Examples:

        goldassay check ratings.csv --write-task task.toml

        goldassay check ratings.csv --task task.toml
    """
    draft(ratings, task, write_task, only=only, exclude=exclude)
    with stages("check"):
        findings = check(ratings, task, only=only or (), exclude=exclude or ())
    asked = Asked(ratings, task or write_task, only, exclude)
    deliver(findings, as_json=as_json, full=full, out=out, require=require, form=form, asked=asked)
