"""`goldassay reparse`: read stored answers again with a mended parser."""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli.common import FullOption, JsonOption, deliver

__all__ = ["command"]


def command(
    store: Annotated[str, typer.Argument(metavar="DB", help="The --out of `goldassay run`.")],
    judge: Annotated[str | None, typer.Option("--judge", "-j", help="Only this judge.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show, change nothing.")] = False,
    as_json: JsonOption = False,
    full: FullOption = False,
) -> None:
    """Read stored answers again with the present parser. Nothing is asked, nothing is paid.

    Example:

        goldassay reparse ratings.db --dry-run
    """
    from goldassay.findings import Findings
    from goldassay.judges.reparse import reparse
    from goldassay.results import Gathered, Table

    done = reparse(store, judge=judge, dry_run=dry_run)
    findings = Gathered()
    changed = sum(done.changes.values())
    would = "would change" if dry_run else "changed"
    findings.answer.append(f"{done.read:,} verdicts read again; {changed:,} {would}.")
    findings.tables["changes"] = Table(
        "Changes",
        ("judge", "before", "after", "verdicts"),
        tuple((*change, number) for change, number in done.changes.most_common(50)),
    )
    deliver(Findings.of("reparse", findings), as_json=as_json, full=full)
