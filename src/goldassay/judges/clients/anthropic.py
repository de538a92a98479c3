"""Anthropic's own protocol."""

from __future__ import annotations

from typing import Any

from goldassay.judges.api_keys import Secrets, api_key, extra_headers
from goldassay.judges.clients.http import Http, joined
from goldassay.judges.clients.kind import Kind
from goldassay.judges.declaration import Declaration
from goldassay.judges.request import Request
from goldassay.judges.responses import FailureError, Response, count, loads, name
from goldassay.judges.verdicts import Answer

__all__ = ["ANTHROPIC"]

_OWN_HOSTS = {"api.anthropic.com": "ANTHROPIC_API_KEY"}
#: Its words for why an answer ended, in the words of the other protocol.
_STOPS = {"max_tokens": "length", "refusal": "refusal"}


def _address(judge: Declaration) -> str:
    return judge.base_url or "https://api.anthropic.com"


class AnthropicClient:
    """Messages."""

    def __init__(self, judge: Declaration) -> None:
        address = _address(judge)
        key = api_key(judge, address, _OWN_HOSTS)
        extra = extra_headers(judge)
        headers = {"anthropic-version": "2023-06-01", **extra}
        if key:
            headers["x-api-key"] = key
        self._http = Http(judge, headers, Secrets((key, *extra.values())))
        self._url = joined(address, "/v1/messages")

    async def ask(self, request: Request) -> str:
        judge = request.judge
        body: dict[str, Any] = {
            "model": judge.model,
            "max_tokens": 1024,
            "messages": [{"role": "user", "content": request.prompt}],
            **request.parameters,
        }
        if judge.system_prompt:
            body["system"] = judge.system_prompt
        return await self._http.post(self._url, body)

    async def close(self) -> None:
        await self._http.close()


def _read(body: str) -> Response:
    data = loads(body)
    if not isinstance(data, dict):
        raise FailureError("garbage", "the response is not a JSON object")
    content = data.get("content")
    if not isinstance(content, list):
        raise FailureError("empty_choices", "the response has no content")
    parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
    text = "".join(str(part.get("text", "")) for part in parts)
    usage = data["usage"] if isinstance(data.get("usage"), dict) else {}
    stop = name(data.get("stop_reason"))
    return Response(
        Answer(text, finish=_STOPS.get(stop or "", stop)),
        name(data.get("model")),
        count(usage.get("input_tokens")),
        count(usage.get("output_tokens")),
    )


ANTHROPIC = Kind(
    name="anthropic",
    declared_by="model",
    address=_address,
    open=AnthropicClient,
    read=_read,
    chat=True,
)
