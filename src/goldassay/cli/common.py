"""What all verbs share: options, and the way out (text, JSON, files, gates)."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer

from goldassay.cli.following import Asked, following
from goldassay.cli.screen import ink_for, screen_width
from goldassay.errors import SourceError, UsageError, shown
from goldassay.findings import Findings
from goldassay.gates import hold, read_gate
from goldassay.rendering.columns import wrapped
from goldassay.rendering.formats import format_of, rendered
from goldassay.rendering.full_text import render_full
from goldassay.rendering.text import SENTENCES, Screen, render_text
from goldassay.sources.writing import append, free_name, write_atomically
from goldassay.words import visible

__all__ = [
    "ExcludeOption",
    "Form",
    "FormOption",
    "FullOption",
    "IdentitiesOption",
    "JsonOption",
    "OnlyOption",
    "OutOption",
    "PassportOption",
    "RatingsArgument",
    "RequireOption",
    "ResamplesOption",
    "SeedOption",
    "TaskOption",
    "WriteTaskOption",
    "check_delivery",
    "deliver",
    "draft",
    "not_on_windows",
]

RatingsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="RATINGS...",
        help="CSV, TSV, JSONL, JSON, Parquet, DuckDB or SQLite files, or globs; FILE::TABLE. "
        "Several are one table; - reads standard input.",
    ),
]
TaskOption = Annotated[
    str | None,
    typer.Option("--task", "-t", metavar="TOML", help="What the ratings mean; guessed without it."),
]
CalibrationOption = Annotated[
    str | None,
    typer.Option(
        "--calibration",
        metavar="HOW",
        help="How labelled items were drawn: random, by_verdict, by_label, separate; or their "
        "file.",
    ),
]
OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="COLUMN=VALUE", help="Only rows of this label; again."),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="COLUMN=VALUE", help="Leave out rows of this label; again."),
]
WriteTaskOption = Annotated[
    str | None,
    typer.Option("--write-task", metavar="TOML", help="Write the task that was guessed."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the JSON document.")]
FullOption = Annotated[
    bool, typer.Option("--full", help="Print everything, not just the first screen.")
]
OutOption = Annotated[
    list[str] | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Write .json, .csv, .md, .html, .pdf or .txt; gates: .xml (JUnit), .sarif; again.",
    ),
]
IdentitiesOption = Annotated[
    str | None,
    typer.Option(
        "--judges",
        metavar="FILE",
        help="Who the judges are: a table (rater, model, prompt, ...), a store or a log.",
    ),
]
PassportOption = Annotated[
    str | None,
    typer.Option(
        "--passport", metavar="FILE", help="Say whether this passport of the judge still holds."
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of every random draw.")]
ResamplesOption = Annotated[
    int, typer.Option("--resamples", min=100, max=1_000_000, help="Bootstrap resamples.")
]


class Form(StrEnum):
    """What is printed: the study; or for a CI service its gates."""

    text = "text"
    github = "github"
    junit = "junit"
    sarif = "sarif"


FormOption = Annotated[
    Form,
    typer.Option(
        "--format", help="The study; with GitHub annotations of gates; gates as JUnit or SARIF."
    ),
]
RequireOption = Annotated[
    list[str] | None,
    typer.Option(
        "--require",
        metavar="GATE",
        help="Exit 1 unless it holds, 4 if inconclusive: 'accuracy.low>0.8[judge=gpt]'.",
    ),
]


def draft(
    ratings: Sequence[str] | None,
    task: str | None,
    write_task: str | None,
    *,
    only: Sequence[str] | None = None,
    exclude: Sequence[str] | None = None,
    calibration: str | None = None,
) -> None:
    """Write the task that a table suggests, also where it cannot be guessed whole."""
    if write_task is None:
        return
    from goldassay.questions.asking import partial_task, with_calibration

    source, meant = with_calibration(list(ratings or ()), task, calibration)
    partial = partial_task(meant)
    if task is not None and partial is None:
        raise UsageError(
            "--write-task", "drafts a task where there is none; --task was given, and is whole"
        )
    if not ratings:
        raise UsageError("--write-task", "needs a table of ratings", next_step="Give RATINGS")
    if Path(write_task).exists():
        raise UsageError(
            write_task, "exists already and is not overwritten", next_step="Name another file"
        )
    # Only a draft needs what guesses a task, and to load it costs as much as an answer's counts.
    from goldassay.proposals.declared import NOTHING
    from goldassay.proposals.propose import drafted_task
    from goldassay.ratings.narrowing import narrowing_of

    narrowing = narrowing_of(only or (), exclude or ())
    drafted = drafted_task(source, narrowing, partial or NOTHING)
    write_atomically(write_task, drafted.to_toml())
    lines = f"; open lines: {len(drafted.missing)}" if drafted.missing else ""
    print(f"A drafted task file is in {write_task}: read it first{lines}.", file=sys.stderr)


def check_delivery(out: Sequence[str] | None, require: Sequence[str] | None) -> None:
    """Refuse a gate or a form that cannot be read, before a verb writes what it keeps."""
    for gate in require or ():
        read_gate(gate)
    for path in out or ():
        format_of(Path(path).suffix, place=path)
        if not Path(path).parent.is_dir():
            step = f"Make the folder {str(Path(path).parent)!r} first"
            raise SourceError(path, "cannot be written (there is no such folder)", next_step=step)


def deliver(
    findings: Findings,
    *,
    as_json: bool = False,
    out: Sequence[str] | None = None,
    require: Sequence[str] | None = None,
    full: bool = False,
    asked: Asked | None = None,
    form: Form = Form.text,
) -> None:
    """Show findings or write them to files, and hold them against the gates.

    `asked` are the files that the findings are about, of which the next question may be asked.
    """
    if as_json and form is not Form.text:
        raise UsageError("--json", "does not go with --format", found=shown(form.value))
    findings = findings.asked_by(sys.argv[1:])
    outcomes = findings.held_against(*require or ())  # a wrong gate raises before anything is said
    if outcomes:
        file = _place(asked)
        gates = [one.to_json() | ({"file": file} if file else {}) for one in outcomes]
        findings = replace(findings, more={**findings.more, "gates": gates})
    gates_alone = _gates_alone(findings, form)
    paths = tuple(out or ())
    if paths:
        findings.save(*paths, full=full)
    if as_json:
        sys.stdout.write(_writable(findings.to_json()))
    elif gates_alone is not None:
        sys.stdout.write(gates_alone)
    else:
        told = _told(findings, paths, asked, full=full)
        sys.stdout.write(_annotated(told, findings) if form is Form.github else told)
    hold(outcomes)
    if outcomes and not as_json and form is Form.text:
        print(ink_for().green(f"Held: {'; '.join(map(visible, require or ()))}"))
        for one in outcomes:
            if one.stands_on:
                whom = ", ".join(visible(label, 120) for label in one.about.values())
                print(wrapped(f"{whom}: {one.stands_on}", screen_width(), "  "))


def _told(findings: Findings, paths: Sequence[str], asked: Asked | None, *, full: bool) -> str:
    """The study as text; of one that was written to files the answer, and where it is."""
    if not paths:
        render = render_full if full else render_text
        return render(findings.document(), screen=_screen(findings, asked, full=full))
    ink, width = ink_for(), screen_width()
    first = "Provisional: " if findings.assumed else ""
    lines = []
    for sentence in findings.answer[:SENTENCES]:  # names in it come from the data
        lines.append(ink.names(wrapped(visible(f"{first}{sentence.text}"), width), bold=True))
        first = ""
    said = [f"assumed: {guess}" for guess in findings.assumed]
    said += [one for one in findings.readings if one.startswith("asked: ")]
    lines += [ink.names(wrapped(visible(one), width, "  ")) for one in said]
    lines.append(wrapped(f"Written: {', '.join(paths)}", width, "  "))
    return "".join(f"{line}\n" for line in lines)


def _gates_alone(findings: Findings, form: Form) -> str | None:
    """The gates in the form that a CI service reads; None where the study is told."""
    suffix = {Form.junit: ".xml", Form.sarif: ".sarif"}.get(form)
    place = f"--format {form.value}"
    return str(rendered(findings.document(), suffix, place=place)) if suffix else None


def _annotated(told: str, findings: Findings) -> str:
    """What is told, where GitHub's runner reads no command in it, and then the gates as such.

    In a job the first of the page goes to its summary too.
    """
    from goldassay.rendering.annotations import fenced, render_annotations
    from goldassay.rendering.markdown import render_brief

    document = findings.document()
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        append(summary, f"{render_brief(document)}\n", place="GITHUB_STEP_SUMMARY")
    return fenced(told) + render_annotations(document)


def _place(asked: Asked | None) -> str | None:
    """The first file of ratings, where services can find it: below the folder we are in."""
    files = list(asked[0]) if asked else []
    path = PurePosixPath(Path(files[0]).as_posix()) if files else None
    inside = path is not None and not path.is_absolute() and ".." not in path.parts
    return str(path) if inside and Path(files[0]).is_file() else None


def _screen(findings: Findings, asked: Asked | None, *, full: bool) -> Screen:
    """This terminal, and in its last lines what may be asked next."""
    width = screen_width()
    page = f", --out {_page(findings)}" if findings.verb not in _NO_PAGE else ""
    more = () if full else (f"more: --full{page}",)
    lines = following(findings, asked, width) if asked else ()
    return Screen(width, ink_for(), (*lines, *more))


def _page(findings: Findings) -> str:
    """What --out may be called: no file that is there already; of a passport, as others take it."""
    if findings.verb != "certify":
        return free_name("report.html")
    judge = next(one.about["judge"] for one in findings.answer if one.key == "certify.identity")
    plain = "-".join(re.findall(r"[A-Za-z0-9._]+", str(judge))).strip("._-") or "judge"
    names = (f"{plain[:60]}{f'-{n}' if n > 1 else ''}.passport.json" for n in count(1))
    return next(name for name in names if not Path(name).exists())


#: Verbs whose --out, if any, is something else than a page.
_NO_PAGE = frozenset({"import", "judges", "reparse", "run", "runs"})


def not_on_windows(what: str) -> None:
    """Refuse what asks the system for another process, which Windows answers by ending it."""
    if sys.platform == "win32":
        raise UsageError(what, "is for Linux and macOS", next_step="On Windows, use WSL")


def _writable(document: str) -> str:
    """A JSON document in signs that the stream has: JSON's own escapes mean the same."""
    try:
        document.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        escaped = json.dumps(json.loads(document), indent=1)
        return escaped + "\n"
    return document
