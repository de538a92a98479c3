"""Phoenix' span annotations: `get_span_annotations_dataframe()` written as CSV, JSON lines or
Parquet, and pages of its API.

Read as of arize-phoenix-client 3.5 (`span_id`, `annotation_name`, `annotator_kind`, `result.label`,
`result.score`, `result.explanation`; nested `result` too). The annotation's name is the criterion;
HUMAN is a person, LLM and CODE are judges. The label is the value, else the score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    LeftOut,
    Part,
    Rating,
    as_number,
    as_table,
    as_text,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

SPAN = ("span_id", "context.span_id", "trace_id", "session_id")


def recognises(log: LogFile) -> bool:
    return "annotator_kind" in log.first and any(name in log.first for name in SPAN)


def ratings(log: LogFile) -> Iterator[Part]:
    for one in log.records():
        if isinstance(one, LeftOut):
            yield one
            continue
        item = next((as_text(one[name]) for name in SPAN if one.get(name)), None)
        label, number = as_text(_result(one, "label")), as_number(_result(one, "score"))
        raw = as_text(_result(one, "explanation"))
        if item is None:
            yield LeftOut("an annotation of no span")
            continue
        if label is None and number is None and as_text(one.get("annotation_name")) == "note":
            yield LeftOut("a note")
            continue
        kind = str(one.get("annotator_kind")).upper()
        person = kind == "HUMAN"
        who = as_text(one.get("user_id")) or as_text(one.get("identifier"))
        read = reading(label if label is not None else number)
        if read.status != "rated":
            read = invalid("neither a label nor a score")
        yield Rating(
            item=item,
            rater=who or ("annotator" if person else kind.lower()),
            kind="human" if person else "judge",
            rater_type=kind.lower(),
            criterion=as_text(one.get("annotation_name") or one.get("name")),
            **read._asdict(),
            score=number,
            raw=raw,
            time=as_text(one.get("updated_at") or one.get("created_at")),
            tags=tags(one.get("metadata"), _within(one)),
        )


def _within(one: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata in columns of its own, as tables of spans write it: `attributes.metadata.topic`."""
    heads = ("attributes.metadata.", "metadata.")
    return {n.removeprefix(h): v for n, v in one.items() for h in heads if str(n).startswith(h)}


def _result(one: Mapping[str, Any], name: str) -> Any:
    value = as_table(one.get("result")).get(name)
    return one.get(f"result.{name}", one.get(name)) if value is None else value
