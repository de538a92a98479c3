"""Distributions: for each unit, how people's and each judge's ratings spread over the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.labels import encoded
from goldassay.counts.units import unit_word
from goldassay.errors import RatingsError, shown
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings, parse_response_set
from goldassay.results import Exclusion

__all__ = ["Distributions", "count_distributions"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Distributions:
    """Ratings per unit by option (forced choice) and by response set.

    A row's `weight` is what it counts for, so that a judge's probabilities over the options are
    four rows with weights. `groups` holds people's arrays by a column of the raters.
    """

    options: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    items: tuple[str, ...]
    cluster: Ints
    n_clusters: int
    judges: tuple[str, ...]
    human_forced: Floats
    human_sets: Floats
    judge_forced: Floats
    judge_sets: Floats
    groups: Mapping[str, tuple[Floats, Floats]]
    exclusions: tuple[Exclusion, ...]
    rows: int
    #: What is rated once (`units.unit_word`).
    unit: str = "item"


def count_distributions(ratings: Ratings, *, raters_by: str | None = None) -> Distributions:
    """Count ratings per unit, rater kind and value; `raters_by` also splits people by a column."""
    ratings.require(*([raters_by] if raters_by else []))
    ratings = each_once(ratings, parts=True)
    task = ratings.task
    keys = [*ratings.unit, "kind", "rater", "value"]
    keys += ["elicitation"] if "elicitation" in ratings.columns else []
    keys += [raters_by] if raters_by and raters_by not in keys else []
    keys += [ratings.cluster] if ratings.cluster not in keys else []
    rated = ratings.frame.filter(nw.col("status") == nw.lit("rated"))
    keys += ["weight"] if "weight" in ratings.columns else []
    found = fetch(rated.group_by(*keys).agg(rows=nw.len()), place=ratings.name)
    if not len(found["rows"]):
        raise RatingsError(ratings.name, "has no rated row", next_step="Run goldassay check")
    names, unit = encoded(_joined([found[c] for c in ratings.unit]))
    labels, cluster_of_row = encoded(found[ratings.cluster])
    cluster = np.zeros(len(names), np.int64)
    cluster[unit] = cluster_of_row
    option, chosen, is_set = values_of(ratings, found)
    amounts = np.asarray(found["rows"], dtype=float)
    if "weight" in ratings.columns:
        amounts = amounts * _shared_out(
            unit, np.ma.filled(np.ma.asarray(found["weight"], float), 1.0)
        )
    people = np.asarray(found["kind"], dtype=object) == "human"
    size, sets, count = len(task.options), task.sets, len(names)

    def spread(rows: npt.NDArray[np.bool_], group: Ints, groups: int) -> tuple[Floats, Floats]:
        """Rows of several groups by unit and option, and by unit and response set."""

        def summed(kept: npt.NDArray[np.bool_], code: Ints, width: int) -> Floats:
            place = (group[kept] * count + unit[kept]) * width + code[kept]
            sums = np.bincount(place, amounts[kept], groups * count * width)
            return np.asarray(sums, np.float64).reshape(groups, count, width)

        return summed(rows & ~is_set, option, size), summed(rows & is_set, chosen, len(sets))

    def named(column: str, rows: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], Ints]:
        """The labels of a column in these rows, sorted, and the place of each row's."""
        labels, code = encoded(found[column])
        seen = np.unique(code[rows])
        return tuple(labels[one] for one in seen), np.searchsorted(seen, code)

    (human_forced,), (human_sets,) = spread(people, np.zeros(len(unit), np.int64), 1)
    judges, judge = named("rater", ~people)
    judge_forced, judge_sets = spread(~people, judge, len(judges))
    groups: dict[str, tuple[Floats, Floats]] = {}
    if raters_by:
        names_of_groups, group = named(raters_by, people)
        by_group = spread(people, group, len(names_of_groups))
        groups = dict(zip(names_of_groups, zip(*by_group, strict=True), strict=True))
    return Distributions(
        options=task.options,
        sets=sets,
        items=tuple(name.replace("\x1f", " · ").rstrip(" ·") for name in names),
        cluster=cluster,
        n_clusters=len(labels),
        judges=judges,
        human_forced=human_forced,
        human_sets=human_sets,
        judge_forced=judge_forced,
        judge_sets=judge_sets,
        groups=groups,
        exclusions=(*ratings.exclusions, *ratings.not_rated()),
        rows=ratings.census.rows,
        unit=unit_word(
            task.scale,
            criteria=len(set(found.get("criterion", ()))),
            systems=len(set(found.get("system", ()))),
        ),
    )


def _joined(columns: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """One text for each row: the columns' texts, with a sign between them that sorts before all."""
    if len(columns) == 1:
        return columns[0]
    texts = ["\x1f".join(map(str, row)) for row in zip(*columns, strict=True)]
    return np.array(texts, dtype=object)


def _shared_out(unit: Ints, weight: Floats) -> Floats:
    """Weights that share a rating out among options; 1 where all ratings of an item weigh alike.

    What is the same for all ratings of an item weighs the item, and is no number of its raters.
    """
    low, high = np.full(unit.max() + 1, np.inf), np.full(unit.max() + 1, -np.inf)
    np.minimum.at(low, unit, weight)
    np.maximum.at(high, unit, weight)
    return np.where((low == high)[unit], 1.0, weight)


def values_of(
    ratings: Ratings, found: Mapping[str, npt.NDArray[Any]]
) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """For each row the option, the response set, and which of the two it is."""
    task = ratings.task
    labels, value = encoded(found["value"])
    parsed = [parse_response_set(label, task) for label in labels]
    index = {one: code for code, one in enumerate(task.sets)}
    for label, one in zip(labels, parsed, strict=True):
        if one is None or one not in index:
            admissible = ", ".join(task.separator.join(s) for s in task.sets[:8])
            more = f" and {len(task.sets) - 8} more" if len(task.sets) > 8 else ""
            raise RatingsError(
                f"{ratings.name}, column value",
                f"a response set is one of {admissible}{more}",
                found=shown(label),
                next_step="Mend it, or add it to response_sets in the task",
            )
    sets = [one for one in parsed if one is not None]
    codes = np.array([index[one] for one in sets], dtype=np.int64)[value]
    option = np.array([task.options.index(one[0]) for one in sets], dtype=np.int64)[value]
    several = np.array([len(one) > 1 for one in sets], dtype=bool)[value]
    if "elicitation" in found:
        given = np.asarray(found["elicitation"], dtype=object)
        if np.any(several & (given == "forced_choice")):
            bad = labels[int(value[np.flatnonzero(several & (given == "forced_choice"))[0]])]
            raise RatingsError(
                f"{ratings.name}, column value",
                "a forced choice names one option",
                found=shown(bad),
                next_step='Set elicitation to "response_set" for these rows',
            )
        return option, codes, several | (given == "response_set")
    return option, codes, several
