"""What is read from raw files is what stands in them, by a reader that knows nothing of ratings.

The right number of judges, people and items can be read with the wrong values, or the values of
another file. Here every file is cut into cells by hand: no value may be read more often than cells
hold it, and where an item is named in a cell, one record holds both the item and the value.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from goldassay.proposals.draft import Draft
from goldassay.proposals.layouts.column_names import is_called_otherwise
from goldassay.proposals.shape import beside_ratings
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings

__all__ = ["misread", "unaccounted"]

READABLE = {".csv", ".tsv", ".txt", ".json", ".jsonl", ".score", ".qrels", ".run"}
#: What makes a value: a cut, a mirrored question, words within a text, the higher of two scores,
#: counts of votes, several labels in one cell.
MADE = ("mirrored", "cut", "labels", "reads", "parts", "means", "fill", "higher score")
MADE += ('"votes": {', '"several": {', '"pairs": {', '"times": ')


def plain(value: Any) -> str:
    """A cell or a value as one text: numbers by their value, words without case and space."""
    text = str(value).strip().casefold()
    try:
        return repr(float(text.replace(",", ".")))
    except ValueError:
        return text


def scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield plain(key)
            yield from scalars(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from scalars(inner)
    else:
        yield plain(value)
        fenced = re.search(r"```json\s*(\{.*\})\s*```", str(value), re.DOTALL)
        if fenced:  # what a chat model writes
            yield from scalars(json.loads(fenced[1]))


def parts(cell: str) -> list[str]:
    """A cell, and what is in it where it is a record of JSON."""
    try:
        within = list(scalars(json.loads(cell))) if cell.startswith("{") else []
    except ValueError:
        within = []
    return [plain(cell), *within]


def records_of(path: Path) -> Iterator[list[str]]:
    """Lines of a table, or objects of JSON, each as its cells."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    if path.suffix in (".json", ".jsonl"):
        try:
            whole = json.loads(text)
        except json.JSONDecodeError:
            whole = [json.loads(line) for line in text.splitlines() if line.strip()]
        if isinstance(whole, dict) and len(whole) == 1:
            whole = next(iter(whole.values()))
        for one in whole if isinstance(whole, list) else [whole]:
            yield list(scalars(one))
        return
    head = text.splitlines()[0] if text else ""
    separator = max("\t;,| ", key=lambda sign: (head.count(sign) > 0) * (10 - "\t;,| ".index(sign)))
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
        yield [one for cell in row for one in parts(cell)]


def misread(ratings: Ratings, draft: Draft, paths: list[Path], most: int = 400) -> str:
    """What was read and does not stand in the files; "" where all does, or nothing can be told."""
    if any(word in json.dumps(draft.task) for word in MADE):
        return ""
    columns = {cell for path in paths if path.suffix == ".csv" for cell in next(records_of(path))}
    named = {plain(name) for names in draft.task.get("wide", {}).values() for name in names}
    if columns and not named <= columns:
        return ""  # a winner told by several columns
    if any(path.suffix not in READABLE for path in paths):
        return ""
    records = [cells for path in paths for cells in records_of(path)]
    held = Counter(cell for cells in records for cell in cells)
    read = fetch(ratings.frame.select("item", "value"), place="")
    values = Counter(map(plain, read["value"]))
    if not set(values) <= set(held):
        return ""  # spelled otherwise
    for value, times in values.items():
        standing = sum(n for cell, n in held.items() if value in cell)
        if times > standing:
            return f"{value!r} is read {times} times and stands in {standing} cells"
    items = {plain(item) for item in read["item"]}
    if not items <= set(held) or items <= set(records[0]):
        return ""  # numbered, several columns together, or a column each
    pairs = [set(cells) for cells in records]
    for item, value in list(zip(map(plain, read["item"]), map(plain, read["value"]), strict=True))[
        :most
    ]:
        if not any(item in cells and value in cells for cells in pairs):
            return f"no record holds both {item!r} and {value!r}"
    return ""


def unaccounted(ratings: Ratings, draft: Draft, path: Path) -> list[str]:
    """Columns of one CSV file that have nothing but labels of the ratings that were read, and are
    neither used nor told nor asked about; of those that differ, those of a name that says something
    else, and those that say one thing of an item in several rows, aside."""
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig", "replace"))))
    labels: dict[str, set[str]] = {}
    for row in rows:
        for name, cell in row.items():
            if name and isinstance(cell, str) and cell.strip():
                labels.setdefault(name, set()).add(plain(cell))
    said = {plain(one) for one in fetch(ratings.frame.select("value"), place="")["value"]}
    told = json.dumps(draft.task) + "".join((*draft.assumed, *draft.questions))
    item = draft.task.get("columns", {}).get("item", "item")
    left = []
    for name, mine in labels.items():
        numbers = all(re.fullmatch(r"-?[0-9.]+", one) for one in mine)
        few = numbers and 1 < len(mine) < len(said) / 2
        if not mine or len(mine) > 12 or len(said) > 12 or not mine <= said or few:
            continue
        here = name.strip()
        if here == "value" or f'"{here}"' in told or f"`{here}`" in told:
            continue
        if len(mine) > 1 and is_called_otherwise(name):
            continue
        if name in beside_ratings(labels):
            continue
        pairs = {(row[item], row[name]) for row in rows if item in row and row[name]}
        again = (
            len(mine) > 1
            and isinstance(item, str)
            and 2 * len({one for one, _ in pairs}) <= len(rows)
        )
        if not (again and len({one for one, _ in pairs}) == len(pairs)):
            left.append(name)
    return left
