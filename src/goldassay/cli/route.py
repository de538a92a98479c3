"""`goldassay route`: where may the judge decide alone?"""

from __future__ import annotations

import sys
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
    check_delivery,
    deliver,
    draft,
)
from goldassay.cli.following import Asked
from goldassay.cli.stages import stages
from goldassay.questions.asking import SEED, Columns
from goldassay.questions.route.ask import route

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
        list[str] | None, typer.Option("--judge", help="The judge to ask about; again.")
    ] = None,
    signal: Annotated[
        str | None,
        typer.Option(
            "--signal", help="How sure a verdict is: score, confidence, repeats or judges."
        ),
    ] = None,
    risk: Annotated[
        float, typer.Option("--risk", help="The largest error allowed among decided items.")
    ] = 0.05,
    confidence: Annotated[
        float | None,
        typer.Option("--confidence", help="How sure of that; the task's level without it."),
    ] = None,
    by_side: Annotated[
        bool, typer.Option("--by-side", help="A threshold for each verdict.")
    ] = False,
    following: Annotated[
        str | None,
        typer.Option("--next", metavar="FILE", help="Write the items that are left to people."),
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
    """Where may the judge decide alone?

    From a score, the share of agreeing answers or of agreeing judges: the threshold beyond which
    the judge's error is at most --risk, with --confidence. --next writes the items that are left,
    the least sure first, for people to label anywhere or in `goldassay serve --order FILE`.

    Examples:

        goldassay route ratings.csv --task task.toml --risk 0.05

        goldassay route ratings.csv --task task.toml --next people.csv

        goldassay route ratings.csv --task task.toml --require 'share_decided>=0.5'
    """
    check_delivery(out, require)
    draft(ratings, task, write_task, only=only, exclude=exclude, calibration=calibration)
    with stages("route"):
        findings = route(
            ratings,
            task,
            only=only or (),
            exclude=exclude or (),
            calibration=calibration,
            judge=judge or (),
            signal=signal,
            risk=risk,
            confidence=confidence,
            by_side=by_side,
            next=following,
            seed=seed,
            passport=passport,
            judges=judges,
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
    if following is not None:
        print(f"The items left to people are in {following}.", file=sys.stderr)
