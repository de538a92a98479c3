"""The desk: who labels what next, and the labels themselves, saved at once.

A label is on the disk before the page says so, and labels of other processes on the same store are
seen at the next request. One connection reads and one writes: while another process keeps the store
locked, a label waits for it, and no page does.
"""

from __future__ import annotations

import hashlib
import math
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock, RLock
from typing import Any

from goldassay.errors import UsageError, shown
from goldassay.ratings.scale import SCALES
from goldassay.ratings.task import Task
from goldassay.store import Label, add_label, store_errors, undo_label
from goldassay.web.cases import Cases, Given, Texts, Unit, Verdict, raw_answers
from goldassay.web.exports import label_rows
from goldassay.web.order import Order
from goldassay.web.raters import alike, checked, told_apart

__all__ = ["MAX_COMMENT", "Answer", "Desk", "Progress", "Settings", "read_answer"]

MAX_COMMENT = 4_000
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Settings:
    """How people are asked."""

    #: "" follows the task: response sets where it declares them, else a forced choice.
    elicitation: str = ""
    question: str = ""
    guide: str = ""
    #: The judges' verdicts stay hidden even after the label is in.
    never_show: bool = False
    #: How many people label each unit; 0 means everybody labels everything.
    per_item: int = 0
    #: Names that may label; empty means anybody with the link, under a name of their own.
    raters: tuple[str, ...] = ()
    #: The length of interval that is wanted, for the watch page.
    target: float | None = None
    #: Whether units are drawn at random (or as planned), so that the labels speak for all units.
    drawn: bool = True
    #: How long a unit that somebody has open is kept from others (only with `per_item`).
    lease_seconds: float = 900.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one rater has come."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer, checked: a value of the task, or an abstention."""

    value: str | None
    status: str = "rated"
    comment: str = ""


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
        #: Every unit that may be labelled here, in order; a planner chooses among them.
        self.order = order.keys
        self._offered = frozenset(self.order)
        self._planner = order.planner
        self._queue: list[str] = [] if order.planner else list(self.order)
        self._texts = texts or Texts()
        (_, _, place) = connection.execute("PRAGMA database_list").fetchone()
        self._place = Path(place).name
        self._writer = connection
        self._writing = Lock()  # held while a label waits for the store; taken before `_lock`
        self._reader = _reader(Path(place))
        self._lock = RLock()  # held for moments only
        self._last = 0
        self._labels: dict[str, tuple[Given, ...]] = {}  # unit -> its current labels
        self._listed = self._people_of(cases)  # names of the table and of the settings
        self._names = set(self._listed)  # and of everybody who ever labelled
        self._leases: dict[str, tuple[str, float]] = {}
        self._opened: dict[tuple[str, str], float] = {}
        self._readings = 0
        #: Looks for news beside the labels, as verdicts of a run; called at every refresh.
        self.look: Callable[[], None] = lambda: None
        sets = task.reference == "response_set" or bool(task.response_sets)
        self.elicitation = self.settings.elicitation or (
            "response_set" if sets and task.scale != "continuous" else "forced_choice"
        )
        self.refresh()
        if order.planner:  # after a restart the queue begins as it was labelled
            self._queue = list(dict.fromkeys(unit.key for unit, _ in self.labels()))

    # What the pages ask

    @property
    def never_show(self) -> bool:
        return self.settings.never_show

    @property
    def several(self) -> bool:
        """Whether a person may give several answers."""
        return self.elicitation == "response_set"

    @property
    def guide(self) -> str:
        return self.settings.guide

    def question(self, unit: Unit) -> str:
        if unit.criterion:
            words = self._texts.criteria.get(unit.item, {}).get(unit.criterion, "")
            told = f": {words}" if words not in ("", unit.criterion) else ""
            return f"{self.settings.question} {unit.criterion}{told}".strip()
        return self.settings.question or SCALES[self.task.scale].question

    def texts(self, unit: Unit) -> dict[str, str]:
        return self._texts.of(unit)

    @property
    def all_texts(self) -> Texts:
        return self._texts

    def unit(self, key: str | None) -> Unit | None:
        return self.cases.units.get(key) if key else None

    def opponent_first(self, rater: str, unit: Unit) -> bool:
        """Which side of a pair this rater sees on the left: half of the units each way."""
        if self.task.scale != "pairwise":
            return False
        digest = hashlib.blake2b(f"{rater}\0{unit.key}".encode(), digest_size=1).digest()
        return bool(digest[0] & 1)

    def verdicts(self, unit: Unit) -> tuple[Verdict, ...]:
        return self.cases.verdicts.get(unit.key, ())

    def verdicts_with_answers(self, unit: Unit) -> tuple[Verdict, ...]:
        """The verdicts with the judges' own words, from the store where it has them."""
        with self._lock:
            found = dict(raw_answers(self._reader, unit))
        return tuple(
            replace(v, raw=found.get((v.judge, v.sample, v.order), v.raw))
            for v in self.verdicts(unit)
        )

    def people(self, unit: Unit) -> tuple[Given, ...]:
        """Everybody's ratings of a unit: those of the table and those of the store."""
        return self.cases.people.get(unit.key, ()) + self._labels.get(unit.key, ())

    def people_by_unit(self) -> dict[str, tuple[Given, ...]]:
        """Everybody's ratings of every unit that has any."""
        with self._lock:
            return {
                key: self.cases.people.get(key, ()) + self._labels.get(key, ())
                for key in self.cases.units
                if key in self._labels or key in self.cases.people
            }

    def own_label(self, rater: str, unit: Unit) -> Given | None:
        return self._own(rater, unit.key)

    def labels(self) -> list[tuple[Unit, Given]]:
        """All current labels in the order in which they came."""
        with self._lock:
            found = [
                (self.cases.units[key], one)
                for key, labels in self._labels.items()
                if key in self.cases.units
                for one in labels
            ]
        return sorted(found, key=lambda pair: pair[1].number)

    def label_rows(self) -> list[dict[str, Any]]:
        """All current labels as rows of a ratings table."""
        with self._lock:
            return label_rows(self._reader)

    def version(self) -> str:
        """Changes when a label comes or goes, or when new verdicts are read."""
        return f"{self._last}.{self._readings}" if self._readings else str(self._last)

    def raters(self) -> dict[str, int]:
        """Names that may label or have labelled, with how many units each has done."""
        counts = Counter(dict.fromkeys(self.settings.raters, 0))
        with self._lock:
            for labels in self._labels.values():
                counts.update({one.rater for one in labels if self._counts(one)})
        return dict(sorted(counts.items()))

    def progress(self, rater: str) -> Progress:
        return Progress(len(self.labelled_by(rater) & self._offered), len(self.order))

    def labelled_by(self, rater: str) -> set[str]:
        """The units that this rater has labelled, by key."""
        with self._lock:
            rated = self._labels.keys() | self.cases.people.keys()
            return {key for key in rated if self._own(rater, key) is not None}

    def open_to(self, rater: str) -> set[str]:
        """The units that are still this rater's to label."""
        return set(self._offered) - self.labelled_by(rater)

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
        there = set() if name in self._names else self._names_now()
        if near := next((other for other in sorted(there) if alike(name, other)), None):
            raise UsageError(
                "your name",
                f"looks like {near!r}, who is here already",
                found=shown(name),
                next_step=f"If that is you, choose {near!r}; else add something to your name",
            )
        return name

    def told_apart(self) -> Mapping[str, str]:
        """The names that look the same as another's, as they are shown."""
        return told_apart(self._names_now())

    def _people_of(self, cases: Cases) -> set[str]:
        given = {one.rater for ratings in cases.people.values() for one in ratings}
        return given | set(self.settings.raters)

    def _names_now(self) -> set[str]:
        """Of everybody who rated and did not take it all back, or may rate."""
        with self._lock:
            labelled = {one.rater for labels in self._labels.values() for one in labels}
            return labelled | self._listed

    def may_label(self, name: str) -> bool:
        """Whether a name could label here; a table or an import may hold others."""
        try:
            return self.check_rater(name) == name
        except UsageError:
            return False

    def close(self) -> None:
        with self._writing, self._lock:
            self._reader.close()
            self._writer.close()

    # What changes the desk

    def next_for(self, rater: str, *, after: str | None = None) -> Unit | None:
        """The first unit in the order that this rater has not labelled, past `after` if given.

        With `per_item`, units that have enough labels, counting those that others have open, are
        passed over.
        """
        with self._lock:
            self.refresh()
            start = self._queue.index(after) + 1 if after in self._queue else 0
            skipped = self._queue[:start]
            key = self._first(rater, self._queue[start:])
            while key is None and self._planner:
                more = self._planner(self.people_by_unit(), self._queue)
                if not more:
                    break
                self._queue += more
                key = self._first(rater, more)
            key = key or self._first(rater, skipped)
            return self.cases.units[key] if key else None

    def _first(self, rater: str, keys: Sequence[str]) -> str | None:
        wanted = (k for k in keys if self._own(rater, k) is None and self._wanted(rater, k))
        return next(wanted, None)

    def open_unit(self, rater: str, unit: Unit) -> None:
        """Remember that this rater looks at the unit now."""
        with self._lock:
            now = time.monotonic()
            self._leases[unit.key] = (rater, now + self.settings.lease_seconds)
            self._opened.setdefault((rater, unit.key), now)

    def commit(self, rater: str, unit: Unit, answer: Answer) -> None:
        """Save a label, on the disk when this returns; the same one again changes nothing."""
        with self._writing:
            label = self._label(rater, unit, answer)
            if label is None:
                return
            with store_errors(self._place):
                add_label(self._writer, label)
            with self._lock:
                self._opened.pop((rater, unit.key), None)
                self._leases.pop(unit.key, None)
                self.refresh()

    def _label(self, rater: str, unit: Unit, answer: Answer) -> Label | None:
        """The label to save, or None where it is there already."""
        with self._lock:
            self.refresh()
            own = self._own(rater, unit.key)
            if own and (own.value, own.status, own.comment) == (
                answer.value or "",
                answer.status,
                answer.comment,
            ):
                return None
            if own and not own.number:
                raise UsageError(
                    "this unit", f"has a rating by {rater} in the table, which labels do not change"
                )
            opened = self._opened.get((rater, unit.key))
            about = self.cases.about.get(unit.key, {})
        pair = "opponent_first" if self.opponent_first(rater, unit) else "system_first"
        return Label(
            item=unit.item,
            rater=rater,
            value=answer.value,
            status=answer.status,
            criterion=unit.criterion,
            system=unit.system,
            opponent=unit.opponent,
            elicitation=self.elicitation if self.task.scale != "continuous" else "",
            order=pair if self.task.scale == "pairwise" else "",
            comment=answer.comment,
            prompt=about.get("prompt", ""),
            cluster=about.get("cluster", ""),
            stratum=about.get("stratum", ""),
            split=about.get("split", ""),
            weight=about.get("weight", ""),
            seconds=None if opened is None else round(time.monotonic() - opened, 3),
        )

    def undo(self, rater: str) -> Unit | None:
        """Withdraw the rater's latest current label and give its unit back; None without one."""
        with self._writing:
            with self._lock:
                self.refresh()
                own = [
                    (one.number, key)
                    for key, labels in self._labels.items()
                    if key in self.cases.units
                    for one in labels
                    if one.rater == rater and self._counts(one)
                ]
            if not own:
                return None
            number, key = max(own)
            with store_errors(self._place):
                undo_label(self._writer, number)
            self.refresh()
            return self.cases.units[key]

    def adopt(self, cases: Cases, order: Order) -> None:
        """Go on with cases that were read again; what is queued by a plan stays queued."""
        with self._lock:
            self.cases = cases
            self._listed = self._people_of(cases)
            self._names |= self._listed
            self.order = order.keys
            self._offered = frozenset(self.order)
            if order.planner is None or self._planner is None:
                self._queue = [] if order.planner else list(self.order)
            self._planner = order.planner
            self._readings += 1

    # The mirror of the store

    def refresh(self) -> None:
        """Read the labels that are new in the store, from this process or another."""
        self.look()
        with self._lock:
            for number, item, criterion, system, opponent, *rest in self._new():
                rater, value, status, kind, comment, at, supersedes = rest
                key = Unit(item, criterion, system, opponent).key
                self._names.add(rater)
                current = [one for one in self._labels.get(key, ()) if one.number != supersedes]
                if status != "undone":
                    current.append(Given(rater, value or "", status, kind, comment, at, number))
                self._labels[key] = tuple(current)
                self._last = number

    def _new(self) -> list[tuple[Any, ...]]:
        """The rows since the last reading; none where the store cannot be read now, but later."""
        try:
            return self._reader.execute(
                "SELECT label, item, criterion, system, opponent, rater, value, status, "
                "elicitation, comment, time, supersedes FROM labels WHERE label > ? ORDER BY label",
                [self._last],
            ).fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            return []

    def _counts(self, one: Given) -> bool:
        """Whether a label answers what is asked here (a unit may be asked in both ways)."""
        return one.elicitation in ("", self.elicitation)

    def _own(self, rater: str, key: str) -> Given | None:
        rated = self._labels.get(key, ()) + self.cases.people.get(key, ())
        return next((one for one in rated if one.rater == rater and self._counts(one)), None)

    def _wanted(self, rater: str, key: str) -> bool:
        if not self.settings.per_item:
            return True
        labels = self._labels.get(key, ())
        others = {one.rater for one in labels if self._counts(one)} - {rater}
        holder, until = self._leases.get(key, ("", -math.inf))
        if holder not in ("", rater) and until > time.monotonic():
            others.add(holder)
        return len(others) < self.settings.per_item


def _reader(store: Path) -> sqlite3.Connection:
    """A connection that reads beside the one that writes, and waits for nobody for long."""
    where = f"{store.resolve().as_uri()}?mode=ro"
    return sqlite3.connect(where, uri=True, timeout=1, check_same_thread=False)


def read_answer(task: Task, elicitation: str, fields: Mapping[str, Sequence[str]]) -> Answer:
    """The answer in a submitted form, or an error that tells the person what is missing."""
    comment = (fields.get("comment") or ("",))[0].strip().replace("\r\n", "\n")
    if len(comment) > MAX_COMMENT:
        raise UsageError("a comment", f"has at most {MAX_COMMENT:,} characters")
    if fields.get("abstain"):
        return Answer(task.abstain[0] if task.abstain else None, "abstained", comment)
    if task.scale == "continuous":
        return Answer(_number((fields.get("number") or ("",))[0]), comment=comment)
    chosen = sorted({_option(task, word) for word in fields.get("choice", ())})
    if not chosen:
        raise UsageError("a label", "needs an answer", next_step="Choose one, or press 0")
    options = tuple(task.options[index] for index in chosen)
    if elicitation != "response_set":
        if len(options) != 1:
            raise UsageError("a label", "is one answer", found=str(len(options)))
    elif task.response_sets and options not in task.response_sets:
        raise UsageError(
            "this combination of answers",
            "is not one that the task admits",
            found=" + ".join(options),
        )
    return Answer(task.separator.join(options), comment=comment)


def _option(task: Task, word: str) -> int:
    if not word.isascii() or not word.isdigit() or int(word[:6]) >= len(task.options):
        raise UsageError("a label", "names one of the options", found=shown(word))
    return int(word[:6])


def _number(word: str) -> str:
    word = word.strip()
    if len(word) > 40 or not _NUMBER.fullmatch(word) or not math.isfinite(float(word)):
        raise UsageError("a rating", "is a finite number", found=shown(word))
    return word
