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
        typer.Option("--out", "-o", metavar="FILE", help=".csv, .jsonl, or Label Studio's .json."),
    ],
    task: TaskOption = None,
    items: Annotated[
        str | None, typer.Option("--items", metavar="FILE", help="The items' texts (.json).")
    ] = None,
) -> None:
    """Write the labels that people gave in `goldassay serve`.

    CSV is for spreadsheets: cells that one would run as a formula get an apostrophe. JSONL is
    exact. JSON is Label Studio's, with the items' texts; it needs the task.

    Examples:

        goldassay export ratings.db --out labels.jsonl

        goldassay export ratings.db --out label-studio.json --task task.toml --items items.jsonl
    """
    from contextlib import closing

    from goldassay.store import open_store, store_errors
    from goldassay.web.cases import Texts, read_texts
    from goldassay.web.exports import label_rows, to_csv, to_jsonl, to_studio

    if items is not None:
        ordinary(items, "items")
    suffix = Path(out).suffix.lower()
    if suffix not in (".csv", ".jsonl", ".json"):
        raise UsageError("--out", "is .csv, .jsonl or .json (Label Studio)", found=shown(out))
    with store_errors(store), closing(open_store(store)) as connection:
        rows = label_rows(connection)
    if suffix == ".json":
        declared = declared_task(task, store)
        text = to_studio(rows, read_texts(items) if items else Texts(), declared)
    else:
        text = to_csv(rows) if suffix == ".csv" else to_jsonl(rows)
    write_atomically(out, text)
    print(f"{len(rows):,} {'label' if len(rows) == 1 else 'labels'}. Written: {out}")
