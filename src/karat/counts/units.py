"""Units: the distinct patterns of people's ratings and judges' verdicts, with multiplicities.

A unit is what one rater rates once. All raters' ratings of a unit are brought into one row by one
group-by (a pivot, no join), and equal rows are merged by a second one, so that what comes back is
as small as the number of distinct patterns. From patterns come the confusion counts of every judge,
the agreement between judges and the panels of judges, jointly resampled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from karat.counts.labels import encoded
from karat.errors import RatingsError, UsageError, shown
from karat.fetch import fetch
from karat.ratings import Ratings
from karat.results import Exclusion
from karat.task import Task

__all__ = [
    "By",
    "Confusion",
    "Units",
    "confusion",
    "count_units",
    "pairing_exclusions",
    "reference_weights",
    "verdict_shares",
]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: Columns that a unit carries along whenever the table has them.
CARRIED = ("criterion", "system", "split", "stratum")
MAX_VERDICT_COLUMNS = 600


@dataclass(frozen=True)
class By:
    """A column of the units: its labels, and the label of each pattern."""

    labels: tuple[str, ...]
    codes: Ints


@dataclass(frozen=True)
class Units:
    """Patterns of units; the fields are described in `docs/architecture.md`."""

    options: tuple[str, ...]
    judges: tuple[str, ...]
    samples: tuple[str, ...]
    orders: tuple[str, ...]
    cluster: Ints
    n_clusters: int
    single: bool
    by: Mapping[str, By]
    human: Ints
    verdict: Ints
    n: Ints
    weight: Floats
    exclusions: tuple[Exclusion, ...]
    rows: int
    task: Task

    @property
    def judge_names(self) -> tuple[str, ...]:
        """The judges, each once, sorted."""
        return tuple(sorted(set(self.judges)))

    def columns_of(self, judge: str) -> list[int]:
        """The verdict columns of a judge: one, or one for each repeat."""
        return [index for index, name in enumerate(self.judges) if name == judge]

    def where(self, mask: npt.NDArray[np.bool_]) -> Units:
        """The patterns of a part of the units (a criterion, a system, a split)."""
        by = {name: By(one.labels, one.codes[mask]) for name, one in self.by.items()}
        return replace(
            self, cluster=self.cluster[mask], by=by, human=self.human[mask],
            verdict=self.verdict[mask], n=self.n[mask], weight=self.weight[mask],
        )  # fmt: skip

    def only(self, column: str, label: str) -> Units:
        """The units with this label in a `by` column."""
        one = self.by[column]
        return self.where(one.codes == one.labels.index(label))


@dataclass(frozen=True)
class Confusion:
    """Reference against verdict, with a leading axis of clusters.

    `counts[c, r, v]`: rows are the K options of the reference and then abstained; columns the K
    options of the verdict and then abstained, invalid, failed. `multiplicity[c]` clusters have
    this very array.
    """

    options: tuple[str, ...]
    counts: Floats
    multiplicity: Ints
    n_items: int

    @property
    def n_clusters(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def total(self) -> Floats:
        """The counts summed over clusters."""
        result: Floats = np.tensordot(self.multiplicity, self.counts, axes=1)
        return result

    @property
    def square(self) -> Floats:
        """Summed counts of declared options only, K x K."""
        size = len(self.options)
        return self.total[:size, :size]


def count_units(ratings: Ratings, *, by: Sequence[str] = ()) -> Units:
    """Count the patterns of units; `by` names further columns to keep apart."""
    ratings.require(*by)
    exclusions: list[Exclusion] = []
    frame = ratings.frame
    if "elicitation" in ratings.columns:
        frame, exclusions = _forced_choices(ratings)
    columns = _verdict_columns(ratings, frame)
    carried = [*dict.fromkeys(
        [*(c for c in CARRIED if c in ratings.columns), *ratings.task.strata, *by]
    )]  # fmt: skip
    if _human_duplicates(ratings, frame):
        return count_units(ratings.without_duplicates(), by=by)
    pivot = _pivot(ratings, frame, columns, carried)
    single = ratings.cluster == "item" and ratings.unit == ("item",)
    patterns = _patterns(ratings, pivot, columns, carried, single)
    if len(patterns["repeats"]) and int(patterns["repeats"].max()) > 0:
        return count_units(ratings.without_duplicates(), by=by)
    units = _assembled(ratings, patterns, columns, carried, single)
    return replace(units, exclusions=(*ratings.exclusions, *exclusions))


def _forced_choices(ratings: Ratings) -> tuple[nw.LazyFrame[Any], list[Exclusion]]:
    """Leave out response sets, which have patterns of their own (`Distributions`)."""
    is_set = nw.col("elicitation") == nw.lit("response_set")
    found = fetch(ratings.frame.filter(is_set).select(rows=nw.len()), place=ratings.name)
    rows = int(found["rows"][0])
    excluded = [Exclusion("a response set, used by audit only", rows)] if rows else []
    return ratings.frame.filter(~is_set), excluded


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
            ratings.name, f"at most {MAX_VERDICT_COLUMNS} judges x repeats are counted at once",
            found=str(len(columns)), next_step="Split the table by judge",
        )  # fmt: skip
    return columns


def _human_duplicates(ratings: Ratings, frame: nw.LazyFrame[Any]) -> bool:
    people = frame.filter(nw.col("kind") == nw.lit("human"))
    keys = people.group_by(*ratings.unit, "rater", *ratings.repeat).agg(rows=nw.len())
    most = fetch(keys.select(most=nw.col("rows").max()), place=ratings.name)["most"]
    return bool(len(most)) and not np.ma.is_masked(most[0]) and most[0] is not None and most[0] > 1


def _pivot(
    ratings: Ratings,
    frame: nw.LazyFrame[Any],
    columns: Sequence[tuple[str, str, str]],
    carried: Sequence[str],
) -> nw.LazyFrame[Any]:
    """One row per unit: people's ratings by code, each judge's verdict, and what it carries."""
    states = len(ratings.task.options) + 3
    is_human = nw.col("kind") == nw.lit("human")
    parts: dict[str, nw.Expr] = {}
    for code in range(states):
        hit = is_human & (nw.col("code") == nw.lit(code))
        parts[f"h{code}"] = nw.when(hit).then(nw.lit(1)).otherwise(nw.lit(0))
    for index, (rater, sample, order) in enumerate(columns):
        mine = (nw.col("kind") == nw.lit("judge")) & (nw.col("rater") == nw.lit(rater))
        if "sample" in ratings.columns:
            mine = mine & (nw.col("sample") == nw.lit(sample))
        if "order" in ratings.columns:
            mine = mine & (nw.col("order") == nw.lit(order))
        parts[f"v{index}"] = nw.when(mine).then(nw.col("code"))
    parts["judged"] = nw.when(~is_human).then(nw.lit(1)).otherwise(nw.lit(0))
    aggregates = [nw.col(f"h{code}").sum() for code in range(states)]
    aggregates += [nw.col(f"v{index}").max() for index in range(len(columns))]
    aggregates.append(nw.col("judged").sum())
    extra = [name for name in carried if name not in ratings.unit]
    for name in extra:
        filled = nw.when(nw.col(name) != nw.lit("")).then(nw.col(name))
        parts[f"low {name}"] = filled
        aggregates += [nw.col(name).max().alias(f"by {name}"), nw.col(f"low {name}").min()]
    parts["cluster of unit"] = nw.col(ratings.cluster)
    aggregates.append(nw.col("cluster of unit").max())
    if "weight" in ratings.columns:
        aggregates.append(nw.col("weight").max())
    pivot = frame.with_columns(**parts).group_by(*ratings.unit).agg(*aggregates)
    for name in extra:
        _check_constant(ratings, pivot, name)
    return pivot


def _check_constant(ratings: Ratings, pivot: nw.LazyFrame[Any], name: str) -> None:
    differing = pivot.filter(nw.col(f"by {name}") != nw.col(f"low {name}"))
    first = fetch(
        differing.sort(*ratings.unit).head(1).select("item", f"by {name}", f"low {name}"),
        place=ratings.name,
    )
    if len(first["item"]):
        raise RatingsError(
            f"{ratings.name}, column {name}",
            "is the same in all rows of a unit",
            found=f"{shown(first[f'low {name}'][0])} and {shown(first[f'by {name}'][0])} "
            f"for item {shown(first['item'][0])}",
        )


def _patterns(
    ratings: Ratings,
    pivot: nw.LazyFrame[Any],
    columns: Sequence[tuple[str, str, str]],
    carried: Sequence[str],
    single: bool,
) -> dict[str, npt.NDArray[Any]]:
    verdicts = [f"v{index}" for index in range(len(columns))]
    # More judge rows than verdict columns filled: a judge rated the unit twice in one repeat.
    present = [nw.when(~nw.col(v).is_null()).then(nw.lit(1)).otherwise(nw.lit(0)) for v in verdicts]
    filled = nw.sum_horizontal(*present) if present else nw.lit(0)
    pivot = pivot.with_columns(repeats=nw.col("judged") - filled)
    keys = [f"h{code}" for code in range(len(ratings.task.options) + 3)] + verdicts
    keys += [name if name in ratings.unit else f"by {name}" for name in carried]
    keys += [] if single else ["cluster of unit"]
    keys += ["weight"] if "weight" in ratings.columns else []
    merged = pivot.group_by(*keys).agg(n=nw.len(), repeats=nw.col("repeats").max())
    return fetch(merged, place=ratings.name)


def _assembled(
    ratings: Ratings,
    patterns: Mapping[str, npt.NDArray[Any]],
    columns: Sequence[tuple[str, str, str]],
    carried: Sequence[str],
    single: bool,
) -> Units:
    size, length = len(ratings.task.options) + 3, len(patterns["n"])
    human = np.stack([_ints(patterns[f"h{code}"]) for code in range(size)], axis=1)
    verdict = np.stack(
        [_ints(patterns[f"v{index}"]) for index in range(len(columns))], axis=1
    ) if columns else np.zeros((length, 0), np.int64)  # fmt: skip
    by = {}
    for name in carried:
        labels, codes = encoded(patterns[name if name in ratings.unit else f"by {name}"])
        by[name] = By(labels, codes)
    weight = np.ones(length)
    if "weight" in ratings.columns:
        weight = np.ma.filled(np.ma.asarray(patterns["weight"], dtype=float), 1.0)
    n = _ints(patterns["n"])
    cluster, n_clusters = np.zeros(length, np.int64), int(n.sum())
    if not single:
        labels, cluster = encoded(patterns["cluster of unit"])
        n_clusters = len(labels)
        single = n_clusters == int(n.sum())
        if single:
            cluster = np.zeros(length, np.int64)
    # One order on every engine: by cluster, then by the pattern itself; equal patterns merged.
    matrix = np.column_stack([cluster, *(one.codes for one in by.values()), human, verdict])
    keyed = np.column_stack([matrix, weight.view(np.int64)])
    _, first, inverse = np.unique(keyed, axis=0, return_index=True, return_inverse=True)
    merged = np.bincount(inverse.reshape(-1), weights=n, minlength=len(first)).astype(np.int64)
    return Units(
        options=ratings.task.options,
        judges=tuple(column[0] for column in columns),
        samples=tuple(column[1] for column in columns),
        orders=tuple(column[2] for column in columns),
        cluster=cluster[first], n_clusters=n_clusters, single=single,
        by={name: By(one.labels, one.codes[first]) for name, one in by.items()},
        human=human[first], verdict=verdict[first], n=merged, weight=weight[first],
        exclusions=(), rows=ratings.census.rows, task=ratings.task,
    )  # fmt: skip


def _ints(column: npt.NDArray[Any]) -> Ints:
    return np.ma.filled(np.ma.asarray(column), -1).astype(np.int64)


def reference_weights(units: Units, *, abstained: bool = False) -> tuple[Floats, Floats, Ints]:
    """The reference of each pattern from people's ratings, by the task's rule.

    Returns `weights[P, K + 1]` (a row sums to the number of references a unit counts for: 1, the
    number of people for `each`, or 0), `people[P]` (how many ratings stand behind it) and
    `state[P]` (0 a reference, 1 nobody rated, 2 a tied vote that was excluded). With `abstained`
    people's abstentions are the last class; otherwise they do not count.
    """
    task, size = units.task, len(units.options)
    votes = units.human[:, : size + 1].astype(float)
    if not abstained:
        votes[:, size] = 0.0
    people = votes.sum(axis=1)
    state = np.where(people == 0, 1, 0).astype(np.int64)
    if task.reference == "each":
        return votes, people, state
    if task.reference in ("soft", "response_set"):
        return votes / np.maximum(people, 1.0)[:, None], people, state
    best = votes.max(axis=1, keepdims=True)
    winners = (votes == best) & (best > 0)
    tied = winners.sum(axis=1) > 1
    if task.reference_ties == "exclude":
        state[tied] = 2
        winners[tied] = False
    weights = np.zeros_like(votes)
    rows = np.flatnonzero(winners.any(axis=1))
    weights[rows, winners[rows].argmax(axis=1)] = 1.0
    return weights, people, state


def verdict_shares(units: Units, judge: str) -> Floats:
    """How a judge's verdicts of a unit spread over options and states, [P, K + 3]; sums to 1 or 0.

    Repeats share the unit's weight.
    """
    shares = np.zeros((len(units.n), len(units.options) + 3))
    verdict = units.verdict[:, units.columns_of(judge)]
    present = verdict >= 0
    share = 1.0 / np.maximum(present.sum(axis=1), 1)
    for column in range(verdict.shape[1]):
        rows = np.flatnonzero(present[:, column])
        np.add.at(shares, (rows, verdict[rows, column]), share[rows])
    return shares


def confusion(units: Units, judge: str, *, abstained: bool = False) -> Confusion:
    """The confusion counts of a judge against the reference, a cluster axis in front.

    Each unit counts once however often the judge was sampled: repeats share its weight.
    """
    reference, _, _ = reference_weights(units, abstained=abstained)
    pattern = verdict_shares(units, judge) * units.weight[:, None]
    cells = reference[:, :, None] * pattern[:, None, :]
    used = cells.any(axis=(1, 2))
    n_items = int(units.n[used].sum())
    if units.single:
        counts, multiplicity = _collapsed(cells[used], units.n[used])
    else:
        label, cluster = np.unique(units.cluster[used], return_inverse=True)
        sums = np.zeros((len(label), *cells.shape[1:]))
        np.add.at(sums, cluster, cells[used] * units.n[used, None, None])
        counts, multiplicity = _collapsed(sums, np.ones(len(label), np.int64))
    return Confusion(units.options, counts, multiplicity, n_items)


def _collapsed(counts: Floats, multiplicity: Ints) -> tuple[Floats, Ints]:
    if not len(counts):
        return counts, multiplicity
    flat = counts.reshape(len(counts), -1)
    distinct, inverse = np.unique(flat, axis=0, return_inverse=True)
    merged = np.bincount(inverse.reshape(-1), weights=multiplicity).astype(np.int64)
    return distinct.reshape(len(distinct), *counts.shape[1:]), merged


def pairing_exclusions(units: Units) -> tuple[Exclusion, ...]:
    """Rows that pairing judges with people leaves out, by reason, in the task's modes.

    Rows in = rows used + rows excluded: a judge's row is used when its verdict counts and its unit
    has a reference; a person's row when it counts and any judge's verdict of the unit does.
    """
    task, size = units.task, len(units.options)
    classes = task.abstentions == "class"
    _, _, state = reference_weights(units, abstained=classes)
    failed = {size: "abstained", size + 1: "invalid", size + 2: "failed"}
    lost = {size + 2}
    lost |= {size} if task.abstentions == "exclude" else set()
    lost |= {size + 1} if task.invalids == "exclude" else set()
    reasons: dict[str, dict[str, int]] = {}

    def count(reason: str, who: str, rows: int) -> None:
        if rows:
            per = reasons.setdefault(reason, {})
            per[who] = per.get(who, 0) + rows

    usable = np.zeros(len(units.n), bool)
    for column, judge in enumerate(units.judges):
        verdict = units.verdict[:, column]
        counts = (verdict >= 0) & ~np.isin(verdict, list(lost))
        usable |= counts
        for code in sorted(lost):
            count(f"judge's rating {failed[code]}", judge, int(units.n[verdict == code].sum()))
        count("no human reference", judge, int(units.n[counts & (state == 1)].sum()))
        count("people tied", judge, int(units.n[counts & (state == 2)].sum()))
    people = units.human * units.n[:, None]
    unused = [size + 1, size + 2] + ([] if classes else [size])
    for code in sorted(unused):
        count(f"person's rating {failed[code]}", "people", int(people[:, code].sum()))
    voted = people[:, : size + classes].sum(axis=1)
    count("no verdict of a judge", "people", int(voted[~usable].sum()))
    count("people tied", "people", int(voted[usable & (state == 2)].sum()))
    return tuple(
        Exclusion(reason, sum(per.values()), {"rater": dict(sorted(per.items()))})
        for reason, per in reasons.items()
    )
