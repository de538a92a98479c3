"""`goldassay agree`: does the judge agree with people, and how sure are we?"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

from goldassay.cli.columns import NOTHING, with_columns
from goldassay.cli.common import (
    CalibrationOption,
    ExcludeOption,
    Form,
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
from goldassay.questions.agree.ask import agree
from goldassay.questions.asking import RESAMPLES, SEED, Columns
from goldassay.words import visible

__all__ = ["command"]


class AgreeForm(StrEnum):
    """What is printed: the study, a paragraph for a methods section, or gates for a CI service."""

    text = "text"
    methods = "methods"
    github = "github"
    junit = "junit"
    sarif = "sarif"


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
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="COLUMN", help="Also within each label of a column."),
    ] = None,
    items: Annotated[
        int, typer.Option("--items", metavar="N", min=0, help="List N items on which they differ.")
    ] = 0,
    texts: Annotated[
        str | None,
        typer.Option(
            "--texts", metavar="FILE", help="Items table (item, text ...): texts, length bias."
        ),
    ] = None,
    panel_out: Annotated[
        str | None,
        typer.Option(
            "--panel-out",
            metavar="FILE",
            help="Verdicts of panels of the judges as ratings (.csv, .jsonl).",
        ),
    ] = None,
    form: Annotated[
        AgreeForm,
        typer.Option(
            "--format", help="The study, a methods paragraph; gates for GitHub, as JUnit or SARIF."
        ),
    ] = AgreeForm.text,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    resamples: ResamplesOption = RESAMPLES,
    seed: SeedOption = SEED,
    columns: Columns = NOTHING,
) -> None:
    """Does the judge agree with people, and how sure are we?

    Ends with the eleven-point reporting checklist, answered from the data and the task.

    Examples:

        goldassay agree ratings.csv --task task.toml

        goldassay agree ratings.csv --task task.toml --by criterion --items 20 --texts items.csv

        goldassay agree ratings.csv --task task.toml --panel-out panels.csv

        goldassay agree ratings.csv --task task.toml --format methods

        goldassay agree ratings.csv --task task.toml --json --require 'cohen_kappa.low>=0.6'
    """
    draft(ratings, task, write_task, only=only, exclude=exclude, calibration=calibration)
    with stages("agree"):
        findings = agree(
            ratings,
            task,
            only=only or (),
            exclude=exclude or (),
            calibration=calibration,
            judge=judge or (),
            by=by or (),
            items=items,
            texts=texts,
            panel_out=panel_out,
            resamples=resamples,
            seed=seed,
            **columns,
        )
    printed = Form.text if form is AgreeForm.methods else Form(form.value)
    if form is AgreeForm.methods:
        paragraph = next(note for note in findings.notes if note.key == "agree.methods")
        if not as_json and not out:
            print(visible(paragraph.text, limit=20_000))
            return
        findings = replace(findings, answer=(paragraph,))
    deliver(
        findings,
        as_json=as_json,
        full=full,
        out=out,
        require=require,
        asked=Asked(
            ratings,
            task or write_task,
            only,
            exclude,
            judge,
            columns=columns,
            calibration=calibration,
        ),
        form=printed,
    )
