"""Plain tables put together at random: how often is one read right without a task?

    python benchmarks/plain_files.py [--files 300] [--seed 1] [--half mend|held] [--show CLASS]

A table has an id, people, judges and what stands beside them, in one of several layouts; names of
columns, options and words come from `plain_words.toml`. Every word belongs to one of two halves by
its checksum: what was mended on the one is measured on the other. Each table carries its right
reading, and what the guess makes of it falls into one class:

    right        read right, and nothing asked
    right+asked  read right, with a question that it could have done without
    asked        not read right at once; an answer that is offered leads to the right reading
    refused      not read, and no answer that is offered leads there
    wrong        read otherwise than it is meant
    crash        an error that is none of the project's own
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import tomllib
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from goldassay.errors import GoldassayError
from goldassay.proposals.declared import Declared, merged
from goldassay.proposals.draft import Draft
from goldassay.proposals.propose import guessed_ratings, propose
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings
from goldassay.ratings.vocabulary import folded, number

Rng = np.random.Generator
WORDS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("plain_words.toml").read_text(encoding="utf-8")
)
HALVES = ("mend", "held")
CLASSES = ("right", "right+asked", "asked", "refused", "wrong", "crash")
#: How a no-rating is written in an expected rating.
OUT = "(no rating)"
#: So many answers are given one after another.
STEPS = 2


def half_of(word: str) -> str:
    return HALVES[zlib.crc32(word.casefold().encode()) % 2]


def _key(one: Any) -> str:
    return str(one) if isinstance(one, str) else " ".join(one["options"])


def words_of(half: str, part: Any = WORDS) -> Any:
    """The vocabulary of one half; of a list too short to be parted, all."""
    if isinstance(part, Mapping):
        return {key: words_of(half, theirs) for key, theirs in part.items()}
    mine = [one for one in part if half_of(_key(one)) == half]
    return mine if len(mine) > 1 else list(part)


@dataclass(frozen=True)
class Scale:
    """What raters may say; `written` is a second way of writing the options, a judge's own."""

    options: tuple[str, ...]
    scales: frozenset[str]
    either: bool = False
    grades: bool = False
    written: tuple[str, ...] = ()
    decimals: int | None = None

    def meaning(self, label: str) -> str:
        """An option however it is written: its own fold, and 0 or 1 for one of two."""
        fold = folded(label)
        if self.decimals is not None:
            value = number(fold)
            return fold if value is None else f"{value:g}"
        for options in (self.options, self.written) if len(self.options) == 2 else ():
            mine = [folded(one) for one in options]
            if fold in mine:
                return "+" if mine.index(fold) == 0 else "-"
        return fold


@dataclass(frozen=True)
class Rating:
    item: str
    system: str
    criterion: str
    rater: str
    value: str


@dataclass
class Reading:
    """What is right of a table."""

    scale: Scale
    #: Rater -> the kinds that it may be.
    kinds: dict[str, frozenset[str]] = field(default_factory=dict)
    ratings: list[Rating] = field(default_factory=list)
    #: Whether raters' names stand in the table as they are.
    named: bool = True


@dataclass
class Plain:
    """A table with its right reading."""

    name: str
    columns: dict[str, list[str]]
    reading: Reading

    def write(self, folder: Path) -> Path:
        path = folder / "ratings.csv"
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow(self.columns)
            writer.writerows(zip(*self.columns.values(), strict=True))
        return path


HUMAN, JUDGE, KEY = (frozenset([kind]) for kind in ("human", "judge", "reference"))


class Maker:
    """One table after another, from one half of the words."""

    def __init__(self, half: str, seed: int) -> None:
        self.words = words_of(half)
        self.rng = np.random.default_rng([seed, zlib.crc32(half.encode())])

    def make(self, number: int) -> Plain:
        rng = self.rng
        self.columns: dict[str, list[str]] = {}
        self.style = _STYLES[int(rng.choice(len(_STYLES), p=_OFTEN))]
        self.reading = Reading(self._scale())
        self.rows = int(rng.choice([12, 20, 30, 40, 60, 100, 150]))
        self.truth = rng.beta(0.8, 0.8, self.rows)
        self.outside = self._outside()
        self.case = rng.random() < 0.12
        way = _LAYOUTS[int(rng.choice(len(_LAYOUTS), p=_SHARES))]
        getattr(self, f"_{way}")()
        self._beside()
        return Plain(f"{number:03d} {way}", self.columns, self.reading)

    # Names and labels.

    def one(self, names: Sequence[Any]) -> Any:
        return names[int(self.rng.integers(len(names)))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def called(self, name: str, *, styled: bool = True) -> str:
        """A name in the table's way of writing, and no other column's."""
        made = self.style(name) if styled else name
        while folded(made) in {folded(other) for other in self.columns}:
            made += "_2"
        return made

    def with_suffix(self, name: str, *, judge: bool = False) -> str:
        if self.chance(0.5) or "_N" in name:
            return name
        words = self.words["grade_suffixes" if self.reading.scale.grades else "suffixes"]
        said = self.one([one for one in words if not (judge and one == "annotation")])
        return name if said in name else f"{said}_{name}" if self.chance(0.1) else f"{name}_{said}"

    def _scale(self) -> Scale:
        kinds = ["two", "numbers", "grades", "named", "measured"]
        kind = str(self.rng.choice(kinds, p=[0.5, 0.2, 0.16, 0.08, 0.06]))
        one = self.one(self.words[kind])
        options = tuple(one["options"])
        if kind == "two":
            ways = [way for way in _YES_AND_NO if folded(way[0]) != folded(options[0])]
            other = self.one(ways) if self.chance(0.1) else ()
            return Scale(options, frozenset(["binary"]), written=other)
        if kind == "grades":
            either = one.get("either", False)
            return Scale(options, frozenset(["ordinal"]), either, True)
        if kind == "named":
            any_ = ["nominal", "ordinal"] if one.get("any") else ["nominal"]
            return Scale(options, frozenset(any_), True)
        if kind == "measured":
            low, high, decimals = options
            scale = frozenset(["continuous", "ordinal"])
            return Scale((low, high), scale, grades=True, decimals=int(decimals))
        fits = ["ordinal", "continuous"] if len(options) > 7 else ["ordinal"]
        return Scale(options, frozenset(fits), grades=True)

    def _outside(self) -> dict[str, str]:
        """Words for no rating, of people and of judges."""
        if self.reading.scale.decimals is not None or self.chance(0.75):
            return {}
        used = {folded(one) for one in (*self.reading.scale.options, *self.reading.scale.written)}
        said = self.words["outside"]
        both = self.one([one for one in said["words"] if folded(one) not in used])
        alone = self.one([one for one in said["judge_words"] if folded(one) not in used])
        return {"people": both, "judges": self.one([both, alone])}

    def said(self, at: int, accuracy: float) -> str:
        """What a rater says of a row: the truth, with noise."""
        scale, rng = self.reading.scale, self.rng
        truth = float(self.truth[at])
        if scale.decimals is not None:
            low, high = map(float, scale.options)
            at_all = np.clip(truth + rng.normal(0, 1 - accuracy), 0, 1)
            return f"{low + (high - low) * at_all:.{scale.decimals}f}"
        count = len(scale.options)
        place = min(int(truth * count), count - 1)
        if rng.random() > accuracy:
            ordered = count > 2 and "ordinal" in scale.scales
            step = int(rng.choice([-1, 1])) if ordered else int(rng.integers(1, count))
            place = min(max(place + step, 0), count - 1) if ordered else (place + step) % count
        return scale.options[place]

    def label(self, at: int, who: str, accuracy: float, own: bool) -> tuple[str, str]:
        """What stands in a cell, and what it means."""
        said = self.said(at, accuracy)
        if self.outside and self.rng.random() < 0.06:
            return self.outside[who], OUT
        meaning = self.reading.scale.meaning(said)
        if own and self.reading.scale.written:
            said = self.reading.scale.written[self.reading.scale.options.index(said)]
        if self.case and self.rng.random() < 0.2:
            said = self.one([said.upper(), said.lower(), f" {said}", f"{said} ", said.title()])
        return said, meaning

    def rate(
        self, kinds: frozenset[str], keys: Sequence[tuple[str, ...]], empty: float, rater: str
    ) -> list[str]:
        """A column of ratings: a cell for each (row, item, system, criterion)."""
        judge, cells = kinds == JUDGE, []
        accuracy = float(self.rng.uniform(0.72, 0.95))
        few = {at for at, _ in enumerate(keys) if self.rng.random() < empty}
        if len(few) > len(keys) - 8:
            few = set()
        for at, (row, item, system, criterion) in enumerate(keys):
            if at in few:
                cells.append("")
                continue
            said, meaning = self.label(int(row), "judges" if judge else "people", accuracy, judge)
            cells.append(said)
            self.reading.ratings.append(Rating(item, system, criterion, rater, meaning))
        self.reading.kinds[rater] = kinds
        return cells

    def empty(self, *, judge: bool = False) -> float:
        """How much of a column has no label: a judge's rarely, people's often in part."""
        if judge:
            return float(self.rng.choice([0, 0, 0, 0.03]))
        return float(self.rng.choice([0, 0, 0, 0.05, 0.2, 0.5]))

    # Rows.

    def items(self, count: int) -> list[str]:
        form, start = int(self.rng.integers(5)), int(self.rng.integers(2))
        made = {
            0: lambda n: str(n + start),
            1: lambda n: f"q{n + start}",
            2: lambda n: f"item-{n + start:04d}",
            3: lambda n: f"{zlib.crc32(f'{n}{start}'.encode()):08x}",
            4: lambda n: str(10_000 + 7 * n),
        }[form]
        return [made(n) for n in range(count)]

    def texts(self, seed: str, count: int, rows: Sequence[int]) -> list[str]:
        made = [
            f"{_TALK[(n * 7 + len(seed)) % len(_TALK)]} {seed} {n} {_TALK[(n * 3) % len(_TALK)]}"
            for n in range(count)
        ]
        return [made[row] for row in rows]

    def start(self, keys: Sequence[tuple[str, ...]], *, per_system: bool = False) -> None:
        """The columns that name the item, and its texts."""
        rows = [int(key[0]) for key in keys]
        with_id = self.chance(0.92)
        if with_id:
            name = self.called(self.one(self.words["items"]))
            self.columns[name] = [key[1] for key in keys]
        if self.chance(0.5) or not with_id:
            name = self.called(self.one(self.words["inputs"]))
            self.columns[name] = self.texts("asks", self.rows, rows)
        if self.chance(0.45):
            name = self.called(self.one(self.words["outputs"]))
            part = range(len(keys)) if per_system else rows
            self.columns[name] = self.texts("says", len(keys), list(part))

    def raters(self, people: int, judges: int) -> list[tuple[str, frozenset[str]]]:
        """Names of columns, each a rater's, and whose they may be."""
        found: list[tuple[str, frozenset[str]]] = []
        if people == 1:
            found.append(self._one_person())
        elif people:
            found += self._several_people(people)
        odd = judges == 1 and people and found[0][1] == HUMAN and self.chance(0.2)
        pool = list(self.words["odd_judge" if odd else "judge"])
        for _ in range(judges):
            name = pool.pop(int(self.rng.integers(len(pool))))
            plain = any(sign in name for sign in "-. ")
            found.append((self.called(self.with_suffix(name, judge=True), styled=not plain), JUDGE))
        if len({folded(name) for name, _ in found}) < len(found):
            return self.raters(people, judges)
        if self.chance(0.15):
            found = found[::-1]
        return found

    def _one_person(self) -> tuple[str, frozenset[str]]:
        kind = float(self.rng.random())
        if kind < 0.68:
            return self.called(self.with_suffix(self.one(self.words["person"]))), HUMAN
        if kind < 0.9:
            return self.called(self.one(self.words["reference"])), KEY | HUMAN
        return self.called(self.one(self.words["unsaid"])), KEY | HUMAN

    def _several_people(self, count: int) -> list[tuple[str, frozenset[str]]]:
        if self.chance(0.25):
            chosen = self.rng.choice(self.words["names"], count, replace=False)
            return [(self.called(str(name)), HUMAN) for name in chosen]
        stem = self.one(self.words["people"])
        signs = "ABCDE" if stem.endswith("_N") and self.chance(0.15) else "12345"
        return [(self.called(stem.replace("N", signs[at])), HUMAN) for at in range(count)]

    def plain_keys(self) -> list[tuple[str, ...]]:
        return [(str(n), item, "", "") for n, item in enumerate(self.items(self.rows))]

    def in_columns(
        self, keys: Sequence[tuple[str, ...]], raters: Sequence[tuple[str, frozenset[str]]]
    ) -> None:
        for name, kinds in raters:
            empty = self.empty(judge=kinds == JUDGE)
            self.columns[name] = self.rate(kinds, keys, empty, name)

    # Layouts.

    def _one_and_judge(self) -> None:
        keys = self.plain_keys()
        self.start(keys)
        self.in_columns(keys, self.raters(1, int(self.rng.choice([1, 1, 1, 2, 3]))))

    def _several_and_judge(self) -> None:
        keys = self.plain_keys()
        self.start(keys)
        people, judges = int(self.rng.choice([2, 3, 3, 5])), int(self.rng.choice([1, 1, 1, 2]))
        raters = self.raters(people, judges)
        if self.chance(0.12):
            raters.append((self.called(self.one(self.words["reference"])), KEY | HUMAN))
        self.in_columns(keys, raters)

    def _systems(self) -> None:
        """A row per item and system, with a person's column and a judge's."""
        keys = self._with_systems()
        self.in_columns(keys, self.raters(int(self.rng.choice([1, 1, 2])), 1))

    def _with_systems(self) -> list[tuple[str, ...]]:
        count = int(self.rng.choice([2, 3, 4]))
        pool = self.rng.choice(self.words["system_names"], count, replace=False)
        each = self.items(max(8, self.rows // count))
        self.rows = len(each)
        keys = [(str(n), item, str(s), "") for n, item in enumerate(each) for s in pool]
        self.start(keys, per_system=True)
        name = self.called(self.one(self.words["systems"]))
        self.columns[name] = [key[2] for key in keys]
        return keys

    def _criteria(self) -> None:
        """A column for each rater and criterion."""
        keys = self.plain_keys()
        self.start(keys)
        chosen = self.rng.choice(self.words["criteria"], int(self.rng.integers(2, 4)), False)
        person = self.one([one for one in self.words["person"] if "_" not in one])
        judge = self.one([one for one in self.words["judge"] if "_" not in one])
        behind, apart = self.chance(0.2), self.chance(0.5)
        pairs = [(who, c) for who in ((person, HUMAN), (judge, JUDGE)) for c in map(str, chosen)]
        if apart:
            pairs.sort(key=lambda pair: pair[1])
        for (who, kinds), criterion in pairs:
            name = self.called(f"{criterion}_{who}" if behind else f"{who}_{criterion}")
            mine = [(*key[:3], criterion) for key in keys]
            self.columns[name] = self.rate(kinds, mine, self.empty(judge=kinds == JUDGE), who)
        self.reading.named = False

    def _criterion_rows(self) -> None:
        """A row per item and criterion, with a person's column and a judge's."""
        chosen = self.rng.choice(self.words["criteria"], int(self.rng.integers(2, 4)), False)
        each = self.items(max(8, self.rows // 2))
        self.rows = len(each)
        keys = [(str(n), i, "", str(c)) for n, i in enumerate(each) for c in chosen]
        self.start(keys)
        self.columns[self.called(self.one(self.words["criterion"]))] = [key[3] for key in keys]
        self.in_columns(keys, self.raters(1, 1))

    def _long(self) -> None:
        """A row per rating: who rated, and what was said."""
        people = [(name, HUMAN) for name in self._long_people()]
        pool = [name for name in self.words["judge"] if name not in ("pred", "predicted")]
        judges = [
            (str(n), JUDGE) for n in self.rng.choice(pool, int(self.rng.choice([1, 1, 2])), False)
        ]
        plain = self.plain_keys()[: max(12, self.rows // 2)]
        rows: list[tuple[tuple[str, ...], str, frozenset[str], str]] = []
        for who, kinds in (*people, *judges):
            share = 0.0 if kinds == JUDGE else float(self.rng.choice([0, 0, 0.3]))
            mine = [key for key in plain if self.rng.random() >= share] or plain
            said = self.rate(kinds, mine, 0.0, who)
            rows += [(key, who, kinds, cell) for key, cell in zip(mine, said, strict=True)]
        if self.chance(0.6):
            rows.sort(key=lambda row: int(row[0][0]))
        self.start([row[0] for row in rows])
        self.columns[self.called(self.one(self.words["rater"]))] = [row[1] for row in rows]
        if self.chance(0.5):
            self._kinds_of([row[2] for row in rows])
        self.columns[self.called(self.one(self.words["value"]))] = [row[3] for row in rows]

    def _long_people(self) -> list[str]:
        count = int(self.rng.choice([1, 2, 3]))
        ways = [self.words["names"], [f"annotator_{n}" for n in range(1, 6)]]
        ways += [[f"A{n}" for n in range(1, 6)], [f"worker-{n}" for n in (17, 23, 42, 8, 99)]]
        if count == 1:
            ways += [["human"], ["expert"]]
        chosen = self.rng.choice(self.one(ways), count, replace=False)
        return [str(name) for name in chosen]

    def _kinds_of(self, kinds: Sequence[frozenset[str]]) -> None:
        name = self.one(self.words["kind"])
        if name == "is_human":
            ways = [("true", "false"), ("1", "0"), ("yes", "no")]
        else:
            ways = [("human", "judge"), ("human", "llm"), ("human", "model"), ("Human", "AI")]
        person, judge = self.one(ways)
        said = [judge if one == JUDGE else person for one in kinds]
        self.columns[self.called(name)] = said

    # What stands beside.

    def _beside(self) -> None:
        rows = len(next(iter(self.columns.values())))
        kinds = list(self.words["noise"])
        many = int(self.rng.choice([0, 0, 1, 1, 2, 3, 4]))
        for kind in self.rng.choice(kinds, many, replace=False):
            if not self._may_stand(str(kind)):
                continue
            name = self.called(self.one(self.words["noise"][str(kind)]))
            if name.endswith("_2"):
                continue
            self.columns[name] = _NOISE[str(kind)](self.rng, rows)
        if self.chance(0.3):
            self._shuffle()

    def _may_stand(self, kind: str) -> bool:
        """What could be taken for a rating by anybody stands in no table."""
        scale = self.reading.scale
        measured = scale.decimals is not None or len(scale.options) > 7
        if kind in ("metric", "sure", "count", "time", "cost", "setting"):
            return not measured
        if kind == "topic":
            return "nominal" not in scale.scales
        if kind == "level":
            return not scale.grades
        return kind != "flag" or "binary" not in scale.scales or "true" not in scale.options

    def _shuffle(self) -> None:
        """Columns in another order; the first stays."""
        first, *rest = self.columns
        order = [rest[at] for at in self.rng.permutation(len(rest))]
        self.columns = {name: self.columns[name] for name in (first, *order)}


def _title(name: str) -> str:
    return name.replace("_", " ").title()


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


_STYLES: tuple[Callable[[str], str], ...] = (
    lambda name: name,
    _title,
    _camel,
    lambda name: name.replace("_", " "),
    lambda name: name.replace("_", "-"),
    str.upper,
    lambda name: name[:1].upper() + name[1:],
)
_OFTEN = (0.6, 0.12, 0.1, 0.05, 0.04, 0.04, 0.05)
_LAYOUTS = (
    "one_and_judge", "several_and_judge", "systems", "criteria", "criterion_rows", "long",
)  # fmt: skip
_SHARES = (0.4, 0.2, 0.1, 0.08, 0.06, 0.16)
_TALK = (
    "How do I reset the password of my account",
    "The committee met on Tuesday and agreed on the budget",
    "Explain why the sky looks blue in the morning",
    "Our parcel did not arrive although it was paid",
    "Write a short poem about winter in the mountains",
    "The patient reports mild pain after the treatment",
    "Translate this sentence into simple words please",
)
#: How anybody may write that what is looked for is there, or is not.
_YES_AND_NO = (("yes", "no"), ("1", "0"), ("true", "false"), ("Y", "N"), ("True", "False"))
_SPLITS = ("train", "dev", "test")
_STATES = (("done", "open"), ("completed",))
_SETTINGS = (("0.7",), ("v1", "v2"))
_TOPICS = (("sports", "health", "law"), ("en", "de", "fr"), ("web", "app"), ("eu", "us", "apac"))


def _among(rng: Rng, rows: int, labels: Sequence[str]) -> list[str]:
    return [labels[int(at)] for at in rng.integers(len(labels), size=rows)]


def _numbers(low: float, high: float, decimals: int) -> Callable[[Rng, int], list[str]]:
    def made(rng: Rng, rows: int) -> list[str]:
        return [f"{value:.{decimals}f}" for value in rng.uniform(low, high, rows)]

    return made


def _when(rng: Rng, rows: int) -> list[str]:
    days = rng.integers(1, 28, rows)
    clock = " 10:{:02d}:00" if rng.random() < 0.5 else ""
    return [f"2025-03-{day:02d}{clock.format(int(day) % 60)}" for day in days]


def _notes(rng: Rng, rows: int) -> list[str]:
    few = rng.random(rows) < 0.2
    return [f"look again: {_TALK[at % len(_TALK)]}" if few[at] else "" for at in range(rows)]


def _reason(rng: Rng, rows: int) -> list[str]:
    return [
        f"Because {_TALK[int(n)].lower()} ({at})."
        for at, n in enumerate(rng.integers(7, size=rows))
    ]


_NOISE: dict[str, Callable[[Rng, int], list[str]]] = {
    "count": _numbers(5, 300, 0),
    "metric": _numbers(0, 1, 3),
    "time": _numbers(200, 9000, 0),
    "cost": _numbers(0, 0.02, 5),
    "when": _when,
    "split": lambda rng, rows: _among(rng, rows, _SPLITS),
    "topic": lambda rng, rows: _among(rng, rows, _TOPICS[int(rng.integers(len(_TOPICS)))]),
    "notes": _notes,
    "reason": _reason,
    "state": lambda rng, rows: _among(rng, rows, _STATES[int(rng.integers(2))]),
    "sure": _numbers(0.5, 1, 2),
    "setting": lambda rng, rows: _among(rng, rows, _SETTINGS[int(rng.integers(2))]),
    "flag": lambda rng, rows: _among(rng, rows, ("true", "false")),
    "level": lambda rng, rows: _among(rng, rows, ("easy", "medium", "hard")),
}  # fmt: skip


# What the guess makes of a table.


@dataclass(frozen=True)
class Verdict:
    kind: str
    why: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


def verdict(plain: Plain, folder: Path) -> Verdict:
    """The class of a table's reading."""
    path = str(plain.write(folder))
    try:
        ratings, draft = guessed_ratings(path)
    except GoldassayError as error:
        led = _led(plain.reading, path, {}, STEPS)
        return Verdict("asked" if led else "refused", (str(error),))
    except Exception as error:
        return Verdict("crash", (f"{type(error).__name__}: {error}",))
    wrong = tuple(faults(plain.reading, ratings, draft))
    asked = tuple(draft.questions)
    if not wrong:
        return Verdict("right+asked" if asked else "right", (), asked)
    every: Mapping[str, Any] = {}
    for answer in draft.offered:  # each alone, and all that were told so far
        every = merged(every, answer)
        if any(_is_right(plain.reading, path, said) for said in (answer, every)):
            return Verdict("asked", wrong, asked)
    return Verdict("wrong", wrong, asked)


def _is_right(reading: Reading, path: str, said: Mapping[str, Any]) -> bool:
    try:
        ratings, draft = guessed_ratings(path, None, Declared.of(said, "--task"))
    except Exception:  # whatever it is: it does not lead there
        return False
    return not any(faults(reading, ratings, draft))


def _led(reading: Reading, path: str, said: Mapping[str, Any], steps: int) -> bool:
    """Whether answers that are offered lead to the right reading."""
    if not steps:
        return False
    try:
        missing = propose(path, None, Declared.of(said, "--task")).missing
    except GoldassayError:
        return False
    for answer in missing[0].answers if missing else ():
        if isinstance(answer, str):
            continue
        both = merged(said, answer)
        if _is_right(reading, path, both) or _led(reading, path, both, steps - 1):
            return True
    return False


def faults(reading: Reading, ratings: Ratings, draft: Draft) -> Iterator[str]:
    """What is not as it is meant, in a few words each."""
    rows = _rows(ratings)
    kinds: dict[str, set[str]] = {}
    for row in rows:
        kinds.setdefault(row["rater"], set()).add(row["kind"])
    said = {name: next(iter(kind)) for name, kind in kinds.items()}
    reading = _without_apart(reading, draft)
    yield from _who(reading, said)
    yield from _labels(reading.scale, draft)
    yield from _cells(reading, rows, draft.task["cluster"])


def _without_apart(reading: Reading, draft: Draft) -> Reading:
    """The reading without an answer key that is kept apart from several people, as it should be."""
    keys = draft.task.get("wide", {}).get("reference", [])
    if sum(kinds == HUMAN for kinds in reading.kinds.values()) < 2:
        return reading
    apart = {name for name in keys if reading.kinds.get(name, HUMAN) != HUMAN}
    kinds = {name: kinds for name, kinds in reading.kinds.items() if name not in apart}
    ratings = [one for one in reading.ratings if one.rater not in apart]
    return replace(reading, kinds=kinds, ratings=ratings)


def _rows(ratings: Ratings) -> list[dict[str, str]]:
    found = fetch(ratings.frame, place="")
    columns = {name: [str(one) for one in found[name]] for name in found}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _who(reading: Reading, said: Mapping[str, str]) -> Iterator[str]:
    if reading.named and {map_name(n) for n in said} != {map_name(n) for n in reading.kinds}:
        missing = sorted(reading.kinds.keys() - said.keys())
        more = sorted(said.keys() - reading.kinds.keys())
        yield f"raters: not {missing}, but {more}"
        return
    if reading.named:
        names = {map_name(name): kind for name, kind in said.items()}
        odd = {
            n: names[map_name(n)] for n, k in reading.kinds.items() if names[map_name(n)] not in k
        }
        if odd:
            yield f"kinds: {odd}"
        return
    want = Counter("judge" if k == JUDGE else "person" for k in reading.kinds.values())
    have = Counter("judge" if k == "judge" else "person" for k in said.values())
    if want != have:
        yield f"raters: {dict(have)} ({sorted(said)}) in place of {dict(want)}"


def map_name(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _labels(scale: Scale, draft: Draft) -> Iterator[str]:
    task = draft.task
    if task["scale"] not in scale.scales:
        yield f"scale: {task['scale']}"
        return
    if task["scale"] == "binary" and scale.meaning(task["positive"]) != "+":
        yield f"positive: {task['positive']}"
    options = [scale.meaning(one) for one in task.get("options", ())]
    mine = [scale.meaning(one) for one in scale.options]
    if task["scale"] == "ordinal" and scale.decimals is None:
        places = [mine.index(one) for one in options if one in mine]
        ways = [places, places[::-1]] if scale.either else [places]
        if not any(all(a < b for a, b in pairwise(way)) for way in ways):
            yield f"order: {options}"
        strange = [one for one in options if one not in mine and not scale.options[0][-1].isdigit()]
        if strange and len(options) - len(strange) < 2:
            yield f"options: {strange}"
    if task["scale"] in ("binary", "nominal") and not {*options} <= {*mine}:
        yield f"options: {sorted({*options} - {*mine})}"


def _cells(reading: Reading, rows: Sequence[Mapping[str, str]], cluster: str) -> Iterator[str]:
    """Whether the ratings are those that are meant, item by item."""
    scale = reading.scale
    criteria = len({one.criterion for one in reading.ratings}) > 1
    systems = len({one.system for one in reading.ratings}) > 1

    def value(row: Mapping[str, str]) -> str:
        return scale.meaning(row["value"]) if row["status"] == "rated" else OUT

    want: dict[tuple[str, str, str], Counter[tuple[str, str]]] = {}
    for one in reading.ratings:
        who = "judge" if reading.kinds[one.rater] == JUDGE else "person"
        key = (one.item, one.system, one.criterion)
        want.setdefault(key, Counter())[who, one.value] += 1
    have: dict[tuple[str, str, str], Counter[tuple[str, str]]] = {}
    for row in rows:
        who = "judge" if row["kind"] == "judge" else "person"
        key = (row["item"], row.get("system", ""), row.get("criterion", ""))
        have.setdefault(key, Counter())[who, value(row)] += 1
    total = [sum(part.values(), Counter()) for part in (want, have)]
    if total[0] != total[1]:
        lost, more = total[0] - total[1], total[1] - total[0]
        yield f"values: not {_brief(lost)}, but {_brief(more)}"
        return
    bags = [Counter(frozenset(bag.items()) for bag in part.values()) for part in (want, have)]
    if bags[0] != bags[1]:
        yield f"items: {len(have)} in place of {len(want)}"
    elif criteria and len({row.get("criterion", "") for row in rows}) < 2:
        yield "criteria: none"
    elif systems and len({row.get("system", "") for row in rows}) < 2:
        yield "systems: none"
    elif len({row[cluster] for row in rows}) != len({one.item for one in reading.ratings}):
        yield f"cluster: {cluster}"


def _brief(some: Counter[tuple[str, str]]) -> str:
    return str(dict(some.most_common(3)))


def measured(half: str, files: int, seed: int) -> Iterator[tuple[Plain, Verdict]]:
    """Tables of one half, each with the class of its reading."""
    maker = Maker(half, seed)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(files):
            plain = maker.make(number)
            yield plain, verdict(plain, Path(folder))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", choices=HALVES, default="mend")
    parser.add_argument("--show", help="print the tables of this class")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    silent = 0
    for plain, found in measured(options.half, options.files, options.seed):
        counts[found.kind] += 1
        silent += found.kind == "wrong" and not found.asked
        if found.kind in (options.show or "").split(","):
            _show(plain, found)
    shares = (f"{name} {counts[name]} ({counts[name] / options.files:.0%})" for name in CLASSES)
    print(f"{options.half}, {options.files} tables, seed {options.seed}: {', '.join(shares)}")
    print(f"of those read wrong, {silent} without a question")


def _show(plain: Plain, found: Verdict) -> None:
    print(f"--- {plain.name}: {found.kind}")
    for name, cells in plain.columns.items():
        print(f"    {name}: {[cell[:24] for cell in dict.fromkeys(cells)][:6]}")
    print("    raters:", {name: sorted(kinds) for name, kinds in plain.reading.kinds.items()})
    for why in found.why:
        print("  !", why[:400])
    for asked in found.asked:
        print("  ?", asked[:300])


if __name__ == "__main__":
    main()
