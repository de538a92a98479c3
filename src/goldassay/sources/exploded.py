"""A row for each member of lists within records (`[file] rows`).

`{"prompt": "...", "human_labels": ["S", "NS"], "judge_labels": ["S", "S"]}` with
`rows = ["human_labels", "judge_labels"]` is two rows: lists that are named together go member by
member. `annotations.facts` is every member of `facts` in every record of `annotations`, with what
that record says beside it (`annotations.text`). The column `place` numbers the members; all other
columns are repeated.
"""

from __future__ import annotations

import ast
import json
import os
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.errors import SourceError, listed, shown
from goldassay.sources.parsed import IN_MEMORY

__all__ = ["PLACE", "exploded_cells", "exploded_file", "list_in"]

#: The column that numbers the members of a record's lists, from 1.
PLACE = "place"


def exploded_file(path: Path, names: Sequence[str], connection: Any) -> Path:
    """A file of JSON lines, one for each member of the named lists of every record."""
    if path.stat().st_size > IN_MEMORY:
        raise SourceError(
            str(path),
            f"[file] rows: is for files of at most {IN_MEMORY // 2**20} MB",
            next_step="Write a line for each member",
        )
    handle, copy = tempfile.mkstemp(prefix="goldassay-", suffix=".jsonl")
    weakref.finalize(connection, Path(copy).unlink, missing_ok=True)
    made = 0
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        for number, record in enumerate(_records(path), start=1):
            for row in _rows(record, names, f"{path}, record {number}"):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                made += 1
    if not made:
        raise SourceError(str(path), f"[file] rows: {listed(names)} must hold a member somewhere")
    return Path(copy)


def exploded_cells(relation: Any, names: Sequence[str], connection: Any, place: str) -> Path:
    """The same of a table whose cells hold the lists, as JSON or as Python writes them."""
    handle, copy = tempfile.mkstemp(prefix="goldassay-", suffix=".jsonl")
    weakref.finalize(connection, Path(copy).unlink, missing_ok=True)
    columns, made = list(relation.columns), 0
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        for number, row in enumerate(relation.fetchall(), start=1):
            record = dict(zip(columns, row, strict=True))
            for name in names:
                if name in record and record[name] is not None:
                    record[name] = list_in(str(record[name]))
            for one in _rows(record, names, f"{place}, row {number}"):
                out.write(json.dumps(one, ensure_ascii=False) + "\n")
                made += 1
    if not made:
        raise SourceError(place, f"[file] rows: the cells of {listed(names)} must hold lists")
    return Path(copy)


def list_in(cell: str) -> list[Any] | None:
    """The list that a cell holds, as JSON or as Python writes it; None where it holds none.

    >>> list_in("[1, 0]"), list_in("['a', None]"), list_in("x")
    ([1, 0], ['a', None], None)
    """
    if not cell.lstrip().startswith("["):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return found if isinstance(found, list) else None
    return None


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    text = path.read_text(encoding="utf-8-sig")
    try:
        if text.lstrip().startswith("["):
            records = json.loads(text)
        else:
            records = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise SourceError(str(path), f"is not valid JSON ({shown(str(error), 100)})") from None
    for record in records:
        if not isinstance(record, Mapping):
            raise SourceError(str(path), "must hold records", found=shown(record, 40))
        yield record


def _rows(record: Mapping[str, Any], names: Sequence[str], place: str) -> Iterator[dict[str, Any]]:
    lists = {name: _members([_Member(record, {})], name, place) for name in names}
    sizes = {len(one) for one in lists.values()}
    if len(sizes) > 1:
        found = ", ".join(f"{len(one)} in {name}" for name, one in lists.items())
        raise SourceError(
            place, "[file] rows: lists that go together must be of one length", found=found
        )
    rest = {k: v for k, v in record.items() if k not in {name.split(".")[0] for name in names}}
    for at in range(sizes.pop()):
        around = {k: v for one in lists.values() for k, v in one[at].around.items()}
        values = {name: one[at].value for name, one in lists.items()}
        yield {**rest, **around, PLACE: at + 1, **values}


class _Member(NamedTuple):
    """A member of a list, and what the records that hold the list say of themselves."""

    value: Any
    around: Mapping[str, Any]


def _members(members: Sequence[_Member], name: str, place: str, passed: str = "") -> list[_Member]:
    """Every member at a path of records; a list on the way is gone through, and what its
    records say of themselves is kept beside what they hold."""
    path = name.removeprefix(passed)
    key, _, rest = path.partition(".")
    head = f"{passed}{key}"
    found: list[_Member] = []
    for record, around in members:
        if isinstance(record, Mapping) and key not in record and not found and len(members) == 1:
            raise SourceError(
                place,
                f"[file] rows: {name!r} must be there; the record has {listed(list(record)[:8])}",
            )
        value = record.get(key) if isinstance(record, Mapping) else None
        values = value if isinstance(value, list) else [] if value is None else [value]
        found += [_Member(one, {**around, **(_said(one, head) if rest else {})}) for one in values]
    return _members(found, name, place, f"{head}.") if rest else found


def _said(record: Any, head: str) -> dict[str, Any]:
    """What a record on the way says of itself, lists and records in it aside."""
    own = record.items() if isinstance(record, Mapping) else ()
    return {f"{head}.{key}": value for key, value in own if not isinstance(value, list | Mapping)}
