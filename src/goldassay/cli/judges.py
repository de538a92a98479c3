"""`goldassay judges`: the built-in kinds of judges and their prompts."""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli.common import FullOption, JsonOption, deliver

__all__ = ["command"]


def command(
    realization: Annotated[
        str | None, typer.Argument(help="Show the prompt of this one, or of all with 'all'.")
    ] = None,
    as_json: JsonOption = False,
    full: FullOption = False,
) -> None:
    """The built-in realizations of a judge, and their prompts.

    Examples:

        goldassay judges

        goldassay judges likert
    """
    from goldassay.errors import UsageError, nearest
    from goldassay.findings import Findings
    from goldassay.judges.realizations import REALIZATIONS
    from goldassay.results import Gathered, Table

    if realization is not None and realization not in (*REALIZATIONS, "all"):
        near = nearest(realization, REALIZATIONS)
        raise UsageError(
            "realization",
            f"{realization!r} is not built in; they are {', '.join(REALIZATIONS)}",
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    shown = [one for one in REALIZATIONS.values() if realization in (None, "all", one.name)]
    findings = Gathered()
    findings.tables["realizations"] = Table(
        "Realizations",
        ("realization", "scale", "answer", "options", "prompt from"),
        tuple(
            (one.name, one.scale, one.answer, ", ".join((*one.options, *one.abstain)), one.source)
            for one in shown
        ),
    )
    if realization is not None and not as_json:
        for one in shown:
            print(f"--- {one.name} ({one.source}); the answer: {one.answer}\n\n{one.prompt}\n")
        return
    if as_json:
        prompts = tuple((one.name, one.prompt) for one in shown)
        findings.tables["prompts"] = Table("Prompts", ("realization", "prompt"), prompts)
    else:
        findings.answer.append("A judge file names one; `goldassay judges NAME` shows its prompt.")
    deliver(Findings.of("judges", findings), as_json=as_json, full=full)
