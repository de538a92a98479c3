"""Langfuse's scores: the CSV or JSON export of the scores table, and pages of its API.

Read as of Langfuse 3 and its SDK 5 (columns `traceId`, `observationId`, `source`, `name`,
`dataType`, `value`, `stringValue`, `comment`; snake case too), and its third API, whose scores have
a `subject` (a trace, observation, session or experiment). The score's name is the criterion.
An ANNOTATION is a person's, an EVAL a judge's. What came by the API may be either: it is taken for
a judge named "api", and --human api says that it is people's. A score of an observation has the
trace as its prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    LeftOut,
    Note,
    Part,
    Rating,
    Reading,
    as_json,
    as_number,
    as_table,
    as_text,
    field_of,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["BY_API", "ratings", "recognises"]

SOURCES = {"ANNOTATION", "EVAL", "API"}
WORDS = {"CATEGORICAL", "BOOLEAN"}
BY_API = (
    'Ratings that came by the API are taken for a judge\'s, named "api": if people gave them, '
    "say --human api."
)


def recognises(log: LogFile) -> bool:
    one = log.first
    return field_of(one, "dataType") is not None and _source(one) in SOURCES


def ratings(log: LogFile) -> Iterator[Part]:
    for one in log.records():
        if isinstance(one, LeftOut):
            yield one
        elif (kind := str(field_of(one, "dataType")).upper()) in ("TEXT", "CORRECTION"):
            yield LeftOut(f"a score that is a {kind.lower()}, no rating")
        else:
            yield from _of_score(one, kind)


def _of_score(one: Mapping[str, Any], data_type: str) -> Iterator[Part]:
    subject = as_table(as_json(one.get("subject")))
    kind = subject.get("kind")
    if kind == "experiment":
        yield LeftOut("a score of a whole experiment, no rating of an output")
        return
    trace = as_text(field_of(subject or one, "traceId"))
    observation = as_text(field_of(one, "observationId"))
    item = as_text(subject.get("id")) or observation or trace
    item = item or as_text(field_of(one, "sessionId"))
    observation = item if kind == "observation" else observation
    if item is None:
        yield LeftOut("a score of no trace, observation or session")
        return
    of_trace = as_table(one.get("trace"))  # the first API says it of every score
    source = _source(one)
    author = as_text(field_of(one, "authorUserId")) or as_text(field_of(one, "authorUserName"))
    rater, how = {"ANNOTATION": (author or "annotator", "human"), "EVAL": ("eval", "llm")}.get(
        source, ("api", "api")
    )
    if how == "api":
        yield Note(BY_API)
    number = as_number(one.get("value"))
    read = _read(one, data_type, number)
    yield Rating(
        item=item,
        prompt=trace if observation and trace != item else None,
        rater=rater,
        rater_type=how,
        kind="human" if source == "ANNOTATION" else "judge",
        criterion=as_text(one.get("name")),
        **read._asdict(),
        score=number,
        raw=as_text(one.get("comment")),
        time=as_text(one.get("timestamp")),
        tags=tags(
            one.get("metadata"),
            environment=one.get("environment") or of_trace.get("environment"),
            trace_name=field_of(one, "traceName"),
            tags=as_json(field_of(one, "traceTags") or one.get("tags") or of_trace.get("tags")),
        ),
    )


def _source(one: Mapping[str, Any]) -> str:
    """The source's name; Python prints its class before it."""
    return str(one.get("source")).upper().rpartition(".")[2]


def _read(one: Mapping[str, Any], data_type: str, number: float | None) -> Reading:
    word = as_text(field_of(one, "stringValue"))
    if data_type in WORDS and word:
        return reading(word)
    if number is not None:
        return reading(number)
    value = one.get("value")
    return reading(value) if data_type in WORDS else invalid(f"the value is {as_text(value)}")
