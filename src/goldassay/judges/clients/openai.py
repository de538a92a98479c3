"""The OpenAI protocol: OpenAI, vLLM, llama.cpp, Ollama, Azure, gateways; chat and batch files."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from goldassay.judges.api_keys import Secrets, api_key, extra_headers
from goldassay.judges.clients.http import Http, joined
from goldassay.judges.clients.kind import Kind, RemoteBatch
from goldassay.judges.declaration import Declaration
from goldassay.judges.request import Request
from goldassay.judges.responses import FailureError, Response, count, finite, loads, name
from goldassay.judges.verdicts import Answer

__all__ = ["OPENAI", "OpenAIBatches", "OpenAIClient"]

#: Anthropic's host speaks this protocol too.
_OWN_HOSTS = {"api.openai.com": "OPENAI_API_KEY", "api.anthropic.com": "ANTHROPIC_API_KEY"}
#: The account's names stay with the account's host.
_ACCOUNT = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}
#: A batch's mark at the provider.
MARK = "goldassay_batch"
#: The provider's own limit of a file, and how long one may take, in seconds.
MOST_OF_A_FILE = 2**30
LONGEST_TRANSFER = 1800.0


def _address(judge: Declaration) -> str:
    return judge.base_url or "https://api.openai.com/v1"


def _http(judge: Declaration) -> Http:
    address = _address(judge)
    key = api_key(judge, address, _OWN_HOSTS)
    headers = extra_headers(judge)
    hidden = Secrets((key, *headers.values()))
    if urlsplit(address).hostname == "api.openai.com":
        named = {header: os.environ.get(variable) for header, variable in _ACCOUNT.items()}
        headers = {header: value for header, value in named.items() if value} | headers
    if key:
        headers["Authorization"] = f"Bearer {key}"
    return Http(judge, headers, hidden)


def _chat_body(request: Request) -> dict[str, Any]:
    """The JSON that is sent."""
    judge = request.judge
    messages = [{"role": "user", "content": request.prompt}]
    if judge.system_prompt:
        messages.insert(0, {"role": "system", "content": judge.system_prompt})
    body: dict[str, Any] = {"model": judge.model, "messages": messages, **request.parameters}
    if request.top_logprobs:
        body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    if request.schema is not None:
        schema = {"name": "verdict", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


class OpenAIClient:
    """One call at a time."""

    def __init__(self, judge: Declaration) -> None:
        self._http = _http(judge)
        self._url = joined(_address(judge), "/chat/completions")

    async def ask(self, request: Request) -> str:
        headers = {"Idempotency-Key": f"goldassay-{request.key}"}
        return await self._http.post(self._url, _chat_body(request), headers)

    async def close(self) -> None:
        await self._http.close()


def _read(body: str) -> Response:
    data = loads(body)
    if not isinstance(data, dict):
        raise FailureError("garbage", "the response is not a JSON object")
    error = data.get("error")  # some gateways answer 200 with an error inside
    if error and not data.get("choices"):
        message = error.get("message", "") if isinstance(error, dict) else error
        raise FailureError("server_error", str(message)[:200])
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
    usage = data["usage"] if isinstance(data.get("usage"), dict) else {}
    refusal = message.get("refusal")
    answer = Answer(
        content,
        finish=name(choice.get("finish_reason")),
        refusal=refusal if isinstance(refusal, str) else None,
        alternatives=_alternatives(choice.get("logprobs")),
    )
    return Response(
        answer,
        name(data.get("model")),
        count(usage.get("prompt_tokens")),
        count(usage.get("completion_tokens")),
    )


def _alternatives(logprobs: Any) -> list[list[tuple[str, float]]] | None:
    if not isinstance(logprobs, dict) or not isinstance(logprobs.get("content"), list):
        return None
    out = []
    for token in logprobs["content"]:
        top = token.get("top_logprobs") if isinstance(token, dict) else None
        if not isinstance(top, list):
            return None
        pairs = [
            (str(one.get("token", "")), finite(one.get("logprob")))
            for one in top
            if isinstance(one, dict)
        ]
        out.append([(word, value) for word, value in pairs if value is not None])
    return out


class OpenAIBatches:
    """Files of requests."""

    def __init__(self, judge: Declaration) -> None:
        self._http = _http(judge)
        self._address = _address(judge)

    def line(self, request: Request) -> str:
        asked = {
            "custom_id": request.key,
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": _chat_body(request),
        }
        return json.dumps(asked, ensure_ascii=False)

    async def submit(self, mark: str, lines: list[str]) -> RemoteBatch:
        """Upload a file of requests and ask for its answers."""
        text = "\n".join(lines) + "\n"
        file = await self._upload(f"{mark}.jsonl", text.encode("utf-8", "backslashreplace"))
        body = {
            "input_file_id": file,
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {MARK: mark},
        }
        return _batch(_table(await self._http.post(joined(self._address, "/batches"), body)))

    async def _upload(self, called: str, content: bytes) -> str:
        border = f"goldassay-{secrets.token_hex(16)}"
        parts = (
            f'--{border}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
            f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="{called}"\r\n'
            "Content-Type: application/jsonl\r\n\r\n"
        ).encode()
        text = await self._http.send(
            "POST",
            joined(self._address, "/files"),
            content=parts + content + f"\r\n--{border}--\r\n".encode(),
            headers={"Content-Type": f"multipart/form-data; boundary={border}"},
            seconds=LONGEST_TRANSFER,
        )
        return str(_table(text).get("id"))

    async def known(self) -> list[RemoteBatch]:
        """All batches of the account that are marked as ours, newest first."""
        found: list[RemoteBatch] = []
        after = ""
        while True:
            url = joined(self._address, "/batches")
            url += ("&" if "?" in url else "?") + f"limit=100{after}"
            page = _table(await self._http.send("GET", url))
            rows = page.get("data")
            batches = (
                [_batch(row) for row in rows if isinstance(row, dict)]
                if isinstance(rows, list)
                else []
            )
            found += [batch for batch in batches if batch.mark]
            if not page.get("has_more") or not batches:
                return found
            after = f"&after={batches[-1].id}"

    async def look(self, batch: str) -> RemoteBatch:
        return _batch(
            _table(await self._http.send("GET", joined(self._address, f"/batches/{batch}")))
        )

    async def download(self, file: str) -> str:
        url = joined(self._address, f"/files/{file}/content")
        return await self._http.send("GET", url, most=MOST_OF_A_FILE, seconds=LONGEST_TRANSFER)

    async def close(self) -> None:
        await self._http.close()


def _table(text: str) -> Mapping[str, Any]:
    data = loads(text)
    if not isinstance(data, dict):
        raise FailureError("garbage", "the response is not a JSON object")
    return data


def _batch(raw: Mapping[str, Any]) -> RemoteBatch:
    metadata, counts = raw.get("metadata"), raw.get("request_counts")
    files = (raw.get("output_file_id"), raw.get("error_file_id"))
    return RemoteBatch(
        id=str(raw.get("id")),
        status=str(raw.get("status")),
        mark=name(metadata.get(MARK)) if isinstance(metadata, dict) else None,
        completed=(count(counts.get("completed")) or 0) if isinstance(counts, dict) else 0,
        files=tuple(str(file) for file in files if file),
    )


OPENAI = Kind(
    name="openai",
    declared_by="model",
    address=_address,
    open=OpenAIClient,
    read=_read,
    chat=True,
    offers=("top_logprobs", "json_schema", "seed"),
    open_batches=OpenAIBatches,
)
