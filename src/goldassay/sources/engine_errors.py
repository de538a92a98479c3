"""What the embedded engine says of a file, as one of our messages."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, shown
from goldassay.sources.parsed import MAX_LINE

__all__ = ["engine_error", "guarded"]


def guarded(read: Callable[[], Any], paths: Sequence[Path], kind: str) -> Any:
    try:
        return read()
    except SourceError:
        raise
    except (OSError, sqlite3.Error) as error:
        raise SourceError(str(paths[0]), f"cannot be read ({error})") from None
    except Exception as error:
        raise engine_error(error, str(paths[0]), kind) from None


def engine_error(error: Exception, place: str, kind: str = "") -> Exception:
    """DuckDB's many-lined message, or what is wrong with JSON, as one of ours; anything else is
    passed on as it is."""
    import duckdb

    if isinstance(error, UnicodeError):  # the engine's own message quotes broken bytes
        return SourceError(place, "a text file is UTF-8", next_step="Save it as UTF-8")
    if isinstance(error, RecursionError):
        return SourceError(place, "is not valid JSON (nested too deeply)")
    if isinstance(error, json.JSONDecodeError):
        return SourceError(place, f"is not valid JSON ({error})")
    if not isinstance(error, duckdb.Error):
        return error
    text, whole = str(error), place
    if match := re.search(r"[Ll]ine:? (\d+)", text):
        place = f"{place}, line {match.group(1)}"
    if "out of memory" in text.lower():
        return SourceError(
            place,
            "counting needs more memory than the embedded engine may take",
            next_step="Give it more, as GOLDASSAY_MEMORY=2GB in the environment",
        )
    if "maximum line size" in text.lower() or "maximum_object_size" in text.lower():
        return SourceError(
            place,
            f"a line has at most {MAX_LINE // 2**20} MB",
            next_step="Is a quote left open, or is this one long JSON value?",
        )
    if "expected number of columns" in text.lower() or "sniff" in text.lower():
        found = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
        return SourceError(
            place,
            "every row must have as many cells as the header",
            found=f"{found.group(2)} instead of {found.group(1)}" if found else None,
            next_step="Quote cells that hold the separator; delete a note or a sum below the table",
        )
    if twice := re.search(r'has duplicate key "(.*)"', text):
        return SourceError(
            place,
            "a key must occur once in a record",
            found=shown(twice.group(1)),
            next_step="Rename or delete one of the two",
        )
    if "malformed json" in text.lower():
        if (line := _comma_too_many(whole)) is not None:
            return SourceError(
                f"{whole}, line {line}",
                "must be JSON, which has no comma before a closing bracket",
                next_step="Delete that comma",
            )
        place = _broken_line(whole) or place
        reason = text.rpartition(": ")[2].strip(" .\n")
        return SourceError(
            place,
            f"must be JSON ({shown(reason, 80)})",
            next_step="Was it cut while it was written or copied?",
        )
    if "state machine" in text.lower():
        return SourceError(
            place,
            "all lines of a CSV file end alike, and quotes inside a quoted cell are doubled",
            next_step="Save it again as CSV, with one kind of line ending",
        )
    if "unterminated quote" in text.lower() or "quote" in text.lower():
        return SourceError(place, "a quoted cell must end", next_step='Double a quote inside: ""')
    if "utf-8" in text.lower() or "unicode" in text.lower():
        return SourceError(place, "a text file is UTF-8", next_step="Save it as UTF-8")
    first = next((line for line in text.splitlines() if line.strip()), "unknown reason")
    cut = re.search(r"magic bytes|too small|unexpected end|truncated", text, re.IGNORECASE)
    return SourceError(
        place,
        f"cannot be read as {kind or 'a table'} ({shown(first, 200)})",
        next_step="Was it cut while it was written or copied?" if cut else None,
    )


def _comma_too_many(place: str) -> int | None:
    """The line of the first comma before a closing bracket, where that alone is wrong."""
    path = Path(place)
    if not path.is_file() or path.stat().st_size > MAX_LINE:
        return None
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        json.loads(text)
    except ValueError as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        before = text[: at + 1].rstrip("]} \t\r\n")
        after = text[len(before) :].lstrip()
        if before.endswith(",") and after[:1] in ("]", "}"):
            return before.count("\n") + 1
    except RecursionError:  # nested deeper than anybody writes
        return None
    return None


def _broken_line(place: str) -> str | None:
    """The place of the first line that is no JSON: the engine names the one after it, or the next
    that it can read again."""
    path = Path(place)
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return None
    with path.open("rb") as stream:
        for at, line in enumerate(iter(lambda: stream.readline(MAX_LINE), b""), start=1):
            try:
                if line.strip():
                    json.loads(line)
            except (ValueError, RecursionError):
                return f"{place}, line {at}"
    return None
