"""The items: streamed from JSONL or CSV, one at a time, so that memory does not grow with them."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, shown
from goldassay.frozen import dataclass

__all__ = ["Item", "Items", "References", "read_items"]

#: Columns of the ratings table that an item may carry along.
CARRIED = ("prompt", "cluster", "stratum", "split", "weight")
_LONGEST_LINE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Item:
    """One item: whose output is judged on which input, beside what else, by which criteria."""

    item: str
    input: str = ""
    output: str = ""
    system: str = ""
    output_b: str = ""
    opponent: str = ""
    reference: str = ""
    criteria: Mapping[str, str] = field(default_factory=dict)
    carried: Mapping[str, str] = field(default_factory=dict)
    raw: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0

    def with_answers(self, first: str, second: str) -> Item:
        """The item as a pair of the answers in two of its fields."""
        both = _text(self.raw.get(first)), _text(self.raw.get(second))
        return replace(self, output=both[0], output_b=both[1])


@dataclass(frozen=True, slots=True)
class Items:
    """Items that can be streamed more than once, and what messages call them."""

    place: str
    stream: Callable[[], Iterator[Item]]

    @classmethod
    def of(cls, items: str | Path | Items) -> Items:
        """The items of a file, or those given."""
        return items if isinstance(items, Items) else cls(str(items), lambda: read_items(items))


def read_items(path: str | Path) -> Iterator[Item]:
    """Stream the items of a JSONL, CSV or TSV file, by its ending."""
    place = str(path)
    try:
        if Path(path).suffix.lower() in (".csv", ".tsv"):
            with Path(path).open(encoding="utf-8-sig", newline="") as stream:
                tab = Path(path).suffix.lower() == ".tsv"
                csv.field_size_limit(_LONGEST_LINE)
                rows = csv.DictReader(stream, delimiter="\t" if tab else ",")
                for raw in rows:
                    raw.pop(None, None)
                    filled = {key: value for key, value in raw.items() if value not in (None, "")}
                    yield _item(filled, place, rows.line_num)
            return
        with Path(path).open(encoding="utf-8-sig") as stream:
            yield from (_item(raw, place, line) for line, raw in _json_lines(stream, place))
    except OSError as error:
        raise SourceError(
            place,
            f"the items cannot be read ({error.strerror or error})",
            next_step="Give --items FILE.jsonl",
        ) from None
    except UnicodeDecodeError as error:
        raise SourceError(
            place, "items are UTF-8", found=f"a wrong byte at {error.start}"
        ) from None
    except csv.Error as error:
        raise SourceError(place, f"is not a readable table ({error})") from None


def _json_lines(stream: Any, place: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, text in enumerate(stream, start=1):
        if not text.strip():
            continue
        try:
            raw = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SourceError(
                f"{place}, line {number}", f"is not JSON ({error})", found=shown(text[:60])
            ) from None
        if not isinstance(raw, dict):
            raise SourceError(
                f"{place}, line {number}",
                "an item is a JSON object",
                found=shown(raw),
                next_step='Write {"item": "q1", "input": "...", "output": "..."}',
            )
        yield number, raw


def _item(raw: dict[str, Any], place: str, line: int) -> Item:
    where = f"{place}, line {line}"
    name = _text(raw.get("item"))
    if not name:
        raise SourceError(
            where,
            "an item has a name",
            found=f"the fields {', '.join(map(str, list(raw)[:8])) or '(none)'}",
            next_step='Add "item": "q1"',
        )
    return Item(
        item=name,
        input=_text(raw.get("input")),
        output=_text(raw.get("output")),
        system=_text(raw.get("system")),
        output_b=_text(raw.get("output_b")),
        opponent=_text(raw.get("opponent")),
        reference=_text(raw.get("reference")),
        criteria=_criteria(raw.get("criteria"), where),
        carried={key: _text(raw[key]) for key in CARRIED if raw.get(key) is not None},
        raw=raw,
        line=line,
    )


def _text(value: Any) -> str:
    """A field as text that can be stored and sent: other JSON as JSON, lone surrogates escaped."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _criteria(raw: Any, where: str) -> dict[str, str]:
    """Criteria as {name: text}, from a table, a list of texts or a list of {name, text}."""
    if raw is None or raw == "":
        return {}
    if isinstance(raw, str):  # a CSV cell
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            raw = [raw]
    if isinstance(raw, dict):
        return {_text(name): _text(text) for name, text in raw.items()}
    out: dict[str, str] = {}
    for one in raw if isinstance(raw, list) else [None]:
        if isinstance(one, str):
            name = text = _text(one)
        elif isinstance(one, dict) and isinstance(one.get("name"), str):
            name = _text(one["name"])
            text = _text(one.get("text") or one.get("description")) or name
        else:
            raise SourceError(
                f"{where}, criteria",
                "are a table name = text, or a list of texts or of {name, text}",
                found=shown(raw),
            )
        if name in out:
            raise SourceError(f"{where}, criteria", "name each once", found=shown(name))
        out[name] = text
    return out


class References:
    """The outputs of the reference system by item, in a temporary file."""

    def __init__(self, items: Items, system: str) -> None:
        self.system = system
        self._table = sqlite3.connect("")  # a private file, removed on close
        self._table.execute("CREATE TABLE outputs (item TEXT PRIMARY KEY, output TEXT)")
        rows = ((one.item, one.output) for one in items.stream() if one.system == system)
        self._table.executemany("INSERT OR REPLACE INTO outputs VALUES (?, ?)", rows)
        if self._table.execute("SELECT 1 FROM outputs").fetchone() is None:
            raise SourceError(items.place, f"has no item of the reference system {system!r}")

    def paired(self, item: Item) -> Item | None:
        """The item beside the reference's output; None for the reference's own items."""
        if item.system == self.system:
            return None
        row = self._table.execute(
            "SELECT output FROM outputs WHERE item = ?", [item.item]
        ).fetchone()
        if row is None:
            raise SourceError(
                f"line {item.line}",
                f"the item {item.item!r} has no output of the reference system {self.system!r}",
            )
        return replace(item, output_b=row[0], opponent=self.system)

    def close(self) -> None:
        self._table.close()
