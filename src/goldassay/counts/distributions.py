"""Distributions: for each unit, how people's and each judge's ratings spread over the options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.labels import Labelled, combined, encoded, in_use, is_label, put_together
from goldassay.counts.units import unit_word
from goldassay.errors import RatingsError, shown
from goldassay.frozen import dataclass
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.fetch import fetch, filled
from goldassay.ratings.table import Ratings, parse_response_set
from goldassay.results import Exclusion
from goldassay.sources.engine import coded

__all__ = ["Distributions", "count_distributions"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: Rows whose texts are held at once, unless a single rater has more.
MOST_ROWS = 250_000
#: Labels of a column that the engine is told of, to number its cells.
MOST_LABELS = 50_000


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
    texts = [*ratings.unit, "kind", "rater", "value", ratings.cluster]
    texts += ["elicitation"] if "elicitation" in ratings.columns else []
    texts += [raters_by] if raters_by else []
    numbers = ["weight"] if "weight" in ratings.columns else []
    cells, found = _rows_by(ratings, list(dict.fromkeys(texts)), numbers)
    if not len(found["rows"]):
        raise RatingsError(ratings.name, "has no rated row", next_step="Run goldassay check")
    judging = np.unique(cells["rater"][1][~is_label(cells["kind"], "human")])
    criteria, systems = (len(cells.get(one, ((),))[0]) for one in ("criterion", "system"))
    cells, found, alone = _with_people(ratings, cells, found)
    amounts = found["rows"]
    unit = combined([cells[name][1] for name in ratings.unit])
    names = _names([cells[name] for name in ratings.unit], unit)
    labels, cluster_of_row = cells[ratings.cluster]
    cluster = np.zeros(len(names), np.int64)
    cluster[unit] = cluster_of_row
    option, chosen, is_set = values_of(ratings, cells)
    if numbers:
        amounts = amounts * _shared_out(unit, found["weight"])
    people = is_label(cells["kind"], "human")
    size, sets, count = len(task.options), task.sets, len(names)

    def spread(rows: npt.NDArray[np.bool_], group: Ints, groups: int) -> tuple[Floats, Floats]:
        """Rows of several groups by unit and option, and by unit and response set."""

        def summed(kept: npt.NDArray[np.bool_], code: Ints, width: int) -> Floats:
            place = (group[kept] * count + unit[kept]) * width + code[kept]
            sums = np.bincount(place, amounts[kept], groups * count * width)
            return np.asarray(sums, np.float64).reshape(groups, count, width)

        return summed(rows & ~is_set, option, size), summed(rows & is_set, chosen, len(sets))

    (human_forced,), (human_sets,) = spread(people, np.zeros(len(unit), np.int64), 1)
    judges = tuple(cells["rater"][0][one] for one in judging)
    judge = np.searchsorted(judging, cells["rater"][1])
    judge_forced, judge_sets = spread(~people, judge, len(judges))
    groups: dict[str, tuple[Floats, Floats]] = {}
    if raters_by:
        named, code = cells[raters_by]
        seen = np.unique(code[people])
        names_of_groups, group = tuple(named[one] for one in seen), np.searchsorted(seen, code)
        by_group = spread(people, group, len(names_of_groups))
        groups = dict(zip(names_of_groups, zip(*by_group, strict=True), strict=True))
    return Distributions(
        options=task.options,
        sets=sets,
        items=names,
        cluster=cluster,
        n_clusters=len(labels),
        judges=judges,
        human_forced=human_forced,
        human_sets=human_sets,
        judge_forced=judge_forced,
        judge_sets=judge_sets,
        groups=groups,
        exclusions=(*ratings.exclusions, *ratings.not_rated(), *alone),
        rows=ratings.census.rows,
        unit=unit_word(task.scale, criteria=criteria, systems=systems),
    )


def _with_people(
    ratings: Ratings, cells: dict[str, Labelled], found: dict[str, Floats]
) -> tuple[dict[str, Labelled], dict[str, Floats], tuple[Exclusion, ...]]:
    """The rows of units that people rated, and how many verdicts on others are left out.

    Where nobody rated anything, all rows: that is told otherwise.
    """
    people = is_label(cells["kind"], "human")
    unit = combined([cells[name][1] for name in ratings.unit])
    kept = np.isin(unit, unit[people])
    if kept.all() or not people.any():
        return cells, found, ()
    labels, rater = cells["rater"]
    rows = np.bincount(rater[~kept], found["rows"][~kept], len(labels))
    who = {name: int(number) for name, number in zip(labels, rows, strict=True) if number}
    alone = Exclusion("no human reference", sum(who.values()), {"rater": who})
    used = {name: in_use(every, codes[kept]) for name, (every, codes) in cells.items()}
    return (
        used | {"rater": (labels, rater[kept])},  # a judge of none of them stays one
        {name: numbers[kept] for name, numbers in found.items()},
        (alone,),
    )


def _rows_by(
    ratings: Ratings, texts: Sequence[str], numbers: Sequence[str]
) -> tuple[dict[str, Labelled], dict[str, Floats]]:
    """The labels and numbers of rated rows, and in `rows` how many rows there are of each.

    Texts come back as objects, a hundred bytes each. Of many rows the embedded engine numbers them
    where their labels are few; else those of some raters come at a time.
    """
    rated = ratings.frame.filter(nw.col("status") == nw.lit("rated"))
    embedded = ratings.frame.implementation is nw.Implementation.DUCKDB
    if not embedded or ratings.census.rows <= MOST_ROWS:
        return _texts_by(ratings, rated, texts, numbers, [None])
    labels = {name: _labels(ratings, rated, name) for name in texts}
    if max(map(len, labels.values())) > MOST_LABELS:
        some = _some_at_a_time(ratings)
        return _texts_by(ratings, rated, texts, numbers, some)
    frame: nw.LazyFrame[Any] = nw.from_native(coded(rated.to_native(), labels, numbers))
    found = fetch(frame, place=ratings.name)
    cells = {name: (labels[name], found.pop(name).astype(np.int64)) for name in texts}
    rows = np.ones(len(cells[texts[0]][1]))
    return cells, {name: filled(found[name], 1.0, float) for name in numbers} | {"rows": rows}


def _labels(ratings: Ratings, rated: nw.LazyFrame[Any], name: str) -> tuple[str, ...]:
    """The labels of a column, or some of them where they are too many."""
    distinct = rated.group_by(name).agg(nw.len().alias("(rows)")).head(MOST_LABELS + 1)
    return encoded(fetch(distinct, place=ratings.name)[name])[0]


def _texts_by(
    ratings: Ratings,
    rated: nw.LazyFrame[Any],
    texts: Sequence[str],
    numbers: Sequence[str],
    parts: Iterable[list[str] | None],
) -> tuple[dict[str, Labelled], dict[str, Floats]]:
    """`_rows_by` as texts, those of some raters at a time; None for all."""
    cells: dict[str, list[Labelled]] = {name: [] for name in texts}
    amounts: dict[str, list[Floats]] = {name: [] for name in (*numbers, "rows")}
    for raters in parts:
        some = rated if raters is None else rated.filter(nw.col("rater").is_in(raters))
        counted = some.group_by(*texts, *numbers).agg(rows=nw.len())
        found = fetch(counted, place=ratings.name)
        for name in texts:
            cells[name].append(encoded(found.pop(name)))
        for name, column in amounts.items():
            column.append(filled(found[name], 1.0, float))
    return (
        {name: put_together(one) for name, one in cells.items()},
        {name: np.concatenate(one) for name, one in amounts.items()},
    )


def _some_at_a_time(ratings: Ratings) -> Iterator[list[str]]:
    """Raters whose rows are fetched together."""
    rows: Counter[str] = Counter()
    for (_, rater, _), number in ratings.census.counts.items():
        rows[rater] += number
    some: list[str] = []
    for rater in sorted(rows):
        if some and sum(rows[one] for one in (*some, rater)) > MOST_ROWS:
            yield some
            some = []
        some.append(rater)
    yield some


def _names(columns: Sequence[Labelled], unit: Ints) -> tuple[str, ...]:
    """What each unit is called, from the columns that name it."""
    row = np.zeros(int(unit.max()) + 1, np.int64)
    row[unit] = np.arange(len(unit))
    parts = [[labels[code] for code in codes[row]] for labels, codes in columns]
    return tuple(" · ".join(one).rstrip(" ·") for one in zip(*parts, strict=True))


def _shared_out(unit: Ints, weight: Floats) -> Floats:
    """Weights that share a rating out among options; 1 where all ratings of an item weigh alike.

    What is the same for all ratings of an item weighs the item, and is no number of its raters.
    """
    low, high = np.full(unit.max() + 1, np.inf), np.full(unit.max() + 1, -np.inf)
    np.minimum.at(low, unit, weight)
    np.maximum.at(high, unit, weight)
    return np.where((low == high)[unit], 1.0, weight)


def values_of(
    ratings: Ratings, cells: Mapping[str, Labelled]
) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """For each row the option, the response set, and which of the two it is."""
    task = ratings.task
    labels, value = cells["value"]
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
    if "elicitation" not in cells:
        return option, codes, several
    wrong = np.flatnonzero(several & is_label(cells["elicitation"], "forced_choice"))
    if len(wrong):
        raise RatingsError(
            f"{ratings.name}, column value",
            "a forced choice names one option",
            found=shown(labels[int(value[wrong[0]])]),
            next_step='Set elicitation to "response_set" for these rows',
        )
    return option, codes, several | is_label(cells["elicitation"], "response_set")
