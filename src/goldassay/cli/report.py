"""`goldassay report`: everything the data allows, in one page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldassay.cli.common import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    JsonOption,
    RatingsArgument,
    RequireOption,
    ResamplesOption,
    SeedOption,
    TaskOption,
    deliver,
    required_task,
)
from goldassay.cli.rank import GoldOption, JudgesOption
from goldassay.ratings.table import Ratings
from goldassay.results import Findings

if TYPE_CHECKING:
    from goldassay.counts import GoldFile, JudgesFile

__all__ = ["QUESTIONS", "command", "report_document"]

#: The verbs of a report, in the reader's order; each module in this package has a `find`.
QUESTIONS = ("agree", "select", "estimate", "plan", "audit", "rank")
#: What says nothing about scores without people's.
OF_PEOPLE = ("agree", "estimate")
#: Verdicts are kept for a later `goldassay diff` up to this many ratings.
MAX_KEPT_ROWS = 500_000


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    as_json: JsonOption = False,
    out: Annotated[
        list[str] | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write to .html, .pdf, .md, .json or .txt; again."
        ),
    ] = None,
    gold: GoldOption = None,
    judges: JudgesOption = None,
    require: RequireOption = None,
    resamples: ResamplesOption = DEFAULT_RESAMPLES,
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """Ask every question that the data and the task allow, and tell it in the reader's order.

    The verdict in plain sentences; what may be claimed and what not; each question with its
    answer, pictures and tables; then how each number was made, declarations, exclusions, the
    checklist and provenance. The HTML is one file that opens offline and needs no script.

    Examples:

        goldassay report ratings.csv --task task.toml --out report.html

        goldassay report ratings.csv -t task.toml -o report.html -o report.json

        goldassay report scores.parquet -t task.toml --gold arena.csv --judges judges.csv -o r.html
    """
    from goldassay.counts import read_gold, read_judges
    from goldassay.ratings.table import read_ratings

    declared = required_task(task, ratings)
    people = read_gold(gold, tie=declared.tie) if gold else None
    described = read_judges(judges) if judges else None
    table = read_ratings(ratings, declared)
    document = report_document(
        table,
        source=ratings,
        task_file=task or "",
        seed=seed,
        resamples=resamples,
        gold=people,
        judges=described,
        files={"--gold": gold, "--judges": judges},
    )
    deliver(document, as_json=as_json, out=tuple(out or ()), require=require)


def report_document(
    ratings: Ratings,
    *,
    source: str | Sequence[str],
    task_file: str,
    seed: int,
    resamples: int,
    gold: GoldFile | None = None,
    judges: JudgesFile | None = None,
    files: Mapping[str, str | None] | None = None,
) -> dict[str, Any]:
    """Run the `find` of every question; a question that does not apply is named with the reason.

    `gold` and `judges` are for the question of ranking; `files` names them in its command line.
    """
    from goldassay import __version__
    from goldassay.errors import InputError, SourceError
    from goldassay.questions.report.facts import facts_of
    from goldassay.questions.report.words import claims, verdict
    from goldassay.results import Provenance, envelope

    shared = {"source": source, "--task": task_file, "--seed": seed, "--resamples": resamples}
    given = {name: one for name, one in (("gold", gold), ("judges", judges)) if one is not None}
    of_verb = {"rank": given}
    parts, rows, not_run = [], [], []
    for verb in QUESTIONS:
        find = _find(verb)
        if find is None:
            continue
        if verb in OF_PEOPLE and ratings.task.scale == "continuous" and not ratings.humans:
            reason = f"{ratings.name}: has no rating of kind human to hold scores against."
            not_run.append({"verb": verb, "reason": reason})
            continue
        try:
            findings: Findings = find(
                ratings, seed=seed, resamples=resamples, **of_verb.get(verb, {})
            )
        except SourceError:  # the table could not be read again: no answer about the question
            raise
        except InputError as error:
            not_run.append({"verb": verb, "reason": str(error)})
            continue
        parts.append(
            {
                "verb": verb,
                "answer": list(findings.answer),
                "tables": {name: table.to_json() for name, table in findings.tables.items()},
                "charts": list(findings.charts),
                "warnings": list(findings.warnings),
                "command": _command_line(verb, findings, ratings, {**shared, **(files or {})}),
            }
        )
        rows += [{**row.to_json(), "verb": verb} for row in findings.rows]
    exclusions, kept = _counted(ratings)
    inputs = (*ratings.inputs, *(one.input for one in (gold, judges) if one is not None))
    provenance = Provenance(__version__, inputs, seed, tuple(sys.argv[1:]))
    declared = ratings.task.to_json()
    facts = facts_of(parts, rows, declared, judges=ratings.judges)
    said = {"answer": verdict(facts), **claims(facts, rows)}
    document = envelope(
        "report",
        Findings(answer=list(said["answer"])),
        task=declared,
        provenance=provenance,
        exclusions=exclusions,
        rows=ratings.census.rows,
    )
    document["results"] = rows
    told = {
        "judges": list(ratings.judges),
        "parts": parts,
        "not_run": not_run,
        "claims": {key: said[key] for key in ("may", "may_not")},
        "sources": {key: [one.source for one in sentences] for key, sentences in said.items()},
        "units": kept,
    }
    document |= told
    return document


def _command_line(
    verb: str, findings: Findings, ratings: Ratings, shared: Mapping[str, Any]
) -> str:
    """The command that prints a part again, with the options that the verb has."""
    known = signature(import_module(f"goldassay.cli.{verb}").command).parameters
    source = shared["source"]
    files = [source] if isinstance(source, str) else list(source)
    words = ["goldassay", verb, *files, "--task", shared["--task"]]
    words += ["--seed", str(shared["--seed"])] if "seed" in known else []
    if "resamples" in known and shared["--resamples"] != DEFAULT_RESAMPLES:
        words += ["--resamples", str(shared["--resamples"])]
    for option in ("--gold", "--judges"):
        if shared.get(option) and option[2:] in known:
            words += [option, shared[option]]
    judges = {row.about.get("judge") for row in findings.rows} - {None}
    if "judge" in known and len(judges) == 1 < len(ratings.judges):
        words += ["--judge", *map(str, judges)]
    return shlex.join(words)


def _find(verb: str) -> Any:
    if find_spec(f"goldassay.cli.{verb}") is None:
        return None
    return getattr(import_module(f"goldassay.cli.{verb}"), "find", None)


def _counted(ratings: Ratings) -> tuple[tuple[Any, ...], dict[str, Any] | None]:
    """What pairing judges with people leaves out, and the verdicts kept for `goldassay diff`."""
    from goldassay.counts import count_units, pairing_exclusions
    from goldassay.errors import InputError
    from goldassay.questions.diff import fingerprint

    if ratings.task.scale == "continuous":
        return (*ratings.exclusions, *ratings.not_rated()), None
    try:
        units = count_units(ratings)
        exclusions = (*units.exclusions, *pairing_exclusions(units))
        if ratings.census.rows > MAX_KEPT_ROWS:
            return exclusions, None
        return exclusions, fingerprint(count_units(ratings, by=ratings.unit), ratings.unit)
    except InputError:
        return (*ratings.exclusions, *ratings.not_rated()), None
