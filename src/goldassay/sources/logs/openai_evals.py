"""OpenAI evals' records: the JSONL of `oaieval`.

Read as written by evals 3.0 (a line `spec`, then events with `sample_id` and `type`). A `match` is
the rating of a rule, correct or not; `metrics` with a `choice` are a model's verdict, its model the
last completion function; other metrics are criteria. The choice "__invalid__" is an invalid rating,
which evals scores as the lowest; an `error`, and a sample without a verdict, are failed ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    Judge,
    LeftOut,
    Part,
    Rating,
    Text,
    as_list,
    as_number,
    as_table,
    as_text,
    failed,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

INVALID = "__invalid__"
VERDICTS = ("match", "metrics", "error")
#: Derived from the choice, or from a label that is not in the log.
DERIVED = {"choice", "score", "metascore", "invalid_choice"}


def recognises(log: LogFile) -> bool:
    return (
        log.form == "jsonl"
        and isinstance(log.first.get("spec"), dict)
        and ("completion_fns" in log.first["spec"])
    )


def ratings(log: LogFile) -> Iterator[Part]:
    spec: Mapping[str, Any] = {}
    samples: dict[str, list[Mapping[str, Any]]] = {}
    for one in log.records():
        if isinstance(one, LeftOut):
            yield one
        elif isinstance(one.get("spec"), dict):
            spec = one["spec"]
        elif one.get("sample_id") is not None:
            samples.setdefault(str(one["sample_id"]), []).append(one)
    for sample, events in samples.items():
        yield from _of_sample(sample, events, spec)


def _of_sample(
    sample: str, events: list[Mapping[str, Any]], spec: Mapping[str, Any]
) -> Iterator[Part]:
    functions = [str(one) for one in as_list(spec.get("completion_fns"))]
    about: dict[str, Any] = {
        "item": sample,
        "system": functions[0] if functions else None,
        "attempt": str(spec.get("run_id") or ""),
    }
    told_of = tags(split=spec.get("split"), eval=spec.get("eval_name"))
    details = (as_table(one.get("data")).get("metadata") for one in events)
    told_of = tags(*details) | told_of
    sampled = [as_table(one.get("data")) for one in events if one.get("type") == "sampling"]
    if sampled:
        yield Text(
            **about,
            input=as_text(sampled[0].get("prompt")),
            output=_first(sampled[0].get("sampled")),
        )
    about["tags"] = told_of
    told = [one for one in events if one.get("type") in VERDICTS]
    grader = f"{spec.get('eval_name') or 'eval'} ({functions[-1] if functions else 'model'})"
    if functions and any("choice" in as_table(one.get("data")) for one in told):
        yield Judge(rater=grader, model=functions[-1], rubric=as_text(spec.get("base_eval")))
    raw = _first(sampled[-1].get("sampled")) if sampled else None
    for event in told:
        data, kind = as_table(event.get("data")), event.get("type")
        about["time"] = as_text(event.get("created_at"))
        if kind == "error":
            yield Rating(
                **about,
                rater=str(spec.get("eval_name") or "eval"),
                status="failed",
                reason="the sample stopped with an error",
                raw=as_text(data.get("message")),
            )
        elif kind == "match":
            read = reading(data.get("correct"))
            yield Rating(
                **about,
                rater="match",
                rater_type="code",
                **read._asdict(),
                raw=as_text(data.get("picked")),
            )
        else:
            yield from _of_metrics(data, about, grader, raw)
    if not told:
        read = failed("no verdict was recorded")
        yield Rating(
            **about,
            rater=str(spec.get("eval_name") or "eval"),
            status=read.status,
            reason=read.reason,
            raw=raw,
        )


def _of_metrics(
    data: Mapping[str, Any], about: Mapping[str, Any], grader: str, raw: str | None
) -> Iterator[Rating]:
    if "choice" in data:
        choice = data["choice"]
        read = (
            invalid("no choice in the grader's answer (scored as the lowest)")
            if choice == INVALID
            else reading(choice)
        )
        yield Rating(
            **about,
            rater=grader,
            rater_type="llm",
            **read._asdict(),
            raw=raw,
            score=as_number(data.get("score")),
        )
    for name, value in data.items():
        if "choice" in data and (name in DERIVED or isinstance(value, list | dict)):
            continue  # what was sampled beside a choice is no rating of its own
        read = reading(value)
        yield Rating(
            **about,
            rater=grader.partition(" (")[0],
            criterion=name,
            **read._asdict(),
            score=as_number(value),
            raw=as_text(value) if read.status != "rated" else None,
        )


def _first(sampled: Any) -> str | None:
    return as_text(sampled[0] if isinstance(sampled, list) and len(sampled) == 1 else sampled)
