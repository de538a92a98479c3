"""A table of ratings as the source of every question: goldassay's columns, and the files' own."""

from __future__ import annotations

from dataclasses import replace

from goldassay.read.table import Table
from goldassay.results import Input
from goldassay.sources.frames import Source, open_frame

__all__ = ["source_of"]

#: Between the parts of a composite key.
BETWEEN = " | "
#: Columns that mean something in a ratings table, and something else in another file.
_MEANT = ("score", "status", "order", "elicitation", "state", "code", "number")
_OURS = ("item", "rater", "kind", "value", "criterion", "system", "opponent", "sample")


def source_of(table: Table) -> Source:
    """The ratings as rows, with the columns of their files that are no ratings beside them."""
    opened = open_frame(_columns(table), may_keep=True)
    inputs = tuple(Input(name, digest, 0) for name, digest in table.files.items())
    said = [f"{count:,} left out: {why}" for why, count in table.left_out.items()]
    name = " + ".join(table.files)
    return replace(opened, inputs=inputs, name=name, told=(*table.said, *said))


def _columns(table: Table) -> dict[str, list[str | None]]:
    """The columns by their names: goldassay's that say anything, then those of the files."""
    ratings = table.ratings
    repeated = any(one.time > 1 for one in ratings)
    ours: dict[str, list[str | None]] = {
        "item": [BETWEEN.join(one.item) for one in ratings],
        "rater": [one.rater or one.kind for one in ratings],
        "kind": [one.kind for one in ratings],
        "value": [one.value for one in ratings],
        "criterion": [one.criterion for one in ratings],
        "system": [one.system for one in ratings],
        "opponent": [one.opponent for one in ratings],
        "sample": [str(one.time) if repeated else None for one in ratings],
    }
    beside = [{**table.beside.get((one.file, one.row), {}), **one.more} for one in ratings]
    names = dict.fromkeys(name for row in beside for name in row if name.casefold() not in _OURS)
    theirs = {
        f"file_{name}" if name.casefold() in _MEANT else name: [row.get(name) for row in beside]
        for name in names
    }
    said = {name: cells for name, cells in ours.items() if any(one is not None for one in cells)}
    return {**said, **theirs}
