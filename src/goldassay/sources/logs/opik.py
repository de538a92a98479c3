"""Opik's traces with feedback scores: `opik export` (a file per trace), and pages of its API.

Read as of opik 2.2: `{"trace": ..., "spans": [...]}`, or records of traces, spans or experiments'
items with `feedback_scores`. A score's name is the criterion, its category the value, else the
number. What came by the interface (`ui`) is a person's, `online_scoring` a judge's. What came by
the SDK may be either: it is taken for a judge named "sdk" (--human sdk: it is people's).
Where several authors gave one score, each is a rating.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from goldassay.sources.logs.parts import (
    LeftOut,
    Note,
    Part,
    Rating,
    Text,
    as_json,
    as_number,
    as_table,
    as_tables,
    as_text,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

BY_SDK = (
    'Scores that came by the SDK are taken for a judge\'s, named "sdk": if people gave them, say '
    "--human sdk."
)
#: Fields of which a record of Opik has at least one beside its scores.
OWN = {"start_time", "trace_id", "project_id", "dataset_item_id"}


def recognises(log: LogFile) -> bool:
    first = [one for one in islice(_opened(log), 20) if isinstance(one, dict)]
    return any(
        isinstance(as_json(one.get("feedback_scores")), list) and OWN & set(one) for one in first
    )


def ratings(log: LogFile) -> Iterator[Part]:
    experiment = as_text(as_table(log.object.get("experiment")).get("name"))
    for one in _opened(log):
        if isinstance(one, LeftOut):
            yield one
        else:
            yield from _of_record(one, experiment)


def _opened(log: LogFile) -> Iterator[dict[str, Any] | LeftOut]:
    """The traces, spans and items that may carry scores."""
    document = log.object
    if isinstance(document.get("trace"), dict):
        return iter([document["trace"], *as_tables(document.get("spans"))])
    for key in ("content", "items"):
        if isinstance(document.get(key), list):
            return iter(as_tables(document[key]))
    return log.records()


def _of_record(one: Mapping[str, Any], experiment: str | None) -> Iterator[Part]:
    item = as_text(one.get("id"))
    trace = as_text(one.get("trace_id"))
    if "dataset_item_id" in one:  # an item of an experiment: what was answered is the trace
        item, trace = trace or item, as_text(one.get("dataset_item_id"))
    scores = as_tables(as_json(one.get("feedback_scores")))
    if item is None:
        yield LeftOut("a trace or span without an id")
        return
    if not scores:
        yield LeftOut("a trace or span without a score")
        return
    about: dict[str, Any] = {
        "item": item,
        "prompt": trace if trace != item else None,
        "system": as_text(as_table(as_json(one.get("experiment"))).get("name")) or experiment,
    }
    yield Text(
        **about,
        input=as_text(as_json(one.get("input"))),
        output=as_text(as_json(one.get("output"))),
    )
    about["tags"] = tags(
        one.get("metadata"),
        tags=as_json(one.get("tags")),
        thread=one.get("thread_id"),
        environment=one.get("environment"),
        system_model=one.get("model"),
        system_cost=one.get("total_estimated_cost"),
        system_latency_ms=one.get("duration"),
    )
    for score in scores:
        authors = as_table(score.get("value_by_author"))
        for author, said in authors.items() or [(None, score)]:
            # What one author said lacks the name, and what else is the same for all.
            named = as_text(as_table(said).get("author")) or author
            yield from _of_score({**score, **as_table(said)}, named, about)


def _of_score(
    score: Mapping[str, Any], author: str | None, about: Mapping[str, Any]
) -> Iterator[Part]:
    source = str(score.get("source")).lower().rpartition(".")[2]
    who = author or as_text(score.get("last_updated_by") or score.get("created_by"))
    rater, how = {
        "ui": (who or "annotator", "human"),
        "online_scoring": ("online_scoring", "llm"),
    }.get(source, ("sdk", "api"))
    if how == "api":
        yield Note(BY_SDK)
    number, word = as_number(score.get("value")), as_text(score.get("category_name"))
    read = reading(word if word is not None else score.get("value"))
    yield Rating(
        **about,
        rater=rater,
        rater_type=how,
        kind="human" if how == "human" else "judge",
        criterion=as_text(score.get("name")),
        **read._asdict(),
        score=number,
        raw=as_text(score.get("reason")),
        time=as_text(score.get("last_updated_at") or score.get("created_at")),
    )
