"""`goldassay monitor`: did the systems change, or the judge?"""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli.common import (
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
    TaskOption,
    WriteTaskOption,
    check_delivery,
    deliver,
    draft,
)
from goldassay.cli.following import Asked
from goldassay.cli.stages import stages
from goldassay.gates import guessed_task
from goldassay.questions.monitor.ask import monitor

__all__ = ["command"]


def command(
    ratings: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RATINGS...]", help="Tables of ratings, as for every verb."),
    ] = None,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    write_task: WriteTaskOption = None,
    batch: Annotated[
        str, typer.Option("--batch", metavar="COLUMN", help="The column of batches [batch].")
    ] = "",
    every: Annotated[
        str, typer.Option("--every", help="Batches of a `time`: hour, day, week or month.")
    ] = "day",
    anchors: Annotated[
        str,
        typer.Option(
            "--anchors",
            metavar="COLUMN=VALUE",
            help="Which rows are fixed items judged again [items in several batches]; none.",
        ),
    ] = "",
    reference: Annotated[
        str,
        typer.Option("--reference", metavar="BATCH", help="Unchanged up to and with this batch."),
    ] = "",
    margin: Annotated[
        float, typer.Option("--margin", help="The change that `unchanged` must refute.")
    ] = 0.1,
    state: Annotated[
        str | None,
        typer.Option("--state", metavar="DB", help="Keep what was seen here, and add to it."),
    ] = None,
    passport: PassportOption = None,
    judges: IdentitiesOption = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
) -> None:
    """Did the systems change, or the judge? Look as often as you like.

    Verdicts with a batch or a time, with or without anchors (the same items judged again) and
    people's labels. False alarms are at most 5 % in all, however often one looks.

    Examples:

        goldassay monitor ratings.csv --task task.toml

        goldassay monitor today.csv --task task.toml --state monitor.db --require unchanged
    """
    check_delivery(out, require)
    draft(ratings, task, write_task, only=only, exclude=exclude)
    if require and ratings and task is None:  # before what was seen is written to the state
        raise guessed_task("no --task")
    with stages("monitor"):
        findings = monitor(
            ratings or None,
            task,
            only=only or (),
            exclude=exclude or (),
            batch=batch,
            every=every,
            anchors=anchors,
            reference=reference,
            margin=margin,
            state=state,
            passport=passport,
            judges=judges,
        )
    deliver(
        findings,
        as_json=as_json,
        full=full,
        out=out,
        require=require,
        form=form,
        asked=Asked(ratings or (), task or write_task, only, exclude),
    )
