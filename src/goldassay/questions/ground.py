"""What results stand on, and what they would be had no verdict been missing.

Every question has the ground of its ratings (`GroundOfRatings`, by `asking.made`). Where nothing
more is known, a result of a judge with missing verdicts has no bound, so that no gate on it holds.

A labelled unit on which a judge was asked and gave no usable verdict (no row, an empty cell,
failed, abstained or invalid where the task leaves these out) might have had any. A fill gives the
missing verdicts of a judge one option for each reference that people gave; a question is asked
again under fills, by its own study, so that a bound is made like the number itself.

Where there are few fills all are tried. Of more, each reference's option is changed in turn until
nothing moves the result further, from several beginnings: exact for what is a ratio of sums of the
filled cells (accuracy, rates, precision, F1, kappa, weighted kappa), since it is largest and least
at such corners, and a search for the rest (macro F1, phi, alpha, ends of intervals). A mean over
criteria is filled in each by itself. What a missing verdict does to a whole item hangs on the
item's other criteria, which no fill by reference tells: there is no bound of whole items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts import (
    PairedScores,
    Units,
    count_paired_scores,
    count_units,
    reference_weights,
)
from goldassay.errors import InputError
from goldassay.frozen import dataclass
from goldassay.questions.agree.modes import declared_mode, modes_of
from goldassay.ratings.table import STATUSES, Census, Ratings
from goldassay.results import Row

__all__ = ["OF_STATUS", "GroundOfParts", "GroundOfRatings", "GroundOfScores", "GroundOfUnits"]

Record = Mapping[str, Any]
#: The option that the missing verdicts become, of each cell.
Fill = tuple[int, ...]
#: A judge, a criterion (-1 where all are filled alike) and a reference.
Cell = tuple[str, int, bytes]
Asked = Callable[..., Iterable[Row]]

#: So many fills are all tried, and so many more are looked at of others on the way to an end.
ALL_FILLS, MOST_FILLS = 16, 400
#: What is about whether there is a verdict, which no fill changes.
OF_STATUS = frozenset({"coverage", "abstention_rate", "invalid_rate", "failed_rate"})
#: What is about a passport, in whatever question.
OF_PASSPORT = frozenset({"passport_fresh"})
#: More raters than this are not held against one another; on fewer items all may agree by chance.
MAX_RATERS, LEAST_COPIED = 40, 20


@dataclass(frozen=True)
class GroundOfRatings:
    """The ratings behind a question's results, counted when a gate asks.

    `steady` names results that no missing verdict could change; `counted` and `ask` are the
    question's own counts, and itself, where it can be asked of units with fills.
    """

    ratings: Ratings
    steady: frozenset[str] = frozenset()
    #: Judges in the table, of which those asked about may be some.
    n_judges: int = 0
    counted: Units | PairedScores | None = None
    ask: Asked | None = None
    found: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy elsewhere has the counts, not the table."""
        return _same, (self.counts,)

    @property
    def counts(self) -> GroundOfUnits | GroundOfScores | Uncounted:
        if not self.found:
            self.found.append(self._made())
        made: GroundOfUnits | GroundOfScores | Uncounted = self.found[0]
        return made

    def _made(self) -> GroundOfUnits | GroundOfScores | Uncounted:
        ratings, steady = self.ratings, self.steady | OF_PASSPORT
        judges = self.n_judges or len(ratings.judges)
        try:
            counted = self.counted or (
                count_paired_scores(ratings)
                if ratings.task.scale == "continuous"
                else count_units(ratings)
            )
        except InputError:  # its units cannot be told, as where a judge rates them again and again
            lost = {r for (kind, r, s), n in ratings.census.counts.items() if _in_vain(kind, s, n)}
            return Uncounted(frozenset(lost), frozenset(ratings.judges), steady)
        if isinstance(counted, PairedScores):
            return GroundOfScores(counted, judges, ratings.narrowed, steady)
        copies = copies_of(ratings)
        units = replace(counted)  # without what questions found of it
        return GroundOfUnits(units, self.ask, judges, ratings.narrowed, steady, copies)

    def account(self, row: Record) -> Record:
        return self.counts.account(row)

    def under_missing(self, row: Record, end: str) -> Sequence[Record] | None:
        return self.counts.under_missing(row, end)


def _same(one: Any) -> Any:
    return one


def _in_vain(kind: str, status: str, rows: int) -> bool:
    return kind == "judge" and status != "rated" and rows > 0


@dataclass(frozen=True)
class Uncounted:
    """The ground of ratings whose units cannot be counted: which judges have rows without a
    verdict."""

    lost: frozenset[str]
    judges: frozenset[str]
    steady: frozenset[str]

    def account(self, row: Record) -> Record:
        return {}

    def under_missing(self, row: Record, end: str) -> Sequence[Record] | None:
        about = _about(row, self.judges) or self.judges
        return None if row["name"] not in self.steady and about & self.lost else ()


def copies_of(ratings: Ratings) -> Mapping[str, tuple[str, ...]]:
    """Judge -> raters, people too, with the very same rating wherever both rated."""
    people, judges = set(ratings.humans), set(ratings.judges)
    if people & judges or not judges or len(people | judges) > MAX_RATERS:
        return {}
    counts: dict[tuple[str, str, str], int] = {}
    for (kind, rater, status), rows in ratings.census.counts.items():
        if kind in ("human", "judge"):
            counts["judge", rater, status] = rows
    frame = ratings.frame.with_columns(kind=nw.lit("judge"))
    census = Census(sum(counts.values()), counts)
    try:
        units = count_units(replace(ratings, frame=frame, census=census, resolved=None))
    except InputError:
        return {}
    said = {name: units.verdict[:, units.columns_of(name)] for name in units.judge_names}
    found: dict[str, tuple[str, ...]] = {}
    for judge in sorted(judges & said.keys()):
        same = [one for one in said if one != judge and _copied(units, said[judge], said[one])]
        found[judge] = tuple(same)
    return found


def _copied(units: Units, own: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Whether two raters agree wherever both rated, on enough units and more than one option."""
    size = len(units.options)
    if own.shape != other.shape:
        return False
    both = ((own >= 0) & (other >= 0)).any(1)
    decided = own[both][(own[both] >= 0) & (own[both] < size)]
    enough = units.n[both].sum() >= LEAST_COPIED and len(np.unique(decided)) > 1
    return bool(enough and np.array_equal(own[both], other[both]))


def _about(row: Record, known: Iterable[str]) -> frozenset[str]:
    """The judges that a result is about; none where it is about no single one."""
    return frozenset(str(row[key]) for key in ("judge", "other") if row.get(key) in set(known))


@dataclass(frozen=True)
class GroundOfUnits:
    """The units behind a question's results, and the question, asked of units with fills.

    `ask(units, light)` gives the question's rows; `light` says that few draws will do. Where there
    is none, nothing bounds what missing verdicts might have done.
    """

    units: Units
    ask: Asked | None
    #: Judges in the table, of which those asked about may be some.
    judges: int
    slice: tuple[str, ...] = ()
    steady: frozenset[str] = frozenset()
    #: Judge -> raters with the very same ratings.
    copies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    found: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    # --- the account --------------------------------------------------------------------------

    def account(self, row: Record) -> Record:
        """How many items, verdicts and judges a result about a judge stands on."""
        judge = row.get("judge")
        if judge not in self.units.judge_names:
            return {}
        units = self._part(row)
        usable, size = self._usable(row), len(units.options)
        verdict = units.verdict[:, units.columns_of(judge)]
        asked = units.to_rate(judge)
        judged = asked & (usable[verdict] & (verdict >= 0)).any(1)
        found: dict[str, Any] = {
            "labelled": self._labelled(units),
            "asked": _number(units, asked),
            "judged": _number(units, judged),
        }
        lost = asked & ~judged
        for code, status in enumerate(STATUSES[1:], size):
            mine = lost & (verdict == code).any(1)
            found[status] = _number(units, mine)
            lost = lost & ~mine
        found["absent"] = _number(units, lost)
        weight, n = units.weight[judged], units.n[judged]
        if len(weight) and weight.min() != weight.max():
            found["effective_items"] = float((weight * n).sum() ** 2 / (weight**2 * n).sum())
        found["identical"] = list(self.copies.get(str(judge), ()))
        found["judges"] = self.judges
        found["confidence_level"] = row.get("confidence_level")
        found["slice"] = list(self.slice)
        return found

    def _part(self, row: Record) -> Units:
        """The units that a result is of: those of its criterion, system (or both), slice."""
        units = self.units
        if self.ask is None and units.task.scale == "pairwise":  # a system is on either side
            return units
        for name, one in units.by.items():
            sides = [row.get(name), row.get("opponent") if name == "system" else None]
            if here := [one.labels.index(side) for side in sides if side in one.labels]:
                units = units.where(np.isin(units.by[name].codes, here))
        return units

    def _labelled(self, units: Units) -> int:
        rated = units.human[:, : len(units.options) + 1].any() or units.resolved is not None
        return _number(units, units.labelled) if rated else 0

    def _usable(self, row: Record) -> npt.NDArray[np.bool_]:
        """Which codes of a verdict count under a result's handling of what is no option."""
        task, size = self.units.task, len(self.units.options)
        modes = modes_of(task, abstained=True, invalid=True)
        mode = next((one for one in modes if one.name == row.get("mode")), declared_mode(task))
        usable = np.ones(size + 3, bool)
        usable[size:] = (mode.abstentions != "exclude", mode.invalids != "exclude", False)
        return usable

    # --- bounds -------------------------------------------------------------------------------

    def under_missing(self, row: Record, end: str) -> Sequence[Record] | None:
        """The result under the fills that move its end most; see the module."""
        if row["name"] in self.steady:
            return ()
        known = self.units.judge_names
        about = _about(row, known)
        judges = tuple(sorted(about or known))
        if self.ask is None:  # a result may hang on any of the judge's verdicts
            units, usable = self.units, self._usable(row)
            lost = (_missing(units, one, usable, units.asked_of(one)).any() for one in judges)
            return None if any(lost) else ()
        cells = self._cells(judges, row)
        if not cells:
            return ()
        if about and row.get("level") == "item":
            return None
        tried = self._tried(cells, row, end, alone=bool(about))
        if tried is None:
            return None
        if not tried:  # the question has no such number under fills
            return None if about else ()
        if not about and all(one[end] == row[end] for one in tried.values()):
            return ()
        return sorted(tried.values(), key=lambda one: _order(one[end]))[:: max(len(tried) - 1, 1)]

    def _cells(self, judges: tuple[str, ...], row: Record) -> dict[Cell, Any]:
        """Where verdicts are missing, and the reference there."""
        units, usable = self._part(row), self._usable(row)
        found: dict[Cell, Any] = {}
        reference = reference_weights(units)[0].round(9)
        criteria = _criteria(units, row)
        for judge in judges:
            lost = _missing(units, judge, usable, units.to_rate(judge)) & reference.any(1)
            for at in np.flatnonzero(lost):
                found[judge, int(criteria[at]), reference[at].tobytes()] = reference[at]
        return dict(sorted(found.items(), key=lambda one: one[0]))

    def _tried(
        self, cells: Mapping[Cell, Any], row: Record, end: str, *, alone: bool
    ) -> dict[Fill, Record] | None:
        """The result under each of few fills; of many, under those that few draws found to be at
        the two ends, with all draws. None where a search did not come to its end."""
        size, keys = len(self.units.options), list(cells)
        tried: dict[Fill, Record] = {}

        def ask(fill: Fill, light: bool = True) -> None:
            one = self._asked(tuple(zip(keys, fill, strict=True)), row, light=light, alone=alone)
            if one is not None:
                tried[fill] = one

        if size ** len(keys) <= ALL_FILLS:
            for fill in product(range(size), repeat=len(keys)):
                ask(fill, light=False)
            return tried
        best = tuple(int(one[:size].argmax()) for one in cells.values())
        worst = tuple(int(one[:size].argmin()) for one in cells.values())
        starts = [*((k,) * len(keys) for k in range(size)), best, worst]
        for fill in dict.fromkeys(starts):
            ask(fill)
        for sign in (1, -1):
            if not self._walk(tried, size, lambda one, s=sign: s * _order(one[end]), ask):
                return None
        order = sorted(tried, key=lambda fill: _order(tried[fill][end]))
        for fill in {*order[:1], *order[-1:]}:
            ask(fill, light=False)
        return {fill: tried[fill] for fill in {*order[:1], *order[-1:]}}

    def _walk(self, tried: dict[Fill, Record], size: int, order: Any, ask: Any) -> bool:
        """From the best fill so far to a better neighbour, until none is; whether it came there."""
        most = len(tried) + MOST_FILLS
        while tried and len(tried) < most:
            at = max(tried, key=lambda fill: order(tried[fill]))
            beside = [
                (*at[:k], option, *at[k + 1 :])
                for k in range(len(at))
                for option in range(size)
                if option != at[k]
            ]
            for fill in beside:
                if fill not in tried and len(tried) < most:
                    ask(fill)
            best = order(tried[at])
            if all(fill in tried and order(tried[fill]) <= best for fill in beside):
                return True
        return not tried

    def _asked(
        self, fill: tuple[tuple[Cell, int], ...], row: Record, *, light: bool, alone: bool
    ) -> Record | None:
        """The result under one fill; None where the question does not give it."""
        mode = row.get("mode")
        key = (fill, mode, light, alone)
        if key not in self.found:
            assert self.ask is not None  # no fill is looked at otherwise
            judges = {judge for (judge, _, _), _ in fill}
            about = judges if alone else set(self.units.judge_names)
            about |= {name for name in (row.get("judge"), row.get("other")) if alone and name}
            units = _of(self._handled(mode), about)
            units = _filled(units, dict(fill), self._usable(row), _criteria(units, row))
            made = [one.to_json() for one in self.ask(units, light)]
            self.found[key] = {_identity(one): one for one in made}
        found: Record | None = self.found[key].get(_identity(row))
        return found

    def _handled(self, mode: str | None) -> Units:
        """The units under the handling of a result that is of another than the declared."""
        units = self.units
        if mode is None:
            return units
        modes = modes_of(units.task, abstained=True, invalid=True)
        one = next((one for one in modes if one.name == mode), None)
        if one is None:
            return units
        task = replace(
            units.task,
            abstentions=one.abstentions,
            invalids=one.invalids,
            recode_to=one.recode_to if one.abstentions == "recode" else units.task.recode_to,
        )
        return replace(units, task=task)


@dataclass(frozen=True)
class GroundOfScores:
    """The scores behind a question's results: one that is missing could be any number."""

    pairs: PairedScores
    judges: int
    slice: tuple[str, ...] = ()
    steady: frozenset[str] = frozenset()

    def account(self, row: Record) -> Record:
        judge, pairs = row.get("judge"), self.pairs
        if judge not in pairs.judges:
            return {}
        index = pairs.judges.index(judge)
        asked = pairs.asked[index] & pairs.labelled
        scored = asked & np.isfinite(pairs.judge[index])
        found: dict[str, Any] = {
            "labelled": int(pairs.labelled.sum()) if pairs.humans else 0,
            "asked": int(asked.sum()),
            "judged": int(scored.sum()),
        }
        lost = asked & ~scored
        for place, status in enumerate(STATUSES[1:]):
            rows = None if pairs.without is None else pairs.without[index, :, place]
            mine = lost & (np.zeros(len(lost)) if rows is None else rows).astype(bool)
            found[status], lost = int(mine.sum()), lost & ~mine
        found |= {"absent": int(lost.sum()), "judges": self.judges}
        found |= {"confidence_level": row.get("confidence_level"), "slice": list(self.slice)}
        return found

    def under_missing(self, row: Record, end: str) -> Sequence[Record] | None:
        pairs = self.pairs
        about = _about(row, pairs.judges)
        mine = [not about or name in about for name in pairs.judges]
        lost = (pairs.asked & np.isnan(pairs.judge))[mine].any()
        return None if lost and row["name"] not in self.steady else ()


@dataclass(frozen=True)
class GroundOfParts:
    """The ground of a report: that of each question, by its verb."""

    by_verb: Mapping[str, Any]

    def account(self, row: Record) -> Record:
        one = self.by_verb.get(row.get("verb", ""))
        found: Record = {} if one is None else one.account(row)
        return found

    def under_missing(self, row: Record, end: str) -> Sequence[Record] | None:
        one = self.by_verb.get(row.get("verb", ""))
        found: Sequence[Record] | None = () if one is None else one.under_missing(row, end)
        return found


def _number(units: Units, mask: npt.NDArray[np.bool_]) -> int:
    return int(units.n[mask].sum())


def _order(value: float | None) -> float:
    """Values in order; what is undefined lies below all."""
    return -np.inf if value is None else float(value)


def _identity(row: Record) -> tuple[Any, ...]:
    """What a row is about, whatever its numbers are and its handling."""
    plain = {
        *("name", "value", "low", "high", "confidence_level", "method", "n_items", "n_clusters"),
        *("declared", "assumptions", "warnings", "undefined", "verb", "mode"),
    }
    about = sorted((key, str(one)) for key, one in row.items() if key not in plain and one)
    return (row["name"], *about)


def _criteria(units: Units, row: Record) -> npt.NDArray[np.int64]:
    """Which criterion each pattern is of, where a result is a mean over them; else -1."""
    if row.get("level") != "macro" or "criterion" not in units.by:
        return np.full(len(units.n), -1)
    return units.by["criterion"].codes


def _missing(
    units: Units, judge: str, usable: npt.NDArray[np.bool_], asked: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """The patterns, of those asked about, with an answer of a judge missing in any repeat."""
    verdict = units.verdict[:, units.columns_of(judge)]
    given = verdict >= 0
    lost = (given & ~usable[verdict]).any(1) | ~given.any(1)
    return np.asarray(lost & asked)


def _of(units: Units, judges: set[Any]) -> Units:
    """The verdicts of some judges alone."""
    kept = [at for at, name in enumerate(units.judges) if name in judges]
    return replace(
        units,
        judges=tuple(units.judges[at] for at in kept),
        samples=tuple(units.samples[at] for at in kept),
        orders=tuple(units.orders[at] for at in kept),
        verdict=units.verdict[:, kept],
    )


def _filled(
    units: Units,
    fill: Mapping[Cell, int],
    usable: npt.NDArray[np.bool_],
    criteria: npt.NDArray[np.int64],
) -> Units:
    """The units with an option in the place of each missing verdict."""
    verdict = units.verdict.copy()
    reference = reference_weights(units)[0].round(9)
    for judge in units.judge_names:
        lost = _missing(units, judge, usable, units.to_rate(judge))
        columns = units.columns_of(judge)
        keys = zip(criteria, reference, strict=True)
        options = [fill.get((judge, int(code), one.tobytes()), -1) for code, one in keys]
        for at in np.flatnonzero(lost):
            if options[at] < 0:
                continue
            own = verdict[at, columns]
            bad = (own >= 0) & ~usable[own]
            if not (own >= 0).any():
                bad[0] = True
            verdict[at, np.array(columns)[bad]] = options[at]
    return replace(units, verdict=verdict)
