"""The cells of a small table in memory: a proposal asks a hundred small things of it, and to plan
each query costs more than to look at so few cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldassay.sources.engine import named, queried
from goldassay.sources.engine_errors import engine_error
from goldassay.sources.frames import Source

__all__ = ["Cells", "cells_if_few", "kept_cells"]

#: Column -> its cells, row by row.
Cells = Mapping[str, Sequence[str | None]]

#: Up to so many cells are looked at without the engine.
_FEW = 200_000
_WHOLE = "cells"


def kept_cells(source: Source, names: Sequence[str]) -> Cells | None:
    """Some columns of a table that is small as a whole: fetched once, and kept with the source.
    None where it is not small, of another engine, or has no such column."""
    if _WHOLE not in source.memory:
        source.memory[_WHOLE] = cells_if_few(source, source.columns)
    whole: Cells | None = source.memory[_WHOLE]
    return whole if whole is not None and whole.keys() >= {*names} else None


def cells_if_few(source: Source, names: Sequence[str]) -> Cells | None:
    """Some columns of a table of goldassay's own; None where they have more cells than a few."""
    if not source.may_keep or not names:
        return None
    most = _FEW // len(names)
    listed = ", ".join(map(named, names))
    query = queried(
        source.frame.to_native(), lambda rows: f"SELECT {listed} FROM {rows} LIMIT {most + 1}"
    )
    try:
        rows = query.fetchall()
    except Exception as error:
        raise engine_error(error, source.name) from None
    if len(rows) > most:
        return None
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    return {
        name: [None if cell is None else str(cell) for cell in column]
        for name, column in zip(names, columns, strict=True)
    }
