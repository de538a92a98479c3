"""Bring a small lazy result back as NumPy columns, from whichever engine holds it."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.errors import SourceError
from goldassay.sources.engine_errors import engine_error

__all__ = ["fetch", "filled", "texts_of"]

Column = npt.NDArray[Any]

#: Rows that a cluster may send back. Verdicts come back as counts, far fewer; scores, and verdicts
#: in clusters of their own, have no small counts and come back one by one.
MOST_ROWS = 2_000_000


def fetch(frame: nw.LazyFrame[Any], *, place: str) -> dict[str, Column]:
    """Run the query; columns as arrays (nulls masked), errors of the engine with the place."""
    native: Any = frame.to_native()
    try:
        if frame.implementation is nw.Implementation.DUCKDB:
            columns: dict[str, Column] = native.fetchnumpy()
            return columns
        if frame.implementation is nw.Implementation.PYSPARK:
            return _collected(native, place)
        eager = frame.collect()
        return {name: _array(eager[name].to_list()) for name in eager.columns}
    except Exception as error:
        raise engine_error(error, place) from None


def filled(column: Column, empty: float | str, dtype: Any = None) -> Column:
    """A column with `empty` where there is nothing.

    Such cells are masked, and a column without any is a plain array: NumPy's masked arrays, which
    take long to import, are asked for where there is one.
    """
    if type(column) is np.ndarray:
        return np.asarray(column, dtype)
    masked: Column = np.ma.asarray(column, dtype)
    return np.ma.filled(masked, empty)


def texts_of(column: Column) -> list[str]:
    """The cells of a fetched column as text, "" where there is none."""
    return ["" if cell is None else str(cell) for cell in column.tolist()]


def _collected(native: Any, place: str) -> dict[str, Column]:
    """Spark's rows, unless they are more than the driver should hold."""
    rows = native.limit(MOST_ROWS + 1).collect()
    if len(rows) > MOST_ROWS:
        raise SourceError(
            place,
            f"a cluster sends back at most {MOST_ROWS:,} counts or scores",
            found="more",
            next_step="Take a random part of the items, as table.where('hash(item) % 10 = 0'), or "
            "write the columns that are used to Parquet and give that file",
        )
    return _transposed([tuple(row) for row in rows], native.columns)


def _transposed(rows: list[tuple[Any, ...]], names: list[str]) -> dict[str, Column]:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return {name: _array(list(column)) for name, column in zip(names, columns, strict=True)}


def _array(values: list[Any]) -> Column:
    missing = [value is None for value in values]
    sample = next((value for value in values if value is not None), None)
    if sample is None or isinstance(sample, str):
        array: Column = np.array(values, dtype=object)
        return np.ma.array(array, mask=missing) if any(missing) else array
    filled = np.array([0 if value is None else value for value in values])
    return np.ma.array(filled, mask=missing) if any(missing) else filled
