"""Braintrust's experiments: events of its API, the export of an experiment, and `Eval()`'s results.

Read as of braintrust 0.47: records with `input`, `output`, `expected`, `scores` (a number by name),
`metadata` and `tags`; events of the API have spans too, and only the root's scores are ratings
(the spans of scorers repeat them, with the reasons). A score is a judge and a criterion of the same
name: `--human NAME` says that it is people's review. A score of null was skipped by its scorer: an
abstention. A scorer that stopped with an error is a failed rating.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    Judge,
    LeftOut,
    Part,
    Rating,
    Reading,
    Text,
    as_json,
    as_number,
    as_table,
    as_tables,
    as_text,
    digest,
    failed,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

#: Fields of which a record of Braintrust has at least one beside its scores.
OWN = {"root_span_id", "span_id", "_xact_id", "experiment_id", "exc_info", "origin", "is_root"}


def recognises(log: LogFile) -> bool:
    one = next((one for one in _opened(log) if isinstance(one, dict)), {})
    known = {"input", "output", "scores"} <= set(one) and OWN & set(one)
    return bool(known) and isinstance(as_json(one["scores"]), dict)


def ratings(log: LogFile) -> Iterator[Part]:
    records: list[Mapping[str, Any]] = []
    for one in _opened(log):
        if isinstance(one, LeftOut):
            yield one
        else:
            records.append(one)
    spans: dict[tuple[str | None, str], Mapping[str, Any]] = {}
    for one in records:
        attributes = as_table(as_json(one.get("span_attributes")))
        if attributes.get("type") == "score":
            spans[as_text(one.get("root_span_id")), str(attributes.get("name"))] = one
    roots = [one for one in records if _is_root(one)]
    names = dict.fromkeys(
        str(name) for one in roots for name in as_table(as_json(one.get("scores")))
    )
    items: dict[str, str] = {}
    for one in roots:
        yield from _of_record(one, tuple(names), spans, items)


def _opened(log: LogFile) -> Iterator[Any]:
    for key in ("events", "results"):
        if isinstance(log.object.get(key), list):
            return iter(as_tables(log.object[key]))
    return log.records()


def _is_root(one: Mapping[str, Any]) -> bool:
    if isinstance(one.get("is_root"), bool):
        return bool(one["is_root"])
    root = as_text(one.get("root_span_id"))
    return root is None or root == as_text(one.get("span_id"))


def _of_record(
    one: Mapping[str, Any],
    names: tuple[str, ...],
    spans: Mapping[tuple[str | None, str], Mapping[str, Any]],
    items: dict[str, str],
) -> Iterator[Part]:
    asked, output = as_text(as_json(one.get("input"))), as_text(as_json(one.get("output")))
    metadata = as_table(as_json(one.get("metadata")))
    metrics = as_table(as_json(one.get("metrics")))
    dataset = as_table(as_json(one.get("origin"))).get("id") or one.get("dataset_record_id")
    about: dict[str, Any] = {
        # The same input is the same item, in every experiment.
        "item": as_text(dataset) or items.setdefault(digest(asked or ""), str(len(items) + 1)),
        "asked": digest(asked or ""),
        "system": as_text(metadata.get("model")),
        "attempt": as_text(one.get("id")) or digest(output or ""),
    }
    yield Text(**about, input=asked, output=output, reference=as_text(as_json(one.get("expected"))))
    about["tags"] = tags(
        metadata,
        tags=as_json(one.get("tags")),
        experiment=one.get("experiment_id"),
        system_cost=metrics.get("estimated_cost"),
    )
    about["time"] = as_text(one.get("created"))
    scores, errors = as_table(as_json(one.get("scores"))), as_table(metadata.get("scorer_errors"))
    stopped, found = as_text(one.get("error")), 0
    for name in dict.fromkeys((*names, *map(str, errors))):
        span = spans.get((as_text(one.get("root_span_id")), name), {})
        broken = as_text(errors.get(name)) or as_text(span.get("error"))
        if name not in scores and not (broken or stopped):
            continue
        found += 1
        read, raw = _read(scores.get(name)), _reason(span)
        if broken:
            read, raw = failed("the scorer stopped with an error"), broken
        elif name not in scores:
            read, raw = failed("the task stopped with an error"), stopped
        if model := as_text(as_table(as_json(span.get("metadata"))).get("model")):
            yield Judge(rater=name, model=model)
        yield Rating(
            **about,
            rater=name,
            criterion=name,
            **read._asdict(),
            score=as_number(scores.get(name)),
            raw=raw,
        )
    if not found:
        yield LeftOut("a record without a score")


def _read(score: Any) -> Reading:
    return (
        Reading(None, "abstained", "the scorer gave no score") if score is None else reading(score)
    )


def _reason(span: Mapping[str, Any]) -> str | None:
    """What the scorer said: its span's metadata, or that of its output."""
    told = as_table(as_json(span.get("metadata")))
    inner = as_table(as_table(as_json(span.get("output"))).get("metadata"))
    return as_text(told.get("rationale") or inner.get("rationale") or told.get("reason"))
