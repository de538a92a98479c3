"""Argilla's records: `dataset.records.to_json()`.

Read as written by argilla 2.8 (`fields`, `suggestions` and `responses` by question) and, as its
server and argilla 1 write them, with lists: a response of a person with `values` by question, a
suggestion with its `question_name`. A response is a person's rating where it was submitted, a
suggestion a judge's, named by its agent; a question is a criterion. Several
labels are a response set, joined by "|". Texts and rankings are no ratings, and counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from goldassay.sources.logs.parts import (
    LeftOut,
    Part,
    Rating,
    Reading,
    Text,
    as_table,
    as_tables,
    as_text,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

LONGEST_LABEL = 200
INPUTS, OUTPUTS = ("prompt", "question", "instruction", "input"), ("response", "answer", "output")


def recognises(log: LogFile) -> bool:
    responses, suggestions = log.first.get("responses"), log.first.get("suggestions")
    if not isinstance(log.first.get("fields"), dict):
        return False
    people = any("values" in one for one in as_tables(responses))
    judges = any("question_name" in one for one in as_tables(suggestions))
    return isinstance(responses, dict) or people or (judges and isinstance(responses, list))


def ratings(log: LogFile) -> Iterator[Part]:
    for number, one in enumerate(log.records(), start=1):
        if isinstance(one, LeftOut):
            yield one
            continue
        item = as_text(one.get("id")) or str(number)
        yield _texts(item, one.get("fields"))
        suggestions, responses = one.get("suggestions"), one.get("responses")
        given: list[tuple[str, str, Any, Any]] = [
            (question, "judge", said, said.get("agent") or "suggestion")
            for question, said in _suggested(suggestions)
        ] + [
            (question, "human", said, who or "annotator")
            for question, said, who in _responded(responses)
        ]
        if not given:
            yield LeftOut("a record without a response or suggestion")
        for question, kind, said, who in given:
            read, form = _read(said.get("value"))
            if read is None:
                yield LeftOut("a text, ranking or span, which is no rating")
                continue
            yield Rating(
                item=item,
                rater=str(who),
                kind="human" if kind == "human" else "judge",
                rater_type="human" if kind == "human" else None,
                criterion=question,
                **read._asdict(),
                elicitation=form,
                tags=tags(one.get("metadata")),
            )


def _suggested(suggestions: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """What was suggested, by question."""
    for question, said in as_table(suggestions).items():
        if isinstance(said, dict):
            yield question, said
    for said in as_tables(suggestions):
        if (named := as_text(said.get("question_name"))) is not None:
            yield named, said


def _responded(responses: Any) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """What people responded, by question, and who; drafts and what was discarded are no ratings."""
    for question, given in as_table(responses).items():
        for said in as_tables(given):
            yield question, said, said.get("user_id")
    for one in as_tables(responses):
        if one.get("status", "submitted") == "submitted":
            for question, said in as_table(one.get("values")).items():
                yield question, as_table(said), one.get("user_id")


def _read(value: Any) -> tuple[Reading | None, str | None]:
    if isinstance(value, list):
        if not value or not all(isinstance(one, str) for one in value):
            return None, None
        return reading("|".join(value)), "response_set"
    read = reading(value)
    if read.value is not None and len(read.value) > LONGEST_LABEL:
        return None, None
    return read, None


def _texts(item: str, fields: Any) -> Text:
    names = as_table(fields)
    asked = next((names[name] for name in INPUTS if name in names), None)
    given = next((names[name] for name in OUTPUTS if name in names), None)
    return Text(item=item, input=as_text(asked) or as_text(names), output=as_text(given))
