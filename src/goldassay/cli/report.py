"""`goldassay report`: everything the data allows, in one page."""

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
    PassportOption,
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
from goldassay.cli.rank import GoldOption, JudgesOption
from goldassay.cli.stages import stages
from goldassay.errors import Fault
from goldassay.questions.asking import RESAMPLES, SEED, Columns
from goldassay.questions.report.ask import report

__all__ = ["command"]


@with_columns
def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    calibration: CalibrationOption = None,
    write_task: WriteTaskOption = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: Annotated[
        list[str] | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write to .html, .pdf, .md, .json, .csv or .txt; again.",
        ),
    ] = None,
    gold: GoldOption = None,
    judges: JudgesOption = None,
    passport: PassportOption = None,
    texts: Annotated[
        bool, typer.Option("--texts/--no-texts", help="Hold something about single items, or not.")
    ] = True,
    pseudonyms: Annotated[
        bool, typer.Option("--pseudonyms", help="Call people person 1, person 2, ... throughout.")
    ] = False,
    require: RequireOption = None,
    form: FormOption = Form.text,
    resamples: ResamplesOption = RESAMPLES,
    seed: SeedOption = SEED,
    columns: Columns = NOTHING,
) -> None:
    """Ask every question that the data and the task allow, and tell it in the reader's order.

    The verdict in plain sentences; what may be claimed and what not; each question with its
    answer, pictures and tables; then how each number was made, declarations, exclusions, the
    checklist and provenance. The HTML is one file that opens offline and needs no script.

    Examples:

        goldassay report ratings.csv --task task.toml --out report.html

        goldassay report ratings.csv -t task.toml -o report.html -o report.json

        goldassay report ratings.csv -t task.toml -o shared.html --no-texts --pseudonyms

        goldassay report scores.parquet -t task.toml --gold arena.csv --judges judges.csv -o r.html
    """
    draft(ratings, task, write_task, only=only, exclude=exclude, calibration=calibration)
    with stages("report"):
        findings = report(
            ratings,
            task,
            only=only or (),
            exclude=exclude or (),
            calibration=calibration,
            gold=gold,
            judges=judges,
            passport=passport,
            texts=texts,
            pseudonyms=pseudonyms,
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
    failed = [one.text for one in findings.answer if one.key == "report.failed"]
    if failed:  # what there is was delivered; the exit code says that it is not all
        raise Fault(" ".join(failed))
