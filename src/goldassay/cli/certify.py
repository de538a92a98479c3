"""`goldassay certify`: a judge's passport."""

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
    RatingsArgument,
    RequireOption,
    ResamplesOption,
    SeedOption,
    deliver,
)
from goldassay.cli.stages import stages
from goldassay.passport import today
from goldassay.questions.asking import RESAMPLES, SEED

__all__ = ["command"]


def command(
    ratings: RatingsArgument,
    task: Annotated[
        str | None,
        typer.Option(
            "--task", "-t", metavar="TOML", help="What the ratings mean, declared; never guessed."
        ),
    ] = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    judge: Annotated[
        str | None, typer.Option("--judge", metavar="NAME", help="Whose passport it is.")
    ] = None,
    judges: IdentitiesOption = None,
    identity: Annotated[
        list[str] | None,
        typer.Option(
            "--identity",
            metavar="FIELD=VALUE",
            help="Declare who it is: model=gpt-4o, prompt=@prompt.txt, parameters=...; again.",
        ),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option("--date", metavar="DAY", help="Its day; else SOURCE_DATE_EPOCH, or today."),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(
            "--expires", metavar="DAY|N", help="Until when, or for how many verdicts, it holds."
        ),
    ] = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: Annotated[
        list[str] | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="JUDGE.passport.json; .html as a page; again."
        ),
    ] = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
    resamples: ResamplesOption = RESAMPLES,
    seed: SeedOption = SEED,
) -> None:
    """Bind what a report finds to the judge it is found of: a passport.

    It holds who the judge is, the task, digests of the data, its population in words, the date,
    an end, how often the judge errs (as counts, so that new verdicts can be corrected), and what
    may be written. Other verbs take it as --passport and say whether it still holds.

    Examples:

        goldassay certify ratings.csv -t task.toml --judge gpt -o gpt.passport.json

        goldassay certify ratings.csv -t task.toml --judge gpt --judges judges.csv -o gpt.html

        goldassay certify ratings.csv -t task.toml --identity model=m-1 --identity prompt=@p.txt
    """
    if date is None:
        today()  # a wrong SOURCE_DATE_EPOCH is told before NumPy and SciPy stumble over it
    from goldassay.questions.certify.ask import certify

    with stages("certify"):
        findings = certify(
            ratings,
            task,
            only=only or (),
            exclude=exclude or (),
            judge=judge,
            judges=judges,
            identity=identity or (),
            date=date,
            expires=expires,
            resamples=resamples,
            seed=seed,
        )
    deliver(findings, as_json=as_json, full=full, out=out, require=require, form=form)
