"""What results stand on, and what they would be had no verdict been missing.

A labelled unit on which a judge was asked and gave no usable verdict (no row, an empty cell,
failed, abstained or invalid where the task leaves these out) might have had any. A fill gives the
missing verdicts of a judge one option for each reference that people gave; a question is asked
again under fills, by its own study, so that a bound is made like the number itself.

Where there are few fills all are tried. Of more, each reference's option is changed in turn until
nothing moves the result further, from several beginnings: exact for what is a ratio of sums of the
filled cells (accuracy, rates, precision, F1, kappa, weighted kappa), since it is largest and least
at such corners, and a search for the rest (macro F1, phi, alpha, whole items, ends of intervals).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from goldassay.counts import PairedScores, Units, reference_weights
from goldassay.frozen import dataclass
from goldassay.questions.agree.modes import declared_mode, modes_of
from goldassay.ratings.table import STATUSES, Ratings
from goldassay.results import Row

__all__ = ["GroundOfParts", "GroundOfScores", "GroundOfUnits", "left_out_by_wish"]

Record = Mapping[str, Any]
#: (judge, reference) -> the option that its missing verdicts become.
Fill = tuple[int, ...]
Asked = Callable[..., Iterable[Row]]

#: So many fills are all tried, and so many more are looked at of others on the way to an end.
ALL_FILLS, MOST_FILLS = 16, 400
#: What is about whether there is a verdict, which no fill changes.
OF_STATUS = frozenset({"coverage", "abstention_rate", "invalid_rate", "failed_rate", "tie_rate"})


def left_out_by_wish(ratings: Ratings) -> tuple[str, ...]:
    """The rows that `only` and `exclude` left out, in words."""
    return tuple(
        f"{one.rows:,} {one.reason}"
        for one in ratings.exclusions
        if one.reason.endswith(")") and ("--only" in one.reason or "--exclude" in one.reason)
    )


@dataclass(frozen=True)
class GroundOfUnits:
    """The units behind a question's results, and the question, asked of units with fills.

    `ask(units, light)` gives the question's rows; `light` says that few draws will do.
    """

    units: Units
    ask: Asked
    #: Judges in the table, of which those asked about may be some.
    judges: int
    slice: tuple[str, ...] = ()
    distinct_texts: int | None = None
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
        if self.distinct_texts is not None:
            found["distinct_texts"] = self.distinct_texts
        weight, n = units.weight[judged], units.n[judged]
        if len(weight) and weight.min() != weight.max():
            found["effective_items"] = float((weight * n).sum() ** 2 / (weight**2 * n).sum())
        found["identical"] = self._identical(units, str(judge))
        found["judges"] = self.judges
        found["confidence_level"] = row.get("confidence_level")
        found["slice"] = list(self.slice)
        return found

    def _part(self, row: Record) -> Units:
        """The units that a result is of: those of its criterion, system, slice."""
        units = self.units
        for name, one in units.by.items():
            if row.get(name) in one.labels:
                units = units.only(name, str(row[name]))
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

    def _identical(self, units: Units, judge: str) -> list[str]:
        """Other judges with the very same verdicts."""
        own = units.verdict[:, units.columns_of(judge)]
        return [
            name
            for name in units.judge_names
            if name != judge and np.array_equal(own, units.verdict[:, units.columns_of(name)])
        ]

    # --- bounds -------------------------------------------------------------------------------

    def under_missing(self, row: Record, end: str) -> Sequence[Record] | None:
        """The result under the fills that move its end most; see the module."""
        if row["name"] in OF_STATUS:
            return ()
        known = self.units.judge_names
        about = [name for name in (row.get("judge"), row.get("other")) if name in known]
        cells = self._cells(tuple(map(str, about or known)), row)
        if not cells:
            return ()
        tried = self._tried(cells, row, end, alone=bool(about))
        if not tried:  # the question has no such number under fills
            return None if about else ()
        if not about and all(one[end] == row[end] for one in tried.values()):
            return ()
        return sorted(tried.values(), key=lambda one: _order(one[end]))[:: max(len(tried) - 1, 1)]

    def _cells(self, judges: tuple[str, ...], row: Record) -> dict[tuple[str, bytes], Any]:
        """Where verdicts are missing: by judge and reference, which patterns, and the reference."""
        units, usable = self._part(row), self._usable(row)
        found: dict[tuple[str, bytes], Any] = {}
        reference = reference_weights(units)[0]
        for judge in judges:
            lost = _missing(units, judge, usable) & reference.any(1)
            for one in np.unique(reference[lost].round(9), axis=0):
                found[judge, one.tobytes()] = one
        return found

    def _tried(
        self, cells: Mapping[tuple[str, bytes], Any], row: Record, end: str, *, alone: bool
    ) -> dict[Fill, Record]:
        """The result under each of few fills; of many, under those that few draws found to be at
        the two ends, with all draws."""
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
            self._walk(tried, size, lambda one, s=sign: s * _order(one[end]), ask)
        order = sorted(tried, key=lambda fill: _order(tried[fill][end]))
        for fill in {*order[:1], *order[-1:]}:
            ask(fill, light=False)
        return {fill: tried[fill] for fill in {*order[:1], *order[-1:]}}

    def _walk(self, tried: dict[Fill, Record], size: int, order: Any, ask: Any) -> None:
        """From the best fill so far to a better neighbour, until none is."""
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
            if max(tried, key=lambda fill: order(tried[fill])) == at:
                return

    def _asked(
        self,
        fill: tuple[tuple[tuple[str, bytes], int], ...],
        row: Record,
        *,
        light: bool,
        alone: bool,
    ) -> Record | None:
        """The result under one fill; None where the question does not give it."""
        mode = row.get("mode")
        key = (fill, mode, light, alone)
        if key not in self.found:
            judges = {judge for (judge, _), _ in fill}
            about = judges if alone else set(self.units.judge_names)
            about |= {name for name in (row.get("judge"), row.get("other")) if alone and name}
            units = _filled(_of(self._handled(mode), about), dict(fill), self._usable(row))
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
        account = self.account(row)
        missing = account and account["asked"] > account["judged"]
        return None if missing and row["name"] not in OF_STATUS else ()


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


def _missing(units: Units, judge: str, usable: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The patterns with an answer of a judge that is missing, in any repeat."""
    verdict = units.verdict[:, units.columns_of(judge)]
    given = verdict >= 0
    lost = (given & ~usable[verdict]).any(1) | ~given.any(1)
    return np.asarray(lost & units.to_rate(judge))


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
    units: Units, fill: Mapping[tuple[str, bytes], int], usable: npt.NDArray[np.bool_]
) -> Units:
    """The units with an option in the place of each missing verdict."""
    verdict = units.verdict.copy()
    reference = reference_weights(units)[0].round(9)
    for judge in units.judge_names:
        lost = _missing(units, judge, usable)
        columns = units.columns_of(judge)
        options = [fill.get((judge, one.tobytes()), -1) for one in reference]
        for at in np.flatnonzero(lost):
            if options[at] < 0:
                continue
            own = verdict[at, columns]
            bad = (own >= 0) & ~usable[own]
            if not (own >= 0).any():
                bad[0] = True
            verdict[at, np.array(columns)[bad]] = options[at]
    return replace(units, verdict=verdict)
