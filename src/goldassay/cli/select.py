"""`goldassay select`: which of my judges (or which threshold) should I use?"""

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
    JsonOption,
    OnlyOption,
    OutOption,
    RatingsArgument,
    RequireOption,
    ResamplesOption,
    SeedOption,
    TaskOption,
    WriteTaskOption,
    deliver,
    draft,
)
from goldassay.cli.following import Asked
from goldassay.cli.stages import stages
from goldassay.questions.asking import RESAMPLES, SEED, Columns
from goldassay.questions.select.ask import select
from goldassay.ratings.task import Goal

__all__ = ["command"]


@with_columns
def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    calibration: CalibrationOption = None,
    write_task: WriteTaskOption = None,
    goal: Annotated[
        Goal | None,
        typer.Option("--goal", help="What the judge is for; otherwise the task's goal."),
    ] = None,
    panels: Annotated[
        bool, typer.Option("--panels", help="Majority panels of judges are candidates too.")
    ] = False,
    thresholds: Annotated[
        bool,
        typer.Option("--thresholds", help="Scores, cut where J is greatest, are candidates too."),
    ] = False,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
    resamples: ResamplesOption = RESAMPLES,
    seed: SeedOption = SEED,
    columns: Columns = NOTHING,
) -> None:
    """Which of my judges (or which threshold) should I use?

    Judges are ranked by the criterion of the goal: balanced accuracy (prevalence), decision
    consistency (filter) or agreement with people's order of the systems (ranking), and compared on
    the same items, corrected for their number. Scores, systems, cost and latency are used where the
    table has them.

    Examples:

        goldassay select ratings.csv --task task.toml

        goldassay select ratings.csv --task task.toml --goal ranking --panels

        goldassay select ratings.csv --task task.toml --thresholds

        goldassay select ratings.csv -t task.toml --require 'balanced_accuracy.low>0.7[judge=gpt]'
    """
    draft(ratings, task, write_task, only=only, exclude=exclude, calibration=calibration)
    with stages("select"):
        findings = select(
            ratings,
            task,
            only=only or (),
            exclude=exclude or (),
            calibration=calibration,
            goal=goal,
            panels=panels,
            thresholds=thresholds,
            resamples=resamples,
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
            ratings, task or write_task, only, exclude, columns=columns, calibration=calibration
        ),
    )
