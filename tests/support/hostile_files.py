"""Files of every kind that goldassay reads, and ways to damage them: the same for the same seed."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from internals import Label, add_label, open_store

__all__ = ["TABLES", "TASK", "damaged", "write_store", "write_table"]

TASK = {
    "scale": "binary",
    "options": ["yes", "no"],
    "positive": "yes",
    "abstain": ["?"],
    "invalid": ["broken"],
}
COLUMNS = ("item", "rater", "kind", "value", "system", "score", "status")
ROWS = [
    (f"q{item}", rater, kind, value, "s", f"{item / 7:.3f}", status)
    for item in range(6)
    for rater, kind, value, status in (
        ("anna", "human", ("yes", "no", "?")[item % 3], ""),
        ("ben", "human", ("yes", "no", "")[item % 3], ""),
        ("gpt", "judge", ("yes", "no", "broken")[item % 3], "rated" if item % 3 < 2 else ""),
    )
]
TABLES = ("csv", "tsv", "jsonl", "json", "parquet", "duckdb", "sqlite", "csv.gz", "xlsx")


def write_table(folder: Path, kind: str) -> Path:
    """One small table in a format."""
    path = folder / f"table.{kind}"
    records = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]
    if kind in ("csv", "tsv", "csv.gz"):
        stream = io.StringIO()
        writer = csv.writer(stream, delimiter="\t" if kind == "tsv" else ",")
        writer.writerows([COLUMNS, *ROWS])
        text = stream.getvalue().encode()
        path.write_bytes(gzip.compress(text) if kind == "csv.gz" else text)
    elif kind == "xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for row in (COLUMNS, *ROWS):
            book.active.append(row)
        book.save(path)
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(one) + "\n" for one in records))
    elif kind == "json":
        path.write_text(json.dumps(records))
    elif kind == "sqlite":
        with closing(sqlite3.connect(path)) as database:
            _fill(database)
            database.commit()
    else:
        import duckdb

        with duckdb.connect(str(path) if kind == "duckdb" else ":memory:") as connection:
            _fill(connection)
            if kind == "parquet":
                connection.execute(f"COPY ratings TO '{path}' (FORMAT parquet)")
    return path


def _fill(connection: Any) -> None:
    connection.execute(f"CREATE TABLE ratings ({', '.join(f'{c} VARCHAR' for c in COLUMNS)})")
    connection.executemany(f"INSERT INTO ratings VALUES ({', '.join('?' * len(COLUMNS))})", ROWS)


def write_store(folder: Path) -> Path:
    """A store with a few labels."""
    path = folder / "store.db"
    connection = open_store(path, create=True)
    for item, rater, _, value, *_ in ROWS:
        status = "rated" if value in ("yes", "no") else "abstained"
        add_label(connection, Label(item=item, rater=rater, value=value, status=status))
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    return path


#: What stands where a word or a number stood.
HOSTILE = (
    b"", b"null", b"true", b"NaN", b"Infinity", b"-1", b"1e999", b"0.1e", b"9" * 400, b"9" * 5_000,
    b'"', b"'", b"''", b",", b"\t", b"\n", b"\r", b"\r\n", b"[]", b"{}", b"[[[[[[[[", b"[" * 3_000,
    b"}", b"\x00", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\\ud800", b"\\u0000", b"\xe2\x80\xae",
    b"=1+1", b"A" * 20_000, b"../../etc/passwd", b"%s%n", b"{0}", b"item", b"judge", b"human",
    b"SQLite format 3\x00", b"PAR1",
)  # fmt: skip
_WORD = re.compile(rb'"[^"\n]{0,60}"|[A-Za-z_0-9.+-]+')


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with one to three things wrong: flipped, cut, repeated, moved, swapped."""
    for _ in range(rng.randint(1, 3)):
        content = rng.choice(_WAYS)(content, rng) or content[:1]
    return content


def _flip(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 4, 32))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _part(content: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(content))
    return start, min(len(content), start + rng.choice((1, 7, 64, 1000)))


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content))]


def _dropped(content: bytes, rng: random.Random) -> bytes:
    start, end = _part(content, rng)
    return content[:start] + content[end:]


def _repeated(content: bytes, rng: random.Random) -> bytes:
    start, end = _part(content, rng)
    return content[:end] + content[start:end] * rng.choice((1, 2, 50)) + content[end:]


def _swapped(content: bytes, rng: random.Random) -> bytes:
    words = list(_WORD.finditer(content))
    if not words:
        return content + rng.choice(HOSTILE)
    word = rng.choice(words)
    return content[: word.start()] + rng.choice(HOSTILE) + content[word.end() :]


def _inserted(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content))
    return content[:at] + rng.choice(HOSTILE) + content[at:]


#: What stands where a value of JSON stood: right JSON of a wrong kind.
VALUES = (
    None, True, "", " ", "\ud800", "\x00", "\u202e", "=1+1", "nan", 0, -1, 1.5, 1e308, 10**30,
    10**400, float("nan"), float("-inf"), [], {}, [[]], [None], {"": None}, {"value": {}},
    ["a", 1, None], "A" * 20_000, {"\ud800": "\ud800"},
)  # fmt: skip


def _retyped(content: bytes, rng: random.Random) -> bytes:
    """One value of a JSON document, or of one of its lines, of another kind."""
    lines = content.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    for whole, rest in ((content, None), (lines[at], lines)):
        try:
            document = [json.loads(whole)]
        except (ValueError, RecursionError):
            continue
        _replace(document, rng)
        changed = json.dumps(document[0]).encode()
        return changed if rest is None else b"".join([*rest[:at], changed + b"\n", *rest[at + 1 :]])
    return _swapped(content, rng)


def _replace(document: Any, rng: random.Random) -> None:
    """Walk down a document at random, and put a hostile value, or a hostile key, there."""
    while True:
        keys = list(document) if isinstance(document, dict) else range(len(document))
        key = rng.choice(list(keys))
        inner = document[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.85:
            document = inner
            continue
        if isinstance(document, dict) and rng.random() < 0.15:
            document[rng.choice(("", "\ud800", "item", "value"))] = document.pop(key)
        else:
            document[key] = rng.choice(VALUES)
        return


_WAYS = (_flip, _cut, _dropped, _repeated, _swapped, _swapped, _inserted, *[_retyped] * 5)
