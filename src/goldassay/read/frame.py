"""A table of ratings as the source of every question: goldassay's columns, and the files' own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from goldassay.read.table import Table
from goldassay.results import Input
from goldassay.sources.engine import connect
from goldassay.sources.frames import Source, open_frame
from goldassay.sources.memory import in_memory

__all__ = ["source_of"]

#: Between the parts of a composite key.
BETWEEN = " | "
#: Columns that mean something in a ratings table, and something else in another file.
_MEANT = ("score", "status", "order", "elicitation", "state", "code", "number")
_OURS = ("item", "rater", "kind", "value", "criterion", "system", "opponent", "sample")


def source_of(table: Table) -> Source:
    """The ratings as rows, with the columns of their files that are no ratings beside them."""
    rows = list(_rows(table))
    used = {name for row in rows for name in row}
    own = [name for name in dict.fromkeys(n for row in rows for n in row) if name not in _OURS]
    columns = [*(name for name in _OURS if name in used), *own]
    connection = connect(memory="1GB")
    opened = open_frame(in_memory(columns, rows, connection, {}), may_keep=True)
    inputs = tuple(Input(name, digest, 0) for name, digest in table.files.items())
    said = [f"{count:,} left out: {why}" for why, count in table.left_out.items()]
    name = " + ".join(table.files)
    return replace(opened, inputs=inputs, name=name, told=(*table.said, *said))


def _rows(table: Table) -> Iterator[Mapping[str, Any]]:
    repeated = any(one.time > 1 for one in table.ratings)
    for one in table.ratings:
        row = {
            "item": BETWEEN.join(one.item),
            "rater": one.rater or one.kind,
            "kind": one.kind,
            "value": one.value,
            "criterion": one.criterion,
            "system": one.system,
            "opponent": one.opponent,
            "sample": str(one.time) if repeated else None,
        }
        beside = table.beside.get((one.file, one.row), {})
        free = {
            f"file_{k}" if k.casefold() in _MEANT else k: v
            for k, v in {**beside, **one.more}.items()
            if k.casefold() not in _OURS
        }
        yield {k: v for k, v in {**free, **row}.items() if v is not None}
