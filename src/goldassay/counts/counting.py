"""Ratings to units: one group-by brings all ratings of a unit into one row (a pivot, no join), a
second merges equal rows, so that what comes back is as small as the number of distinct patterns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.few_rows import is_small, unit_rows
from goldassay.counts.labels import encoded
from goldassay.counts.packing import PACK_BITS, Held, Slot, digits, packed, unpacked
from goldassay.counts.units import CARRIED, SETS, By, Units, in_order
from goldassay.errors import RatingsError, UsageError, shown
from goldassay.ratings.duplicates import has_duplicates, seen_once, without_duplicates
from goldassay.ratings.fetch import fetch, filled
from goldassay.ratings.options import require_options
from goldassay.ratings.table import Ratings
from goldassay.results import Exclusion
from goldassay.sources.frames import SMALL

__all__ = ["count_units"]

Ints = npt.NDArray[np.int64]

MAX_VERDICT_COLUMNS = 600
#: Columns with at most this many labels become numbers in the query, not afterwards.
MAX_CODED = 200
#: More people than this, or repeats, and a person's second row needs a query of its own.
FEW_PEOPLE = 8
#: The code of a rating that names several options.
SEVERAL = -1


def count_units(ratings: Ratings, *, by: Sequence[str] = ()) -> Units:
    """Count the patterns of units; `by` names further columns to keep apart.

    A table is counted once by the same columns, however many questions it is asked, and not at all
    where it was counted by more of them.
    """
    ratings.require(*by)
    require_options(ratings, "has no options, and so no verdicts to count")
    counted: dict[tuple[str, ...], Units] = ratings.found.setdefault("units", {})
    names = tuple(_carried(ratings, by))
    if names not in counted:
        finer = next((one for columns, one in [*counted.items()] if {*columns} > {*names}), None)
        counted[names] = _counted(ratings, by) if finer is None else finer.kept_apart_by(names)
    return counted[names]


def _counted(ratings: Ratings, by: Sequence[str]) -> Units:
    if is_small(ratings) and (units := _few(ratings, by)) is not None:
        return units
    exclusions: list[Exclusion] = []
    frame = ratings.frame
    if "elicitation" in ratings.columns:
        frame, exclusions = _forced_choices(ratings)
    if ratings.resolved is not None:
        frame = nw.concat([frame, _resolved_once(ratings)], how="vertical")
    columns = _verdict_columns(ratings, frame)
    carried = _labels(ratings, frame, _carried(ratings, by))
    pivot = _pivot(ratings, frame, columns, carried)
    single = _alone(ratings)
    patterns = _patterns(ratings, frame, pivot, columns, carried, single)
    held = _held(ratings, patterns, columns)
    if _repeated(ratings, patterns, held) or (
        _many_people(ratings) and has_duplicates(ratings, parts=False)
    ):
        return count_units(without_duplicates(ratings, parts=False), by=by)
    for name, labels in carried.items():
        if name not in ratings.unit and _any(patterns[f"mixed {name}"]):
            raise _mixed(ratings, pivot, name, labels)
    if ratings.resolved is None and "elicitation" not in ratings.columns:
        seen_once(ratings)
    units = _assembled(ratings, patterns, held, columns, carried, single)
    return replace(units, exclusions=(*ratings.exclusions, *exclusions, *units.exclusions))


def _carried(ratings: Ratings, by: Sequence[str]) -> list[str]:
    present = [name for name in CARRIED if name in ratings.columns]
    return list(dict.fromkeys([*present, *ratings.task.strata, *by]))


def _few(ratings: Ratings, by: Sequence[str]) -> Units | None:
    """The units of few rows, counted in memory; None where the rows have to be explained."""
    frame = ratings.frame
    if ratings.resolved is not None:
        frame = nw.concat([frame, ratings.resolved], how="vertical")
    rows = unit_rows(ratings, frame, _human_codes(ratings), _carried(ratings, by))
    if rows is None:
        return None
    seen_once(ratings)
    if len(rows.columns) > MAX_VERDICT_COLUMNS:
        return None
    excluded = _response_sets(rows.response_sets)
    units = _assembled(
        ratings, rows.patterns, rows.held, rows.columns, rows.labels, _alone(ratings)
    )
    return replace(units, exclusions=(*ratings.exclusions, *excluded, *units.exclusions))


def _resolved_once(ratings: Ratings) -> nw.LazyFrame[Any]:
    """The resolutions, of which a unit has one."""
    assert ratings.resolved is not None
    counted = ratings.resolved.group_by(*ratings.unit).agg(rows=nw.len())
    twice = fetch(
        counted.filter(nw.col("rows") > 1).sort(*ratings.unit).head(1), place=ratings.name
    )
    if len(twice["item"]):
        raise RatingsError(
            ratings.name,
            "must have one row of kind reference for a unit",
            found=f"{int(twice['rows'][0])} for item {shown(twice['item'][0])}",
        )
    return ratings.resolved


def _any(column: npt.NDArray[Any]) -> bool:
    return bool(len(column)) and int(filled(column, 0).max()) > 0


def _repeated(
    ratings: Ratings, patterns: Mapping[str, npt.NDArray[Any]], held: Sequence[Held]
) -> bool:
    """Whether a rater has two rows for one unit and repeat.

    A unit has as many rows as people's ratings and filled verdicts, unless a judge rated twice;
    and as many people's ratings as people, unless one of them did.
    """
    codes, nothing = len(_human_codes(ratings)), np.zeros(len(patterns["n"]), np.int64)
    by_people = sum(held[:codes], nothing)
    filled = sum((verdict > 0 for verdict in held[codes:]), nothing)
    if (_ints(patterns["rows of unit"]) > by_people + filled).any():
        return True
    if "people of unit" in patterns:
        return bool((_ints(patterns["people of unit"]) < by_people).any())
    return len(ratings.humans) == 1 and not ratings.repeat and bool((by_people > 1).any())


def _labels(
    ratings: Ratings, frame: nw.LazyFrame[Any], names: Sequence[str]
) -> dict[str, tuple[str, ...] | None]:
    """The labels of columns, sorted; None where there are too many to code in the query."""
    if names and ratings.census.rows <= SMALL:  # one query for all: what it gives is no larger
        found = fetch(frame.select(*names).unique(), place=ratings.name)
    else:
        found = {
            name: fetch(
                frame.group_by(name).agg(nw.len().alias("(rows)")).head(MAX_CODED + 1),
                place=ratings.name,
            )[name]
            for name in names
        }
    labels = {name: tuple(sorted({str(label) for label in found[name]})) for name in names}
    return {name: one if len(one) <= MAX_CODED else None for name, one in labels.items()}


def _many_people(ratings: Ratings) -> bool:
    """Whether a person's second row for a unit needs a query of its own to be seen."""
    return len(ratings.humans) > FEW_PEOPLE or bool(ratings.repeat)


def _forced_choices(ratings: Ratings) -> tuple[nw.LazyFrame[Any], list[Exclusion]]:
    """Leave out response sets, which have patterns of their own (`Distributions`)."""
    is_set = nw.col("elicitation") == nw.lit("response_set")
    found = fetch(ratings.frame.filter(is_set).select(rows=nw.len()), place=ratings.name)
    rows = int(found["rows"][0])
    return ratings.frame.filter(~is_set), _response_sets(rows)


def _response_sets(rows: int) -> list[Exclusion]:
    return [Exclusion(SETS, rows)] if rows else []


def _verdict_columns(ratings: Ratings, frame: nw.LazyFrame[Any]) -> list[tuple[str, str, str]]:
    keys = [name for name in ("sample", "order") if name in ratings.columns]
    judged = frame.filter(nw.col("kind") == nw.lit("judge"))
    if not keys:
        return [(judge, "", "") for judge in ratings.judges]
    found = fetch(judged.group_by("rater", *keys).agg(rows=nw.len()), place=ratings.name)
    blank = [""] * len(found["rater"])
    columns = sorted(
        {
            (str(r), str(s), str(o))
            for r, s, o in zip(
                found["rater"], found.get("sample", blank), found.get("order", blank), strict=True
            )
        }
    )
    if len(columns) > MAX_VERDICT_COLUMNS:
        raise UsageError(
            ratings.name,
            f"at most {MAX_VERDICT_COLUMNS} judges x repeats are counted at once",
            found=str(len(columns)),
            next_step="Split the table by judge",
        )
    return columns


def _pivot(
    ratings: Ratings,
    frame: nw.LazyFrame[Any],
    columns: Sequence[tuple[str, str, str]],
    carried: Mapping[str, tuple[str, ...] | None],
) -> nw.LazyFrame[Any]:
    """One row per unit: people's ratings by code, each judge's verdict, and what it carries."""
    sums = {
        **{f"w{n}": one for n, one in enumerate(packed(_slots(ratings, columns)))},
        **{f"p{n}": one for n, one in enumerate(packed(_persons(ratings)))},
    }
    parts = dict(sums)
    aggregates = [nw.len().alias("rows of unit"), *(nw.col(name).sum() for name in sums)]
    for name, labels in carried.items():
        coded = nw.col(name) if labels is None else _coded(name, labels)
        parts[f"by {name}"] = coded
        aggregates.append(nw.col(f"by {name}").max())
        if name not in ratings.unit:
            parts[f"low {name}"] = nw.when(nw.col(name) != nw.lit("")).then(coded)
            aggregates.append(nw.col(f"low {name}").min())
    if not _alone(ratings):
        parts["cluster of unit"] = nw.col(ratings.cluster)
        aggregates.append(nw.col("cluster of unit").max())
    if "weight" in ratings.columns:
        aggregates.append(nw.col("weight").max())
    return frame.with_columns(**parts).group_by(*ratings.unit).agg(*aggregates)


def _slots(ratings: Ratings, columns: Sequence[tuple[str, str, str]]) -> list[Slot]:
    """A place for each code of people's ratings, then one for each judge's verdict, as code + 2."""
    is_human = nw.col("kind") == nw.lit("human")
    bits = PACK_BITS if _many_people(ratings) else max(2, len(ratings.humans).bit_length())
    slots = [
        Slot(is_human & (nw.col("code") == nw.lit(code)), nw.lit(1), bits)
        for code in _human_codes(ratings)
    ]
    bits = (len(ratings.task.options) + 4).bit_length() + 4  # room for sixteen rows of a judge
    for rater, sample, order in columns:
        mine = nw.col("rater") == nw.lit(rater)
        if rater in ratings.humans or ratings.resolved is not None:  # a name of both kinds
            mine = mine & (nw.col("kind") == nw.lit("judge"))
        if "sample" in ratings.columns:
            mine = mine & (nw.col("sample") == nw.lit(sample))
        if "order" in ratings.columns:
            mine = mine & (nw.col("order") == nw.lit(order))
        slots.append(Slot(mine, nw.col("code") + 2, bits))
    if ratings.resolved is not None:
        resolved = nw.col("kind") == nw.lit("reference")
        slots.append(Slot(resolved, nw.col("code") + 2, bits))
    return slots


def _persons(ratings: Ratings) -> list[Slot]:
    """A place for each of few people; a single person needs none."""
    if _many_people(ratings) or len(ratings.humans) < 2:
        return []
    is_human = nw.col("kind") == nw.lit("human")
    # Twice as many rows as there are people fit: a place runs over only where people repeat.
    return [
        Slot(is_human & (nw.col("rater") == nw.lit(rater)), nw.lit(1), FEW_PEOPLE.bit_length())
        for rater in ratings.humans
    ]


def _held(
    ratings: Ratings,
    patterns: Mapping[str, npt.NDArray[Any]],
    columns: Sequence[tuple[str, str, str]],
) -> list[Held]:
    """Of each pattern, people's ratings by code, then each judge's verdict: 0, or its code + 2."""
    slots = _slots(ratings, columns)
    return unpacked(slots, [_ints(patterns[f"w{n}"]) for n in range(len(packed(slots)))])


def _alone(ratings: Ratings) -> bool:
    """Whether each unit is a cluster by declaration."""
    return ratings.cluster == "item" and ratings.unit == ("item",)


def _human_codes(ratings: Ratings) -> list[int]:
    """The codes that people's ratings may have: every option, the states that occur, and sets."""
    size = len(ratings.task.options)
    states = enumerate(("abstained", "invalid", "failed"))
    seen = [size + i for i, s in states if ratings.census.total(kind="human", status=s)]
    sets = [SEVERAL] if ratings.sets else []
    return [*range(size), *seen, *sets] if ratings.humans else []


def _one(condition: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def _coded(name: str, labels: Sequence[str]) -> nw.Expr:
    code = nw.lit(len(labels))
    for index, label in enumerate(labels):
        code = nw.when(nw.col(name) == nw.lit(label)).then(nw.lit(index)).otherwise(code)
    return code


def _mixed(
    ratings: Ratings, pivot: nw.LazyFrame[Any], name: str, labels: tuple[str, ...] | None
) -> RatingsError:
    """The error for a column that differs between the rows of one unit."""
    differing = pivot.filter(nw.col(f"by {name}") != nw.col(f"low {name}"))
    first = fetch(
        differing.sort(*ratings.unit).head(1).select("item", f"by {name}", f"low {name}"),
        place=ratings.name,
    )
    two = [first[f"{side} {name}"][0] for side in ("low", "by")]
    texts = [shown(labels[int(one)] if labels is not None else str(one)) for one in two]
    return RatingsError(
        f"{ratings.name}, column {name}",
        "is the same in all rows of a unit",
        found=f"{texts[0]} and {texts[1]} for item {shown(first['item'][0])}",
    )


def _patterns(
    ratings: Ratings,
    frame: nw.LazyFrame[Any],
    pivot: nw.LazyFrame[Any],
    columns: Sequence[tuple[str, str, str]],
    carried: Mapping[str, tuple[str, ...] | None],
    single: bool,
) -> dict[str, npt.NDArray[Any]]:
    """Units with equal rows merged. Clusters come as numbers, in the order of their labels."""
    packs = [f"w{number}" for number in range(len(packed(_slots(ratings, columns))))]
    persons = _persons(ratings)
    checks = {"rows of unit": nw.col("rows of unit")}
    for name in carried:
        if name not in ratings.unit:
            checks[f"mixed {name}"] = _one(nw.col(f"by {name}") != nw.col(f"low {name}"))
    bounds = [nw.col(name).max() for name in checks]
    if persons:
        seen = digits(persons, [f"p{n}" for n in range(len(packed(persons)))])
        checks["people of unit"] = nw.sum_horizontal(*(_one(rows > 0) for rows in seen))
        bounds.append(nw.col("people of unit").min())
    pivot = pivot.with_columns(**checks)
    keys = list(packs)
    keys += [f"by {name}" for name in carried]
    keys += ["weight"] if "weight" in ratings.columns else []
    if not single:
        clusters = frame.select(nw.col(ratings.cluster).alias("cluster of unit")).unique()
        numbered = clusters.with_row_index("cluster number", order_by="cluster of unit")
        pivot = pivot.join(numbered, on="cluster of unit", how="inner")
        keys.append("cluster number")
    merged = pivot.group_by(*keys).agg(*bounds, n=nw.len())
    wide = {f"by {name}" for name, labels in carried.items() if labels is None}
    wide |= {"weight", *packs}
    small = [name for name in (*keys, *checks, "n") if name not in wide]
    return fetch(merged.with_columns(nw.col(*small).cast(nw.Int32)), place=ratings.name)


def _assembled(
    ratings: Ratings,
    patterns: Mapping[str, npt.NDArray[Any]],
    held: Sequence[Held],
    columns: Sequence[tuple[str, str, str]],
    carried: Mapping[str, tuple[str, ...] | None],
    single: bool,
) -> Units:
    size, length = len(ratings.task.options) + 3, len(patterns["n"])
    by = {}
    for name, known in carried.items():
        column = patterns[f"by {name}"]
        if known is None:
            by[name] = By(*encoded(column))
        else:  # "" is a label only where every row of a unit leaves the column empty
            used, codes = np.unique(_ints(column), return_inverse=True)
            by[name] = By(tuple(known[code] for code in used), codes.reshape(-1))
    weight = np.ones(length)
    if "weight" in ratings.columns:
        weight = filled(patterns["weight"], 1.0, float)
    n = _ints(patterns["n"])
    cluster, n_clusters = np.zeros(length, np.int64), int(n.sum())
    if not single:
        distinct, numbers = np.unique(_ints(patterns["cluster number"]), return_inverse=True)
        n_clusters = len(distinct)
        single = n_clusters == int(n.sum())
        cluster = cluster if single else numbers.reshape(-1)
    coded = _human_codes(ratings)
    nobody: Held = np.zeros(length, np.int16)
    rated = dict(zip(coded, held, strict=False))
    people = [rated.get(code, nobody) for code in range(size)]
    several, excluded = _several(ratings, held, columns, n)
    verdicts = [np.maximum(one - 2, -1) for one in held[len(coded) :]]
    resolved = verdicts.pop().astype(np.int64) if ratings.resolved is not None else None
    keys = [cluster, *(one.codes for one in by.values()), *people, *verdicts]
    keys.append(weight.view(np.int64))
    keys += [] if resolved is None else [resolved]
    # One order on every engine: by cluster, then by the pattern itself; equal patterns merged.
    order, new = in_order(keys)
    first = order[new]
    human = np.zeros((len(first), size), np.int64)
    verdict = np.zeros((len(first), len(columns)), np.int64)
    for code, column in enumerate(people):
        human[:, code] = column[first]
    for index, column in enumerate(verdicts):
        verdict[:, index] = column[first]
    counts = np.add.reduceat(n[order], np.flatnonzero(new)) if length else n
    return Units(
        options=ratings.task.options,
        judges=tuple(column[0] for column in columns),
        samples=tuple(column[1] for column in columns),
        orders=tuple(column[2] for column in columns),
        cluster=cluster[first],
        n_clusters=n_clusters,
        single=single,
        by={name: By(one.labels, one.codes[first]) for name, one in by.items()},
        human=human,
        verdict=verdict,
        n=counts,
        weight=weight[first],
        exclusions=tuple(excluded),
        rows=ratings.census.rows,
        task=ratings.task,
        resolved=None if resolved is None else resolved[first],
        by_rows=ratings.by_rows,
        several=several,
    )


def _several(
    ratings: Ratings, held: Sequence[Held], columns: Sequence[tuple[str, str, str]], n: Ints
) -> tuple[dict[str, int], list[Exclusion]]:
    """By judge the units that ratings of several options take from its pairs (`Units.several`), and
    all such ratings: they have no place among verdicts."""
    if not ratings.sets:
        return {}, []
    size, coded = len(ratings.task.options), _human_codes(ratings)
    people = dict(zip(coded, held, strict=False))
    none = np.zeros(len(n), np.int64)
    sets = _ints(np.asarray(people.get(SEVERAL, none)))
    voted = sum((_ints(people[code]) for code in coded if code in range(size)), none) > 0
    rated = sum((_ints(one) for one in people.values()), none) > 0
    rows = {"people": int((sets * n).sum())}
    found = {}
    for judge in ratings.judges:
        mine = [
            _ints(one)
            for one, (name, *_) in zip(held[len(coded) :], columns, strict=False)
            if name == judge
        ]
        given = sum((one > 0 for one in mine), none) > 0
        decided = sum(((one > 1) & (one < size + 2) for one in mine), none) > 0
        unclear = sum((one == SEVERAL + 2 for one in mine), none)
        lost = given & rated & ((unclear > 0) & ~decided | (sets > 0) & ~voted)
        rows[judge] = int((unclear * n).sum())
        if lost.any():
            found[judge] = int(n[lost].sum())
    rows = {rater: number for rater, number in rows.items() if number}
    return found, [Exclusion(SETS, sum(rows.values()), {"rater": rows})] if rows else []


def _ints(column: npt.NDArray[Any]) -> Ints:
    return filled(column, -1).astype(np.int64)
