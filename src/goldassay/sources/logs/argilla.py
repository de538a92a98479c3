"""Argilla's records: `dataset.records.to_json()`.

Read as written by argilla 2.8 (`fields`, `suggestions` and `responses` by question). A response is
a person's rating, a suggestion a judge's, named by its agent; a question is a criterion. Several
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
    return isinstance(log.first.get("fields"), dict) and isinstance(
        log.first.get("responses"), dict
    )


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
            for question, said in as_table(suggestions).items()
            if isinstance(said, dict)
        ] + [
            (question, "human", said, said.get("user_id") or "annotator")
            for question, all_said in as_table(responses).items()
            for said in as_tables(all_said)
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
