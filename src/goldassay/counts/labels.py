"""Text columns as sorted labels and codes, the same on every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.ratings.fetch import fetch, filled

__all__ = ["Labelled", "combined", "encoded", "in_use", "is_label", "put_together", "with_codes"]

#: Labels in order of code point, and the place of each row's among them.
Labelled = tuple[tuple[str, ...], npt.NDArray[np.int64]]


def encoded(column: npt.NDArray[Any]) -> Labelled:
    """Distinct labels, sorted by code point, and the index of each cell's label."""
    texts = filled(column, "").tolist()
    if set(map(type, texts)) - {str}:
        texts = ["" if text is None else str(text) for text in texts]
    labels = sorted(set(texts))
    index = {label: code for code, label in enumerate(labels)}
    return tuple(labels), np.fromiter(map(index.__getitem__, texts), np.int64, len(texts))


def in_use(labels: tuple[str, ...], codes: npt.NDArray[np.int64]) -> Labelled:
    """The labels that some code names, and the codes counted among these."""
    used = np.bincount(codes, minlength=len(labels)) > 0
    return tuple(np.array(labels, dtype=object)[used]), (np.cumsum(used) - 1)[codes]


def is_label(column: Labelled, label: str) -> npt.NDArray[np.bool_]:
    """The rows that have this label."""
    labels, codes = column
    if label not in labels:
        return np.zeros(len(codes), np.bool_)
    return np.asarray(codes == labels.index(label))


def combined(columns: Sequence[npt.NDArray[np.integer[Any]]]) -> npt.NDArray[np.int64]:
    """A number [P] for each combination of whole numbers, from 0 on, in their order."""
    code, size = np.zeros(len(columns[0]), np.int64), 1
    if not len(code):
        return code
    for column in columns:
        low, high = int(column.min()), int(column.max())
        digit = column - low
        if high - low >= 2**20:  # few numbers that are far apart
            digit = np.unique(column, return_inverse=True)[1].reshape(-1)
            low, high = 0, int(digit.max())
        if size * (high - low + 1) >= 2**62:
            code = np.unique(code, return_inverse=True)[1].reshape(-1)
            size = int(code.max()) + 1
        code, size = code * (high - low + 1) + digit, size * (high - low + 1)
    return np.asarray(np.unique(code, return_inverse=True)[1].reshape(-1), np.int64)


def with_codes(
    frame: nw.LazyFrame[Any], columns: Mapping[str, str], *, every: nw.LazyFrame[Any], place: str
) -> tuple[dict[str, tuple[str, ...]], dict[str, npt.NDArray[np.int64]], nw.LazyFrame[Any]]:
    """The frame with columns of whole numbers beside text, so that large results stay small.

    `columns` is code -> column; `every` has at least the frame's rows, and lists the labels at less
    cost than a filtered frame. Also, by code, the labels in order of code point and the place of
    each of the engine's numbers among them.
    """
    labels, places, coded = {}, {}, frame
    for code, column in columns.items():
        # Not `unique`, which numbers the rows of every label.
        distinct = every.group_by(column).agg(nw.len().alias("(rows)")).select(column)
        index = distinct.with_row_index(code, order_by=column)
        found = fetch(index, place=place)
        labels[code], place_of = encoded(found[column])
        places[code] = np.zeros(len(place_of), np.int64)
        places[code][np.asarray(found[code], np.int64)] = place_of
        coded = coded.join(index, on=column, how="inner")
    return labels, places, coded


def put_together(parts: Sequence[Labelled]) -> Labelled:
    """Rows of one column, which came in parts, in a row."""
    every = sorted(set().union(*(labels for labels, _ in parts)))
    place = {label: code for code, label in enumerate(every)}
    codes = [np.array([place[label] for label in labels], np.int64)[own] for labels, own in parts]
    return tuple(every), np.concatenate(codes)
