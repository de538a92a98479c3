"""Responses as they came over the wire, and the answer that each holds.

Pure functions of the stored body, so that a stored response can be read again without a call.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from goldassay.judges.parsing import Answer, Format, Verdict, read_answer
from goldassay.judges.spec import Judge

__all__ = ["FailureError", "Response", "read_response", "response_of"]


class FailureError(Exception):
    """A try that gave no answer: its kind, whether another try may help, and when."""

    def __init__(
        self,
        kind: str,
        detail: str = "",
        *,
        retry: bool = True,
        after: float | None = None,
        http_status: int | None = None,
    ) -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.retry = retry
        self.after = after
        self.http_status = http_status


@dataclass(frozen=True, slots=True)
class Response:
    """A response's body and what it says about itself."""

    body: str
    answer: Answer
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def response_of(judge: Judge, body: str) -> Response:
    """What a body says; a body that is no response of its protocol is a `FailureError`."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise FailureError("garbage", "the response is not JSON") from None
    if judge.kind != "model":
        return Response(body, Answer(None))
    if not isinstance(data, dict):
        raise FailureError("garbage", "the response is not a JSON object")
    return _anthropic(body, data) if judge.provider == "anthropic" else _openai(body, data)


def _openai(body: str, data: Mapping[str, Any]) -> Response:
    if isinstance(data.get("error"), dict):  # some gateways answer 200 with an error inside
        raise FailureError("server_error", str(data["error"].get("message", ""))[:200])
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices:
        raise FailureError("empty_choices", "the response has no choices")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise FailureError("garbage", "the response has no message")
    content = message.get("content")
    if isinstance(content, list):  # parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if content is not None and not isinstance(content, str):
        raise FailureError("garbage", "the message's content is not text")
    usage = data.get("usage") if isinstance(data.get("usage"), dict) else {}
    assert isinstance(usage, dict)
    refusal = message.get("refusal")
    answer = Answer(
        content,
        finish=choice.get("finish_reason"),
        refusal=refusal if isinstance(refusal, str) else None,
        alternatives=_alternatives(choice.get("logprobs")),
    )
    return Response(
        body,
        answer,
        _name(data.get("model")),
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
    )


def _alternatives(logprobs: Any) -> list[list[tuple[str, float]]] | None:
    if not isinstance(logprobs, dict) or not isinstance(logprobs.get("content"), list):
        return None
    out = []
    for token in logprobs["content"]:
        top = token.get("top_logprobs") if isinstance(token, dict) else None
        if not isinstance(top, list):
            return None
        out.append(
            [
                (str(one.get("token", "")), float(one["logprob"]))
                for one in top
                if isinstance(one, dict) and isinstance(one.get("logprob"), int | float)
            ]
        )
    return out


_STOPS = {"max_tokens": "length", "refusal": "refusal"}


def _anthropic(body: str, data: Mapping[str, Any]) -> Response:
    content = data.get("content")
    if not isinstance(content, list):
        raise FailureError("empty_choices", "the response has no content")
    parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
    text = "".join(str(part.get("text", "")) for part in parts)
    usage = data["usage"] if isinstance(data.get("usage"), dict) else {}
    stop = str(data.get("stop_reason"))
    answer = Answer(text, finish=_STOPS.get(stop, stop))
    return Response(
        body,
        answer,
        _name(data.get("model")),
        _count(usage.get("input_tokens")),
        _count(usage.get("output_tokens")),
    )


def _name(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def read_response(
    judge: Judge, form: Format, body: str, quoted: tuple[tuple[int, int], ...] = ()
) -> dict[str, Verdict]:
    """The verdicts in a stored body: by the parser for a model, by the declared words otherwise."""
    if judge.kind != "model":
        from goldassay.judges.local import read_result

        return read_result(form, json.loads(body))
    answer = response_of(judge, body).answer
    return read_answer(
        form, Answer(answer.text, answer.finish, answer.refusal, answer.alternatives, quoted)
    )
