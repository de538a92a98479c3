"""`goldassay runs`: what a journal of runs holds."""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli.common import Form, FormOption, FullOption, JsonOption, RequireOption, deliver

__all__ = ["command"]


def command(
    store: Annotated[str, typer.Argument(metavar="DB", help="The --out of `goldassay run`.")],
    as_json: JsonOption = False,
    full: FullOption = False,
    require: RequireOption = None,
    form: FormOption = Form.text,
) -> None:
    """What a journal of runs holds: ratings by status, calls, cost, failures, runs.

    Example:

        goldassay runs ratings.db
    """
    from goldassay.findings import Findings
    from goldassay.judges.tell import of_store

    deliver(
        Findings.of("runs", of_store(store)), as_json=as_json, full=full, require=require, form=form
    )
