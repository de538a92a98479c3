"""What a table looks like: its columns as they were looked at, and which of them is what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from goldassay.frozen import dataclass
from goldassay.proposals.labels.used import Used
from goldassay.proposals.profile import MANY, Column
from goldassay.ratings.vocabulary import bare_name, folded, plain_name
from goldassay.sources.exploded import PLACE
from goldassay.sources.frames import Source, told_apart
from goldassay.words import listed, named

__all__ = [
    "Shape",
    "Table",
    "beside_ratings",
    "by_plain_name",
    "called_apart",
    "members_by_name",
    "only_file",
    "person",
    "persons",
    "raters_of_files",
    "some",
    "some_asked",
    "stem_of",
    "used_of",
]


@dataclass
class Shape:
    """Which column is what, in the keys of a task; who used which labels."""

    columns: dict[str, Any] = field(default_factory=dict)
    #: Column -> what its ratings are about (rater, kind, criterion, system).
    cells: dict[str, dict[str, str]] = field(default_factory=dict)
    raters: dict[str, list[str]] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    #: File name -> constants.
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    used: list[Used] = field(default_factory=list)
    sides: bool = False

    @property
    def rated(self) -> set[str]:
        """The file's columns that hold ratings."""
        value = self.columns.get("value", ())
        return {*self.cells, *([value] if isinstance(value, str) else value)}

    @property
    def taken(self) -> set[str]:
        """The file's columns that have a place already."""
        return self._columns_of(*self.columns) | set(self.cells)

    @property
    def meaning(self) -> set[str]:
        """Those of them that hold ratings or say what these are about; a part of an item's name
        may hold something else as well."""
        parts = {"cluster"} if isinstance(self.columns.get("item"), str) else {"cluster", "item"}
        return self._columns_of(*(self.columns.keys() - parts)) | set(self.cells)

    def _columns_of(self, *keys: str) -> set[str]:
        places = [self.columns[key] for key in keys]
        return {n for t in places for n in ([t] if isinstance(t, str) else t)}


@dataclass(frozen=True)
class Table:
    """A source with its columns looked at."""

    source: Source
    columns: Mapping[str, Column]

    def called(self, names: Iterable[str], *, but: Iterable[str] = ()) -> list[str]:
        """The columns of these names, in the order of the names."""
        lower = members_by_name(self.source, self.columns) | by_plain_name(self.columns)
        left = set(but)
        return [lower[name] for name in names if name in lower and lower[name] not in left]

    def folds(self, name: str) -> set[str]:
        """What the labels of a column say, however they are written."""
        return {folded(label) for label in self.columns[name].labels}

    def own(self, name: str) -> str:
        """What the file itself calls a column."""
        return next((o for o, here in self.source.renamed.items() if here == name), name)

    @property
    def stem(self) -> str:
        return stem_of(self.source.name)


def beside_ratings(columns: Iterable[str]) -> set[str]:
    """Of a ratings table in goldassay's own form, as every log becomes one: what stands beside a
    rating and is known not to be another."""
    ours = {"rater", "value"} <= {*columns}
    return {"score", "raw", "reason", "rater_type"} if ours else set()


def members_by_name(source: Source, columns: Iterable[str]) -> dict[str, str]:
    """Of rows that are members of lists, the columns by what the members call them: `score` is that
    of `feedback.score`. Nothing where rows are no members."""
    names = list(columns)
    if PLACE not in names:
        return {}
    own = {here: theirs for theirs, here in source.renamed.items()}
    paths = {n: own.get(n, n).rpartition(".") for n in names[::-1]}
    return {plain_name(last): n for n, (record, _, last) in paths.items() if record}


def by_plain_name(columns: Iterable[str]) -> dict[str, str]:
    """The columns by their names in small letters, and in one way of writing (`Worker ID`); by what
    stands behind a colon (`ASSIGNMENT:worker_id`) where no column is called that itself."""
    back = list(columns)[::-1]
    behind = {bare_name(n): n for n in back if ":" in n}
    return behind | {plain_name(n): n for n in back} | {n.casefold().strip(): n for n in back}


def stem_of(name: str) -> str:
    """What a file's name calls its rater: without its folder, ending and general words; of a sheet
    or a table of a file, that one's."""
    name = name.rpartition("::")[2] if re.search(r"\.\w+::.", name) else name
    stem = re.sub(
        r"\.(csv|tsv|tab|jsonl|ndjson|json|parquet|pq|txt|xlsx|gz|zst)$", "", Path(name).name
    )
    stem = re.sub(r"\.(csv|tsv|jsonl|json|txt|qrels?|run|trec|(?:seg|sys)\.score)$", "", stem)
    return stem or "rater"


def raters_of_files(table: Table) -> dict[str, str]:
    """File -> what its rater is called, of all files that are read together."""
    return called_apart(told_apart([place for place, _ in table.source.parts]))


def called_apart(files: Sequence[str]) -> dict[str, str]:
    """File -> what tells it from the others: its name, or the folders where names are equal.

    >>> called_apart(["gpt/cot/result.json", "claude/cot/result.json"])
    {'gpt/cot/result.json': 'gpt', 'claude/cot/result.json': 'claude'}
    """
    parts = [file.split("/") for file in files]
    depth = max(map(len, parts), default=1)
    padded = [[""] * (depth - len(one)) + one for one in parts]
    differ = [at for at in range(depth) if len({one[at] for one in padded}) > 1] or [depth - 1]
    return {
        file: "/".join(stem_of(one[at]) for at in differ if one[at])
        for file, one in zip(files, padded, strict=True)
    }


def some(names: Sequence[str], most: int = 6) -> str:
    shown = [named(name) for name in names[:most]]
    more = len(names) - most
    return listed([*shown, f"{more} more"] if more > 0 else shown)


def some_asked(names: Sequence[str], one: str, several: str) -> str:
    """A question about one column, or about several, whose names stand in the place of {}."""
    return (one if len(names) == 1 else several).format(some(names))


def person(kind: str) -> str:
    return {"human": "person", "judge": "judge", "reference": "answer key"}[kind]


def persons(kind: str) -> str:
    return {"human": "people", "judge": "judges", "reference": "an answer key"}[kind]


def used_of(table: Table, name: str, kind: str) -> Used:
    """The labels of a column, and whose they are."""
    column = table.columns[name]
    return Used(name, kind, column.labels, len(column.labels) > MANY)


def only_file(table: Table, name: str) -> str | None:
    """What the only file with this column is called, where there are several files."""
    places = [place for place, names in table.source.parts if name in names]
    return stem_of(places[0]) if len(places) == 1 else None
