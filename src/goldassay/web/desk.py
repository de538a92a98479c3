"""The desk: who labels what next, and the labels themselves, saved at once.

A label is on the disk before the page says so, and labels of other processes on the same store are
seen at the next request. One connection reads and one writes: while another process keeps the store
locked, a label waits for it, and no page does.

Labels are independent: what the judges said of a unit is shown to a rater when the batch in which
they labelled it is done, and to a reader without a name when it is shown to some rater.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median
from threading import Lock, RLock
from typing import Any

from goldassay.errors import UsageError, shown
from goldassay.ratings.scale import SCALES
from goldassay.ratings.task import Task
from goldassay.store import Label, add_flag, add_labels, store_errors, undo_label
from goldassay.web.answers import Answer, made_label
from goldassay.web.cases import Cases, Given, Texts, Unit, Verdict, raw_answers
from goldassay.web.content import Pictures
from goldassay.web.exports import label_rows
from goldassay.web.mirror import Mirror
from goldassay.web.order import Order
from goldassay.web.raters import checked, told_apart, unlike
from goldassay.web.settings import Batch, Progress, Settings
from goldassay.web.sides import Pairs, Shown

__all__ = ["Batch", "Desk", "Progress", "Settings"]

#: The labels from which a rater's pace is told.
_PACE = 20


class Desk:
    """Hands out units in order, keeps who has what open, and saves labels."""

    def __init__(
        self,
        task: Task,
        cases: Cases,
        connection: sqlite3.Connection,
        *,
        texts: Texts | None = None,
        order: Order | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.task = task
        self.cases = cases
        self.settings = settings or Settings()
        order = order or Order(tuple(cases.units))
        self._texts = texts or Texts()
        self._pairs = Pairs(task, cases, self._texts, self.settings.sides)
        self._pairs.check(order.keys)
        #: Every unit that may be labelled here, in order; a planner chooses among them.
        self.order = order.keys
        self._offered = frozenset(self.order)
        self._planner = order.planner
        self._queue: list[str] = [] if order.planner else list(self.order)
        (_, _, place) = connection.execute("PRAGMA database_list").fetchone()
        self._place = Path(place).name
        self._writer = connection
        self._writing = Lock()  # held while a label waits for the store; taken before `_lock`
        self._lock = RLock()  # held for moments only
        sets = task.reference == "response_set" or bool(task.response_sets)
        self.elicitation = self.settings.elicitation or (
            "response_set" if sets and task.scale != "continuous" else "forced_choice"
        )
        self._given = Mirror.of(Path(place), self._counts)
        self._rated: dict[str, set[str]] = {}  # person of the table -> units rated there
        self._listed: set[str] = set()  # names of the table and of the settings
        self._take(cases)
        self._leases: dict[str, tuple[str, float]] = {}
        self._opened: dict[tuple[str, str], float] = {}
        self._readings = 0
        #: Looks for news beside the labels, as verdicts of a run; called at every refresh.
        self.look: Callable[[], None] = lambda: None
        self.refresh()
        if order.planner:  # after a restart the queue begins as it was labelled
            self._queue = list(dict.fromkeys(unit.key for unit, _ in self.labels()))

    # What the pages ask

    @property
    def several(self) -> bool:
        """Whether a person may give several answers."""
        return self.elicitation == "response_set"

    @property
    def pictures(self) -> Pictures:
        return self.settings.pictures

    def question(self, unit: Unit) -> str:
        if unit.criterion:
            words = self._texts.criteria.get(unit.item, {}).get(unit.criterion, "")
            words = words or self.task.criteria.get(unit.criterion, "")
            told = f": {words}" if words not in ("", unit.criterion) else ""
            return f"{self.settings.question} {unit.criterion}{told}".strip()
        return self.settings.question or SCALES[self.task.scale].question

    def texts(self, unit: Unit) -> dict[str, str]:
        return self._pairs.texts(unit)

    @property
    def all_texts(self) -> Texts:
        return self._texts

    def unit(self, key: str | None) -> Unit | None:
        return self.cases.units.get(key) if key else None

    def sheet(self, unit: Unit) -> tuple[Unit, ...]:
        """The units that are labelled on one page: all criteria that are asked of an answer."""
        keys = self.cases.sheets.get((unit.item, unit.system, unit.opponent), (unit.key,))
        if len(keys) == 1:
            return (unit,)
        asked = set(self._queue) if self._planner else self._offered
        order = [*self._texts.criteria.get(unit.item, {}), *self.task.criteria]
        place = {criterion: number for number, criterion in reversed(list(enumerate(order)))}
        found = [self.cases.units[k] for k in keys if k in asked or k == unit.key]
        return tuple(sorted(found, key=lambda u: (place.get(u.criterion, len(order)), u.criterion)))

    def shown(self, rater: str, unit: Unit) -> Shown | None:
        """The two answers of a pair as this rater sees them; None where there are none to see."""
        return self._pairs.shown(rater, unit)

    def verdicts(self, unit: Unit) -> tuple[Verdict, ...]:
        return self.cases.verdicts.get(unit.key, ())

    def verdicts_with_answers(self, unit: Unit) -> tuple[Verdict, ...]:
        """The verdicts with the judges' own words, from the store where it has them."""
        with self._lock:
            found = dict(raw_answers(self._given.connection, unit))
        return tuple(
            replace(v, raw=found.get((v.judge, v.sample, v.order), v.raw))
            for v in self.verdicts(unit)
        )

    def people(self, unit: Unit) -> tuple[Given, ...]:
        """Everybody's ratings of a unit: those of the table and those of the store."""
        return self.people_of(unit.key)

    def people_of(self, key: str) -> tuple[Given, ...]:
        return self.cases.people.get(key, ()) + self._given.by_unit.get(key, ())

    def people_by_unit(self) -> dict[str, tuple[Given, ...]]:
        """Everybody's ratings of every unit that has any."""
        with self._lock:
            rated = dict.fromkeys((*self.cases.people, *self._given.by_unit))
            found = ((key, self.people_of(key)) for key in rated if key in self.cases.units)
            return {key: given for key, given in found if given}

    def resolution(self, key: str) -> Given | None:
        """What was resolved where people differ on a unit."""
        return self._given.resolved.get(key)

    def speaking(self, key: str) -> tuple[Given, ...]:
        """Those whose ratings make the reference of a unit: the resolution where the task says
        `reference = "adjudicated"` and there is one, else all people."""
        resolved = self.resolution(key) if self.task.reference == "adjudicated" else None
        return (resolved,) if resolved is not None else self.people_of(key)

    def changes(self, since: int) -> tuple[list[str], int]:
        """The units whose labels changed after a point, and the point reached."""
        with self._lock:
            return self._given.changes[since:], len(self._given.changes)

    def own_label(self, rater: str, unit: Unit) -> Given | None:
        return self._own(rater, unit.key)

    def withdrawn(self, rater: str, unit: Unit) -> Given | None:
        """What this rater said of the unit, took back, and did not say again."""
        return self._given.withdrawn.get((rater, unit.key))

    def labels(self) -> list[tuple[Unit, Given]]:
        """All current labels in the order in which they came."""
        with self._lock:
            found = [
                (self.cases.units[key], one)
                for key, labels in self._given.by_unit.items()
                if key in self.cases.units
                for one in labels
            ]
        return sorted(found, key=lambda pair: pair[1].number)

    def labelled(self) -> list[str]:
        """The units that were labelled here, in the order of their first labels."""
        with self._lock:
            numbers = {
                key: labels[0].number
                for key, labels in self._given.by_unit.items()
                if labels and key in self.cases.units
            }
        return sorted(numbers, key=numbers.__getitem__)

    def own_labels(self, rater: str) -> list[tuple[Unit, Given]]:
        """A rater's labels, the latest first."""
        with self._lock:
            mine = self._given.by_rater.get(rater, {})
            found = [(self.cases.units[k], one) for k, one in mine.items() if k in self.cases.units]
        return sorted(found, key=lambda pair: pair[1].number, reverse=True)

    def flagged(self, rater: str) -> dict[str, None]:
        """The units that a rater wants to talk about."""
        with self._lock:
            return dict(self._given.flags.get(rater, {}))

    def flagged_by(self, key: str) -> list[str]:
        with self._lock:
            return [rater for rater, keys in self._given.flags.items() if key in keys]

    def label_rows(self) -> list[dict[str, Any]]:
        """All current labels as rows of a ratings table."""
        with self._lock:
            return label_rows(self._given.connection)

    def version(self) -> str:
        """Changes when a label comes or goes, or when new verdicts are read."""
        last = self._given.last
        return f"{last}.{self._readings}" if self._readings else str(last)

    def raters(self) -> dict[str, int]:
        """Names that may label or have labelled, with how many units each has done."""
        counts = Counter(dict.fromkeys(self.settings.raters, 0))
        with self._lock:
            counts.update({name: len(mine) for name, mine in self._given.by_rater.items() if mine})
        return dict(sorted(counts.items()))

    def progress(self, rater: str) -> Progress:
        with self._lock:
            mine = self._given.by_rater.get(rater, {})
            rated = self._rated.get(rater)
            done = sum(map(self._offered.__contains__, mine))
            done += sum(key in self._offered and key not in mine for key in rated or ())
            total = len(self.order)
            recent = list(islice(reversed(mine.values()), _PACE))
        size = self.settings.batch or total
        start = min(done, total - 1) // size * size if total else 0
        took = [one.seconds for one in recent if one.seconds is not None]
        pace = median(took) if len(took) >= 3 else None
        return Progress(done, total, done - start, min(size, total - start), pace)

    def labelled_by(self, rater: str) -> set[str]:
        """The units that this rater has labelled, by key."""
        with self._lock:
            return {*self._given.by_rater.get(rater, ()), *self._rated.get(rater, ())}

    def is_open_to(self, rater: str, unit: Unit) -> bool:
        """Whether a unit is still this rater's to label."""
        mine = self._own(rater, unit.key) is None and unit.key in self._offered
        return mine and self._wanted(rater, unit.key)

    def seen_by(self, rater: str) -> set[str]:
        """The units of which this rater, or without a name any reader, sees what judges said."""
        if self.settings.never_show:
            return set()
        with self._lock:
            if rater:
                return self._seen(rater)
            return set(self.cases.people).union(*map(self._seen, self._given.by_rater))

    def _seen(self, rater: str) -> set[str]:
        """The units of the batches that a rater has done; all of theirs where nothing is left."""
        mine, rated = self._given.by_rater.get(rater, {}), self._rated.get(rater, set())
        left = self._first(rater, self.order) is not None
        size = self.settings.batch or len(self.order)
        return {*islice(mine, len(mine) // size * size if left else len(mine)), *rated}

    def batch_done(self, rater: str, page: Sequence[Unit] = ()) -> Batch | None:
        """The batch that ended with the labels of a page (or the latest one), if one did."""
        with self._lock:
            mine = self._given.by_rater.get(rater, {})
            last = sum(unit.key in mine for unit in page) if page else 1
            size, done = self.settings.batch, len(mine)
            if not done or not size or done // size == (done - last) // size:
                return None
            number = done // size
            return Batch(number, tuple(islice(mine, (number - 1) * size, number * size)))

    def check_rater(self, name: str) -> str:
        """The name as it is stored, or an error that says what a name is.

        A name that is new here must not look like another.
        """
        name = checked(name)
        if self.settings.raters and name not in self.settings.raters:
            names = ", ".join(self.settings.raters)
            raise UsageError("your name", f"must be one of {names}", found=shown(name))
        if name in self.cases.judges:
            raise UsageError("your name", "must not be a judge's", found=shown(name))
        known = name in self._listed or name in self._given.names
        return name if known else unlike(name, self._names_now())

    def told_apart(self) -> Mapping[str, str]:
        """The names that look the same as another's, as they are shown."""
        return told_apart(self._names_now())

    def _take(self, cases: Cases) -> None:
        """Remember who rated what in the table."""
        self.cases, self._rated = cases, {}
        self._listed = set(self.settings.raters)
        for key, ratings in cases.people.items():
            for one in ratings:
                self._listed.add(one.rater)
                if self._counts(one):
                    self._rated.setdefault(one.rater, set()).add(key)

    def _names_now(self) -> set[str]:
        """Of everybody who rated and did not take it all back, or may rate."""
        with self._lock:
            labelled = {one.rater for labels in self._given.by_unit.values() for one in labels}
            return labelled | self._listed

    def may_label(self, name: str) -> bool:
        """Whether a name could label here; a table or an import may hold others."""
        try:
            return self.check_rater(name) == name
        except UsageError:
            return False

    def close(self) -> None:
        with self._writing, self._lock:
            self._given.connection.close()
            self._writer.close()

    # What changes the desk

    def next_for(self, rater: str, *, after: str | None = None) -> Unit | None:
        """The first unit in the order that this rater has not labelled, past `after` if given.

        With `per_item`, units that have enough labels, counting those that others have open, are
        passed over.
        """
        with self._lock:
            self.refresh()
            start, skip = 0, set()
            if after is not None and after in self._queue:
                start = self._queue.index(after) + 1
                skip = {unit.key for unit in self.sheet(self.cases.units[after])}
            key = self._first(rater, islice(self._queue, start, None), skip)
            while key is None and self._planner:
                more = self._planner(self.people_by_unit(), self._queue)
                if not more:
                    break
                self._queue += more
                key = self._first(rater, more)
            key = key or self._first(rater, islice(self._queue, start))
            return self.cases.units[key] if key else None

    def _first(self, rater: str, keys: Iterable[str], skip: Collection[str] = ()) -> str | None:
        mine, rated = self._given.by_rater.get(rater, {}), self._rated.get(rater, ())
        left = (k for k in keys if k not in mine and k not in rated and k not in skip)
        return next((k for k in left if self._wanted(rater, k)), None)

    def open_unit(self, rater: str, unit: Unit) -> None:
        """Remember that this rater looks at the unit now."""
        with self._lock:
            now = time.monotonic()
            self._leases[unit.key] = (rater, now + self.settings.lease_seconds)
            self._opened.setdefault((rater, unit.key), now)

    def check_page(self, rater: str, units: Sequence[Unit], mark: str) -> None:
        """Refuse what was chosen on a page that showed other answers, or elsewhere, than now."""
        marks = {found.mark if (found := self.shown(rater, one)) else "" for one in units}
        if self.task.scale == "pairwise" and marks != {mark}:
            raise UsageError(
                "this page",
                "shows the two answers of the pair as they stood before",
                next_step="Load it again, and choose again",
            )

    def commit(self, rater: str, unit: Unit, answer: Answer) -> None:
        """Save a label, on the disk when this returns; the same one again changes nothing."""
        self.commit_all(rater, [(unit, answer)])

    def commit_all(self, rater: str, answers: Sequence[tuple[Unit, Answer]]) -> None:
        """Save the labels of one page, all or none."""
        with self._writing:
            with self._lock:
                self.refresh()
                opened = [t for u, _ in answers if (t := self._opened.get((rater, u.key)))]
            seconds = (time.monotonic() - min(opened)) / len(answers) if opened else None
            found = [self._label(rater, unit, answer, seconds) for unit, answer in answers]
            labels = [label for label in found if label is not None]
            if not labels:
                return
            with store_errors(self._place):
                add_labels(self._writer, labels)
            with self._lock:
                for unit, _ in answers:
                    self._opened.pop((rater, unit.key), None)
                    self._leases.pop(unit.key, None)
                self.refresh()

    def resolve(self, rater: str, unit: Unit, answer: Answer) -> None:
        """Save what was resolved where people differ, beside their labels."""
        label = self._made(rater, unit, answer, None)
        with self._writing:
            with store_errors(self._place):
                add_labels(self._writer, [replace(label, kind="reference", order="")])
            self.refresh()

    def flag(self, rater: str, unit: Unit, raised: bool) -> None:
        """Mark a unit for discussion, or take the mark away."""
        with self._writing:
            with store_errors(self._place):
                where = (unit.item, unit.criterion, unit.system, unit.opponent)
                add_flag(self._writer, rater, where, raised)
            self.refresh()

    def _label(self, rater: str, unit: Unit, answer: Answer, seconds: float | None) -> Label | None:
        """The label to save, or None where it is there already."""
        own = self._own(rater, unit.key)
        said = (answer.value or "", answer.status, answer.comment)
        if own and (own.value, own.status, own.comment) == said:
            return None
        if own and not own.number:
            raise UsageError(
                "this unit", f"has a rating by {rater} in the table, which labels do not change"
            )
        return self._made(rater, unit, answer, seconds)

    def _made(self, rater: str, unit: Unit, answer: Answer, seconds: float | None) -> Label:
        found = self.shown(rater, unit)
        if found is None and self.task.scale == "pairwise":
            raise UsageError("this pair", "has no two answers that could be shown")
        elicitation = self.elicitation if self.task.scale != "continuous" else ""
        asked = (elicitation, *((found.order, found.fields) if found else ("", "")))
        about = self.cases.about.get(unit.key, {})
        return made_label(unit, answer, about, rater=rater, asked=asked, seconds=seconds)

    def undo(self, rater: str) -> Unit | None:
        """Withdraw what the rater saved last, a whole page; its unit, or None without a label."""
        with self._writing:
            with self._lock:
                self.refresh()
                mine = self._given.by_rater.get(rater, {})
                key = max(
                    (k for k in mine if k in self.cases.units),
                    key=lambda k: mine[k].number,
                    default=None,
                )
                if key is None:
                    return None
                unit = self.cases.units[key]
                page = [mine[u.key] for u in self.sheet(unit) if u.key in mine]
                together = [one.number for one in page if one.time == mine[key].time]
            with store_errors(self._place):
                for number in together:
                    undo_label(self._writer, number)
            self.refresh()
            return unit

    def adopt(self, cases: Cases, order: Order) -> None:
        """Go on with cases that were read again; what is queued by a plan stays queued."""
        with self._lock:
            self._take(cases)
            self._pairs = Pairs(self.task, cases, self._texts, self.settings.sides)
            # A pair that came just now and whose answers are not known is not offered.
            self.order = self._pairs.known(order.keys)
            self._offered = frozenset(self.order)
            if order.planner is None or self._planner is None:
                self._queue = [] if order.planner else list(self.order)
            self._planner = order.planner
            self._readings += 1

    def refresh(self) -> None:
        """Read the labels that are new in the store, from this process or another."""
        self.look()
        with self._lock:
            self._given.refresh()

    def _counts(self, one: Given) -> bool:
        """Whether a label answers what is asked here (a unit may be asked in both ways)."""
        return one.elicitation in ("", self.elicitation)

    def _own(self, rater: str, key: str) -> Given | None:
        mine = self._given.by_rater.get(rater, {}).get(key)
        if mine is not None:
            return mine
        rated = self.cases.people.get(key, ())
        return next((one for one in rated if one.rater == rater and self._counts(one)), None)

    def _wanted(self, rater: str, key: str) -> bool:
        if not self.settings.per_item:
            return True
        labels = self._given.by_unit.get(key, ())
        others = {one.rater for one in labels if self._counts(one)} - {rater}
        holder, until = self._leases.get(key, ("", -math.inf))
        if holder not in ("", rater) and until > time.monotonic():
            others.add(holder)
        return len(others) < self.settings.per_item
