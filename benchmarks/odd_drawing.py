"""What drawn files are made of: words of one half, verdicts of raters, and ways to write."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from openpyxl import Workbook

__all__ = ["Draw", "File", "Rating", "as_csv", "as_json", "as_jsonl", "as_xlsx"]

WORDS = tomllib.loads(Path(__file__).with_name("odd_words.toml").read_text(encoding="utf-8"))
#: Subjects of prompts and texts, which say nothing of the ratings.
SUBJECTS = ("rivers", "bees", "trains", "the moon", "bread", "old maps", "winter", "glass", "tides")
#: How often a rater says what is so.
_SURE = 0.75


class Rating(NamedTuple):
    """One rating that stands in the files; of pairs the value is `first`, `second` or `tie`."""

    item: str
    kind: str
    rater: str
    value: str
    criterion: str = ""
    system: str = ""
    opponent: str = ""


@dataclass
class File:
    """Files of one study, what stands in them, and the scales it may rightly be read on."""

    shape: str
    files: dict[str, bytes]
    ratings: list[Rating]
    scales: tuple[str, ...]
    #: Columns that may rightly be asked about.
    doubts: list[str] = field(default_factory=list)


class Draw:
    """One file's draws, from the words of one half."""

    def __init__(self, half: str, seed: int, shape: str) -> None:
        self.rng = Random(f"{half} {seed} {shape}")
        self.words: Mapping[str, list[Any]] = WORDS[half]
        self.join = self.pick_of(["_", "_", "_", " ", "-"])
        self.first = self.flip()  # who comes before what in names of columns
        self.items = [f"{n}" for n in range(1, self.rng.randint(14, 36))]
        if self.flip():
            self.items = [f"q{int(item):03}" for item in self.items]
        self.id, self.text = self.pick("id"), self.pick("text")
        kinds = ["group", "number", "time", "remark"]
        kinds = self.rng.sample(kinds, self.rng.randint(0, 2))
        self.asides = [(what, str(self.pick(what))) for what in kinds]

    def flip(self, share: float = 0.5) -> bool:
        return self.rng.random() < share

    def pick_of(self, among: Sequence[Any]) -> Any:
        return self.rng.choice(among)

    def pick(self, key: str) -> Any:
        return self.rng.choice(self.words[key])

    def some(self, key: str, number: int) -> list[Any]:
        return self.rng.sample(self.words[key], number)

    def name(self, who: str, what: str) -> str:
        """A column's name of who rated and what it holds."""
        return self.join.join((who, what) if self.first else (what, who))

    def sentence(self) -> str:
        return f"Tell me about {self.pick_of(SUBJECTS)} and {self.pick_of(SUBJECTS)}."

    def labels(self) -> list[str]:
        return [str(one) for one in self.pick("labels")]

    def grades(self) -> list[str]:
        low, high = self.pick("grades")
        return [str(n) for n in range(low, high + 1)]

    def scale(self) -> tuple[list[str], tuple[str, ...]]:
        """Labels or grades, and the scales they may be read on."""
        if self.flip():
            labels = self.labels()
            return labels, ("binary",) if len(labels) == 2 else ("nominal", "ordinal")
        return self.grades(), ("ordinal", "continuous")

    def said(self, truth: str, options: Sequence[str]) -> str:
        """What a rater says of what is so."""
        return truth if self.flip(_SURE) else self.pick_of(options)

    def head(self, item: str) -> dict[str, Any]:
        """An item's id, its text and what stands beside that is no rating."""
        row = {self.id: item, self.text: self.sentence()}
        return row | {name: self._aside(what) for what, name in self.asides}

    def _aside(self, what: str) -> str:
        if what == "group":
            return str(self.pick_of(["science", "history", "sports"]))
        if what == "number":
            return str(self.rng.randint(12, 900))
        if what == "time":
            return f"2024-0{self.rng.randint(1, 9)}-1{self.rng.randint(0, 9)}"
        return self.pick_of(["", "", self.sentence()])


def typed(value: str) -> int | str:
    """A value as JSON and spreadsheets hold it."""
    return int(value) if value.lstrip("-").isdigit() else value


def as_csv(rows: Iterable[Mapping[str, Any]], mark: str = ",") -> bytes:
    rows = list(rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, delimiter=mark, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def in_types(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: in_types(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [in_types(inner) for inner in value]
    return typed(value) if isinstance(value, str) else value


def as_json(value: Any) -> bytes:
    return json.dumps(in_types(value), indent=1).encode()


def as_jsonl(rows: Iterable[Any]) -> bytes:
    return "".join(json.dumps(in_types(row)) + "\n" for row in rows).encode()


def as_xlsx(sheets: Mapping[str, Sequence[Mapping[str, Any]]]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        names = list(dict.fromkeys(name for row in rows for name in row))
        sheet.append(names)
        for row in rows:
            sheet.append([in_types(row.get(name)) for name in names])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
