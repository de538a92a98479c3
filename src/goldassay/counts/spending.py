"""What judges cost: mean price and time of a verdict, by judge."""

from __future__ import annotations

import narwhals as nw
import numpy as np

from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings

__all__ = ["count_spending"]


def count_spending(ratings: Ratings) -> dict[str, dict[str, float]]:
    """Mean `cost` and `latency` of each judge's rows, of the columns that the table has.

    Rows without a number do not count; every other row does, also those that failed: a failed call
    was paid for and waited for.
    """
    out: dict[str, dict[str, float]] = {}
    judged = ratings.frame.filter(nw.col("kind") == nw.lit("judge"))
    for column in ("cost", "latency"):
        if column not in ratings.columns:
            continue
        found = fetch(
            judged.filter(~nw.col(column).is_null())
            .group_by("rater")
            .agg(mean=nw.col(column).mean()),
            place=ratings.name,
        )
        pairs = zip(found["rater"], np.asarray(found["mean"], dtype=float), strict=True)
        out[column] = {str(judge): float(mean) for judge, mean in sorted(pairs)}
    return {column: by_judge for column, by_judge in out.items() if by_judge}
