"""Rows that stand for many (`[file] times`): a table of counts, as papers print it.

`human, judge, count` with `yes, no, 14` is fourteen items of which people say yes and the judge no.
"""

from __future__ import annotations

from typing import Any

from goldassay.errors import SourceError, listed, nearest
from goldassay.sources.engine import kept, named, queried

__all__ = ["MOST_ROWS", "with_repeats"]

#: So many rows may be made.
MOST_ROWS = 10_000_000


def with_repeats(relation: Any, name: str, place: str) -> Any:
    """The table with each row as often as the column says, without it."""
    if name not in relation.columns:  # each row would be an item in silence
        near = nearest(name, relation.columns)
        raise SourceError(
            place,
            f"[file] times: must name a column; its columns are {listed(relation.columns)}",
            found=repr(name),
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    number = f"TRY_CAST(trim(CAST({named(name)} AS VARCHAR)) AS DOUBLE)"
    bad = f"{number} IS NULL OR {number} < 0 OR {number} <> floor({number})"
    found = relation.aggregate(f"count(*) FILTER (WHERE {bad}), sum({number})").fetchall()[0]
    wrong, total = int(found[0]), float(found[1] or 0.0)
    if wrong:
        rows = "1 row" if wrong == 1 else f"{wrong:,} rows"
        raise SourceError(
            place, f"[file] times: {name!r} must hold whole numbers", found=f"others in {rows}"
        )
    if not 0 < total <= MOST_ROWS:
        raise SourceError(
            place, f"[file] times: must stand for 1 to {MOST_ROWS:,} rows", found=f"{total:,.0f}"
        )
    rest = ", ".join(named(one) for one in relation.columns if one != name)
    again = f"unnest(range(CAST({number} AS BIGINT)))"
    return kept(
        queried(
            relation, lambda rows: f"SELECT {rest} FROM (SELECT {rest}, {again} AS _ FROM {rows})"
        )
    )
