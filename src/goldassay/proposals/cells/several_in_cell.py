"""Several people's labels in one cell (`hate; hate; none`), told apart from texts and sets."""

from __future__ import annotations

import re
from collections.abc import Mapping

from goldassay.proposals.profile import MOST_OPTIONS, Column
from goldassay.ratings.vocabulary import folded, kind_of, number, words
from goldassay.sources.frames import Source

__all__ = ["several_in_cell"]

_SEPARATORS = (";", "|", ",")
#: Words of columns that hold what several people said.
_SAID = frozenset(
    ["annotations", "annotators", "answers", "judgments", "labels", "raters", "ratings", "scores"]
) | {"votes"}
#: How many people a cell may hold, how long a label may be, and which cells must hold several.
_MOST, _LONGEST, _NEARLY_ALL = 10, 30, 0.9


def several_in_cell(source: Source, columns: Mapping[str, Column]) -> dict[str, str]:
    """The file's column -> the sign between the labels of its cells, where these are few and one
    is there twice in a cell, as votes are and sets are not."""
    own = {here: theirs for theirs, here in source.renamed.items()}
    found = {}
    for name, column in columns.items():
        named_ = kind_of(name) in (None, "human") and {*words(name)} & _SAID
        if named_ and (sign := _sign(column)) is not None:
            found[own.get(name, name)] = sign
    return found


def _sign(column: Column) -> str | None:
    cells = [one for one in column.labels if one[:1] not in "[{"]
    if len(cells) < len(column.labels):
        return None
    for sign in _SEPARATORS:
        parts = [[folded(part) for part in one.split(sign)] for one in cells]
        rows = sum(column.labels.values())
        apart = sum(n for n, one in zip(column.labels.values(), parts, strict=True) if one[1:])
        if not rows or apart < _NEARLY_ALL * rows:
            continue
        labels = {part for one in parts for part in one}
        plain = all(0 < len(part) <= _LONGEST for part in labels)
        numbers = sign == "," and all(number(part) is not None for part in labels)
        fewest = 3 if numbers else 2  # `0,5` may be a number
        sizes = [len(one) for one in parts]
        twice = any(len({*one}) < len(one) for one in parts)
        decimal = any(re.fullmatch(r"\d+,\d+", one) for one in cells)
        if plain and 1 < len(labels) <= MOST_OPTIONS and twice and not decimal:
            return sign if fewest <= max(sizes) <= _MOST else None
    return None
