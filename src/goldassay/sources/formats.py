"""Which format a file has: by its name, and by how it begins."""

from __future__ import annotations

import re
from pathlib import Path

from goldassay.errors import SourceError, shown
from goldassay.sources.separated import SEPARATORS

__all__ = ["TEXT_FORMATS", "TEXT_SUFFIXES", "format_of"]

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".duckdb": "duckdb",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "database",
}
#: Endings of files whose text may be separated in any way, and have no header.
LOOSE = (".txt", ".dat", ".qrels", ".qrel", ".run", ".trec", ".score", ".scores", ".out", ".res")
SUFFIXES |= dict.fromkeys(LOOSE, "loose")
#: Endings of files that are no text, whatever they hold.
NO_TEXT = (".xls", ".ods", ".numbers", ".zip", ".pdf", ".docx", ".pkl", ".pickle", ".npy", ".npz")
TEXT_FORMATS = ("csv", "tsv", "jsonl", "json", "loose")
TEXT_SUFFIXES = frozenset(s for s, kind in SUFFIXES.items() if kind in TEXT_FORMATS)


def format_of(path: Path) -> str:
    kind = SUFFIXES.get(path.suffix.lower())
    with path.open("rb") as stream:
        head = stream.read(16)
    _refuse_stand_in(path, head)
    if head.startswith(b"SQLite format 3"):
        return "sqlite"
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head.startswith(b"PAR1"):
        return "parquet"
    if (kind is None and path.suffix.lower() not in NO_TEXT) or kind in SEPARATORS:
        kind = _by_content(path) or kind
    if kind is None or kind == "database":
        raise SourceError(
            str(path),
            "the format is not known",
            found=shown(path.suffix) if path.suffix else "no file extension",
            next_step="Unpack it, and give the files in it"
            if head.startswith(b"PK\x03\x04")
            else "Use .csv, .tsv, .txt, .jsonl, .json, .xlsx, .parquet, .duckdb or .sqlite",
        )
    if kind in ("parquet", "sqlite", "duckdb"):
        raise SourceError(str(path), f"the name says {kind}, but the content is not")
    return kind


def _refuse_stand_in(path: Path, head: bytes) -> None:
    """What repositories give in place of a file: a pointer to it, or a page about it."""
    if head.startswith(b"version https://"):
        raise SourceError(
            str(path),
            "is a pointer of Git LFS, not the file itself",
            next_step="Fetch it: git lfs pull, or the link to the raw file",
        )
    if head.lstrip(b"\xef\xbb\xbf \r\n\t").lower().startswith((b"<!doctype html", b"<html")):
        raise SourceError(
            str(path), "is a web page, not a table", next_step="Download the raw file instead"
        )


def _by_content(path: Path) -> str | None:
    """The format of a text file that its name does not tell: JSON, or separated values."""
    with path.open("rb") as stream:
        head = stream.read(2**16)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"{"):
        lines = text.splitlines()
        return "jsonl" if len(lines) > 1 and lines[0].rstrip().endswith(b"}") else "json"
    if text.startswith(b"[{") or re.match(rb"\[\s+\{", text):
        return "json"
    if path.suffix.lower() in SUFFIXES or b"\0" in head:
        return None
    lines = [line for line in text.splitlines()[:20] if line.strip()][:-1]
    for sign in (b"\t", b",", b";"):
        counts = {line.count(sign) for line in lines}
        if len(lines) > 2 and len(counts) == 1 and counts != {0}:
            return "loose"
    return None
