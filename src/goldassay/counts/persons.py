"""What each person, and each judge, said of each unit: for questions about single raters.

Ratings come back one by one, since who stands nearer to whom has no smaller sufficient statistic.
Abstentions, invalid verdicts and ties are resolved as the task says (`counts/modes.py`): here a
class of their own is a label, and what is left out is counted as excluded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.labels import combined, encoded
from goldassay.counts.modes import declared_modes
from goldassay.counts.units import By, unit_word
from goldassay.errors import RatingsError, shown
from goldassay.frozen import dataclass
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.fetch import fetch, filled
from goldassay.ratings.table import STATUSES, Ratings
from goldassay.ratings.task import Task
from goldassay.results import Exclusion

__all__ = ["Persons", "count_persons"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Persons:
    """Ratings one by one: `rater`, `unit` and `value` of people's [N] and of judges' [M].

    A value is a real number on a continuous scale, else the index of a label: the options, then
    K for abstained and K + 1 for invalid where these are classes.
    """

    people: tuple[str, ...]
    judges: tuple[str, ...]
    #: The cluster of each unit.
    cluster: Ints
    person: Ints
    person_unit: Ints
    person_value: Floats
    judge: Ints
    judge_unit: Ints
    judge_value: Floats
    exclusions: tuple[Exclusion, ...] = ()
    #: Of each judge, units that two people rated and it decides, and those it was given in vain.
    decided: tuple[int, ...] = ()
    silent: tuple[int, ...] = ()
    #: What a unit is called: an item, or a decision where items have several criteria.
    unit: str = "item"
    #: Columns that were asked for, by unit.
    by: Mapping[str, By] = field(default_factory=dict)

    @property
    def n_units(self) -> int:
        return len(self.cluster)

    def within(self, column: str, label: str) -> Persons:
        """The ratings of units with this label; units keep their numbers."""
        one = self.by[column]
        mine = one.codes == one.labels.index(label)
        people, judges = mine[self.person_unit], mine[self.judge_unit]
        return replace(
            self,
            person=self.person[people],
            person_unit=self.person_unit[people],
            person_value=self.person_value[people],
            judge=self.judge[judges],
            judge_unit=self.judge_unit[judges],
            judge_value=self.judge_value[judges],
        )


def count_persons(ratings: Ratings, *, by: Sequence[str] = ()) -> Persons:
    """Every usable rating, and why the others are not; a table of counts is the study's to make.

    `by` names columns whose labels tell units apart.
    """
    ratings.require(*by)
    ratings = each_once(ratings, parts=False)
    task = ratings.task
    continuous = task.scale == "continuous"
    value = "number" if continuous else "code"
    names = list(dict.fromkeys([*ratings.unit, "rater", ratings.cluster, *by]))
    found = fetch(
        ratings.frame.select(*names, "kind", "status", nw.col(value).cast(nw.Float64)),
        place=ratings.name,
    )
    values = filled(found[value], np.nan, np.float64)
    columns = {name: encoded(found[name]) for name in names}
    status = filled(found["status"], "", object)
    human = np.asarray(found["kind"], dtype=object) == "human"
    values, reason = _resolved(values, status, human, task)
    labels, rater = columns["rater"]
    # Engines give rows in different orders: one order, by unit, rater and value.
    unit = combined([columns[name][1] for name in ratings.unit])
    order = np.lexsort((values, rater, unit))
    unit, rater, values, human = unit[order], rater[order], values[order], human[order]
    reason = reason[order]
    several = _by_several(unit, rater, human & (reason == ""))
    alone = (reason == "") & _unmatched(unit, several, ~human & (reason == ""))
    reason = np.where(alone, "no second person, or no judge, rated the unit", reason)
    used = reason == ""
    given = _units_given(unit, rater, ~human & several[unit])
    decided = _units_given(unit, rater, ~human & used)
    kept, unit = np.unique(unit, return_inverse=True)
    cluster = np.zeros(len(kept), np.int64)
    cluster[unit] = columns[ratings.cluster][1][order]
    people, person = _own(labels, rater[used & human])
    judges, judge = _own(labels, rater[used & ~human])
    places = [labels.index(name) for name in judges]
    return Persons(
        people,
        judges,
        cluster,
        person,
        unit[used & human],
        values[used & human],
        judge,
        unit[used & ~human],
        values[used & ~human],
        (*ratings.exclusions, *_left_out(reason, rater, labels)),
        tuple(int(decided[place]) for place in places),
        tuple(int(given[place] - decided[place]) for place in places),
        unit_word(
            task.scale,
            criteria=len(columns.get("criterion", ((),))[0]),
            systems=len(columns.get("system", ((),))[0]),
        ),
        {name: _by(columns[name], unit, order, f"{ratings.name}, column {name}") for name in by},
    )


def _by(column: tuple[tuple[str, ...], Ints], unit: Ints, order: Ints, place: str) -> By:
    """The label of each unit; an error where the rows of one have several."""
    labels, codes = column[0], column[1][order]
    found = np.full(int(unit.max(initial=-1)) + 1, -1)
    found[unit] = codes
    mixed = np.flatnonzero(found[unit] != codes)
    if len(mixed):
        pair = sorted({labels[codes[mixed[0]]], labels[found[unit[mixed[0]]]]})
        raise RatingsError(
            place,
            "must have one label for all ratings of an item",
            found=" and ".join(map(shown, pair)),
            next_step="Use a column of items, such as a topic",
        )
    return By(labels, found)


def _resolved(
    values: Floats, status: npt.NDArray[np.object_], human: Bools, task: Task
) -> tuple[Floats, npt.NDArray[np.object_]]:
    """Values under the task's modes, and the reason why a row is not used ("" where it is)."""
    modes = declared_modes(task)
    reason = np.full(len(values), "", dtype=object)
    values = values.copy()
    for name in STATUSES[1:]:
        reason[status == name] = name
    if task.scale == "continuous":
        reason[(reason == "") & np.isnan(values)] = "no number"
        return values, reason
    abstained, invalid = status == "abstained", status == "invalid"
    if modes.abstentions == "recode" and modes.recode_to is not None:
        values[abstained] = task.options.index(modes.recode_to)
    if modes.abstentions != "exclude":
        reason[abstained] = ""
    if modes.invalids != "exclude":  # a class that people never have
        reason[invalid & ~human] = ""
    reason[(reason == "") & (values < 0)] = "a response set"
    if task.tie is not None and modes.ties == "exclude":
        reason[(reason == "") & (values == task.options.index(task.tie))] = "tie"
    return values, reason


def _by_several(unit: Ints, rater: Ints, usable: Bools) -> Bools:
    """Which units two people rated."""
    pairs = np.unique(np.stack([unit[usable], rater[usable]]), axis=1)
    return np.bincount(pairs[0], minlength=int(unit.max(initial=-1)) + 1) >= 2


def _unmatched(unit: Ints, several: Bools, judged: Bools) -> Bools:
    """Rows of units that no two people rated, or no judge."""
    by_judge = np.bincount(unit[judged], minlength=len(several)) > 0
    return np.asarray(~(several & by_judge)[unit])


def _units_given(unit: Ints, rater: Ints, rows: Bools) -> Ints:
    """How many units each rater has among some rows, up to the last rater that is in them."""
    pairs = np.unique(np.stack([unit[rows], rater[rows]]), axis=1)
    return np.bincount(pairs[1])


def _own(labels: tuple[str, ...], rater: Ints) -> tuple[tuple[str, ...], Ints]:
    used, codes = np.unique(rater, return_inverse=True)
    return tuple(labels[code] for code in used), codes.reshape(-1)


def _left_out(
    reason: npt.NDArray[np.object_], rater: Ints, labels: tuple[str, ...]
) -> tuple[Exclusion, ...]:
    out = []
    for why in sorted(set(reason.tolist()) - {""}):
        counts = np.bincount(rater[reason == why], minlength=len(labels))
        by = {labels[code]: int(counts[code]) for code in np.flatnonzero(counts)}
        out.append(Exclusion(why, sum(by.values()), {"rater": by}))
    return tuple(out)
