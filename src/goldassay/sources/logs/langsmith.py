"""LangSmith's feedback: `client.list_feedback()` written as JSON lines or JSON, or a CSV of it.

Read as of langsmith 0.14 (`run_id`, `key`, `score`, `value`, `comment`, `feedback_source`). The key
is the criterion. Feedback given in the app is a person's, that of a model or an automatic evaluator
a judge's. What came by the API may be either: see Langfuse. A correction alone is no rating.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.langfuse import BY_API
from goldassay.sources.logs.parts import (
    Judge,
    LeftOut,
    Note,
    Part,
    Rating,
    as_json,
    as_number,
    as_table,
    as_text,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

TYPES = {"app": "human", "model": "llm", "auto_eval": "llm"}


def recognises(log: LogFile) -> bool:
    return {"run_id", "key", "score"} <= set(log.first) and (
        "feedback_source" in log.first or "feedback_source.type" in log.first
    )


def ratings(log: LogFile) -> Iterator[Part]:
    for one in log.records():
        if isinstance(one, LeftOut):
            yield one
            continue
        item = as_text(one.get("run_id")) or as_text(one.get("trace_id"))
        score, label = as_number(one.get("score")), one.get("value")
        if item is None:
            yield LeftOut("feedback on no run")
        elif score is None and label in (None, "") and one.get("comment") in (None, ""):
            yield LeftOut("feedback without a score or a value (a correction or a mark)")
        elif score is None and label in (None, ""):
            yield LeftOut("feedback that is a comment alone")
        else:
            yield from _of_feedback(one, item, score)


def _of_feedback(one: Mapping[str, Any], item: str, score: float | None) -> Iterator[Part]:
    source = _source(one)
    how = TYPES.get(str(source.get("type")).lower(), "api")
    named = as_table(source.get("metadata"))
    if how == "human":
        who = source.get("user_name") or source.get("user_id") or "annotator"
    elif how == "llm":
        who = named.get("model") or named.get("evaluator_name") or "evaluator"
        yield Judge(
            rater=str(who),
            model=as_text(named.get("model")),
            realization=as_text(named.get("evaluator_name")),
        )
    else:
        yield Note(BY_API)
        who = "api"
    value = one.get("value")
    read = reading(value if isinstance(value, str) and value else score)
    yield Rating(
        item=item,
        rater=str(who),
        rater_type=how,
        kind="human" if how == "human" else "judge",
        criterion=as_text(one.get("key")),
        **read._asdict(),
        score=score,
        raw=as_text(one.get("comment")),
        time=as_text(one.get("created_at")),
        tags=tags(one.get("extra"), one.get("metadata"), tags=as_json(one.get("tags"))),
    )


def _source(one: Mapping[str, Any]) -> dict[str, Any]:
    """The source's fields: nested, in a cell as JSON or as Python prints it, or in columns."""
    source = as_json(one.get("feedback_source"))
    if isinstance(source, dict):
        return source
    prefix = "feedback_source."
    columns = {k.removeprefix(prefix): v for k, v in one.items() if k.startswith(prefix) and v}
    return columns or {"type": source}
