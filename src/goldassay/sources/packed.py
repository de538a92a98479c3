"""Packed files, `ratings.csv.gz` and `ratings.jsonl.zst`: unpacked to a temporary file, bounded.

A small packed file may hold any amount: what unpacks to more than `MOST` is refused while it is
unpacked. Before Python 3.14 Zstandard is unpacked by the embedded engine, which reads it as lines
of text.
"""

from __future__ import annotations

import gzip
import re
import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path

from goldassay.errors import SourceError, shown
from goldassay.sources.engine import connect, quoted

__all__ = ["PACKED", "inner_name", "is_unpacked", "packing_of", "unpack"]

#: Endings of packed files, and what the format is called.
PACKED = {".gz": "gzip", ".zst": "Zstandard", ".zstd": "Zstandard"}
#: How packed files begin, whatever they are called.
_FIRST_BYTES = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "Zstandard"}
#: The most that is unpacked, and the longest line of it that the engine takes.
MOST, LONGEST_LINE = 8 * 2**30, 8 * 2**20
BLOCK = 2**20
#: Signs that no text holds one after the other: a line is one cell.
_NO_SEPARATOR = "\x01\x02\x03"


def inner_name(path: Path) -> Path:
    """The name of what is packed: `a.csv` of `a.csv.gz`, and any other name as it is."""
    return path.with_suffix("") if path.suffix.lower() in PACKED else path


def packing_of(path: Path) -> str | None:
    """How a file is packed: as its ending says, or else as it begins; None where it is not."""
    return PACKED.get(path.suffix.lower()) or _begins_as(path)


def _begins_as(path: Path) -> str | None:
    with path.open("rb") as stream:
        head = stream.read(4)
    return next((kind for sign, kind in _FIRST_BYTES.items() if head.startswith(sign)), None)


def is_unpacked(path: Path) -> bool:
    """Whether a file is a text under the name of a packed one, as downloads leave it that were
    unpacked on their way."""
    with path.open("rb") as stream:
        head = stream.read(2**12)
    text = not re.search(rb"[\0-\x08\x0e-\x1f]", head)
    return path.suffix.lower() in PACKED and text and _begins_as(path) is None


def unpack(path: Path, target: Path) -> None:
    """Write what a packed file holds; a cut, damaged or endless one is a `SourceError`."""
    if is_unpacked(path):
        shutil.copyfile(path, target)
        return
    kind = packing_of(path)
    blocks = _gunzipped if kind == "gzip" else _unpacked_zstandard
    total = 0
    try:
        with target.open("wb") as out:
            for block in blocks(path):
                total += len(block)
                if total > MOST:
                    raise SourceError(
                        str(path),
                        f"a packed file must hold at most {MOST // 2**30} GB",
                        next_step="Unpack it, and name the file itself",
                    )
                out.write(block)
    except _damage() as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise SourceError(
            str(path),
            f"cannot be unpacked as {kind} ({shown(reason, 120)})",
            next_step="Was it cut while it was written or copied?",
        ) from None
    if not total:
        raise SourceError(str(path), "the packed file is empty")


def _gunzipped(path: Path) -> Iterator[bytes]:
    with gzip.open(path) as stream:
        while block := stream.read(BLOCK):
            yield block


def _unpacked_zstandard(path: Path) -> Iterator[bytes]:
    if sys.version_info >= (3, 14):
        with import_module("compression.zstd").open(path) as stream:
            while block := stream.read(BLOCK):
                yield block
        return
    if inner_name(path).suffix.lower() in (".parquet", ".pq", ".duckdb", ".sqlite", ".db"):
        raise SourceError(
            str(path), "of Zstandard files only texts are read", next_step="Unpack it"
        )
    with closing(connect(memory="512MB", threads=1)) as connection:
        connection.execute("SET preserve_insertion_order = true")
        cursor = connection.execute(
            f"SELECT line FROM read_csv({quoted(str(path))}, compression='zstd', header=false, "
            f"auto_detect=false, delim={quoted(_NO_SEPARATOR)}, quote='', escape='', "
            f"columns={{'line': 'VARCHAR'}}, max_line_size={LONGEST_LINE}, "
            f"buffer_size={2 * LONGEST_LINE})"
        )
        while rows := cursor.fetchmany(2_000):
            yield "".join(f"{line or ''}\n" for (line,) in rows).encode()


def _damage() -> tuple[type[Exception], ...]:
    import duckdb

    found: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, duckdb.Error)
    if sys.version_info >= (3, 14):
        found += (import_module("compression.zstd").ZstdError,)
    return found
