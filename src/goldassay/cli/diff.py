"""`goldassay diff`: what changed between two reports."""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli.common import (
    Form,
    FormOption,
    FullOption,
    JsonOption,
    OutOption,
    PassportOption,
    RequireOption,
    deliver,
)
from goldassay.cli.stages import stages
from goldassay.questions.diff.ask import diff

__all__ = ["command"]


def command(
    old: Annotated[str, typer.Argument(metavar="OLD.json", help="The earlier document.")],
    new: Annotated[str, typer.Argument(metavar="NEW.json", help="The later document.")],
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", metavar="OLD=NEW", help="A judge that changed its name; again."),
    ] = None,
    passport: PassportOption = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
) -> None:
    """What changed between two documents of `goldassay report` (or of any one verb), two passports.

    Where both reports hold the verdicts on the same items, a change has a paired interval;
    elsewhere the two intervals are combined as if the items differed, which is usually too long.
    Results are named after what changed: `accuracy_change`, `cohen_kappa_change`.

    Examples:

        goldassay diff old.json new.json

        goldassay diff old.passport.json new.passport.json

        goldassay diff old.json new.json --judge gpt-1=gpt-2 --require 'accuracy_change.low>-0.02'
    """
    with stages("diff"):
        findings = diff(old, new, judge=judge or (), passport=passport)
    deliver(findings, as_json=as_json, full=full, out=out, require=require, form=form)
