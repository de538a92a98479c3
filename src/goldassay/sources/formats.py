"""Which format a file has: by its name, and by how it begins."""

from __future__ import annotations

import re
from pathlib import Path

from goldassay.errors import SourceError, shown
from goldassay.sources.separated import SEPARATORS

__all__ = ["SUFFIXES", "TEXT_FORMATS", "TEXT_SUFFIXES", "format_of"]

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
_JSON = ("json", "jsonl")
#: How files begin that hold no table, what they are, and what to do.
_NO_TABLES = {
    b"%PDF": ("a PDF", "Give the table that it was made from"),
    b"\x89PNG": ("a picture", "Give the table that it shows"),
    b"\xff\xd8\xff": ("a picture", "Give the table that it shows"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook, or one with a password", "Save it as .xlsx"),
    b"PK\x03\x04": ("a zip archive", "Unpack it, and give the files in it"),
}
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
    if (kind is None and path.suffix.lower() not in NO_TEXT) or kind in (*SEPARATORS, *_JSON):
        kind = _by_content(path) or kind
    if path.suffix.lower() == ".zip":  # one that is an archive was opened before
        raise SourceError(
            str(path),
            "must be a zip archive, as its name says",
            next_step="Give the table itself, or pack it again",
        )
    if kind is None or kind == "database":
        raise SourceError(
            str(path),
            "the format is not known",
            found=shown(path.suffix) if path.suffix else "no file extension",
            next_step="Use .csv, .tsv, .txt, .jsonl, .json, .xlsx, .parquet, .duckdb or .sqlite, "
            "or a .zip of one",
        )
    if kind in ("parquet", "sqlite", "duckdb"):
        raise SourceError(str(path), f"the name says {kind}, but the content is not")
    return kind


def _refuse_stand_in(path: Path, head: bytes) -> None:
    """What repositories give in place of a file: a pointer to it, or a page about it; and what
    holds no table, whatever it is called."""
    for sign, (kind, step) in _NO_TABLES.items():
        if head.startswith(sign):
            raise SourceError(str(path), f"is {kind}, not a table", next_step=step)
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
    """The format of a text file that its name does not tell: JSON, or separated values; None where
    it may well be what its name says."""
    with path.open("rb") as stream:
        head = stream.read(2**16)
    text, suffix = head.removeprefix(b"\xef\xbb\xbf").lstrip(), path.suffix.lower()
    named = SUFFIXES.get(suffix)
    if text.startswith(b"{"):
        if named in _JSON:  # one object over several lines, or one in each line: their readers know
            return None
        lines = text.splitlines()
        return "jsonl" if len(lines) > 1 and lines[0].rstrip().endswith(b"}") else "json"
    if text.startswith(b"[{") or re.match(rb"\[\s+\{", text):
        return "json"
    if (named is not None and named not in _JSON) or b"\0" in head or text.startswith(b"["):
        return None
    lines = [line for line in text.splitlines()[:20] if line.strip()][:-1]
    for sign in (b"\t", b",", b";"):
        counts = {line.count(sign) for line in lines}
        if len(lines) > 2 and len(counts) == 1 and counts != {0}:
            return "loose"
    return None
