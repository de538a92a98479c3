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
    kinds, kind = encoded(found["kind"])
    raters, rater = encoded(found["rater"])
    names, status = encoded(found["status"])
    status = np.array([STATUSES.index(name) for name in names], np.int64)[status]
    rows = np.asarray(found["rows"], np.int64)
    rater[kind == _place(kinds, "human")] = -1
    out = {}
    for code in np.unique(kind * (len(raters) + 1) + rater + 1).tolist():
        of_kind, of_rater = divmod(code, len(raters) + 1)
        mine = (kind == of_kind) & (rater == of_rater - 1)
        present, at = np.unique(cluster[mine], return_inverse=True)
        table = np.zeros((len(present), len(STATUSES)), np.int64)
        np.add.at(table, (at.reshape(-1), status[mine]), rows[mine])
        out[kinds[of_kind], raters[of_rater - 1] if of_rater else ""] = table
    return out


def _place(labels: tuple[str, ...], label: str) -> int:
    return labels.index(label) if label in labels else -1
