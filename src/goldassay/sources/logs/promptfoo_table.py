"""promptfoo's results as CSV: one row per test, and for each prompt and provider a few columns.

Read as written by promptfoo 0.121 (`[PROVIDER] PROMPT`, `Status`, `Score`, `Named Scores`, ...,
`Grader Reason`, `Comment`, repeated). Whether the test passed is a rating of promptfoo's, with its
score; each named score is a criterion. A test that stopped is a failed rating, and an unreadable
grade an invalid one, though both have score 0. The assertions, and with them the graders and the
errors of graders in words of their own, are in the JSON alone: a note says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from goldassay.errors import SourceError
from goldassay.sources.logs.parts import (
    LeftOut,
    Note,
    Part,
    Rating,
    Reading,
    Text,
    as_json,
    as_number,
    as_table,
    as_text,
    digest,
    failed,
    invalid,
    passed,
    reading,
    tags,
)
from goldassay.sources.logs.promptfoo import NO_GRADE, UNREADABLE
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

_OUTPUT = re.compile(r"^\[(?P<provider>.*?)\] (?P<prompt>.*)$", re.S)
JSON_HAS_MORE = (
    "The CSV of promptfoo does not say which assertion or grader judged, nor always that a grader "
    "failed: its score is then 0. The JSON does (--output results.json)."
)


class Column(NamedTuple):
    """Where the results of one prompt and provider stand, by the names of the columns."""

    system: str
    output: int
    at: Mapping[str, int]


def recognises(log: LogFile) -> bool:
    return bool(_columns(next(log.cells(), [])))


def _columns(header: Sequence[str]) -> list[Column]:
    starts = [
        (at, match)
        for at, name in enumerate(header)
        if (match := _OUTPUT.match(name)) and header[at + 1 : at + 3] == ["Status", "Score"]
    ]
    prompts = list(dict.fromkeys(match["prompt"] for _, match in starts))
    ends = [at for at, _ in starts[1:]] + [len(header)]
    found = []
    for (at, match), end in zip(starts, ends, strict=False):
        system, number = match["provider"], prompts.index(match["prompt"]) + 1
        places = {name: place for place, name in enumerate(header) if at < place < end}
        several = len(prompts) > 1
        found.append(Column(f"{system}, prompt {number}" if several else system, at, places))
    return found


def ratings(log: LogFile) -> Iterator[Part]:
    yield Note(JSON_HAS_MORE)
    rows = log.cells()
    header = next(rows, [])
    columns = _columns(header)
    names = header[: columns[0].output] if columns else []
    tests: dict[str, str] = {}
    for number, row in enumerate(rows):
        if len(row) != len(header):
            raise SourceError(
                f"{log.place}, row {number + 2}",
                "every row has as many cells as the header",
                next_step="Was it cut while it was written or copied?",
            )
        about = dict(zip(names, row, strict=False))
        asked = digest(json.dumps(about, sort_keys=True))
        item = tests.setdefault(asked, str(number))
        for column in columns:
            yield from _of_output(row, column, {"item": item, "asked": asked}, about)


def _of_output(
    row: Sequence[str], column: Column, test: Mapping[str, Any], variables: Mapping[str, str]
) -> Iterator[Part]:
    cells = {name: row[place] for name, place in column.at.items()}
    output, status, why = row[column.output], cells["Status"].upper(), cells.get("Grader Reason")
    about: dict[str, Any] = {**test, "system": column.system, "attempt": digest(output)}
    yield Text(**about, input=as_text(variables), output=as_text(output))
    if not status:
        yield LeftOut("an output without a status")
        return
    about |= {
        "tags": tags({name.lower(): cell for name, cell in variables.items()}),
        "rater": "promptfoo",
        "raw": as_text(cells.get("Comment")) or as_text(why),
    }
    none = _none(status, why or "")
    read = none or passed({"PASS": True, "FAIL": False}.get(status))
    yield Rating(**about, **read._asdict(), score=as_number(cells.get("Score")))
    for name, score in as_table(as_json(cells.get("Named Scores"))).items():
        read = none or reading(score)
        yield Rating(**about, criterion=str(name), **read._asdict(), score=as_number(score))


def _none(status: str, why: str) -> Reading | None:
    """Why there is no grade, where there is none."""
    if status == "ERROR":
        return failed("the test stopped with an error")
    if status == "FAIL" and why.startswith(UNREADABLE):
        return invalid("the grade could not be read (recorded as score 0)")
    if status == "FAIL" and why.startswith(NO_GRADE):
        return failed("the grader failed (recorded as score 0)")
    return None
