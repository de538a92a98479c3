"""Rows by status: how many of a rater's ratings are scores, abstentions, invalid or failed."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.labels import encoded
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import STATUSES, Ratings

__all__ = ["count_statuses"]


def count_statuses(ratings: Ratings) -> dict[tuple[str, str], npt.NDArray[np.int64]]:
    """Rows by cluster and status [C, 4] of every (kind, rater); people are one rater, "".

    The statuses are those of `ratings.STATUSES`: rated, abstained, invalid, failed. Clusters come
    back as how many have the same numbers: of a million, a handful of rows.
    """
    ratings = each_once(ratings, parts=False)
    people = nw.col("kind") == nw.lit("human")
    has = {f"_{name}": (nw.col("status") == nw.lit(name)).cast(nw.Int64) for name in STATUSES}
    rows = ratings.frame.with_columns(
        _who=nw.when(people).then(nw.lit("")).otherwise(nw.col("rater")), **has
    )
    by_cluster = rows.group_by(*dict.fromkeys(["kind", "_who", ratings.cluster])).agg(
        **{name: nw.col(name).sum() for name in has}
    )
    patterns = by_cluster.group_by("kind", "_who", *has).agg(clusters=nw.len())
    found = fetch(patterns, place=ratings.name)
    kinds, kind = encoded(found["kind"])
    raters, rater = encoded(found["_who"])
    numbers = np.stack([np.asarray(found[name], np.int64) for name in has], 1)
    times = np.asarray(found["clusters"], np.int64)
    order = np.lexsort((*numbers.T[::-1], rater, kind))
    out = {}
    for code in np.unique(kind * len(raters) + rater).tolist():
        of_kind, of_rater = divmod(code, len(raters))
        mine = order[(kind[order] == of_kind) & (rater[order] == of_rater)]
        out[kinds[of_kind], raters[of_rater]] = np.repeat(numbers[mine], times[mine], axis=0)
    return out
