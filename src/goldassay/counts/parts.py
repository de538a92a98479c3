"""Ratings that are shared out over several rows: a judge's probabilities over the options.

A rater's rows of one unit and repeat that name different options and carry weights are parts of one
rating. Each counts by its share of their weights, so that the rating counts once, as one that is
given in one row does, whatever its weights add up to.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw

from goldassay.ratings.duplicates import has_duplicates
from goldassay.ratings.table import Ratings

__all__ = ["PART", "are_shared_out", "with_parts"]

#: The column that holds the share of its rating that a row is; no name of a user's column.
PART = "part of rating"


def are_shared_out(ratings: Ratings) -> bool:
    """Whether some rating is given in several rows that have weights; equal rows are one."""
    return "weight" in ratings.columns and has_duplicates(ratings, parts=False)


def with_parts(ratings: Ratings) -> nw.LazyFrame[Any]:
    """The rows with `PART`, the share of its rating that a row holds: 1 where it is the whole.

    `ratings` has no two equal rows (`duplicates.each_once`).
    """
    if not are_shared_out(ratings):
        return ratings.frame.with_columns(**{PART: nw.lit(1.0)})
    one = [*ratings.unit, "kind", "rater", *ratings.repeat]
    frame = ratings.frame.with_columns(**{PART: nw.col("weight").fill_null(1.0)})
    whole = frame.group_by(*one).agg(nw.col(PART).sum().alias("whole rating"))
    share = nw.when(nw.col("whole rating") > 0).then(nw.col(PART) / nw.col("whole rating"))
    # Engines add in different orders: the last bits of a sum are not the data's.
    part = share.otherwise(nw.lit(0.0)).round(12)
    return frame.join(whole, on=one, how="inner").with_columns(**{PART: part})
