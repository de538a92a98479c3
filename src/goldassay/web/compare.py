"""Where a judge and people say the same of a unit, and where they do not.

How each judge's verdict of each unit stands to people's ratings is kept in arrays, and only the
units whose labels changed are looked at again: a question about 100,000 units is a few masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.ratings.task import Task
from goldassay.web.cases import Cases, Given, Unit, Verdict
from goldassay.web.desk import Desk
from goldassay.web.reference import mode

__all__ = ["RELATIONS", "Case", "Filters", "Found", "Index", "relation"]

#: How a judge's verdict stands to people's ratings of the same unit, with the words for it.
RELATIONS = {
    "differ": "judge and people differ",
    "same": "judge and people say the same",
    "divided": "people are divided",
    "no_verdict": "the judge gave no verdict",
    "unlabelled": "nobody has labelled it",
    "waiting": "verdicts hidden until it is labelled",
}
_CODES = {name: code for code, name in enumerate(RELATIONS)}
_WAITING = _CODES["waiting"]

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Case(NamedTuple):
    """A unit and a judge: what the judge said, what people said, and how the two stand."""

    unit: Unit
    judge: str
    verdicts: tuple[Verdict, ...]
    people: tuple[Given, ...]
    relation: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What the reader asked to see; empty means all."""

    judge: str = ""
    system: str = ""
    criterion: str = ""
    relation: str = ""
    #: Words that the texts or the name of the item hold.
    search: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """The units that pass, widest apart first, and how many would pass with another choice."""

    units: Sequence[str]
    counts: Mapping[str, Mapping[str, int]]
    #: Units that pass and are kept from this reader until they are labelled.
    hidden: int


def relation(verdicts: Sequence[Verdict], people: Sequence[Given], task: Task) -> tuple[str, float]:
    """How the verdicts of one judge stand to people's ratings, and how far apart they are.

    Both sides speak by their commonest answer (their mean on a continuous scale). A verdict that is
    within a person's response set says the same.
    """
    said = [one.value for one in people if one.status == "rated"]
    if not said:
        return "unlabelled", 0.0
    found = [one.value for one in verdicts if one.status == "rated"]
    if not found:
        return "no_verdict", 0.0
    if task.scale == "continuous":
        distance = abs(sum(map(float, found)) / len(found) - sum(map(float, said)) / len(said))
        return ("same" if distance == 0 else "differ"), distance
    reference, verdict = mode(said), mode(found)
    if reference is None:
        return "divided", 0.0
    if verdict is None:
        return "no_verdict", 0.0
    sets = reference not in task.options and verdict in reference.split(task.separator)
    if verdict == reference or sets:
        return "same", 0.0
    order = {option: index for index, option in enumerate(task.options)}
    far = abs(order.get(verdict, 0) - order.get(reference, 0)) if task.scale == "ordinal" else 1
    return "differ", float(far)


@dataclass
class _Table:
    """A row for each unit and judge; codes stand for names."""

    cases: Cases
    keys: list[str]
    place: dict[str, int]
    unit: Ints
    judge: Ints
    relation: Ints
    distance: NDArray[np.float64]
    #: Unit -> the first of its rows and the one after the last.
    first: Ints
    systems: Ints
    opponents: Ints
    criteria: Ints
    words: list[str] = field(default_factory=list)
    read: int = 0


class Index:
    """The cases of a desk, ready to be filtered."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = RLock()
        self._table = self._made()

    def find(self, filters: Filters, rater: str = "") -> Found:
        """The units that pass the filters, for this reader.

        Of a unit that is not labelled yet, or whose batch is not done, no verdict is looked at.
        """
        with self._lock:
            table = self._now()
            cases = table.cases
            units = self._units(table, filters)
            seen = np.zeros(len(table.keys), bool)
            shown = [table.place[k] for k in self._desk.seen_by(rater) if k in table.place]
            seen[shown] = True
            open_, waiting = units["all"] & seen, units["all"] & ~seen
            rows = open_[table.unit]
            judge, wanted = _code(cases.judges, filters.judge), _CODES.get(filters.relation, -1)
            by_judge = rows & (table.judge == judge) if judge >= 0 else rows
            passing = by_judge & (table.relation == wanted) if wanted >= 0 else by_judge
            hidden = int(waiting.sum())
            pairs = np.unique(table.unit[by_judge] * len(_CODES) + table.relation[by_judge])
            relations = np.bincount(pairs % len(_CODES), minlength=len(_CODES))
            relations[_WAITING] = hidden
            any_judge = rows & (table.relation == wanted) if wanted >= 0 else rows
            counts = {
                "relation": dict(zip(RELATIONS, relations.tolist(), strict=True)),
                "judge": _tally(cases.judges, table.judge[any_judge]),
                "system": self._by_system(table, filters, seen, wanted),
                "criterion": self._by_criterion(table, filters, seen, wanted),
            }
            chosen = np.flatnonzero(waiting) if wanted == _WAITING else _apart(table, passing)
            return Found([table.keys[n] for n in chosen.tolist()], counts, hidden)

    def cases_of(self, key: str, filters: Filters) -> list[Case]:
        """What each judge said of a unit, of those that pass."""
        with self._lock:
            table = self._now()
            n = table.place[key]
            unit, people = table.cases.units[key], self._desk.people_of(key)
            found = []
            for row in range(int(table.first[n]), int(table.first[n + 1])):
                judge = table.cases.judges[table.judge[row]]
                stand = list(RELATIONS)[table.relation[row]]
                said = tuple(v for v in table.cases.verdicts[key] if v.judge == judge)
                if filters.judge in ("", judge) and filters.relation in ("", stand):
                    found.append(Case(unit, judge, said, people, stand))
            return found

    def _made(self) -> _Table:
        cases = self._desk.cases
        keys = list(cases.units)
        judges = {name: code for code, name in enumerate(cases.judges)}
        rows_unit: list[int] = []
        rows_judge: list[int] = []
        first = [0]
        for n, key in enumerate(keys):
            for judge in {v.judge: None for v in cases.verdicts.get(key, ())}:
                rows_unit.append(n)
                rows_judge.append(judges[judge])
            first.append(len(rows_unit))
        units = list(cases.units.values())
        table = _Table(
            cases,
            keys,
            {key: n for n, key in enumerate(keys)},
            np.array(rows_unit, np.int64),
            np.array(rows_judge, np.int64),
            np.full(len(rows_unit), _CODES["unlabelled"], np.int64),
            np.zeros(len(rows_unit)),
            np.array(first, np.int64),
            _codes(cases.systems, [unit.system for unit in units]),
            _codes(cases.systems, [unit.opponent for unit in units]),
            _codes(cases.criteria, [unit.criterion for unit in units]),
            [self._desk.all_texts.folded(unit) for unit in units],
        )
        _, table.read = self._desk.changes(0)
        self._stand(table, self._desk.people_by_unit())
        return table

    def _now(self) -> _Table:
        """The table, with what changed since it was last asked."""
        if self._table.cases is not self._desk.cases:
            self._table = self._made()
        changed, self._table.read = self._desk.changes(self._table.read)
        self._stand(self._table, dict.fromkeys(changed))
        return self._table

    def _stand(self, table: _Table, keys: Iterable[str]) -> None:
        for key in keys:
            if (n := table.place.get(key)) is None:
                continue
            people = self._desk.speaking(key)
            by_judge = _by_judge(table.cases.verdicts.get(key, ()))
            for row in range(int(table.first[n]), int(table.first[n + 1])):
                said = by_judge[table.cases.judges[table.judge[row]]]
                stand, far = relation(said, people, self._desk.task)
                table.relation[row], table.distance[row] = _CODES[stand], far

    def _units(self, table: _Table, filters: Filters) -> dict[str, Mask]:
        """The units that pass the filters on units, with and without each of them."""
        every = np.ones(len(table.keys), bool)
        words = every
        if filters.search:
            wanted = filters.search.casefold()
            words = np.fromiter((wanted in text for text in table.words), bool, len(table.words))
        system, criterion = every, every
        if filters.system:
            code = _code(table.cases.systems, filters.system)
            system = (table.systems == code) | (table.opponents == code)
        if filters.criterion:
            criterion = table.criteria == _code(table.cases.criteria, filters.criterion)
        return {
            "all": words & system & criterion,
            "system": words & criterion,
            "criterion": words & system,
        }

    def _by_system(
        self, table: _Table, filters: Filters, seen: Mask, wanted: int
    ) -> dict[str, int]:
        if len(table.cases.systems) < 2:
            return {}
        passing = self._passing(table, filters, seen, wanted, "system")
        found = _tally(table.cases.systems, table.systems[passing])
        rivals = passing & (table.opponents != table.systems)
        other = _tally(table.cases.systems, table.opponents[rivals])
        return {name: found.get(name, 0) + other.get(name, 0) for name in table.cases.systems}

    def _by_criterion(
        self, table: _Table, filters: Filters, seen: Mask, wanted: int
    ) -> dict[str, int]:
        if len(table.cases.criteria) < 2:
            return {}
        passing = self._passing(table, filters, seen, wanted, "criterion")
        return _tally(table.cases.criteria, table.criteria[passing])

    def _passing(
        self, table: _Table, filters: Filters, seen: Mask, wanted: int, without: str
    ) -> Mask:
        """The units that pass all filters but one."""
        units = self._units(table, filters)[without]
        if wanted == _WAITING:
            return units & ~seen
        rows = (units & seen)[table.unit]
        if filters.judge:
            rows &= table.judge == _code(table.cases.judges, filters.judge)
        if wanted >= 0:
            rows &= table.relation == wanted
        found = np.zeros(len(table.keys), bool)
        found[table.unit[rows]] = True
        return found


def _apart(table: _Table, rows: Mask) -> Ints:
    """The units of some rows, widest apart first."""
    at = np.flatnonzero(rows)
    units = table.unit[at[np.argsort(-table.distance[at], kind="stable")]]
    _, first = np.unique(units, return_index=True)
    return units[np.sort(first)]


def _code(names: Sequence[str], name: str) -> int:
    return names.index(name) if name else -1


def _codes(names: Sequence[str], values: Sequence[str]) -> Ints:
    codes = {name: code for code, name in enumerate(names)}
    return np.array([codes.get(value, -1) for value in values], np.int64)


def _tally(names: Sequence[str], codes: Ints) -> dict[str, int]:
    counts = np.bincount(codes[codes >= 0], minlength=len(names))
    return dict(zip(names, counts.tolist(), strict=True))


def _by_judge(verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    found: dict[str, list[Verdict]] = {}
    for one in verdicts:
        found.setdefault(one.judge, []).append(one)
    return found
