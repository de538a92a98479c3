"""`goldassay compare`: is system B better than A?"""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli.columns import NOTHING, with_columns
from goldassay.cli.common import (
    CalibrationOption,
    ExcludeOption,
    Form,
    FormOption,
    FullOption,
    IdentitiesOption,
    JsonOption,
    OnlyOption,
    OutOption,
    PassportOption,
    RatingsArgument,
    RequireOption,
    SeedOption,
    TaskOption,
    WriteTaskOption,
    deliver,
    draft,
)
from goldassay.cli.following import Asked
from goldassay.cli.stages import stages
from goldassay.questions.asking import SEED, Columns
from goldassay.questions.compare.ask import compare

__all__ = ["command"]


@with_columns
def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    calibration: CalibrationOption = None,
    write_task: WriteTaskOption = None,
    judge: Annotated[
        list[str] | None, typer.Option("--judge", help="Only this judge; may be repeated.")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="SYSTEM", help="Hold all others against this system."),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option("--margin", help="A loss up to this is no worse; the task's otherwise."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="COLUMN", help="Compare within its values too; again."),
    ] = None,
    passport: PassportOption = None,
    judges: IdentitiesOption = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
    seed: SeedOption = SEED,
    columns: Columns = NOTHING,
) -> None:
    """Is system B better than A?

    The difference of true rates (means, win rates) on the same prompts: the judge's verdicts
    corrected by people's labels, all differences at once.

    Examples:

        goldassay compare ratings.csv --task task.toml

        goldassay compare ratings.csv --task task.toml --baseline v1 --margin 0.02

        goldassay compare ratings.csv --task task.toml --require 'difference.low > -0.02'
    """
    draft(ratings, task, write_task, only=only, exclude=exclude, calibration=calibration)
    with stages("compare"):
        findings = compare(
            ratings,
            task,
            only=only or (),
            exclude=exclude or (),
            calibration=calibration,
            judge=judge or (),
            baseline=baseline,
            margin=margin,
            by=by or (),
            passport=passport,
            judges=judges,
            seed=seed,
            **columns,
        )
    deliver(
        findings,
        as_json=as_json,
        full=full,
        out=out,
        require=require,
        form=form,
        asked=Asked(
            ratings,
            task or write_task,
            only,
            exclude,
            judge,
            columns=columns,
            calibration=calibration,
        ),
    )
