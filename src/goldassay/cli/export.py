"""`goldassay export`: people's labels as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from goldassay.cli.common import TaskOption
from goldassay.errors import UsageError, shown
from goldassay.questions.asking import declared_task
from goldassay.sources.opening import ordinary
from goldassay.sources.writing import write_atomically

__all__ = ["command"]


def command(
    store: Annotated[str, typer.Argument(metavar="STORE", help="The store that labels are in.")],
    out: Annotated[
        str,
        typer.Option("--out", "-o", metavar="FILE", help=".csv, .jsonl, or another tool's .json."),
    ],
    task: TaskOption = None,
    items: Annotated[
        str | None, typer.Option("--items", metavar="FILE", help="The items' texts (.json).")
    ] = None,
    tool: Annotated[
        str, typer.Option("--for", help="What a .json is for: label-studio or argilla.")
    ] = "label-studio",
) -> None:
    """Write the labels that people gave in `goldassay serve`.

    CSV is for spreadsheets: cells that one would run as a formula get an apostrophe. JSONL is
    exact. JSON is Label Studio's, or Argilla's records, with the items' texts; it needs the task.

    Examples:

        goldassay export ratings.db --out labels.jsonl

        goldassay export ratings.db --out label-studio.json --task task.toml --items items.jsonl

        goldassay export ratings.db --out records.json --for argilla --task task.toml
    """
    from contextlib import closing

    from goldassay.ratings.task import Task
    from goldassay.store import open_store, store_errors
    from goldassay.web.cases import Texts, read_texts
    from goldassay.web.exports import exported, label_rows

    if items is not None:
        ordinary(items, "items")
    suffix = Path(out).suffix.lower()
    if suffix not in (".csv", ".jsonl", ".json"):
        raise UsageError("--out", "is .csv, .jsonl or .json", found=shown(out))
    if tool not in ("label-studio", "argilla"):
        raise UsageError("--for", "is label-studio or argilla", found=shown(tool))
    with store_errors(store), closing(open_store(store)) as connection:
        rows = label_rows(connection)
    as_json = suffix == ".json"
    declared = declared_task(task, store) if as_json else Task(options=("",))
    texts = read_texts(items) if items and as_json else Texts()
    name = f"{tool}.json" if as_json else f"labels{suffix}"
    write_atomically(out, exported(name, rows, texts, declared))
    print(f"{len(rows):,} {'label' if len(rows) == 1 else 'labels'}. Written: {out}")
