"""`goldassay replace`: may the judge stand in for a person?"""

from __future__ import annotations

from typing import Annotated

import typer

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
from goldassay.questions.replace.ask import replace

__all__ = ["command"]


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    write_task: WriteTaskOption = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="COLUMN", help="Also within each label of a column."),
    ] = None,
    epsilon: Annotated[
        float,
        typer.Option("--epsilon", help="How much closer a person may be and still be replaced."),
    ] = 0.15,
    min_items: Annotated[
        int, typer.Option("--min-items", help="People with fewer shared items are left out.")
    ] = 30,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
) -> None:
    """May the judge stand in for a person?

    For each person: is the judge at least as close to the other people as that person is, less
    epsilon? It may stand in where this is shown for at least half of them.

    Examples:

        goldassay replace ratings.csv --task task.toml

        goldassay replace ratings.csv --task task.toml --epsilon 0.1 --require 'winning_rate>=0.5'
    """
    draft(ratings, task, write_task, only=only, exclude=exclude)
    with stages("replace"):
        findings = replace(
            ratings,
            task,
            only=only or (),
            exclude=exclude or (),
            by=by or (),
            epsilon=epsilon,
            min_items=min_items,
        )
    deliver(
        findings,
        as_json=as_json,
        full=full,
        out=out,
        require=require,
        form=form,
        asked=Asked(ratings, task or write_task, only, exclude),
    )
