"""Tables of counts (`human, judge, count`): each row stands for as many items as it says."""

from __future__ import annotations

from collections.abc import Mapping

from goldassay.errors import RatingsError, listed
from goldassay.proposals.profile import Column
from goldassay.ratings.distinct import distinct_keys
from goldassay.ratings.vocabulary import folded, kind_of, number, plain_name
from goldassay.sources.frames import Source

__all__ = ["counted_rows", "refuse_cross_table"]

#: Names of columns that say how many items are as their row says.
_NAMES = frozenset(
    [
        *("anzahl", "cases", "cnt", "count", "counts", "examples", "freq", "frequency", "items"),
        *("n", "n_cases", "n_examples", "n_items", "n_rows", "num", "num_items", "num_examples"),
        *("number", "number_of_items", "occurrences", "times", "total"),
    ]
)
#: So many rows are hardly as many items each as their place in the table.
_INDEXED = 6
#: More rows are items, of which something is counted.
_MOST_ROWS = 400


def refuse_cross_table(place: str, columns: Mapping[str, Column]) -> None:
    """A table whose rows and columns are called by the same labels, with counts in its cells: whose
    the rows are and whose the columns is not to be seen."""
    if len(columns) < 3:
        return
    first, *others = columns
    rows = [folded(one) for one in columns[first].labels]
    heads = [folded(name) for name in others]
    values = [number(one) for name in others for one in columns[name].labels]
    whole = all(v is not None and v >= 0 and v % 1 == 0 for v in values)
    if len(rows) > 1 and {*rows} == {*heads} and len(rows) == columns[first].rows and whole:
        raise RatingsError(
            place,
            "a table of counts must have a row for each pair of labels",
            found=f"labels in rows and in columns ({listed(others[:3])})",
            next_step="Write it as human,judge,count: "
            f"{columns[first].rows * len(others)} rows as '{others[0]},{others[-1]},12'",
        )


def counted_rows(source: Source, columns: Mapping[str, Column]) -> str | None:
    """The column that counts, by the file's own name: beside nothing but labels, at least one of
    them a rater's, whose combinations are all different; else None."""
    names = [name for name in columns if plain_name(name) in _NAMES]
    rest = [name for name in columns if name not in names]
    if len(names) != 1 or len(rest) < 2 or source.parts or not any(map(kind_of, rest)):
        return None
    column = columns[names[0]]
    values = [number(one) for one in column.labels]
    whole = [v for v in values if v is not None and v >= 0 and v % 1 == 0]
    if not whole or len(whole) < len(values) or max(whole) < 2 or column.filled < column.rows:
        return None
    labels = all(columns[name].few for name in rest)
    if not labels or column.rows > _MOST_ROWS or distinct_keys(source, rest) < column.rows:
        return None
    if column.counter and column.rows >= _INDEXED and min(whole) < 2:
        return None  # it numbers the rows
    if all(columns[name].unique for name in rest):
        return None  # every label is there once: what else could name the row
    own = {here: theirs for theirs, here in source.renamed.items()}
    return own.get(names[0], names[0])
