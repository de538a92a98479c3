"""Several rows for one (unit, rater, repeat): equal ones count once, others conflict."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import narwhals as nw

from goldassay.errors import ConflictError, shown
from goldassay.ratings.fetch import fetch, filled
from goldassay.ratings.table import Census, Ratings
from goldassay.ratings.vocabulary import words
from goldassay.results import Exclusion
from goldassay.words import counted

__all__ = ["each_once", "has_duplicates", "seen_once", "without_duplicates"]


def each_once(ratings: Ratings, *, parts: bool) -> Ratings:
    """The table as it is where no rater rated a unit twice, else `without_duplicates`."""
    name = _once(ratings, parts)
    if name not in ratings.found:
        twice = has_duplicates(ratings, parts=parts)
        once = without_duplicates(ratings, parts=parts) if twice else None
        ratings.found[name] = once  # None for itself: it must not hold itself
    known: Ratings | None = ratings.found[name]
    return known or ratings


def seen_once(ratings: Ratings) -> None:
    """Remember what counting has seen: that no rater has two rows for one unit and repeat, and so
    none that name the same option."""
    for parts in (False, True):
        ratings.found.setdefault(_once(ratings, parts), None)


def _once(ratings: Ratings, parts: bool) -> str:
    """The name of what `each_once` found."""
    return "each once by " + " ".join(_key(ratings, parts))


def has_duplicates(ratings: Ratings, *, parts: bool) -> bool:
    """Whether a rater has two rows for one unit and repeat.

    With `parts`, rows with weights are parts of one rating (a judge's probabilities over the
    options): they repeat only where they name the same option twice.
    """
    key = _key(ratings, parts)
    groups = ratings.frame.group_by(*key).agg(rows=nw.len())
    most = fetch(groups.select(most=nw.col("rows").max()), place=ratings.name)["most"]
    return bool(len(most)) and bool(filled(most, 0)[0] > 1)


def _key(ratings: Ratings, parts: bool) -> list[str]:
    key = [*ratings.unit, "kind", "rater", *ratings.repeat]
    return [*key, "value"] if parts and "weight" in ratings.columns else key


def without_duplicates(ratings: Ratings, *, parts: bool) -> Ratings:
    """One row for each (unit, rater, repeat), or an error that names rows that conflict.

    With `parts`, rows with weights that name different options are parts of one rating. Equal
    rows count once. Conflicting ones are an error, or all excluded when the task says
    `duplicates = "exclude"`.
    """
    frame, exclusions = _deduplicated(ratings, parts=parts)
    grouped = frame.group_by("kind", "rater", "status").agg(rows=nw.len())
    left = fetch(grouped, place=ratings.name)
    keys = zip(left["kind"], left["rater"], left["status"], strict=True)
    counts = dict.fromkeys(ratings.census.counts, 0) | {
        (str(k), str(r), str(s)): int(n) for (k, r, s), n in zip(keys, left["rows"], strict=True)
    }
    return replace(
        ratings,
        frame=frame,
        exclusions=ratings.exclusions + exclusions,
        census=Census(ratings.census.rows, counts),
    )


def _deduplicated(
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
    # In the order of before: resolutions, apart, are put below by place.
    return kept.select(*ratings.frame.collect_schema().names()), tuple(exclusions)


def _conflict(
    ratings: Ratings, conflicts: nw.LazyFrame[Any], key: list[str], number: int
) -> ConflictError:
    first = fetch(conflicts.sort(*key).head(1), place=ratings.name)
    named = {column: str(first[column][0]) for column in key if first[column][0] != ""}
    where = ", ".join(f"{column} {shown(value, 40)}" for column, value in named.items())
    rows = ratings.frame
    for column, value in named.items():
        rows = rows.filter(nw.col(column) == nw.lit(value))
    values = fetch(rows.select("value").unique().sort("value").head(3), place=ratings.name)
    texts = " and ".join(shown(str(value), 30) for value in values["value"])
    return ConflictError(
        ratings.name,
        "a rater must rate a unit once for each sample",
        found=f"{counted(number, 'conflict')}, the first at {where}: {texts}",
        next_step=_way_on(ratings, key),
    )


#: Columns that are tried as a part of the key, and how long a name within it may be: a text that
#: differs names no item.
_TRIED, _LONGEST = 30, 60
#: Words of columns that say what was found in an item, row by row.
_FINDINGS = frozenset(["category", "severity", "error", "errors", "span", "issue", "finding"])


def _is_text(ratings: Ratings, name: str) -> bool:
    longest = fetch(
        ratings.frame.select(longest=nw.col(name).cast(nw.String).str.len_chars().max()),
        place=ratings.name,
    )["longest"]
    return int(longest[0] or 0) > _LONGEST


def _shared_out(ratings: Ratings, key: list[str]) -> bool:
    """Whether the weights of most ratings in several rows sum to 1, as probabilities of the options
    do; an item's weight in a sample is the same in all its rows."""
    if "weight" not in ratings.columns:
        return False
    weight = nw.col("weight").cast(nw.Float64)
    groups = ratings.frame.with_columns(share=weight).group_by(*key)
    sums = groups.agg(rows=nw.len(), total=nw.col("share").sum()).filter(nw.col("rows") > 1)
    whole = (nw.col("total") > 1 - _OFF) & (nw.col("total") < 1 + _OFF)
    one = nw.when(whole).then(nw.lit(1)).otherwise(nw.lit(0))
    found = fetch(sums.select(keys=nw.len(), whole=one.sum()), place=ratings.name)
    return 2 * int(found["whole"][0] or 0) > int(found["keys"][0])


#: How far a sum of probabilities may be from 1 that were rounded.
_OFF = 0.02


def _way_on(ratings: Ratings, key: list[str]) -> str:
    """The smallest key that tells the rows apart, where there is one; never a way to lose rows
    whose key is wrong."""
    if _shared_out(ratings, key):
        return (
            "Rows of one rating that share it out by weight (a judge's probabilities) are for "
            "goldassay audit and rank; for all else give each item's likeliest option, in one row"
        )
    aside = {*key, "kind", "value", "status", "score", "weight", "cost", "latency", "time"}
    names = [name for name in ratings.columns if name not in aside]
    for column in [name for name in names if not _is_text(ratings, name)][:_TRIED]:
        counts = ratings.frame.group_by(*key, column).agg(nw.len().alias("(rows)"))
        most = fetch(counts.select(most=nw.col("(rows)").max()), place=ratings.name)["most"]
        if int(most[0]) == 1:
            item = ratings.task.columns.get("item", "item")
            parts = [*([item] if isinstance(item, str) else item), column]
            return (
                f"The column {column!r} tells them apart. If it is a part of what is rated: "
                f"[columns] item = {json.dumps(parts, ensure_ascii=False)}; if it numbers repeats: "
                f"[columns] sample = {json.dumps(column, ensure_ascii=False)}"
            )
    own = ratings.task.columns.get("value", "value")
    if _FINDINGS & {*words(own if isinstance(own, str) else own[0])}:
        return (
            "Where a row is one finding of several (an error, a span), make one rating of the rows "
            "of a rater and item first, as their weighted sum"
        )
    return (
        'Number repeats in a column "sample"; only where the rows are mistakes: duplicates = '
        '"exclude" in the task'
    )
