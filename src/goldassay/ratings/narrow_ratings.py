"""Ratings that were read already, with only the rows that are looked at."""

from __future__ import annotations

from dataclasses import replace

import narwhals as nw

from goldassay.ratings.fetch import fetch
from goldassay.ratings.narrowing import Narrowing, narrowed
from goldassay.ratings.table import Census, Ratings

__all__ = ["narrowed_ratings"]


def narrowed_ratings(ratings: Ratings, narrowing: Narrowing) -> Ratings:
    """The table without what `only` and `exclude` leave out, counted anew."""
    own = {name: o for o, theirs in ratings.task.column_names.items() for name in theirs}
    frame, apart = narrowed(
        ratings.frame, ratings.columns, narrowing, place=ratings.name, names=own
    )
    left = fetch(frame.group_by("kind", "rater", "status").agg(rows=nw.len()), place=ratings.name)
    keys = zip(left["kind"], left["rater"], left["status"], left["rows"], strict=True)
    counts = {(str(k), str(r), str(s)): int(n) for k, r, s, n in keys}
    census = Census(ratings.census.rows, dict(sorted(counts.items())))
    return replace(ratings, frame=frame, census=census, exclusions=(*ratings.exclusions, *apart))
