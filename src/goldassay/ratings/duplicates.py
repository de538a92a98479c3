"""Several rows for one (unit, rater, repeat): equal ones count once, others conflict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from goldassay.errors import RatingsError, shown
from goldassay.ratings.fetch import fetch
from goldassay.results import Exclusion

if TYPE_CHECKING:
    from goldassay.ratings.table import Ratings

__all__ = ["deduplicated", "has_duplicates"]


def has_duplicates(ratings: Ratings, *, parts: bool) -> bool:
    """Whether a rater has two rows for one unit and repeat.

    With `parts`, rows with weights are parts of one rating (a judge's probabilities over the
    options): they repeat only where they name the same option twice.
    """
    key = _key(ratings, parts)
    counted = ratings.frame.group_by(*key).agg(rows=nw.len())
    most = fetch(counted.select(most=nw.col("rows").max()), place=ratings.name)["most"]
    return bool(len(most)) and not np.ma.is_masked(most[0]) and (most[0] or 0) > 1


def _key(ratings: Ratings, parts: bool) -> list[str]:
    key = [*ratings.unit, "kind", "rater", *ratings.repeat]
    return [*key, "value"] if parts and "weight" in ratings.columns else key


def deduplicated(
    ratings: Ratings, *, parts: bool
) -> tuple[nw.LazyFrame[Any], tuple[Exclusion, ...]]:
    """The frame with one row per key, and what was taken out of it."""
    key = _key(ratings, parts)
    content = [c for c in ("value", "status", "score") if c in ratings.columns and c not in key]
    others = [c for c in (*ratings.columns, "code", "number") if c not in (*key, *content)]
    distinct = ratings.frame.group_by(*key, *content).agg(
        *(nw.col(name).max() for name in others), copies=nw.len()
    )
    keys = distinct.group_by(*key).agg(rows=nw.col("copies").sum(), contents=nw.len())
    conflicts = keys.filter(nw.col("contents") > 1)
    totals = fetch(conflicts.select(keys=nw.len(), rows=nw.col("rows").sum()), place=ratings.name)
    conflicting = int(totals["rows"][0]) if int(totals["keys"][0]) else 0
    if conflicting and ratings.task.duplicates == "error":
        raise _conflict(ratings, conflicts, key, int(totals["keys"][0]))
    kept = distinct
    exclusions = []
    if conflicting:
        single = keys.filter(nw.col("contents") == 1).select(*key)
        kept = kept.join(single, on=key, how="inner")
        exclusions.append(Exclusion("conflicting rows of one rater for one unit", conflicting))
    extra = fetch(kept.select(rows=(nw.col("copies") - 1).sum()), place=ratings.name)["rows"]
    if len(extra) and int(extra[0] or 0):
        exclusions.append(Exclusion("equal to another row", int(extra[0])))
    return kept.drop("copies"), tuple(exclusions)


def _conflict(
    ratings: Ratings, conflicts: nw.LazyFrame[Any], key: list[str], number: int
) -> RatingsError:
    first = fetch(conflicts.sort(*key).head(1), place=ratings.name)
    named = {column: str(first[column][0]) for column in key if first[column][0] != ""}
    where = ", ".join(f"{column} {shown(value, 40)}" for column, value in named.items())
    rows = ratings.frame
    for column, value in named.items():
        rows = rows.filter(nw.col(column) == nw.lit(value))
    values = fetch(rows.select("value").unique().sort("value").head(3), place=ratings.name)
    texts = " and ".join(shown(str(value), 30) for value in values["value"])
    return RatingsError(
        ratings.name,
        "a rater rates a unit once for each sample",
        found=f"{number} conflicts, the first at {where}: {texts}",
        next_step='Number repeats in a column "sample", or set duplicates = "exclude" in the task',
    )
