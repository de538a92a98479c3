"""Rows and columns of what a file holds, through the records and lists within it.

A column's name is the way to it, `results.prompt.id`: keys with dots between. Lists on the way are
opened, a number is a place in one (`judge.1`), and a field of a record around the row needs no way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from goldassay.frozen import dataclass
from goldassay.read.contents import Content, text_of, unfolded
from goldassay.read.patterns import LEVEL, Captured, captured, is_pattern, joined, matched

__all__ = ["ROW", "Entry", "File", "Row", "opened"]

#: The number of the row, where a column is named.
ROW = "#"
#: The axis of a list that ends a way, beside those on the way.
LAST = "@"
#: Rows, and elements of a list in each, whose keys are looked at.
LOOKED, ELEMENTS = 2_000, 20
_NAME = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Row:
    """A record, those around it, what `{name}`s kept on the way to it, and its number."""

    scopes: tuple[Mapping[str, Any], ...]
    keys: Mapping[str, Any]
    number: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A value of a column in a row: where in which lists it stands, and how long the last is."""

    axes: Mapping[str, int]
    value: Any
    size: int = 0


class File:
    """The rows of one file, and its columns: name -> the levels of it."""

    def __init__(self, content: Content, rows: Sequence[Row], *, alone: bool, found: bool) -> None:
        self.content, self.rows = content, rows
        #: Whether it is one record, whose lists are items; and whether it has `--rows`.
        self.alone, self.found = alone, found
        self.columns: dict[str, str] = {}
        step = max(1, len(rows) // LOOKED)
        seen: set[int] = set()  # a record around many rows is looked at once
        flat: set[tuple[str, ...]] = set()
        for row in islice(rows, 0, None, step):
            for depth, scope in enumerate((row.keys, *row.scopes)):
                if id(scope) in seen:
                    continue
                seen.add(id(scope))
                if not any(isinstance(v, list | dict) or _folded(v) for v in scope.values()):
                    if (names := tuple(scope)) in flat:
                        continue
                    flat.add(names)
                for way in _ways(scope, (), lists=depth < 2):
                    self.columns.setdefault(".".join(way), LEVEL.join(way))
        #: Whether a key holds a dot, so that a name may be split in several ways.
        self._dotted = any("." in way for way in self.columns.values())
        self._plain: dict[str, list[str] | None] = {}
        self._readers: dict[str, Callable[[Row], list[Entry]]] = {}

    @property
    def name(self) -> str:
        return self.content.name

    def last_level(self, column: str) -> str:
        """The last key of a column's name."""
        return self.columns.get(column, column).rpartition(LEVEL)[2]

    def has(self, text: str) -> bool:
        """Whether a text is one column: by its name, its place in a list, or the row's number."""
        if text in self.columns or text == ROW:
            return True
        placed = re.search(r"\.\d+(\.|$)", text)
        return bool(placed) and any(self.entries(row, text) for row in self.rows[:20])

    def find(self, text: str) -> list[tuple[str, Captured]]:
        """The columns that a text names, with what it keeps: the whole text, else a pattern, else a
        list with commas; none where a part of it is not there."""
        if self.has(text):
            return [(text, {})]
        if is_pattern(text):
            levels = {way: name for name, way in self.columns.items()}
            if found := matched(levels, text):
                return [(levels[way], kept) for way, kept in found.items()]
        if "," not in text:
            return []
        parts = [self.find(part.strip()) for part in text.split(",")]
        return [one for part in parts for one in part] if all(parts) else []

    def entries(self, row: Row, column: str) -> list[Entry]:
        """The values of a column in a row, in the innermost record that has it."""
        if column not in self._readers:
            self._readers[column] = _reader(column, dotted=self._dotted)
        return self._readers[column](row)

    def plain(self, column: str) -> list[str] | None:
        """The texts of a column row by row; None where rows or cells hold more than one."""
        if column not in self._plain:
            within = column != ROW and LEVEL in self.columns.get(column, LEVEL)
            self._plain[column] = None if within else _texts(self.rows, column)
        return self._plain[column]

    def texts(self, column: str) -> Iterator[tuple[Row, str]]:
        """The values of a column as texts, empty ones left out."""
        for row in self.rows:
            for entry in self.entries(row, column):
                if text := text_of(entry.value):
                    yield row, text


def opened(content: Content, path: str | None) -> File:
    """The rows of a content: those below a path of `--rows`, else its records."""
    if path not in content.memory:
        content.memory[path] = _opened(content, path)
    file: File = content.memory[path]
    return file


def _opened(content: Content, path: str | None) -> File:
    rows = _below(content.root, path) if path else []
    if rows:
        return File(content, rows, alone=False, found=True)
    rows, alone = _plain(content.root)
    return File(content, rows, alone=alone, found=False)


def _plain(root: Any) -> tuple[list[Row], bool]:
    """Records in a list; a map of names to values of one kind; or one record."""
    if isinstance(root, list):
        records = [one if isinstance(one, dict) else {"value": one} for one in root]
        return [Row((one,), {}, at) for at, one in enumerate(records, 1)], False
    if not isinstance(root, dict):
        return [Row(({"value": root},), {}, 1)], True
    kinds = {type(value) for value in root.values()} - {type(None)}
    if len(root) > 1 and len(kinds) == 1 and not kinds & {dict, list}:
        pairs = enumerate(root.items(), 1)
        return [Row(({"value": value},), {"item": key}, at) for at, (key, value) in pairs], False
    return [Row((root,), {}, 1)], True


#: A record (or value) below a path, those around it, and what was kept on the way.
_Found = tuple[Any, tuple[Mapping[str, Any], ...], Captured]


def _below(root: Any, path: str) -> list[Row]:
    rows = []
    for at, (node, scopes, kept) in enumerate(_walk(root, path.split("."), (), {}), 1):
        record = node if isinstance(node, dict) else {"value": node}
        keys = {name: parts if name == "item" else joined(parts) for name, parts in kept.items()}
        rows.append(Row((record, *scopes), keys, at))
    return rows


def _walk(
    node: Any, way: list[str], scopes: tuple[Mapping[str, Any], ...], kept: Captured
) -> Iterator[_Found]:
    if isinstance(node, list):
        name = _NAME.fullmatch(way[0]) if way else None  # {name} in a list: the place
        for at, one in enumerate(node, 1):
            more = _with(kept, {name[1]: (str(at),)}) if name else kept
            yield from _walk(one, way[1:] if name else way, scopes, more)
    elif not way:
        yield node, scopes, kept
    elif isinstance(node, dict):
        for length in range(len(way), 0, -1):
            if (key := ".".join(way[:length])) in node:
                yield from _walk(node[key], way[length:], (node, *scopes), kept)
                return
        if not is_pattern(way[0]):
            return
        hits = {key: found for key in node if (found := captured(key, way[0])) is not None}
        rest = {key: value for key, value in node.items() if key not in hits}
        for key, found in hits.items():  # keys that are values of a {name} are no columns
            yield from _walk(node[key], way[1:], (rest, *scopes), _with(kept, found))


def _with(kept: Captured, found: Captured) -> Captured:
    return {**kept, **{name: (*kept.get(name, ()), *parts) for name, parts in found.items()}}


def _ways(node: Any, way: tuple[str, ...], *, lists: bool) -> Iterator[tuple[str, ...]]:
    """The ways to all scalars and to lists of them; no `lists` around the rows, which hold them."""
    node = unfolded(node)
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _ways(value, (*way, str(key)), lists=lists)
    elif isinstance(node, list):
        if not lists:
            return
        records = [one for one in node[:ELEMENTS] if isinstance(one, dict)]
        if way and len(records) < max(1, len(node[:ELEMENTS])):
            yield way
        for one in records:
            yield from _ways(one, way, lists=lists)
    elif way:
        yield way


def _reader(column: str, *, dotted: bool) -> Callable[[Row], list[Entry]]:
    """What reads a column of a row; a plain cell of a flat row without a search."""
    way = column.split(".")

    def read(row: Row) -> list[Entry]:
        if column == ROW:
            return [Entry({}, row.number)]
        if column in row.keys:
            return [Entry({}, row.keys[column])]
        cell = row.scopes[0].get(column)
        if cell is not None and not isinstance(cell, list | dict) and not _folded(cell):
            return [Entry({}, cell)]
        for scope in row.scopes:
            if found := _values(scope, way, {}, "", dotted=dotted):
                return found
        return []

    return read


def _texts(rows: Sequence[Row], column: str) -> list[str] | None:
    found = []
    for row in rows:
        if len(row.scopes) > 1 or row.keys:
            return None
        cell = row.number if column == ROW else row.scopes[0].get(column, "")
        if isinstance(cell, list | dict) or _folded(cell):
            return None
        found.append(text_of(cell))
    return found


def _folded(cell: Any) -> bool:
    return hasattr(cell, "tolist") or (isinstance(cell, str) and cell[:1] in ("[", "{"))


def _values(
    node: Any, way: Sequence[str], axes: Mapping[str, int], place: str, *, dotted: bool
) -> list[Entry]:
    node = unfolded(node)
    if isinstance(node, list):
        if way and way[0].isdigit():
            at = int(way[0])
            return (
                _values(node[at - 1], way[1:], axes, place, dotted=dotted)
                if 0 < at <= len(node)
                else []
            )
        if way:
            found = (
                _values(one, way, {**axes, place: at}, place, dotted=dotted)
                for at, one in enumerate(node)
                if isinstance(unfolded(one), dict | list)
            )
            return [entry for entries in found for entry in entries]
        return [Entry({**axes, LAST: at}, one, len(node)) for at, one in enumerate(node)]
    if not way:
        return [] if isinstance(node, dict) else [Entry(axes, node)]
    if isinstance(node, dict):
        for length in range(len(way), 0, -1) if dotted else (1,):
            if (key := ".".join(way[:length])) in node:
                return _values(node[key], way[length:], axes, f"{place}.{key}", dotted=dotted)
    return []
