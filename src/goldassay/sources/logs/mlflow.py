"""MLflow's traces with assessments, and its evaluation tables.

Read as written by MLflow 3.17: `Trace.to_json()` as JSON or lines, `search_traces()` as CSV, JSON
lines or Parquet, and `eval_results_table.json` (or the table as CSV). A feedback is a rating, its
name the criterion: HUMAN is a person, LLM_JUDGE and CODE are judges. A feedback with an error is a
failed rating. One that somebody else overrode stays its rater's. Expectations are no ratings. In
an evaluation table each `METRIC/score` is a criterion; who judged is not in it (`--judge`).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from goldassay.sources.logs.parts import (
    Judge,
    LeftOut,
    Part,
    Rating,
    Text,
    as_json,
    as_list,
    as_number,
    as_table,
    as_tables,
    as_text,
    digest,
    failed,
    reading,
    tags,
)
from goldassay.sources.logs.people import people_beside
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

TYPES = {"HUMAN": "human", "LLM_JUDGE": "llm", "AI_JUDGE": "llm", "CODE": "code"}
_SCORE = re.compile(r"^(?P<metric>.+)/(?:score|value)$")
QUESTION, ANSWER, TARGET = ("inputs", "request"), ("outputs", "response"), ("target", "targets")


def recognises(log: LogFile) -> bool:
    columns, info = set(_columns(log)) or set(log.first), _info(log.first)
    if "assessments" in info:
        return "trace_id" in info or "request_id" in info
    has_scores = any(_SCORE.match(str(name)) for name in columns)
    return has_scores and bool(columns & {*QUESTION, *ANSWER, *TARGET})


def ratings(log: LogFile) -> Iterator[Part]:
    columns = _columns(log)
    if columns:
        yield from _of_table(
            dict(zip(columns, as_list(row), strict=False))
            for row in as_list(log.object.get("data"))
        )
    elif "assessments" not in _info(log.first):
        yield from _of_table(log.records())
    else:
        for one in log.records():
            if isinstance(one, LeftOut):
                yield one
            else:
                yield from _of_trace(one)


def _columns(log: LogFile) -> list[str]:
    """The columns of `eval_results_table.json`, whose rows are lists."""
    document = log.object
    names = as_list(document.get("columns")) if "data" in document else []
    return [str(name) for name in names]


def _info(one: Mapping[str, Any]) -> Mapping[str, Any]:
    return as_table(one.get("info")) or one


def _of_trace(one: Mapping[str, Any]) -> Iterator[Part]:
    info = _info(one)
    trace = as_text(info.get("trace_id") or info.get("request_id"))
    if trace is None:
        yield LeftOut("a trace without an id")
        return
    given = as_tables(as_json(info.get("assessments")))
    about = {
        name: value
        for record in (info.get("tags"), info.get("trace_metadata"))
        for name, value in as_table(as_json(record)).items()
        if not str(name).startswith("mlflow.")
    }
    latency = info.get("execution_duration_ms", info.get("execution_duration"))
    told = tags(about, state=info.get("state"), system_latency_ms=latency)
    expected = [as_table(a.get("expectation")).get("value") for a in given if a.get("expectation")]
    replaced = {as_text(a.get("overrides")): _rater(a) for a in given if a.get("overrides")}
    inner = _inner_spans(one)
    yield Text(
        item=trace,
        input=as_text(info.get("request_preview") or info.get("request")),
        output=as_text(info.get("response_preview") or info.get("response")),
        reference=as_text(expected[0]) if expected else None,
    )
    for assessment in given:
        if not isinstance(assessment.get("feedback"), dict):
            yield LeftOut("an expectation, which is no rating")
        elif replaced.get(as_text(assessment.get("assessment_id"))) == _rater(assessment):
            yield LeftOut("an assessment that its own rater replaced")
        else:
            yield from _of_feedback(assessment, trace, told, inner)
    if not given:
        yield LeftOut("a trace without an assessment")


def _inner_spans(one: Mapping[str, Any]) -> set[str]:
    """Spans inside others, as assessments name them: what is said of the outermost is said of the
    trace."""
    spans = as_tables(as_json(one.get("spans") or as_table(one.get("data")).get("spans")))
    found = set()
    for span in spans:
        if span.get("parent_span_id") and (name := as_text(span.get("span_id"))):
            found.add(name)
            with suppress(ValueError):  # a span writes its own number in base 64
                found.add(base64.b64decode(name, validate=True).hex())
    return found


def _rater(assessment: Mapping[str, Any]) -> tuple[str, str]:
    """Who assessed, and as what: human, llm, code or api."""
    source = as_table(assessment.get("source"))
    how = TYPES.get(str(source.get("source_type")).upper(), "api")
    named = as_text(source.get("source_id"))
    return (named if named not in (None, "default") else how) or how, how


def _of_feedback(
    assessment: Mapping[str, Any], trace: str, told: Mapping[str, str], inner: set[str]
) -> Iterator[Part]:
    feedback, span = as_table(assessment.get("feedback")), as_text(assessment.get("span_id"))
    span = span if span in inner else None
    rater, how = _rater(assessment)
    if how == "llm":
        yield Judge(rater=rater, model=rater if ":/" in rater else None)
    value, error = feedback.get("value"), as_table(feedback.get("error"))
    words = [one for one in as_list(value) if isinstance(one, str)]
    several = bool(words) and len(words) == len(as_list(value))
    read = reading("|".join(words) if several else value)
    if error:
        read = failed(f"the judge failed ({error.get('error_code')})")
    metadata = {
        name: one
        for name, one in as_table(assessment.get("metadata")).items()
        if not str(name).startswith("mlflow.")
    }
    yield Rating(
        item=f"{trace}/{span}" if span else trace,
        prompt=trace if span else None,
        rater=rater,
        kind="human" if how == "human" else "judge",
        rater_type=how,
        criterion=as_text(assessment.get("assessment_name") or assessment.get("name")),
        **read._asdict(),
        score=None if isinstance(value, str | bool) else as_number(value),
        elicitation="response_set" if several else None,
        raw=as_text(assessment.get("rationale")) or as_text(error.get("error_message")),
        time=as_text(assessment.get("create_time")),
        tags={**tags(metadata), **told},
    )


def _of_table(rows: Any) -> Iterator[Part]:
    """Metrics of an evaluation table, and what people said of one in a column beside them."""
    for number, row in enumerate(rows, start=1):
        if isinstance(row, LeftOut):
            yield row
            continue
        output, asked = _one_of(row, ANSWER), _one_of(row, QUESTION)
        about: dict[str, Any] = {
            "item": str(number),
            "asked": digest(asked or ""),
            "attempt": digest(output or ""),
        }
        yield Text(**about, input=asked, output=output, reference=_one_of(row, TARGET))
        others = {name: cell for name, cell in row.items() if "/" not in str(name)}
        texts = {*QUESTION, *ANSWER, *TARGET}
        metrics = [match["metric"] for name in row if (match := _SCORE.match(str(name)))]
        for name, (who, criterion) in people_beside(others, metrics).items():
            said = as_number(others.pop(name))
            if said is not None:
                person: dict[str, Any] = {"rater": who, "kind": "human", "rater_type": "human"}
                yield Rating(**about, **person, criterion=criterion, **reading(said)._asdict())
        about["tags"] = tags({name: cell for name, cell in others.items() if name not in texts})
        for name, value in row.items():
            if (match := _SCORE.match(str(name))) is None:
                continue
            metric = match["metric"]
            why = as_text(row.get(f"{metric}/justification") or row.get(f"{metric}/rationale"))
            score = as_number(value)  # cells of a CSV file are texts: 1.0 is 1
            read = reading(value if score is None or isinstance(value, bool) else score)
            yield Rating(
                **about,
                rater=None,
                rater_type="llm" if why else None,
                criterion=metric,
                **(read if read.value else failed("the metric has no score"))._asdict(),
                score=score,
                raw=why,
            )


def _one_of(row: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((as_text(row[name]) for name in names if row.get(name) not in (None, "")), None)
