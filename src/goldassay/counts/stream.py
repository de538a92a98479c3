"""Verdicts in the order of time: who said what of which unit, in which batch.

Rows come back one by one, in small numbers: units, clusters and repeats as 64 bits of a digest of
their names, so that a million rows are some megabytes, and what is kept between two looks names
nobody's item. A batch is a label of a column, or a stretch of the column `time`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date, timedelta
from hashlib import md5
from itertools import pairwise
from typing import Any, Literal, get_args

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.labels import with_codes
from goldassay.counts.units import SETS, reference_weights
from goldassay.errors import RatingsError, UsageError, shown
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch, filled
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task
from goldassay.results import Exclusion

__all__ = [
    "BATCH",
    "JUDGE",
    "PERSON",
    "REFERENCE",
    "Batches",
    "Every",
    "StreamRows",
    "among",
    "apart",
    "batch_order",
    "count_stream",
    "identities",
    "no_rows",
    "references",
    "repeated",
    "two_judges",
]

Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]

#: How long a batch is where only the time of each verdict is known.
Every = Literal["hour", "day", "week", "month"]
#: The column of batches, unless another is named.
BATCH = "batch"
#: What says who a judge is, where the table has it.
IDENTITY = ("model", "version", "parameters", "parser", "rubric", "realization", "source")
JUDGE, PERSON, REFERENCE = 0, 1, 2
_KINDS = ("judge", "human", "reference")
#: Signs of an ISO 8601 time that name its hour, day and month; a week is known by its days.
_SIGNS = {"hour": 13, "day": 10, "week": 10, "month": 7}
_TIME = re.compile(r"^\d{4}-\d{2}(-\d{2}([T ]\d{2})?)?$")
_NUMBER = re.compile(r"^[-+]?\d+(\.\d+)?$")


@dataclass(frozen=True)
class Batches:
    """Where a row's batch is written: a column, or a stretch of its time."""

    column: str
    every: Every | None = None

    @classmethod
    def of(cls, ratings: Ratings, column: str, every: str) -> Batches:
        """The column that is named, else `batch`, else `time`; an error where there is none."""
        if every not in get_args(Every):
            raise UsageError("every", f"is one of {', '.join(get_args(Every))}", found=shown(every))
        cut: Every | None = None if every == "day" else every  # type: ignore[assignment]
        if column:
            ratings.require(column)
            return cls(column, cut)
        if BATCH in ratings.columns:
            return cls(BATCH, cut)
        if "time" in ratings.columns:
            return cls("time", every)  # type: ignore[arg-type]
        raise RatingsError(
            ratings.name,
            "must say when each verdict was given, in a column `batch` or `time`",
            found="neither",
            next_step='Name the column: --batch COLUMN, or [columns] time = "..." in the task',
        )

    def text(self) -> nw.Expr:
        """The batch of each row, as text."""
        cell = nw.col(self.column).str.strip_chars()
        if self.every is None:
            return cell
        return cell.str.replace_all(" ", "T", literal=True).str.slice(0, _SIGNS[self.every])

    def named(self, label: str, place: str) -> str:
        """The name of the batch that a text stands for."""
        if self.every is None or label == "":
            return label
        whole = len(label) == _SIGNS[self.every]
        try:
            if not whole or not _TIME.match(label):
                raise ValueError
            day = date.fromisoformat(f"{label}-01" if self.every == "month" else label[:10])
        except ValueError:
            raise RatingsError(
                f"{place}, column {self.column}",
                "must be a time of ISO 8601, as 2026-03-01T09:30:00Z",
                found=shown(label),
                next_step="Write times so, or number batches in a column `batch`, without --every",
            ) from None
        if self.every == "week":
            return (day - timedelta(days=day.weekday())).isoformat()
        return label


@dataclass(frozen=True)
class StreamRows:
    """Ratings [N] in the order of time; batch -1 where a person's label has none.

    `kind` is 0 of a judge, 1 of a person, 2 of what was resolved; `code` is that of `Ratings`.
    """

    raters: tuple[str, ...]
    criteria: tuple[str, ...]
    batches: tuple[str, ...]
    kind: npt.NDArray[np.int8]
    rater: npt.NDArray[np.int32]
    criterion: npt.NDArray[np.int32]
    batch: npt.NDArray[np.int32]
    unit: Keys
    cluster: Keys
    repeat: Keys
    code: npt.NDArray[np.int8]
    anchor: Bools

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def judges(self) -> tuple[str, ...]:
        """The raters that are judges."""
        return tuple(self.raters[one] for one in np.unique(self.rater[self.kind == JUDGE]))

    def where(self, rows: Bools | Ints) -> StreamRows:
        """Some of the rows; names stay."""
        return replace(self, **{name: getattr(self, name)[rows] for name in _COLUMNS})

    def keys(self) -> Keys:
        """64 bits for each rating: its rater, unit, repeat and, of a judge, its batch."""
        key = np.empty(len(self), np.uint64)
        for at in _pieces(len(self)):
            one = _mixed(self.unit[at], self.repeat[at])
            kind, rater = (c[at].astype(np.uint64) for c in (self.kind, self.rater))
            one = _mixed(one, rater * np.uint64(4) + kind)
            batch = np.where(self.kind[at] == JUDGE, self.batch[at], -1)
            key[at] = _mixed(one, batch.astype(np.int64).astype(np.uint64))
        return key

    def with_more(self, other: StreamRows) -> StreamRows:
        """These rows and others, under common names; batches in order."""
        raters = tuple(sorted({*self.raters, *other.raters}))
        criteria = tuple(sorted({*self.criteria, *other.criteria}))
        batches = batch_order({*self.batches, *other.batches})
        both = []
        for one in (self, other):
            both.append(
                replace(
                    one,
                    rater=_moved(one.rater, one.raters, raters),
                    criterion=_moved(one.criterion, one.criteria, criteria),
                    batch=_moved(one.batch, one.batches, batches),
                )
            )
        columns = {name: np.concatenate([getattr(one, name) for one in both]) for name in _COLUMNS}
        return StreamRows(raters, criteria, batches, **columns)


_COLUMNS = tuple(
    one.name for one in fields(StreamRows) if one.name not in ("raters", "criteria", "batches")
)


def _pieces(length: int) -> Iterator[slice]:
    """A long array piece by piece, so that what is made on the way stays small."""
    return (slice(start, start + 2**16) for start in range(0, length, 2**16))


def repeated(keys: Keys) -> Keys:
    """The keys that occur more than once, sorted."""
    order = np.sort(keys)
    again = np.zeros(len(order), bool)
    np.equal(order[1:], order[:-1], out=again[1:])
    return np.unique(order[again])


def among(keys: Keys, known: Keys) -> Bools:
    """Which keys are among the known ones, which are sorted."""
    found = np.zeros(len(keys), bool)
    if len(known):
        for at in _pieces(len(keys)):
            place = np.minimum(np.searchsorted(known, keys[at]), len(known) - 1)
            found[at] = known[place] == keys[at]
    return found


def _mixed(key: Keys, other: Keys) -> Keys:
    """Two keys as one (the last steps of the hash SplitMix64)."""
    mixed = key * np.uint64(0x9E3779B97F4A7C15) + other
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def apart(rows: StreamRows) -> Iterator[tuple[tuple[str, str, int, str], StreamRows]]:
    """The rows of each batch, rater, kind and criterion, in an order that nothing else decides."""
    order = np.argsort(rows.batch, kind="stable")
    sizes = np.bincount(rows.batch + 1, minlength=1)
    for part in np.split(order, np.cumsum(sizes)[:-1]):
        mine = rows.where(part)
        inner = np.lexsort((mine.repeat, mine.unit, mine.criterion, mine.rater, mine.kind))
        keys = np.stack([mine.kind, mine.rater, mine.criterion])[:, inner]
        new = np.r_[True, (keys[:, 1:] != keys[:, :-1]).any(0)]
        starts = np.flatnonzero(new[: len(part)])
        for start, end in pairwise([*starts, len(part)]):
            kind, rater, criterion = keys[:, start].tolist()
            batch = int(mine.batch[inner[start]])
            label = rows.batches[batch] if batch >= 0 else ""
            name = label, rows.raters[rater], kind, rows.criteria[criterion]
            yield name, mine.where(inner[start:end])


def no_rows() -> StreamRows:
    """A stream that has not begun."""
    small, whole, key = np.zeros(0, np.int8), np.zeros(0, np.int32), np.zeros(0, np.uint64)
    return StreamRows(
        (), (), (), small, whole, whole, whole, key, key, key, small, np.zeros(0, bool)
    )


def _moved(
    codes: npt.NDArray[np.int32], old: Sequence[str], new: Sequence[str]
) -> npt.NDArray[np.int32]:
    place = {label: code for code, label in enumerate(new)}
    table = np.array([*(place[label] for label in old), -1], dtype=np.int32)  # -1 stays -1
    return np.asarray(table[codes])


def batch_order(labels: Iterable[str]) -> tuple[str, ...]:
    """Batches in their order: numbers by size, also within text, which suits ISO dates too.

    >>> batch_order(["10", "9"]), batch_order(["2026-02", "2026-01"]), batch_order(["w10", "w9"])
    (('9', '10'), ('2026-01', '2026-02'), ('w9', 'w10'))
    """
    known = sorted(labels)
    numbers = all(_NUMBER.match(one) for one in known)
    return tuple(sorted(known, key=float if numbers else _with_numbers))


def _with_numbers(label: str) -> tuple[str | int, ...]:
    """A label for sorting: texts and the numbers between them by turns."""
    parts = re.split("([0-9]+)", label)
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts))


def count_stream(
    ratings: Ratings, batches: Batches, anchors: tuple[str, str] | None = None
) -> tuple[StreamRows, tuple[Exclusion, ...]]:
    """Every rating of a table with its batch, and what was left out.

    `anchors` is a column and the label of the rows that are anchors.
    """
    frame = ratings.frame
    if ratings.resolved is not None:
        frame = nw.concat([frame, ratings.resolved], how="vertical")
    excluded: list[Exclusion] = []
    if "elicitation" in ratings.columns:
        is_set = nw.col("elicitation") == nw.lit("response_set")
        n = int(fetch(frame.filter(is_set).select(n=nw.len()), place=ratings.name)["n"][0])
        excluded += [Exclusion(SETS, n)] if n else []
        frame = frame.filter(~is_set)
    found, labels = _fetched(ratings, frame, batches, anchors)
    rows = _rows(ratings, batches, found, labels)
    undated = (rows.kind == JUDGE) & (rows.batch < 0)
    if undated.any():
        raise RatingsError(
            f"{ratings.name}, column {batches.column}",
            "must be filled in for every verdict of a judge",
            found=f"{int(undated.sum()):,} empty cells",
            next_step="Fill them in, or leave those rows out: --exclude COLUMN=VALUE",
        )
    return _each_once(rows, ratings, excluded)


def _fetched(
    ratings: Ratings, frame: nw.LazyFrame[Any], batches: Batches, anchors: tuple[str, str] | None
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, tuple[str, ...]]]:
    """The rows in numbers, and the labels of batches, raters and criteria."""
    anchor = nw.lit(0)
    if anchors is not None:
        ratings.require(anchors[0])
        is_one = nw.col(anchors[0]).str.strip_chars() == nw.lit(anchors[1])
        anchor = nw.when(is_one).then(nw.lit(1)).otherwise(nw.lit(0))
    kind = nw.lit(PERSON)
    for code, name in ((JUDGE, "judge"), (REFERENCE, "reference")):
        kind = nw.when(nw.col("kind") == nw.lit(name)).then(nw.lit(code)).otherwise(kind)
    keys = {
        "unit": ratings.unit,
        "cluster": (ratings.cluster,),
        "repeat": tuple(one for one in ("sample", "order") if one in ratings.columns),
    }
    names = {"batch": "batch label", "rater": "rater label"}
    if "criterion" in ratings.columns:
        names["criterion"] = "criterion label"
    chosen = frame.select(
        nw.concat_str([nw.col(one) for one in ratings.unit], separator="\x1f").alias("unit"),
        # A name of another column may be one of ours.
        batches.text().alias("batch label"),
        *(nw.col(one).alias(f"{one} label") for one in names if one != "batch"),
        kind.cast(nw.Int8).alias("kind"),
        nw.col("code").cast(nw.Int8),
        anchor.cast(nw.Int8).alias("anchor"),
        *(
            nw.concat_str([nw.col(one) for one in names], separator="\x1f").alias(key)
            for key, names in keys.items()
            if key != "unit" and names and names != ratings.unit
        ),
    )
    labels, places, coded = with_codes(chosen, names, every=chosen, place=ratings.name)
    coded = coded.with_columns(*(nw.col(one).cast(nw.Int32) for one in names))
    texts = [one for one in ("unit", "cluster", "repeat") if one in coded.collect_schema().names()]
    numbers = ["kind", "code", "anchor", *names]
    found = fetch(_digested(coded.select(*texts, *numbers), texts), place=ratings.name)
    for name in texts:
        found[name] = _keys(found[name])
    for name in names:
        found[name] = places[name].astype(np.int32)[found[name]]
    found.setdefault("repeat", np.zeros(len(found["unit"]), np.uint64))
    found.setdefault("criterion", np.zeros(len(found["unit"]), np.int32))
    found.setdefault("cluster", found["unit"])
    return found, {"criterion": ("",), **labels}


def _digested(frame: nw.LazyFrame[Any], texts: Sequence[str]) -> nw.LazyFrame[Any]:
    """Texts as 64 bits of their digest, where the embedded engine can make it."""
    if frame.implementation is not nw.Implementation.DUCKDB:
        return frame
    others = [name for name in frame.collect_schema().names() if name not in texts]
    made = [f"md5_number_lower({name}) AS {name}" for name in texts] + others
    digested: nw.LazyFrame[Any] = nw.from_native(frame.to_native().project(", ".join(made)))
    return digested


def _keys(column: npt.NDArray[Any]) -> Keys:
    """64 bits of the digest of each text, as the embedded engine has them."""
    if column.dtype == np.uint64:
        return filled(column, 0)
    known: dict[str, int] = {}
    for text in column.tolist():
        if text not in known:
            digest = md5(str(text).encode(), usedforsecurity=False).digest()
            known[text] = int.from_bytes(digest[8:], "little")
    return np.fromiter((known[text] for text in column.tolist()), np.uint64, len(column))


def _rows(
    ratings: Ratings,
    batches: Batches,
    found: Mapping[str, npt.NDArray[Any]],
    labels: Mapping[str, tuple[str, ...]],
) -> StreamRows:
    named = [batches.named(one, ratings.name) for one in labels["batch"]]
    order = batch_order({one for one in named if one})
    place = {label: code for code, label in enumerate(order)}
    batch = np.array([place.get(one, -1) for one in named], np.int32)[found["batch"]]
    return StreamRows(
        labels["rater"],
        labels["criterion"],
        order,
        np.asarray(found["kind"], np.int8),
        found["rater"],
        found["criterion"],
        batch,
        found["unit"],
        found["cluster"],
        found["repeat"],
        np.asarray(found["code"], np.int8),
        np.asarray(found["anchor"], bool),
    )


def _each_once(
    rows: StreamRows, ratings: Ratings, excluded: list[Exclusion]
) -> tuple[StreamRows, tuple[Exclusion, ...]]:
    """One row for each rater, unit, repeat and batch; a person's label of a unit is one label."""
    key = rows.keys()
    several = repeated(key)
    if not len(several):
        return rows, (*ratings.exclusions, *excluded)
    order = np.flatnonzero(among(key, several))
    order = order[np.lexsort((rows.code[order], key[order]))]
    second = np.flatnonzero(key[order[1:]] == key[order[:-1]]) + 1
    code = rows.code[order]
    differing = second[code[second] != code[second - 1]]
    if len(differing):
        first = order[differing[0]]
        judge = rows.kind[first] == JUDGE
        where = f" in batch {shown(rows.batches[rows.batch[first]])}" if judge else ""
        raise RatingsError(
            ratings.name,
            "a judge must rate a unit once in a batch (for each sample)"
            if judge
            else "a person's label of a unit must be one and the same in all batches",
            found=f"{len(differing):,} conflicts, the first by {rows.raters[rows.rater[first]]}"
            f"{where}",
            next_step='Number repeats in a column "sample"; give two judges two names',
        )
    keep = np.ones(len(rows), bool)
    keep[order[second]] = False
    excluded.append(Exclusion("equal to another row", len(second)))
    return rows.where(keep), (*ratings.exclusions, *excluded)


def identities(ratings: Ratings, besides: Sequence[str] = ()) -> dict[tuple[str, str], str]:
    """Judge and field -> what the table says there; an error where a judge is two of them.

    A column that is something else (`besides`, or as the task says: a `model` that names the
    system) tells nothing of the judge.
    """
    task, known = ratings.task, {}
    taken = {*besides, *task.strata, task.cluster}
    taken |= {name for ours, own in task.column_names.items() for name in own if name != ours}
    taken -= task.column_names.keys() & set(IDENTITY)
    for column in (one for one in IDENTITY if one in ratings.columns and one not in taken):
        judged = ratings.frame.filter(
            (nw.col("kind") == nw.lit("judge")) & (nw.col(column) != nw.lit(""))
        )
        each = judged.group_by("rater").agg(low=nw.col(column).min(), high=nw.col(column).max())
        found = fetch(each.sort("rater"), place=ratings.name)
        for rater, low, high in zip(found["rater"], found["low"], found["high"], strict=True):
            if low != high:
                raise two_judges(ratings.name, str(rater), column, (str(low), str(high)))
            known[str(rater), column] = str(low)
    return known


def two_judges(place: str, rater: str, field: str, values: tuple[str, str]) -> RatingsError:
    """The error for two judges under one name."""
    return RatingsError(
        f"{place}, column {field}",
        "two judges must not go under one name",
        found=f"{shown(values[0])} and {shown(values[1])} for {shown(rater)}",
        next_step=f'Name them apart, as [columns] rater = ["rater", "{field}"], or watch one of '
        f"them: --only {field}=...",
    )


@dataclass(frozen=True)
class Votes:
    """People's ratings of units by code, and what was resolved where they differ."""

    task: Task
    options: tuple[str, ...]
    human: Ints
    resolved: Ints | None


def references(rows: StreamRows, task: Task) -> tuple[Keys, npt.NDArray[np.float64]]:
    """The labelled units, sorted, and the share of each option (then of abstained) [L, K + 1].

    By the task's rule; units whose people are divided are left out.
    """
    size = len(task.options)
    said = np.flatnonzero((rows.kind == PERSON) & (rows.code >= 0))
    ruled = np.flatnonzero((rows.kind == REFERENCE) & (rows.code >= 0))
    units, place = np.unique(np.r_[rows.unit[said], rows.unit[ruled]], return_inverse=True)
    place = place.reshape(-1)
    human = np.zeros((len(units), size + 3), np.int64)
    np.add.at(human, (place[: len(said)], rows.code[said]), 1)
    resolved = np.full(len(units), -1, np.int64)
    resolved[place[len(said) :]] = rows.code[ruled]
    if task.abstentions == "recode" and task.recode_to is not None:
        human[:, task.options.index(task.recode_to)] += human[:, size]
        human[:, size] = 0
    votes = Votes(task, task.options, human, resolved if len(ruled) else None)
    weight, _, state = reference_weights(votes, abstained=task.abstentions == "class")
    known = (state == 0) & weight.any(1)
    share = weight[known] / weight[known].sum(1, keepdims=True)
    return units[known], share
