"""`goldassay plan`: how many human labels do I need, and on which items?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from goldassay.cli.common import (
    CalibrationOption,
    ExcludeOption,
    Form,
    FormOption,
    FullOption,
    JsonOption,
    OnlyOption,
    OutOption,
    RequireOption,
    SeedOption,
    TaskOption,
    WriteTaskOption,
    deliver,
    draft,
)
from goldassay.cli.following import Asked
from goldassay.cli.stages import stages
from goldassay.questions.asking import SEED
from goldassay.questions.plan.ask import LENGTH, plan
from goldassay.questions.plan.comparison import ASSURANCE
from goldassay.sources.spreadsheet import csv_text
from goldassay.sources.writing import write_atomically

__all__ = ["command"]


def command(
    ratings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RATINGS...]", help="Tables of ratings; none to plan from rates alone."
        ),
    ] = None,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    calibration: CalibrationOption = None,
    write_task: WriteTaskOption = None,
    judge: Annotated[str | None, typer.Option("--judge", help="The judge to plan for.")] = None,
    length: Annotated[
        float, typer.Option("--length", min=0.0001, max=1.0, help="Length of the interval wanted.")
    ] = LENGTH,
    assurance: Annotated[
        float,
        typer.Option("--assurance", help="The share of studies in which it is to be reached."),
    ] = ASSURANCE,
    labels: Annotated[
        int | None, typer.Option("--labels", min=2, help="What so many (more) labels give.")
    ] = None,
    following: Annotated[
        int | None, typer.Option("--next", min=1, help="Write the next so many items to label.")
    ] = None,
    listing: Annotated[
        str, typer.Option("--list", metavar="FILE", help="Where --next writes them.")
    ] = "next.csv",
    positives: Annotated[
        float | None, typer.Option("--positives", min=0, help="Rates alone: called positive...")
    ] = None,
    of: Annotated[float | None, typer.Option("--of", min=1, help="...of so many items.")] = None,
    sensitivity: Annotated[
        str | None, typer.Option("--sensitivity", metavar="Q", help="As 0.9 or 180/200.")
    ] = None,
    specificity: Annotated[
        str | None, typer.Option("--specificity", metavar="Q", help="As 0.7 or 140/200.")
    ] = None,
    prevalence: Annotated[
        float | None,
        typer.Option("--prevalence", min=0, max=1, help="A guess of the true rate itself."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="Q,Q", help="Another judge's sensitivity,specificity."),
    ] = None,
    label_cost: Annotated[float, typer.Option("--label-cost", help="Price of a label.")] = 1.0,
    verdict_cost: Annotated[float, typer.Option("--verdict-cost", help="Of a verdict.")] = 0.0,
    confidence_level: Annotated[
        float, typer.Option("--confidence-level", help="For rates alone; a task declares its own.")
    ] = 0.95,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
    seed: SeedOption = SEED,
) -> None:
    """How many human labels do I need, and on which items?

    From ratings, the labels so far say how many more are needed, with assurance, for the interval
    that `goldassay estimate` will give; of several judges the best so far is taken. --next writes
    the list of items, for people to label anywhere or in `goldassay serve --order next.csv`. From
    rates alone, designs are compared before there is any data.

    Examples:

        goldassay plan ratings.csv --task task.toml --length 0.1

        goldassay plan ratings.csv --task task.toml --next 50 --list next.csv

        goldassay plan --prevalence 0.2 --sensitivity 0.9 --specificity 0.7 --of 1000 --length 0.1

        goldassay plan --prevalence 0.3 --sensitivity 0.9 --specificity 0.8 --against 0.85,0.8
    """
    draft(ratings, task, write_task, only=only, exclude=exclude, calibration=calibration)
    with stages("plan"):
        findings = plan(
            ratings or None,
            task,
            only=only or (),
            exclude=exclude or (),
            calibration=calibration,
            judge=judge,
            length=length,
            assurance=assurance,
            labels=labels,
            next=following,
            positives=positives,
            of=of,
            sensitivity=sensitivity,
            specificity=specificity,
            prevalence=prevalence,
            against=against,
            label_cost=label_cost,
            verdict_cost=verdict_cost,
            confidence_level=confidence_level,
            seed=seed,
        )
    if "next" in findings.more:
        items = findings.more["next"]
        write_atomically(listing, csv_text(items["columns"], items["rows"]))
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
            [judge] if judge else None,
            calibration=calibration,
        ),
    )
    if findings.more.get("next", {}).get("rows"):
        print(f"The items to label next are in {listing}.", file=sys.stderr)
