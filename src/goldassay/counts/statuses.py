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

    The statuses are those of `ratings.STATUSES`: rated, abstained, invalid, failed.
    """
    ratings = each_once(ratings, parts=False)
    keys = list(dict.fromkeys(["kind", "rater", "status", ratings.cluster]))
    found = fetch(ratings.frame.group_by(*keys).agg(rows=nw.len()), place=ratings.name)
    _, cluster = encoded(found[ratings.cluster])
    status = [list(STATUSES).index(str(name)) for name in found["status"]]
    rows = np.asarray(found["rows"], np.int64)
    who = [
        (str(kind), "" if kind == "human" else str(rater))
        for kind, rater in zip(found["kind"], found["rater"], strict=True)
    ]
    out = {}
    for one in sorted(set(who)):
        mine = [row for row, name in enumerate(who) if name == one]
        present, at = np.unique(cluster[mine], return_inverse=True)
        table = np.zeros((len(present), len(STATUSES)), np.int64)
        np.add.at(table, (at.reshape(-1), np.array(status)[mine]), rows[mine])
        out[one] = table
    return out
