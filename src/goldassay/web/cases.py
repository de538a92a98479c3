"""What there is to label and explore: units, the judges' verdicts, people's ratings, the texts.

Everything is in memory, keyed by a short digest of the unit that is safe in an address. Raw answers
of judges stay in the store and are read when they are looked at.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path

from goldassay.errors import SourceError
from goldassay.frozen import dataclass
from goldassay.judges.items import read_items
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings
from goldassay.web.reference import mode

__all__ = ["Cases", "Given", "Texts", "Unit", "Verdict", "cases_of", "raw_answers", "read_texts"]

#: Columns of a ratings table that may hold a judge's own words, best first.
RAW = ("response", "raw", "answer", "explanation", "reason")
#: Columns that belong to a rating, not to its unit.
OF_RATING = frozenset(
    {
        "item",
        "criterion",
        "system",
        "opponent",
        "rater",
        "kind",
        "value",
        "status",
        "sample",
        "score",
        "number",
        "code",
        "elicitation",
        "order",
        "time",
        "cost",
        "latency",
        "model",
        "rater_type",
        "log",
        *RAW,
    }
)
#: Columns of an items table that name or sort an item and are no text of it.
NOT_TEXT = frozenset(
    {"item", "system", "opponent", "criterion", "criteria", "cluster", "stratum", "split", "weight"}
)
#: Columns of an items table that its labels carry along.
CARRIED = ("prompt", "cluster", "stratum", "split", "weight")


@dataclass(frozen=True, slots=True)
class Unit:
    """What one rater rates once."""

    item: str
    criterion: str = ""
    system: str = ""
    opponent: str = ""

    @property
    def key(self) -> str:
        words = json.dumps([self.item, self.criterion, self.system, self.opponent])
        return hashlib.blake2b(words.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge said of a unit, once."""

    judge: str
    value: str
    status: str
    sample: str = ""
    order: str = ""
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """What a person said of a unit. `number` is the label's; a table's rating has 0."""

    rater: str
    value: str
    status: str
    elicitation: str = ""
    comment: str = ""
    time: str = ""
    number: int = 0
    seconds: float | None = None


@dataclass(frozen=True)
class Cases:
    """All units by key, in the order of the table, with what judges and people said of them."""

    units: Mapping[str, Unit]
    verdicts: Mapping[str, tuple[Verdict, ...]] = field(default_factory=dict)
    people: Mapping[str, tuple[Given, ...]] = field(default_factory=dict)
    #: Columns of the unit beside its name, as cluster or split, which its labels carry too.
    about: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def judges(self) -> tuple[str, ...]:
        return tuple(sorted({v.judge for one in self.verdicts.values() for v in one}))

    def answers(self, judge: str) -> Mapping[str, str]:
        """A judge's commonest answer to each unit that has a verdict, "" for none that counts."""
        if judge not in self._answers:
            self._answers[judge] = {
                key: mode(v.value for v in one if v.judge == judge and v.status == "rated") or ""
                for key, one in self.verdicts.items()
            }
        return self._answers[judge]

    @cached_property
    def _answers(self) -> dict[str, Mapping[str, str]]:
        return {}

    @cached_property
    def systems(self) -> tuple[str, ...]:
        return self._values("system")

    @cached_property
    def criteria(self) -> tuple[str, ...]:
        return self._values("criterion")

    @cached_property
    def sheets(self) -> dict[tuple[str, str, str], tuple[str, ...]]:
        """Answers that are rated by several criteria -> their units."""
        found: dict[tuple[str, str, str], list[str]] = {}
        if self.criteria:
            for key, unit in self.units.items():
                found.setdefault((unit.item, unit.system, unit.opponent), []).append(key)
        return {answer: tuple(keys) for answer, keys in found.items() if len(keys) > 1}

    def _values(self, column: str) -> tuple[str, ...]:
        return tuple(sorted({getattr(unit, column) for unit in self.units.values()} - {""}))


def cases_of(ratings: Ratings, *, people: bool = True) -> Cases:
    """Every unit of a checked table; without `people` its human ratings are left to the store."""
    columns = fetch(ratings.frame.select(*ratings.columns), place=ratings.name)
    names = list(columns)
    units: dict[str, Unit] = {}
    verdicts: dict[str, list[Verdict]] = {}
    given: dict[str, list[Given]] = {}
    about: dict[str, dict[str, str]] = {}
    raw = next((name for name in RAW if name in names), "")
    known: dict[Unit, str] = {}
    for cells in zip(*(columns[name].tolist() for name in names), strict=True):
        row = {
            name: "" if cell is None else str(cell) for name, cell in zip(names, cells, strict=True)
        }
        unit = Unit(*(row.get(name, "") for name in ("item", "criterion", "system", "opponent")))
        key = known.get(unit) or known.setdefault(unit, unit.key)
        if key not in units:
            units[key] = unit
            about[key] = {n: v for n, v in row.items() if n not in OF_RATING and v}
        if row["kind"] == "judge":
            one = Verdict(
                row["rater"],
                row["value"],
                row["status"],
                row.get("sample", ""),
                row.get("order", ""),
                row.get(raw, ""),
            )
            verdicts.setdefault(key, []).append(one)
        elif people and row["kind"] == "human":
            person = Given(row["rater"], row["value"], row["status"], row.get("elicitation", ""))
            given.setdefault(key, []).append(person)
    # The engine gives rows in no order of its own; names sorted are the same on every start.
    order = sorted(
        units,
        key=lambda key: (
            units[key].item,
            units[key].criterion,
            units[key].system,
            units[key].opponent,
        ),
    )
    return Cases(
        {key: units[key] for key in order},
        {
            key: tuple(sorted(v, key=lambda v: (v.judge, v.sample, v.order)))
            for key, v in verdicts.items()
        },
        {key: tuple(sorted(p, key=lambda p: p.rater)) for key, p in given.items()},
        about,
    )


@dataclass(frozen=True)
class Texts:
    """The items table: texts by (item, system, opponent), and the rows' order."""

    rows: Mapping[tuple[str, str, str], Mapping[str, str]] = field(default_factory=dict)
    criteria: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def by_item(self) -> dict[str, list[tuple[str, str]]]:
        """For each item, the (system, opponent) that the table has rows for."""
        found: dict[str, list[tuple[str, str]]] = {}
        for item, *pair in self.rows:
            found.setdefault(item, []).append((pair[0], pair[1]))
        return found

    def of(self, unit: Unit) -> dict[str, str]:
        """The texts of a unit by field; a pair's second answer may be the opponent's own row."""
        found = self._row(unit.item, unit.system, unit.opponent) or self._row(unit.item, "", "")
        if found is None:  # another system's row tells what was asked, not what was answered
            pair = next(iter(self.by_item.get(unit.item, ())), ("", ""))
            other = self.rows.get((unit.item, *pair), {})
            found = {name: value for name, value in other.items() if not name.startswith("output")}
        texts = {name: value for name, value in found.items() if name not in NOT_TEXT and value}
        if unit.opponent and "output_b" not in texts:
            other = self._row(unit.item, unit.opponent, "") or {}
            if "output" in other:
                texts["output_b"] = other["output"]
        return texts

    def _row(self, item: str, system: str, opponent: str) -> Mapping[str, str] | None:
        """A system's row, best the one against this opponent."""
        found = self.rows.get((item, system, opponent)) or self.rows.get((item, system, ""))
        if found is None:
            others = (pair for pair in self.by_item.get(item, ()) if pair[0] == system)
            found = next((self.rows[item, *pair] for pair in others), None)
        return found

    def folded(self, unit: Unit) -> str:
        """What a search looks at: the name of the item and its texts, without regard to case."""
        found = self._folded
        row = (unit.item, unit.system)
        if row not in found:
            words = (unit.item, *self.of(Unit(unit.item, system=unit.system)).values())
            found[row] = "\n".join(words).casefold()
        return found[row]

    @cached_property
    def _folded(self) -> dict[tuple[str, str], str]:
        return {}

    def units(self) -> Cases:
        """Units of an items table that nothing has rated yet."""
        found: dict[str, Unit] = {}
        about: dict[str, dict[str, str]] = {}
        for (item, system, opponent), row in self.rows.items():
            for criterion in self.criteria.get(item, {"": ""}):
                unit = Unit(item, criterion, system, opponent)
                found[unit.key] = unit
                about[unit.key] = {name: row[name] for name in CARRIED if row.get(name)}
        return Cases(found, about=about)


def read_texts(path: str | Path) -> Texts:
    """Read the items that `goldassay run` reads: JSONL, CSV or TSV with `item`, and any texts."""
    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    criteria: dict[str, Mapping[str, str]] = {}
    for one in read_items(path):
        fields = {name: value for name, value in one.raw.items() if value is not None}
        rows[one.item, one.system, one.opponent] = {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in fields.items()
        }
        if one.criteria:
            criteria[one.item] = one.criteria
    if not rows:
        raise SourceError(str(path), "holds no item")
    return Texts(rows, criteria)


_RAW_QUERY = """
SELECT j.name, CAST(s.sample AS TEXT), s."order", c.response, c.failure, v.reason
FROM slots AS s JOIN judges AS j ON j.judge = s.judge AND j.current
  JOIN calls AS c ON c.key = s.key
  LEFT JOIN verdicts AS v ON v.key = s.key AND v.criterion = s.criterion
WHERE s.item = ? AND s.criterion = ? AND s.system = ? AND s.opponent = ?
"""


def raw_answers(
    connection: sqlite3.Connection, unit: Unit
) -> Iterable[tuple[tuple[str, str, str], str]]:
    """(judge, sample, order) and the judge's whole answer, from the store."""
    cursor = connection.execute(_RAW_QUERY, [unit.item, unit.criterion, unit.system, unit.opponent])
    for judge, sample, order, response, failure, reason in cursor:
        yield (judge, sample, order), response or failure or reason or ""
