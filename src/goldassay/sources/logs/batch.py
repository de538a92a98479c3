"""Results of batch endpoints (.jsonl): a judge's answers by `custom_id`.

Read in the documented forms of OpenAI's Batch API (`response.body` of chat completions and of
responses) and of Anthropic's Message Batches (`result.message`). The model is the judge, its answer
the verdict; an answer in JSON, between fences or not, is the verdict that it names (`verdict`,
`label`, `score`, ...). Requests that failed or were filtered are failed ratings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    Judge,
    LeftOut,
    Part,
    Rating,
    Reading,
    as_list,
    as_table,
    as_text,
    failed,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

#: Members of an answer in JSON that are the verdict, the likeliest first.
VERDICTS = ("verdict", "label", "rating", "score", "grade", "winner", "preference", "answer")


def recognises(log: LogFile) -> bool:
    one = log.first
    if "custom_id" not in one:
        return False
    body = as_table(as_table(one.get("response")).get("body"))
    return (
        bool(body.get("model")) or "type" in as_table(one.get("result")) or bool(one.get("error"))
    )


def ratings(log: LogFile) -> Iterator[Part]:
    told: list[str] = []
    for number, one in enumerate(log.records(), start=1):
        if isinstance(one, LeftOut):
            yield one
            continue
        body = as_table(as_table(one.get("response")).get("body")) or as_table(
            as_table(one.get("result")).get("message")
        )
        # A request that failed names no model: it is the one before it.
        model = as_text(body.get("model")) or (told[-1] if told else log.stem)
        if model not in told:
            told.append(model)
            yield Judge(rater=model, model=model)
        said = _answer(body)
        found = _verdict(said) if said is not None else failed(_failure(one))
        yield Rating(
            item=as_text(one.get("custom_id")) or str(number),
            rater=model,
            **found._asdict(),
            raw=said,
            tags=tags(_tokens(body)),
        )


def _answer(body: Mapping[str, Any]) -> str | None:
    """The text of the first answer; None where there is none."""
    for choice in as_list(body.get("choices")):
        content = as_table(as_table(choice).get("message")).get("content")
        return as_text(content) if isinstance(content, str) else None
    parts = as_list(body.get("content"))
    for one in as_list(body.get("output")):
        parts += as_list(as_table(one).get("content"))
    texts = [as_table(part).get("text") for part in parts]
    return next((text for text in texts if isinstance(text, str)), None)


#: JSON between fences, as chat models write it.
_FENCED = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.DOTALL | re.IGNORECASE)


def _verdict(said: str) -> Reading:
    fenced = _FENCED.findall(said)
    text = fenced[-1] if fenced else said.strip()
    if text.startswith("{"):
        try:
            record = as_table(json.loads(text))
        except (ValueError, RecursionError):
            return invalid("the answer is no JSON")
        key = next((name for name in VERDICTS if name in record), None)
        return reading(record[key]) if key else invalid("the answer names no verdict")
    return reading(text)


def _failure(one: Mapping[str, Any]) -> str:
    error = as_table(one.get("error")) or as_table(as_table(one.get("result")).get("error"))
    kind = as_table(one.get("result")).get("type")
    return (
        as_text(error.get("message")) or as_text(error.get("code")) or as_text(kind) or "no answer"
    )


def _tokens(body: Mapping[str, Any]) -> dict[str, Any]:
    usage = as_table(body.get("usage"))
    names = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
    return {name: usage[name] for name in names if name in usage}
