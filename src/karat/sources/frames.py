"""Frames in memory or on a cluster, and the one door through which every source comes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw

from karat.errors import SourceError
from karat.results import Input
from karat.sources.engine import connect
from karat.sources.files import open_files

__all__ = ["Source", "open_frame", "open_source"]


@dataclass(frozen=True)
class Source:
    """A lazy frame of text columns and what it was read from.

    `inputs` have no row numbers yet (`rows` is 0 until the ratings were counted).
    """

    frame: nw.LazyFrame[Any]
    columns: tuple[str, ...]
    inputs: tuple[Input, ...]
    name: str


def open_source(source: Any) -> Source:
    """Open a path, a glob, or any frame that narwhals knows (pandas, Polars, PyArrow, DuckDB,
    PySpark, Ibis, Dask)."""
    if isinstance(source, str | Path):
        opened = open_files(source)
        inputs = tuple(
            Input(path.name, digest, 0)
            for path, digest in zip(opened.paths, opened.digests, strict=True)
        )
        frame = nw.from_native(opened.relation)
        return Source(_as_text(frame, opened.columns), opened.columns, inputs, opened.name)
    return open_frame(source)


def open_frame(native: Any) -> Source:
    """A frame that is already open; it stays on its own engine."""
    try:
        frame = nw.from_native(native)
    except TypeError:
        raise SourceError(
            f"a {type(native).__name__}",
            "is neither a path nor a frame",
            next_step="Give a file name or a pandas, Polars, PyArrow, DuckDB or PySpark frame",
        ) from None
    name = f"{frame.implementation.name.lower()} frame"
    if frame.implementation in (nw.Implementation.PANDAS, nw.Implementation.PYARROW):
        # Their group-bys lack conditional sums; DuckDB scans both in place.
        frame = nw.from_native(connect().from_arrow(native)
                               if frame.implementation is nw.Implementation.PYARROW
                               else connect().from_df(native))  # fmt: skip
    lazy = frame.lazy() if isinstance(frame, nw.DataFrame) else frame
    columns = tuple(lazy.collect_schema().names())
    return Source(_as_text(lazy, columns), columns, (Input(name, None, 0),), name)


def _as_text(frame: nw.LazyFrame[Any], columns: Iterable[str]) -> nw.LazyFrame[Any]:
    schema = frame.collect_schema()
    other = [name for name in columns if schema[name] != nw.String]
    return frame.with_columns(*(_text(name, schema[name]) for name in other)) if other else frame


def _text(name: str, dtype: Any) -> nw.Expr:
    column = nw.col(name)
    if dtype.is_float():
        # 1.0 in a float column is the label "1": pandas turns integers with gaps into floats.
        whole = (column == column.round(0)) & (column.abs() < 1e15)
        digits = nw.when(whole).then(column).cast(nw.Int64).cast(nw.String)
        return nw.when(whole).then(digits).otherwise(column.cast(nw.String)).alias(name)
    return column.cast(nw.String)
