"""Nested JSON as a table: an object of records as rows, objects within cells as columns.

`{"human": {"label": "yes"}}` gets a column `human.label`, `{"labels": ["yes", "no"]}` the columns
`labels.1` and `labels.2`; the cell itself stays as it is. Where the records of a list name
themselves (`{"scores": [{"metric": "tone", "value": 1}]}`), they are told apart by that name
(`scores.tone.value`) and not by their place; lists that rank (`ranking`) give the place of each
member. An object that holds one list of records,
or that names its records, is the table of them.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, shown
from goldassay.sources.engine import named, quoted

__all__ = ["objects_file", "one_object_each", "records_file", "with_inner_columns"]

#: How deep is looked, how many places of a list and columns of a cell are taken, in how many rows.
DEEPEST, LONGEST_LIST, MOST_COLUMNS, LOOKED_AT = 3, 10, 40, 2_000
#: Of so many rows it is seen first whether a cell begins as JSON does, or is empty.
_FIRST, _SIGNS = 20, frozenset(["{", "[", None])
#: Longer cells are documents, and longer values within them texts: no ratings.
LONGEST_CELL, LONGEST_VALUE = 20_000, 200
MOST_IN_ALL = 100
_NUMBERS = itertools.count()
#: Larger objects are not read at once.
LARGEST = 2**28
_PARTS_OF_MESSAGES = {"content", "role"}
#: Members by which records within a list name themselves, and how long such a name may be.
_NAMES = (
    *("criterion", "criteria", "metric", "metric_name", "dimension", "aspect", "name", "key"),
    *("judge", "judge_model", "judge_name", "judge_id", "rater", "rater_id", "annotator"),
    *("annotator_id", "user_id", "worker", "worker_id", "coder", "labeler", "reviewer", "grader"),
    *("expert", "participant", "username", "email", "created_by", "evaluator", "model"),
)
LONGEST_NAME = 40
#: Numbers beside a list of records that say in which run they were made; others sum them up.
_OF_A_RUN = frozenset(
    ["epoch", "fold", "iteration", "replicate", "round", "run", "seed", "temperature", "trial"]
)
#: Fewer members of an object that are labels may as well be settings.
FEWEST_LABELS = 5


#: So many files of one object each are records; of fewer it would be a guess.
_FEWEST_OBJECTS = 3


def one_object_each(paths: Sequence[Path]) -> bool:
    """Whether each of several files is one record: an object that holds no list of records, with
    the same members as the others'."""
    if len(paths) < _FEWEST_OBJECTS or any(path.suffix.lower() != ".json" for path in paths):
        return False
    members: set[frozenset[str]] = set()
    for path in paths:
        if path.stat().st_size > LONGEST_CELL or len(members) > 1:
            return False
        try:
            whole = json.loads(path.read_text(encoding="utf-8-sig"))
        except (ValueError, RecursionError):
            return False
        if not isinstance(whole, dict) or not whole or _records(whole):
            return False
        members.add(frozenset(whole))
    return len(members) == 1


def objects_file(paths: Sequence[Path], connection: Any) -> Path:
    """Files of one object each as JSON lines."""
    return _lines_of([json.loads(p.read_text(encoding="utf-8-sig")) for p in paths], connection)


def records_file(path: Path, connection: Any) -> Path | None:
    """A file of one JSON object, or of rows that are lists, as JSON lines of its records; None
    where it is a list of records or nothing: who reads these tells what is wrong with it."""
    with path.open("rb") as stream:
        head = stream.read(2**16).lstrip(b"\xef\xbb\xbf \r\n\t")
    in_lists = head.startswith(b"[") and head[1:].lstrip().startswith(b"[")
    if (head.startswith(b"[") and not in_lists) or path.stat().st_size > LARGEST:
        return None
    try:
        whole = json.loads(path.read_text(encoding="utf-8-sig"))
    except RecursionError:
        if in_lists:
            return None
        raise SourceError(str(path), "is not valid JSON (nested too deeply)") from None
    except ValueError as error:
        if in_lists:
            return None
        if _lines(head):  # JSON lines under another name
            return path
        raise SourceError(
            str(path),
            f"is not valid JSON ({error})",
            next_step="Was it cut while it was written or copied?",
        ) from None
    rows = _rows_in_lists(whole) if in_lists else _records(whole)
    if not rows and in_lists:
        return None
    if not rows:
        keys = ", ".join(list(map(str, whole))[:6]) if isinstance(whole, dict) else ""
        raise SourceError(
            str(path),
            "must be a list of records, or an object with one",
            found=f"an object of {keys}" if keys else shown(whole, 40),
            next_step="Write one record for each rating or item, as JSON lines",
        )
    return _lines_of(rows, connection)


def _lines_of(rows: Sequence[Any], connection: Any) -> Path:
    handle, copy = tempfile.mkstemp(prefix="goldassay-", suffix=".jsonl")
    weakref.finalize(connection, Path(copy).unlink, missing_ok=True)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return Path(copy)


def _lines(head: bytes) -> bool:
    first, *_ = [*head.splitlines(), b""]
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _rows_in_lists(whole: Any) -> list[dict[str, Any]]:
    """Rows that are lists below a first one of names; nothing where they are not all as long."""
    names, *rows = whole
    named = isinstance(names, list) and all(isinstance(n, str) and n.strip() for n in names)
    if not named or len({*names}) < len(names) or not rows:
        return []
    if not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return []
    return [dict(zip(names, row, strict=True)) for row in rows]


def _records(whole: Any) -> list[dict[str, Any]]:
    """The records of an object: its list of them, its columns, or its members by name."""
    if not isinstance(whole, dict) or not whole:
        return []
    lists = {k: v for k, v in whole.items() if _is_records(v)}
    if len(lists) > 1 and _alike(list(lists.values())):
        taken = {member for records in lists.values() for member in records[0]}
        name = next(n for n in ("list", "part", "name of list") if n not in taken)
        return [{name: key, **row} for key, records in lists.items() for row in records]
    if lists:
        key = max(lists, key=lambda one: len(lists[one]))
        around = {
            k: v
            for k, v in whole.items()
            if isinstance(v, str) or (isinstance(v, int | float) and k.casefold() in _OF_A_RUN)
        }
        return [{**{k: v for k, v in around.items() if k not in row}, **row} for row in lists[key]]
    if {"columns", "data"} <= set(whole) and isinstance(whole["columns"], list):  # as pandas splits
        names, data = list(map(str, whole["columns"])), whole["data"]
        if isinstance(data, list) and all(
            isinstance(v, list) and len(v) == len(names) for v in data
        ):
            return [dict(zip(names, row, strict=True)) for row in data]
    values = list(whole.values())
    if all(isinstance(v, list) for v in values) and len({len(v) for v in values}) == 1:
        return [dict(zip(whole, row, strict=True)) for row in zip(*values, strict=True)]
    if _labels_by_item(values):
        return [{"id": key, "label": label} for key, label in whole.items()]
    if not all(isinstance(v, dict) and v for v in values):
        inner = sorted((found for v in values if (found := _records(v))), key=len, reverse=True)
        # Beside the records an object may sum them up: a few members against many.
        alone = len(inner) == 1 or (len(inner) > 1 and len(inner[0]) >= 4 * len(inner[1]))
        return inner[0] if alone else []
    first = list(values[0])
    if all(list(v) == first for v in values) and first == [str(n) for n in range(len(first))]:
        return [{name: column[at] for name, column in whole.items()} for at in first]
    if _raters_by_item(values):
        items = dict.fromkeys(item for column in values for item in column)
        return [
            {"id": i} | {rater: column.get(i) for rater, column in whole.items()} for i in items
        ]
    name = next(n for n in ("id", "key", "item") if not any(n in v for v in values))
    if _lists_by_name(values):
        return [
            {"list": key, name: inner, **row}
            for key, records in whole.items()
            for inner, row in records.items()
        ]
    return [{name: key, **row} for key, row in whole.items()]


def _labels_by_item(values: Sequence[Any]) -> bool:
    """Whether an object's members are items, each with its label: `{"q1": "yes", "q2": "no"}`."""
    known = [v for v in values if v is not None]
    if len(known) < FEWEST_LABELS:
        return False
    if all(isinstance(v, bool | int | float) for v in known):
        return True
    short = all(isinstance(v, str) and len(v) <= LONGEST_NAME for v in known)
    return short and 2 * len({*known}) <= len(known)


def _alike(lists: Sequence[Sequence[Mapping[str, Any]]]) -> bool:
    """Whether lists hold records of one kind: they share most of their members."""
    members = [set(records[0]) for records in lists]
    shared = set.intersection(*members)
    return 2 * len(shared) > max(len(one) for one in members)


def _lists_by_name(values: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an object's members are lists of records, each named: few members, of many records
    that share most of their own members."""
    records = [row for one in values for row in one.values()]
    if not all(isinstance(row, dict) and row for row in records):
        return False
    fewest = min(map(len, values))
    return fewest >= max(FEWEST_LABELS, 2 * len(values)) and _alike([[row] for row in records])


def _raters_by_item(values: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an object's members are raters, each with a label for every item: few members, of
    many labels of one kind, which name the same things."""
    inner = dict.fromkeys(key for column in values for key in column)
    labels = {str(label) for column in values for label in column.values()}
    plain = all(isinstance(v, str | int | float | bool) for c in values for v in c.values())
    few = len(labels) <= max(12, len(inner) // 3)
    return plain and few and 1 < len(values) <= 30 and len(inner) >= max(10, 2 * len(values))


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def with_inner_columns(relation: Any, connection: Any, *, keep: bool) -> Any:
    """The table, and a column for each value within its cells of JSON.

    With `keep` the values are taken out of their cells once, else whenever they are asked for.
    """
    known = set(relation.columns)
    made: list[str] = []
    for column in _json_columns(relation):
        found = list(itertools.islice(_paths(relation, column), MOST_COLUMNS + 1))
        if len(found) > MOST_COLUMNS:
            continue
        for cell, name in found:
            if name not in known:
                known.add(name)
                made.append(f"{cell} AS {named(name)}")
    if not made:
        return relation
    wider = relation.project(", ".join(["*", *made[:MOST_IN_ALL]]))
    if not keep:
        return wider
    name = f"inner_{next(_NUMBERS)}"
    wider.create(name)
    return connection.table(name)


def _json(column: str) -> str:
    """The cell as JSON, where it is: a line that is none must not end the reading."""
    return f"CASE WHEN json_valid({named(column)}) THEN {named(column)} END"


def _json_columns(relation: Any) -> list[str]:
    """Columns whose first cells all hold an object or a list."""
    texts = [n for n, t in zip(relation.columns, relation.types, strict=True) if t == "VARCHAR"]
    texts = _beginning_so(relation, texts)
    if not texts:
        return []
    tests = ", ".join(
        f"count({c}) > 0 AND max(length({c})) <= {LONGEST_CELL} AND "
        f"bool_and({c} IS NULL OR ({c}[1] IN ('{{', '[') AND json_valid({c})))"
        for c in map(named, texts)
    )
    sample = relation.limit(LOOKED_AT)
    found = sample.aggregate(tests).fetchall()[0]
    return [name for name, is_json in zip(texts, found, strict=True) if is_json]


def _beginning_so(relation: Any, texts: Sequence[str]) -> list[str]:
    """Columns of which the very first cells may be JSON, by how these begin: of most tables none,
    and then nothing need be parsed."""
    if not texts:
        return []
    signs = ", ".join(f"left({named(name)}, 1)" for name in texts)
    rows = relation.limit(_FIRST).project(signs).fetchall()
    if not rows:
        return []
    columns = zip(*rows, strict=True)
    return [name for name, column in zip(texts, columns, strict=True) if {*column} <= _SIGNS]


def _paths(relation: Any, column: str) -> Iterator[tuple[str, str]]:
    """The single values within the cells of a column, as expressions, and what they are called."""
    sample = relation.limit(LOOKED_AT).filter(f"{named(column)} IS NOT NULL")
    cells = [json.loads(row[0]) for row in sample.project(named(column)).fetchall()]
    yield from _within(cells, (_json(column), "$"), column, 0)


def _long(value: Any) -> bool:
    return isinstance(value, str) and len(value) > LONGEST_VALUE


def _within(
    cells: Sequence[Any], at: tuple[str, str], name: str, depth: int
) -> Iterator[tuple[str, str]]:
    """`at` is where the cells are: an expression that gives JSON, and a path within it."""
    whole, path = at
    there = [cell for cell in cells if cell is not None]
    if not there or depth > DEEPEST:
        return
    if all(isinstance(cell, Mapping) for cell in there):
        keys = dict.fromkeys(key for cell in there for key in cell)
        if len(keys) > MOST_COLUMNS or set(keys) >= _PARTS_OF_MESSAGES:
            return
        for key in keys:
            inner = [cell.get(key) for cell in there]
            yield from _within(inner, (whole, path + _member(key)), f"{name}.{key}", depth + 1)
    elif all(isinstance(cell, list) for cell in there):
        if key := _naming(there):
            elements = f"CAST(json_extract({whole}, {quoted(path)}) AS JSON[])"
            for label in dict.fromkeys(one[key] for cell in there for one in cell):
                inner = [
                    {k: v for k, v in one.items() if k != key}
                    for cell in there
                    for one in cell
                    if one[key] == label
                ]
                is_it = f"json_extract_string(one, {quoted('$' + _member(key))}) = {quoted(label)}"
                found = f"list_filter({elements}, lambda one: {is_it})[1]"
                yield from _within(inner, (found, "$"), f"{name}.{label}", depth + 1)
            return
        if order := _ranked(name, there):
            given = f"CAST(json_extract({whole}, {quoted(path)}) AS VARCHAR[])"
            for label in order:
                at_place = f"nullif(list_position({given}, {quoted(label)}), 0)"
                yield f"CAST({at_place} AS VARCHAR)", f"{name}.{label}"
            return
        longest = max(len(cell) for cell in there)
        matrix = any(isinstance(one, list) for cell in there for one in cell)
        if longest <= LONGEST_LIST and not matrix:
            for place in range(longest):
                inner = [cell[place] if place < len(cell) else None for cell in there]
                where = (whole, f"{path}[{place}]")
                yield from _within(inner, where, f"{name}.{place + 1}", depth + 1)
    elif depth and not any(isinstance(cell, Mapping | list) or _long(cell) for cell in there):
        yield f"json_extract_string({whole}, {quoted(path)})", name


def _ranked(name: str, lists: Sequence[Sequence[Any]]) -> list[str]:
    """What is put in an order in every list (`human_ranking`: the best first); else nothing. Its
    columns are called after what is ranked, and hold the place."""
    known = {str(one) for one in lists[0]}
    texts = all(isinstance(one, str) for cell in lists for one in cell)
    whole = texts and all(len(cell) == len(known) and {*cell} == known for cell in lists)
    says = re.search(r"(?i)(?:^|[_\W])rank(?:s|ing|ings|ed)?(?:$|[_\W])", name)
    return sorted(known) if says and whole and 1 < len(known) <= LONGEST_LIST else []


def _member(key: str) -> str:
    """A member of an object, in a path."""
    return '."' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _naming(lists: Sequence[Sequence[Any]]) -> str | None:
    """The member by which the records of lists name themselves: few names, each once in a list."""
    if not any(lists) or not all(_is_records(one) for one in lists if one):
        return None
    for key in _NAMES:
        said = [[record.get(key) for record in one] for one in lists]
        every = {label for one in said for label in one if isinstance(label, str)}
        texts = all(isinstance(label, str) and label for one in said for label in one)
        once = all(len(set(one)) == len(one) for one in said if texts)
        short = all(len(label) <= LONGEST_NAME for label in every)
        if texts and once and short and len(every) <= LONGEST_LIST:
            return key
    return None
