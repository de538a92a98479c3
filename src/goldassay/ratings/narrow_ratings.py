"""Ratings that were read already, with only the rows that are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import narwhals as nw

from goldassay.errors import UsageError, nearest
from goldassay.ratings.drawing import drawn_by, with_strata
from goldassay.ratings.fetch import fetch
from goldassay.ratings.narrowing import Narrowing, narrowed
from goldassay.ratings.table import Census, Ratings
from goldassay.results import Exclusion

__all__ = ["check_known_judges", "narrowed_ratings", "of_judges"]


def narrowed_ratings(ratings: Ratings, narrowing: Narrowing) -> Ratings:
    """The table without what `only` and `exclude` leave out, counted anew."""
    own = {name: o for o, theirs in ratings.task.column_names.items() for name in theirs}
    frame, apart = narrowed(
        ratings.frame, ratings.columns, narrowing, place=ratings.name, names=own, own=ratings.own
    )
    left = fetch(frame.group_by("kind", "rater", "status").agg(rows=nw.len()), place=ratings.name)
    keys = zip(left["kind"], left["rater"], left["status"], left["rows"], strict=True)
    counts = {(str(k), str(r), str(s)): int(n) for k, r, s, n in keys}
    census = Census(ratings.census.rows, dict(sorted(counts.items())))
    return replace(
        ratings,
        frame=frame,
        census=census,
        exclusions=(*ratings.exclusions, *apart),
        narrowed=(*ratings.narrowed, *narrowing.said()),
    )


def check_known_judges(judges: Sequence[str], known: Sequence[str]) -> None:
    """Refuse judges that are asked for and are not in the table."""
    for judge in judges:
        if judge not in known:
            near = nearest(judge, known)
            raise UsageError(
                f"the judge {judge!r}",
                f"is not in the table; its judges are {', '.join(known)}",
                next_step=f"Did you mean {near!r}?" if near else None,
            )


def of_judges(ratings: Ratings, judges: Sequence[str]) -> Ratings:
    """The table without the verdicts of other judges than these; all of it where none is named."""
    known = ratings.judges
    check_known_judges(judges, known)
    others = {name: 0 for name in known if name not in judges} if judges else {}
    if not others:
        return ratings
    drawn = drawn_by(ratings) if ratings.task.calibration == "by_verdict" else None
    if drawn is not None and others.keys() & set(drawn.judges):
        ratings = with_strata(ratings, drawn)  # what labels stand for outlasts the verdicts
    counts = {}
    for (kind, rater, status), rows in ratings.census.counts.items():
        if kind == "judge" and rater in others:
            others[rater] += rows
        else:
            counts[kind, rater, status] = rows
    theirs = (nw.col("kind") == nw.lit("judge")) & nw.col("rater").is_in(list(others))
    out = Exclusion("verdict of a judge not asked about", sum(others.values()), {"rater": others})
    return replace(
        ratings,
        frame=ratings.frame.filter(~theirs),
        census=Census(ratings.census.rows, counts),
        exclusions=(*ratings.exclusions, out),
    )
