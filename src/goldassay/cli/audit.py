"""`goldassay audit`: do my conclusions survive that people disagree?"""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli.columns import NOTHING, with_columns
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
from goldassay.questions.audit.ask import audit

__all__ = ["command"]


@with_columns
def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    write_task: WriteTaskOption = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="Option to count; default: the positive one; repeatable."),
    ] = None,
    threshold: Annotated[
        list[float] | None,
        typer.Option("--threshold", help="Share of raters from which an item counts; repeatable."),
    ] = None,
    set_threshold: Annotated[
        float, typer.Option("--set-threshold", help="Share from which an option is in the set.")
    ] = 0.5,
    beta: Annotated[
        list[float] | None,
        typer.Option("--beta", help="How often raters accept more than they chose; repeatable."),
    ] = None,
    rater_error: Annotated[
        float | None,
        typer.Option("--rater-error", help="How often raters lapse; default: from repeats."),
    ] = None,
    smoothing: Annotated[
        float | None,
        typer.Option("--smoothing", help="Share of even ratings mixed in, for logarithms of 0."),
    ] = None,
    raters_by: Annotated[
        str | None, typer.Option("--raters-by", metavar="COLUMN", help="Compare groups of raters.")
    ] = None,
    panel_draws: Annotated[
        int,
        typer.Option("--panel-draws", min=0, max=1000, help="Drawn panels; 0: as if all rated."),
    ] = 20,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
    resamples: ResamplesOption = RESAMPLES,
    seed: SeedOption = SEED,
    columns: Columns = NOTHING,
) -> None:
    """Do my conclusions survive that people disagree?

    Every definition of performance for every judge, which judge each selects, what if raters
    accept more than they chose, how many raters an item needs, and whether groups of raters differ.

    Examples:

        goldassay audit ratings.csv --task task.toml

        goldassay audit ratings.csv --task task.toml --option toxic --threshold 0.3 --smoothing 0.01

        goldassay audit ratings.csv --task task.toml --raters-by expertise --out audit.html
    """
    draft(ratings, task, write_task, only=only, exclude=exclude)
    with stages("audit"):
        findings = audit(
            ratings,
            task,
            only=only or (),
            exclude=exclude or (),
            option=option or (),
            threshold=threshold or (),
            set_threshold=set_threshold,
            beta=beta or (),
            rater_error=rater_error,
            smoothing=smoothing,
            raters_by=raters_by,
            panel_draws=panel_draws,
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
        asked=Asked(ratings, task or write_task, only, exclude, columns=columns),
    )
