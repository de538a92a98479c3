"""How abstentions, invalid verdicts and ties are resolved: units to square tables of counts.

Every question that counts verdicts against a reference resolves them here, so that the same task
gives the same table everywhere. What is left out is counted by `pairing_exclusions`.

- Abstentions: `exclude` leaves them out, `recode` makes them the option `recode_to` (people's too),
  `class` makes them a class of their own.
- Invalid verdicts: `exclude` leaves them out; `wrong` makes them the other answer of a yes-no
  question, and otherwise, as `class` does, a class that the reference never has.
- Ties of a pairwise task: `exclude` leaves them out, `half` gives half to each side, `class` keeps
  them. Failed calls have no verdict.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from goldassay.counts.units import Units, reference_weights
from goldassay.frozen import dataclass
from goldassay.inference.cells import MOST_OPTIONS, Cells, outer_cells
from goldassay.inference.clusters import distinct_clusters
from goldassay.inference.strata import MOST_CELLS, Strata
from goldassay.ratings.drawing import DRAWN, NONE
from goldassay.ratings.task import Task

__all__ = [
    "DeclaredModes",
    "LabelDraw",
    "Modes",
    "Resolution",
    "Tables",
    "by_cluster",
    "compared",
    "declared_modes",
    "resolved_tables",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Modes(Protocol):
    """How each kind of rating that is not a plain verdict is resolved."""

    @property
    def abstentions(self) -> Literal["exclude", "recode", "class"]: ...
    @property
    def invalids(self) -> Literal["exclude", "wrong", "class"]: ...
    @property
    def ties(self) -> Literal["half", "exclude", "class"]: ...
    @property
    def recode_to(self) -> str | None: ...


@dataclass(frozen=True)
class DeclaredModes:
    """The modes that a task declares."""

    abstentions: Literal["exclude", "recode", "class"]
    invalids: Literal["exclude", "wrong", "class"]
    ties: Literal["half", "exclude", "class"]
    recode_to: str | None


def declared_modes(task: Task) -> DeclaredModes:
    """The task's own modes; without a tie option there is nothing to resolve about ties."""
    ties = task.ties if task.tie is not None else "class"
    return DeclaredModes(task.abstentions, task.invalids, ties, task.recode_to)


@dataclass(frozen=True)
class LabelDraw:
    """Strata within which units were drawn to be labelled: of each pattern [P] its stratum, -1 for
    none, whether people rated it, and for how many units one that they rated stands."""

    stratum: Ints
    rated: npt.NDArray[np.bool_]
    stands_for: Floats

    @classmethod
    def of(cls, units: Units) -> LabelDraw | None:
        """That of units which carry the stratum they were drawn by, within criteria."""
        held, criterion = units.by.get(DRAWN), units.by.get("criterion")
        if units.stands_for is None or held is None:
            return None
        known = np.array([int(label or NONE) for label in held.labels], np.int64)[held.codes] >= 0
        codes = held.codes
        if criterion is not None:
            codes = criterion.codes * len(held.labels) + codes
        rated = np.asarray(units.human.any(axis=1))
        return cls(np.where(known, codes, -1), rated, units.stands_for)


@dataclass(frozen=True)
class Tables:
    """A judge's tables under a mode: one L x L table for each pattern of units.

    `labels` are the classes of both sides in order: the task's options (`size` of them, less a
    tie that was resolved), then "abstained" or "invalid" where these are classes.
    """

    labels: tuple[str, ...]
    size: int
    cells: Cells
    n: Ints
    cluster: Ints
    single: bool
    #: As in `Units`.
    alike: Ints | None = None
    #: How labels were drawn; None where each counts for itself.
    draw: LabelDraw | None = None
    #: People's labels of each pattern [P, K + 1], whether the judge decides it or not.
    people: Floats | None = None

    @property
    def total(self) -> Floats:
        size, cells = len(self.labels), self.cells
        place, value = cells.row * size + cells.column, cells.value * self.n[cells.owner]
        return np.asarray(np.bincount(place, value, size * size), np.float64).reshape(size, size)

    @property
    def decided(self) -> npt.NDArray[np.bool_]:
        """The patterns [P] that count in some cell."""
        return self.sizes > 0

    @property
    def hits(self) -> Floats:
        """What agrees of each pattern's unit [P]."""
        return self.cells.sums()[0][:, 0]

    @property
    def sizes(self) -> Floats:
        """For how many decisions a unit of each pattern counts [P]."""
        return self.cells.sums()[1][:, 0]

    def only(self, mask: npt.NDArray[np.bool_]) -> Tables:
        """The tables of some patterns; those of the others are empty."""
        return replace(self, cells=self.cells.only(mask))

    def clusters(self, group: Ints | None = None, groups: int = 1) -> tuple[Floats | Cells, Ints]:
        """Tables [C, groups, L, L] of the distinct clusters, and how many clusters have each.

        By their cells where there are many options.
        """
        cells = self.cells if group is None else self.cells.grouped(group, groups)
        return by_cluster(cells, self.n, None if self.single else self.cluster, self.alike)

    @property
    def strata(self) -> Strata | None:
        """The labelled decisions by the strata that they were drawn within; None where they were
        not, or there are too many cells."""
        if self.draw is None or not len(self.cells.value):
            return None
        draw, cells = self.draw, self.cells
        # Units of no stratum that people rated are one of their own, of which all are rated.
        known = draw.stratum >= 0
        _, stratum = np.unique(draw.stratum, return_inverse=True)
        stratum = stratum.reshape(-1)
        number = int(stratum.max()) + 1
        rows = [at for at, name in enumerate(self.labels) if at < self.size or name != "invalid"]
        pairs = np.unique(stratum[cells.owner] * len(self.labels) + cells.column)
        if len(pairs) * len(rows) > MOST_CELLS:
            return None
        column = np.repeat(pairs % len(self.labels), len(rows))
        of, row = np.repeat(pairs // len(self.labels), len(rows)), np.tile(rows, len(pairs))
        place = np.searchsorted(pairs, stratum[cells.owner] * len(self.labels) + cells.column)
        at = place * len(rows) + np.searchsorted(rows, cells.row)
        width = len(of) + 2 * number
        unit = np.zeros((len(self.n), width))
        np.add.at(unit, (cells.owner, at), cells.value / draw.stands_for[cells.owner])
        every = np.arange(len(self.n))
        unit[every, len(of) + stratum] = draw.rated
        unit[every, len(of) + number + stratum] = known | draw.rated
        unit, times = _summed(unit, self)
        sums = times @ unit[:, len(of) :]
        rated, pool = sums[:number], sums[number:]
        stands = np.ones(number)
        stands[stratum[draw.rated]] = draw.stands_for[draw.rated]
        worth = np.divide(stands * rated, pool, out=np.zeros(number), where=pool > 0)
        counts, some, every_one = np.split(unit, [len(of), len(of) + number], axis=1)
        classes = of, row, column, len(self.labels)
        return Strata(counts, some, every_one, times, *classes, worth, self.size)


def _summed(unit: Floats, tables: Tables) -> tuple[Floats, Ints]:
    """What units of each pattern [P, W] add up to by cluster, equal clusters merged."""
    used = unit.any(axis=1) & (tables.n > 0)
    unit, times = unit[used], tables.n[used]
    if not tables.single:
        labels, code = np.unique(tables.cluster[used], return_inverse=True)
        number = np.ones(len(labels), np.int64) if tables.alike is None else tables.alike[labels]
        code = code.reshape(-1)
        sums = np.zeros((len(labels), unit.shape[1]))
        np.add.at(sums, code, unit * (times // number[code])[:, None])
        unit, times = sums, number
    return distinct_clusters(unit, times)


def by_cluster(
    cells: Cells, n: Ints, cluster: Ints | None, alike: Ints | None = None, *, apart_up_to: int = 1
) -> tuple[Floats | Cells, Ints]:
    """Tables of the distinct clusters from those of patterns, and how many clusters have each.

    `n[p]` units have the tables of pattern p, in the cluster `cluster[p]`, or each its own;
    `alike[c]` clusters are like c (one each, where it is None). Whole tables, by their cells where
    there are many options. Up to `apart_up_to` clusters are left as they are; without a count there
    is none.
    """
    used = cells.totals() > 0
    cells, times = cells.kept(used), n[used]
    if cluster is not None:
        labels, code = np.unique(cluster[used], return_inverse=True)
        number = np.ones(len(labels), np.int64) if alike is None else alike[labels]
        code = code.reshape(-1)
        cells, times = cells.summed(code, len(labels), times // number[code]), number
        apart_up_to = apart_up_to if alike is None else 1  # those alike are together already
    if cells.size <= MOST_OPTIONS:
        return distinct_clusters(cells.dense(), times, apart_up_to=apart_up_to)
    return (cells, times) if len(times) <= apart_up_to else cells.distinct(times)


class Resolution:
    """How verdicts on the same units become tables: their reference, resolved once."""

    def __init__(self, units: Units, modes: Modes) -> None:
        self._units, self._modes, self._to = units, modes, None
        human, size = units.human, len(units.options)
        if modes.abstentions == "recode" and modes.recode_to is not None:
            self._to = units.options.index(modes.recode_to)
            human = _recoded(human, self._to, size)
        as_class = modes.abstentions == "class"
        voted = units if human is units.human else replace(units, human=human)
        self._reference, _, _ = reference_weights(voted, abstained=as_class)
        # Declared weights count relative to one another: on average a unit is one decision.
        self._weight = _relative(units.weight, units.n)
        self._draw = draw = LabelDraw.of(units)
        if draw is not None:
            own = self._weight
            self._weight = _relative(own * draw.stands_for, units.n)
            each = np.divide(self._weight, own, out=np.ones_like(own), where=own > 0)
            self._draw = replace(draw, stands_for=each)

    def tables(self, shares: Floats) -> Tables:
        """Tables against verdict shares [P, K + 3] (`verdict_shares`, or a panel's)."""
        units, modes, size = self._units, self._modes, len(self._units.options)
        if self._to is not None:
            shares = _recoded(shares, self._to, size)
        pattern = shares * self._weight[:, None]
        cells, labels, size = compared(self._reference, pattern, units, modes)
        unit = units.n, units.cluster, units.single, units.alike
        return Tables(labels, size, cells, *unit, self._draw, self._reference)

    def sides(self, shares: Floats) -> tuple[Floats, Floats]:
        """What each side says of a unit, by itself: shares [P, K + 3] of people, of a judge.

        Options, then abstained, invalid, and what a side left open (failed, no verdict, people
        level). A row sums to 1; one of zeros is a unit that nobody asked people about.
        """
        units, size = self._units, len(self._units.options)
        if self._to is not None:
            shares = _recoded(shares, self._to, size)
        people = np.zeros((len(units.n), size + 3))
        total = self._reference.sum(1)
        known = total > 0
        people[known, : size + 1] = self._reference[known] / total[known, None]
        abstained = ~known & (units.human[:, size] > 0) & (units.human[:, :size].sum(1) == 0)
        people[abstained, size] = 1.0
        asked = units.human.any(axis=1)
        if units.resolved is not None:
            asked |= units.resolved >= 0
        judge = shares.copy()
        for side in (people, judge):
            side[:, size + 2] += np.clip(1.0 - side.sum(1), 0.0, 1.0)
            side[~asked] = 0.0
        return people, judge

    @property
    def weight(self) -> Floats:
        """For how many decisions a unit of each pattern counts [P], 1 on average."""
        return self._weight

    def joint(self, *judges: Floats) -> Floats:
        """Cells [P, R, R + 1, ...]: the reference, and each judge's verdict by the same rules.

        From verdict shares [P, K + 3] of judges whose answers are independent given the unit. The
        last place is that of a verdict which is left out. Summed over all judges but one, and
        without the last place, they are the cells of that judge's `tables`.
        """
        units, modes, size = self._units, self._modes, len(self._units.options)
        if self._to is not None:
            judges = tuple(_recoded(one, self._to, size) for one in judges)
        invalid = modes.invalids != "exclude" and not (modes.invalids == "wrong" and size == 2)
        some = invalid and any(one[:, size + 1].any() for one in judges)
        places = _Places.of(units.options, modes, units.task.tie, invalid=some)
        found = np.zeros((len(units.n), places.size, *(places.size + 1,) * len(judges)))
        for row, share, to, columns in places.rows:
            cells = self._reference[:, row] * share * self._weight
            for one in judges:
                cells = cells[..., None] * (one @ columns).reshape(
                    len(one), *(1,) * (cells.ndim - 1), -1
                )
            found[:, to] += cells
        return found


@dataclass(frozen=True)
class _Places:
    """Where a reference and verdicts beside it come to stand among `size` classes.

    A row is one of the reference, the share of it that goes to a class, that class, and the places
    [K + 3, size + 1] of verdicts beside it, the last of which is to be left out.
    """

    size: int
    rows: tuple[tuple[int, float, int, Floats], ...]

    @classmethod
    def of(
        cls, options: tuple[str, ...], modes: Modes, tie: str | None, *, invalid: bool
    ) -> _Places:
        number = len(options)
        at = options.index(tie) if tie is not None and modes.ties != "class" else None
        kept = [k for k in range(number) if k != at]
        as_class = modes.abstentions == "class"
        size = len(kept) + as_class + invalid
        columns = np.zeros((number + 3, size + 1))
        columns[kept, range(len(kept))] = 1.0
        columns[number, len(kept) if as_class else size] = 1.0
        columns[number + 1, size - 1 if invalid else size] = 1.0
        columns[number + 2, size] = 1.0
        half = at is not None and modes.ties == "half"
        if at is not None:
            columns[at, range(len(kept))] = 1 / len(kept) if half else 0.0
            columns[at, size] = 0.0 if half else 1.0
        rows = []
        for place, k in enumerate(kept):
            beside = columns.copy()
            if modes.invalids == "wrong" and number == 2:  # the other answer to a yes-no question
                beside[number + 1] = np.eye(size + 1)[1 - place]
            rows.append((k, 1.0, place, beside))
        for place in range(len(kept)) if half else ():
            beside = columns.copy()  # two ties agree whichever side is drawn
            beside[at] = np.eye(size + 1)[place]
            rows.append((at or 0, 1 / len(kept), place, beside))
        if as_class:
            rows.append((number, 1.0, len(kept), columns))
        return cls(size, tuple(rows))


def _relative(weight: Floats, n: Ints) -> Floats:
    """Weights [P] of which a unit has 1 on average."""
    mean = float(weight @ n) / max(int(n.sum()), 1)
    return weight / mean if mean > 0 else weight


def _recoded(counts: npt.NDArray[Any], to: int, size: int) -> npt.NDArray[Any]:
    """Counts by option and state with abstentions as an option."""
    found = counts.copy()
    found[:, to] += found[:, size]
    found[:, size] = 0
    return found


def resolved_tables(units: Units, shares: Floats, modes: Modes) -> Tables:
    """Tables of reference against verdict shares [P, K + 3]."""
    return Resolution(units, modes).tables(shares)


def compared(
    reference: Floats, verdicts: Floats, units: Units, modes: Modes
) -> tuple[Cells, tuple[str, ...], int]:
    """Cells of references [N, K + 1] against verdict shares [N, K + 3] under the modes.

    With their classes' names, and how many of these are options.
    """
    cells, labels = _square(reference, verdicts, units.options, modes)
    if units.task.tie is not None and modes.ties != "class":
        return _without_tie(cells, labels, units.task.tie, modes.ties, len(units.options))
    return cells, labels, len(units.options)


def _square(
    reference: Floats, pattern: Floats, options: tuple[str, ...], modes: Modes
) -> tuple[Cells, tuple[str, ...]]:
    """Reference x verdict over the options and the classes that the modes keep."""
    size = len(options)
    labels, new = list(options), np.full(size + 3, -1)
    new[:size] = np.arange(size)
    if modes.abstentions == "class":
        new[size] = len(labels)
        labels.append("abstained")
    rows = new.copy()
    other = modes.invalids == "wrong" and size == 2
    if not other and modes.invalids != "exclude" and pattern[:, size + 1].any():
        new[size + 1] = len(labels)
        labels.append("invalid")
    every = outer_cells(reference, pattern)
    row, column = rows[every.row], new[every.column]
    if other:  # the wrong answer to a yes-no question is the other answer
        column = np.where((every.column == size + 1) & (row < size), 1 - row, column)
    found = replace(every, row=row, column=column, shape=(len(reference), 1, len(labels)))
    return found.where((row >= 0) & (column >= 0)), tuple(labels)


def _without_tie(
    cells: Cells, labels: tuple[str, ...], tie: str, rule: str, size: int
) -> tuple[Cells, tuple[str, ...], int]:
    """Ties left out, or half a vote to each side (two ties agree whichever side is drawn)."""
    at = labels.index(tie)
    rest = [index for index in range(len(labels)) if index != at]
    sides = [index for index, label in enumerate(labels[:size]) if label != tie]
    row, column = cells.row == at, cells.column == at
    parts = [cells.where(~row & ~column)]
    for side in sides if rule == "half" else ():
        for mask in (row & ~column, ~row & column, row & column):
            half = cells.where(mask)
            parts.append(
                replace(
                    half,
                    row=np.where(half.row == at, side, half.row),
                    column=np.where(half.column == at, side, half.column),
                    value=half.value / 2,
                )
            )
    new = np.full(len(labels), -1)
    new[rest] = np.arange(len(rest))
    owner, group, rows, columns, value = (
        np.concatenate([getattr(one, name) for one in parts])
        for name in ("owner", "group", "row", "column", "value")
    )
    shape = (cells.shape[0], 1, len(rest))
    found = Cells(owner, group, new[rows], new[columns], value, shape)
    return found, tuple(labels[index] for index in rest), size - 1
