"""`goldassay estimate`: what is the true rate behind the judge's rate?"""

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
from goldassay.questions.estimate.ask import ChangedJudge, estimate

__all__ = ["command"]


@with_columns
def command(
    ratings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RATINGS...]",
            help="CSV, TSV, JSONL, JSON, Parquet, DuckDB or SQLite files, or globs; FILE::TABLE. "
            "Several are one table; none for bare counts.",
        ),
    ] = None,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    calibration: CalibrationOption = None,
    write_task: WriteTaskOption = None,
    judge: Annotated[
        list[str] | None, typer.Option("--judge", help="Only this judge; may be repeated.")
    ] = None,
    strata: Annotated[
        list[str] | None,
        typer.Option(
            "--strata", metavar="COLUMN", help="Correct within this column; may be repeated."
        ),
    ] = None,
    positives: Annotated[
        float | None, typer.Option("--positives", help="Bare counts: items called positive...")
    ] = None,
    of: Annotated[float | None, typer.Option("--of", help="...of so many items.")] = None,
    specificity: Annotated[
        str | None,
        typer.Option(
            "--specificity",
            metavar="K/M|RATE",
            help="Right on K of M labelled negatives; or a known rate.",
        ),
    ] = None,
    sensitivity: Annotated[
        str | None,
        typer.Option(
            "--sensitivity",
            metavar="K/M|RATE",
            help="Right on K of M labelled positives; or a known rate.",
        ),
    ] = None,
    confidence_level: Annotated[
        float | None,
        typer.Option("--confidence-level", help="For bare counts; a task declares its own."),
    ] = None,
    passport: PassportOption = None,
    judges: IdentitiesOption = None,
    changed_judge: Annotated[
        ChangedJudge,
        typer.Option(
            "--changed-judge",
            metavar="refuse|accept",
            help="Whether to correct by a passport of a judge that changed.",
        ),
    ] = "refuse",
    set_error: Annotated[
        float | None,
        typer.Option(
            "--set-error",
            metavar="SHARE",
            help="Sets of options of single items that miss people's label at most so often.",
        ),
    ] = None,
    sets_out: Annotated[
        str | None, typer.Option("--sets-out", metavar="FILE", help="These sets (.csv, .jsonl).")
    ] = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
    seed: SeedOption = SEED,
    columns: Columns = NOTHING,
) -> None:
    """What is the true rate behind the judge's rate?

    Examples:

        goldassay estimate ratings.csv --task task.toml

        goldassay estimate ratings.csv --task task.toml --strata topic --json

        goldassay estimate new.csv --passport gpt.passport.json --judges judges.csv

        goldassay estimate --positives 400 --of 1000 --specificity 140/200 --sensitivity 180/200

        goldassay estimate ratings.csv --task task.toml --specificity 0.7 --sensitivity 0.9
    """
    draft(ratings, task, write_task, only=only, exclude=exclude, calibration=calibration)
    with stages("estimate"):
        findings = estimate(
            ratings or None,
            task,
            only=only or (),
            exclude=exclude or (),
            calibration=calibration,
            judge=judge or (),
            strata=strata or (),
            positives=positives,
            of=of,
            specificity=specificity,
            sensitivity=sensitivity,
            confidence_level=confidence_level,
            passport=passport,
            judges=judges,
            changed_judge=changed_judge,
            set_error=set_error,
            sets_out=sets_out,
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
            ratings or (),
            task or write_task,
            only,
            exclude,
            judge,
            passport=passport,
            calibration=calibration,
            columns=columns,
        ),
    )
