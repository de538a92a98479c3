"""`goldassay import`: other tools' logs to a ratings table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldassay.cli.common import FullOption, JsonOption, deliver
from goldassay.cli.stages import stages
from goldassay.findings import Findings
from goldassay.sources.writing import write_atomically

if TYPE_CHECKING:
    from goldassay.results import Gathered
    from goldassay.sources.importers import Imported

__all__ = ["command"]


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME] PATH...", help="The tool (told by content), and its files."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write .csv, .jsonl or .parquet."),
    ] = None,
    texts: Annotated[
        str | None,
        typer.Option("--texts", metavar="FILE", help="Also the rated texts, .jsonl or .csv."),
    ] = None,
    judges: Annotated[
        str | None,
        typer.Option("--judges", metavar="FILE", help="Also who the judges are, .csv or .jsonl."),
    ] = None,
    write_task: Annotated[
        str | None,
        typer.Option("--write-task", metavar="TOML", help="Draft a task file from the table."),
    ] = None,
    criterion: Annotated[
        list[str] | None,
        typer.Option("--criterion", metavar="NAME[=AS]", help="Only this one, and its name."),
    ] = None,
    rater: Annotated[
        list[str] | None,
        typer.Option("--rater", metavar="NAME[=AS]", help="Only this one, and its name."),
    ] = None,
    human: Annotated[
        list[str] | None, typer.Option("--human", metavar="RATER", help="This rater is a person.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option("--judge", metavar="NAME", help="Where the log names no judge.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", metavar="NAME", help="Where the log names no system.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="What can be imported.")] = False,
    as_json: JsonOption = False,
    full: FullOption = False,
) -> None:
    """Other tools' logs to a ratings table (or to gold for `goldassay rank`).

    What the log holds is told by its content; errors and unreadable verdicts become ratings with
    the status failed or invalid, never a score of 0. Logs may be files, folders or globs.

    Examples:

        goldassay import --list

        goldassay import logs/ --out judges.csv --texts items.jsonl --write-task task.toml

        goldassay import results.json --criterion helpful --out ratings.csv --judges judges.csv

        goldassay import langfuse scores.csv --human api --out ratings.csv

        goldassay import justrank justrank_judge_scores/ --out ratings.parquet

    Then, with people's labels in a table of their own:

        goldassay agree judges.csv people.csv --task task.toml
    """
    from goldassay.errors import UsageError
    from goldassay.results import Exclusion, Input, Provenance
    from goldassay.sources.importers import IMPORTERS, import_logs, import_table, known_name
    from goldassay.sources.logs.collecting import Choices
    from goldassay.sources.logs.telling import MIXED

    given = list(words or ())
    if listing or not given:
        width = max(len(one) for one in IMPORTERS)
        for one, known in IMPORTERS.items():
            print(f"{one:<{width}}  {known.reads} -> {known.gives}")
        return
    name = given.pop(0) if known_name(given[0]) else None
    if not given or out is None:
        raise UsageError(
            "goldassay import",
            "needs a file and where to write",
            next_step=f"goldassay import {name or given[0]}{' PATH' * bool(name)} --out "
            "ratings.csv",
        )
    if write_task is not None and Path(write_task).exists():
        raise UsageError(
            write_task, "exists already and is not overwritten", next_step="Name another file"
        )
    choices = Choices(_renamed(criterion), _renamed(rater), tuple(human or ()), judge, system)
    if name is not None and not IMPORTERS[name].is_log:
        if len(given) > 1 or texts is not None or judges is not None or choices != Choices():
            raise UsageError(
                f"goldassay import {name}",
                "reads one published table, and takes no option but --out",
            )
        with stages("import"):
            rows = import_table(name, given[0], out)
        print(f"{rows:,} rows written: {out}")
        return
    with stages("import"):
        imported = import_logs(name, given, out, texts=texts, judges=judges, choices=choices)
    findings = _findings(imported)
    written = [one for one in (out, texts, judges) if one is not None]
    if write_task is not None and MIXED not in findings.warnings:
        written += _draft(out, write_task, findings)
    findings.answer.append(f"Written: {', '.join(written)}.")
    inputs = tuple(Input(Path(log).name, sha256, 0) for log, sha256 in imported.logs)
    found = Findings.of(
        "import",
        findings,
        provenance=Provenance(inputs=inputs),
        rows_read=imported.rows + sum(imported.left_out.values()),
        exclusions=tuple(Exclusion(why, n) for why, n in sorted(imported.left_out.items())),
    )
    deliver(found, as_json=as_json, full=full)


def _renamed(words: list[str] | None) -> dict[str, str]:
    """NAME or NAME=AS; the last = parts them, since names may hold one."""
    parts = [word.rpartition("=") for word in words or ()]
    return {head if sign else tail: tail for head, sign, tail in parts}


def _findings(imported: Imported) -> Gathered:
    from goldassay.ratings.table import STATUSES
    from goldassay.results import Gathered, Table
    from goldassay.sources.logs.telling import MIXED, mixed, some_labels

    findings = Gathered()
    logs, statuses = len(imported.logs), Counter[str]()
    rows: dict[tuple[str, str, str], Counter[str]] = {}
    for (kind, rater, criterion, status), n in imported.counts.items():
        statuses[status] += n
        rows.setdefault((kind, rater, criterion), Counter())[status] += n
    findings.answer.append(
        f"Read as {imported.name}: {logs} {'log' if logs == 1 else 'logs'}, {imported.rows:,} "
        f"ratings of {imported.outputs:,} {'output' if imported.outputs == 1 else 'outputs'} ("
        + ", ".join(f"{statuses[one]:,} {one}" for one in STATUSES if statuses[one])
        + ")."
    )
    findings.tables["raters"] = Table(
        "Ratings",
        ("rater", "kind", "criterion", *STATUSES, "labels"),
        tuple(
            (
                rater,
                kind,
                criterion or "",
                *(counted[one] for one in STATUSES),
                some_labels(imported.labels[rater, criterion]),
            )
            for (kind, rater, criterion), counted in sorted(rows.items())
        ),
    )
    findings.warnings += imported.notes
    if mixed(tuple(imported.labels.values())):
        findings.warnings.append(MIXED)
    return findings


def _draft(out: str, write_task: str, findings: Gathered) -> list[str]:
    """Write a drafted task file; where none can be drafted, say why."""
    from goldassay.errors import InputError
    from goldassay.proposals.propose import propose

    try:
        drafted = propose(out)
    except InputError as error:
        findings.warnings.append(f"No task file was drafted: {error}")
        return []
    write_atomically(write_task, drafted.to_toml())
    findings.answer.append(f"A drafted task file is in {write_task}: read it first.")
    return [write_task]
