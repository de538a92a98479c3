"""`goldassay export`: people's labels as a file; results to the tools that teams look at."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from goldassay.cli.common import TaskOption
from goldassay.errors import UsageError, shown
from goldassay.questions.asking import task_or_guess
from goldassay.sources.opening import ordinary
from goldassay.sources.writing import write_atomically
from goldassay.store import is_store_file
from goldassay.words import bare, visible

__all__ = ["command"]

_LABELS, _RESULTS = ("label-studio", "argilla"), ("mlflow", "langfuse")


def command(
    store: Annotated[
        str,
        typer.Argument(
            metavar="STORE|RESULTS.json", help="The store that labels are in, or a document."
        ),
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE|URI",
            help=".csv, .jsonl or .json of labels; MLflow's store; Langfuse's address or a .json.",
        ),
    ],
    task: TaskOption = None,
    items: Annotated[
        str | None, typer.Option("--items", metavar="FILE", help="The items' texts (.json).")
    ] = None,
    sides: Annotated[
        str | None,
        typer.Option(
            "--sides",
            metavar="FIRST,SECOND",
            help="The two answers that were shown, for labels of pairs from before this was kept.",
        ),
    ] = None,
    tool: Annotated[
        str,
        typer.Option(
            "--for", help="Labels for label-studio or argilla; results for mlflow or langfuse."
        ),
    ] = "label-studio",
    subject: Annotated[
        str | None,
        typer.Option(
            "--subject",
            metavar="KIND=ID",
            help="What Langfuse's scores are about: dataset-run, session or trace.",
        ),
    ] = None,
    experiment: Annotated[
        str, typer.Option("--experiment", metavar="NAME", help="MLflow's experiment.")
    ] = "goldassay",
) -> None:
    """Write the labels that people gave in `goldassay serve`, or send results to a tool.

    CSV is for spreadsheets: cells that one would run as a formula get an apostrophe. JSONL is
    exact. JSON is Label Studio's, or Argilla's records, with the items' texts.

    Of results (what `--out report.json` wrote) the numbers of the summaries are sent: to MLflow as
    a run with metrics, to Langfuse as scores; without a connection as the bodies of its requests.

    Examples:

        goldassay export ratings.db --out labels.jsonl

        goldassay export ratings.db --out label-studio.json --task task.toml --items items.jsonl

        goldassay export ratings.db --out records.json --for argilla --task task.toml

        goldassay export report.json --for mlflow --out sqlite:///mlflow.db --experiment judges

        goldassay export report.json --for langfuse --out scores.json --subject dataset-run=r1
    """
    if tool in _RESULTS:
        print(_sent(_document(store), tool, out, subject, experiment))
        return
    if tool not in _LABELS:
        rule = f"is {', '.join((*_LABELS, *_RESULTS))}"
        raise UsageError("--for", rule, found=shown(tool))
    if Path(store).suffix.lower() == ".json" and not is_store_file(store):
        raise UsageError(
            "--for",
            "must name the tool that results are sent to; labels are in a store",
            found=shown(store),
            next_step="Give --for mlflow or --for langfuse, or the store of goldassay serve",
        )
    _write_labels(store, out, task, items, tool, sides)


def _document(path: str) -> Mapping[str, Any]:
    from goldassay.questions.diff.ask import read_document
    from goldassay.trackers import check_sendable

    document = read_document(path)
    check_sendable(document, path)
    return document


def _sent(
    document: Mapping[str, Any], tool: str, out: str, subject: str | None, experiment: str
) -> str:
    """Send results to a tool and say what arrived."""
    from goldassay.trackers import (
        langfuse_scores,
        log_to_langfuse,
        log_to_mlflow,
        tracked,
        undefined_results,
    )
    from goldassay.words import counted

    missing = undefined_results(document)
    aside = f"; {counted(len(missing), 'result is', 'results are')} undefined" if missing else ""
    number = counted(len(tracked(document)), "number")
    if tool == "mlflow":
        run = log_to_mlflow(document, out, experiment=experiment)
        return f"{number} of the summaries, with their intervals{aside}. MLflow run: {run}"
    if out.startswith(("http://", "https://")):
        sent = log_to_langfuse(document, out, subject=subject or "")
        return f"{counted(sent, 'score')} sent{aside}."
    if Path(out).suffix.lower() != ".json":
        raise UsageError("--out", "is Langfuse's address or a .json file", found=shown(out))
    bodies = langfuse_scores(document, subject or "")
    write_atomically(out, json.dumps(bodies, indent=1) + "\n")
    return f"{counted(len(bodies), 'score')}{aside}. Written: {out}"


def _write_labels(
    store: str, out: str, task: str | None, items: str | None, tool: str, sides: str | None
) -> None:
    from contextlib import closing

    from goldassay.ratings.task import Task
    from goldassay.store import check_sides, open_store, store_errors
    from goldassay.web.cases import Texts, read_texts
    from goldassay.web.exports import exported, label_rows
    from goldassay.web.sides import two_fields

    if items is not None:
        ordinary(items, "items")
    suffix = Path(out).suffix.lower()
    if suffix not in (".csv", ".jsonl", ".json"):
        raise UsageError("--out", "is .csv, .jsonl or .json", found=shown(out))
    with store_errors(store), closing(open_store(store)) as connection:
        if (were := two_fields(sides)) is None:
            check_sides(connection, store)
        rows = label_rows(connection, were)
    as_json = suffix == ".json"
    declared, assumed = task_or_guess(task, store) if as_json else (Task(options=("",)), ())
    texts = read_texts(items) if items and as_json else Texts()
    name = f"{tool}.json" if as_json else f"labels{suffix}"
    write_atomically(out, exported(name, rows, texts, declared))
    for guess in assumed:
        print(f"assumed: {visible(bare(guess), 400)}")
    print(f"{len(rows):,} {'label' if len(rows) == 1 else 'labels'}. Written: {out}")
