"""Who is nearer to the other people on an item, the judge or the person left out?

For each person and each item that this person, another one and the judge rated: the mean distance
of the judge to the other people, and that of the person to them. Distance is 0 or 1 where options
have no order (a tie that counts half is half away from either side), the squared distance of
grades and numbers, or what the task's matrix of weights leaves. The root that makes a squared
distance an RMSE changes no comparison, and none is taken.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.counts import Persons
from goldassay.counts.modes import declared_modes
from goldassay.frozen import dataclass
from goldassay.ratings.task import Task

__all__ = ["Closeness", "closeness", "distances_of"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Distances that differ by less, relative to the largest, are equal.
EQUAL = 1e-9


@dataclass(frozen=True)
class Closeness:
    """One entry for each person and item that a judge rated too.

    `judge_wins` is the share of the judge's answers at least as near to the others as the
    person's, `person_wins` the share to which the person is at least as near. Both are 1 where
    they are equally near.
    """

    person: Ints
    unit: Ints
    judge_wins: Floats
    person_wins: Floats


def distances_of(task: Task) -> Floats | None:
    """Distances between labels [K + 2, K + 2], abstained and invalid last; None for numbers."""
    if task.scale == "continuous":
        return None
    size = len(task.options)
    modes = declared_modes(task)
    distance = 1 - np.eye(size)
    if not isinstance(task.weights, str):
        distance = 1 - np.array(task.weights, dtype=np.float64)[:size, :size]
    elif task.scale == "ordinal":
        steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
        distance = steps if task.weights == "linear" else steps**2
    elif task.tie is not None and modes.ties == "half":
        at = task.options.index(task.tie)
        distance[at] = distance[:, at] = 0.5
        distance[at, at] = 0.0
    # What is no option is as far from every option as can be.
    out = np.full((size + 2, size + 2), distance.max())
    out[:size, :size] = distance
    np.fill_diagonal(out, 0.0)
    return out


def closeness(counted: Persons, judge: int, task: Task) -> Closeness:
    """The judge against every person, item by item.

    A person who rated an item several times is at the mean distance of these ratings, each answer
    of a judge that was asked several times counts its share.
    """
    answers = _answers(counted, judge)
    distances = distances_of(task)
    ratings = _Numbers(counted) if distances is None else _Labels(counted, distances)
    told = ~np.isnan(answers[:, ratings.unit])
    asked = told.sum(0)
    judge_wins, person_wins = np.zeros(len(ratings.unit)), np.zeros(len(ratings.unit))
    slack = EQUAL * ratings.largest
    for answer, given in zip(answers[:, ratings.unit], told, strict=True):
        away = ratings.away(np.where(given, answer, 0.0))
        judge_wins += given & (away <= ratings.own + slack)
        person_wins += given & (ratings.own <= away + slack)
    kept = (asked > 0) & (ratings.others > 0)
    share = 1 / asked[kept]
    return Closeness(
        ratings.person[kept],
        ratings.unit[kept],
        judge_wins[kept] * share,
        person_wins[kept] * share,
    )


def _answers(counted: Persons, judge: int) -> Floats:
    """The judge's answers [S, U], NaN where there are fewer."""
    mine = counted.judge == judge
    unit, value = counted.judge_unit[mine], counted.judge_value[mine]
    start = np.searchsorted(unit, unit)  # rows are in order of the unit
    place = np.arange(len(unit)) - start
    out = np.full((int(place.max(initial=0)) + 1, counted.n_units), np.nan)
    out[place, unit] = value
    return out


class _Ratings:
    """People's ratings, one entry for each person and unit."""

    def __init__(self, counted: Persons) -> None:
        size = max(len(counted.people), 1)
        pairs, self.entry = np.unique(
            counted.person_unit * size + counted.person, return_inverse=True
        )
        self.entry = self.entry.reshape(-1)
        self.unit, self.person = pairs // size, pairs % size
        self.times = np.bincount(self.entry, minlength=len(pairs)).astype(np.float64)
        #: How many other people rated the unit.
        number = np.bincount(self.unit, minlength=counted.n_units)
        self.others = number[self.unit] - 1


class _Labels(_Ratings):
    """Distances between labels, summed over the other people of a unit."""

    def __init__(self, counted: Persons, distances: Floats) -> None:
        super().__init__(counted)
        self.distances, self.largest = distances, float(distances.max())
        shares = np.zeros((len(self.unit), len(distances)))
        np.add.at(shares, (self.entry, counted.person_value.astype(np.int64)), 1.0)
        shares /= self.times[:, None]
        total = np.zeros((counted.n_units, len(distances)))
        np.add.at(total, self.unit, shares)
        # [entries, labels]: how far each label is from the other people, on average.
        rest = (total[self.unit] - shares) @ distances
        self.mean = rest / np.maximum(self.others, 1)[:, None]
        self.own = (self.mean * shares).sum(1)

    def away(self, answer: Floats) -> Floats:
        return np.asarray(self.mean[np.arange(len(answer)), answer.astype(np.int64)])


class _Numbers(_Ratings):
    """The mean squared distance to the others orders as the distance to their mean does."""

    def __init__(self, counted: Persons) -> None:
        super().__init__(counted)
        value = np.bincount(self.entry, counted.person_value, len(self.unit)) / self.times
        total = np.bincount(self.unit, value, counted.n_units)
        self.middle = (total[self.unit] - value) / np.maximum(self.others, 1)
        self.own = np.abs(value - self.middle)
        self.largest = float(np.abs(np.concatenate([value, counted.judge_value])).max(initial=0.0))

    def away(self, answer: Floats) -> Floats:
        return np.asarray(np.abs(answer - self.middle))
