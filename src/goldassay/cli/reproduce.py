"""`goldassay reproduce`: the papers' tables and figures, computed again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from goldassay.cli.common import (
    Form,
    FormOption,
    FullOption,
    JsonOption,
    OutOption,
    RequireOption,
    SeedOption,
    deliver,
)
from goldassay.cli.stages import stages
from goldassay.errors import UsageError
from goldassay.findings import Findings
from goldassay.questions.asking import SEED
from goldassay.results import Provenance

__all__ = ["command"]


def command(
    paper: Annotated[str | None, typer.Argument(metavar="PAPER", help="See --list.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="The papers.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Small simulations, in seconds.")] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="FOLDER", help="Published ratings, where a paper uses them."
        ),
    ] = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
    seed: SeedOption = SEED,
) -> None:
    """The papers' tables and figures, computed again, beside what the papers printed.

    Examples:

        goldassay reproduce --list

        goldassay reproduce balanced-accuracy --quick

        goldassay reproduce balanced-accuracy --out balanced-accuracy.html
    """
    from goldassay.lab.reproduce import PAPERS, reproduce

    if listing or paper is None:
        width = max(len(name) for name in PAPERS)
        for name, known in PAPERS.items():
            print(f"{name:<{width}}  {known.title}")
        return
    if data is not None and not data.is_dir():
        raise UsageError("--data", "is a folder", found=repr(str(data)))
    with stages("reproduce"):
        findings = reproduce(paper, quick=quick, seed=seed, data=data)
    found = Findings.of("reproduce", findings, provenance=Provenance(seed=seed))
    deliver(found, as_json=as_json, full=full, out=out, require=require, form=form)
