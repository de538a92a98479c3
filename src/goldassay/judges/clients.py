"""Endpoints: one small class each, with `ask(request) -> Response` or a typed `FailureError`.

This is the one place that talks to the network. Redirects are not followed, so that no key goes to
another host; nothing is retried here (the run does that, in the open, and notes every try).
"""

from __future__ import annotations

import asyncio
import json
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Protocol

from goldassay.errors import MissingExtraError
from goldassay.judges.answers import FailureError, Response, response_of
from goldassay.judges.keys import api_key, extra_headers, without_secrets
from goldassay.judges.prompts import Request
from goldassay.judges.spec import Judge

if TYPE_CHECKING:
    import httpx2

__all__ = ["AnthropicClient", "Client", "OpenAIClient", "RewardClient", "client_for"]


class Client(Protocol):
    """Who answers requests."""

    async def ask(self, request: Request) -> Response: ...

    async def close(self) -> None: ...


def client_for(judge: Judge) -> Client:
    """The client of a judge, with its key; the network is not touched yet."""
    if judge.kind == "model":
        return AnthropicClient(judge) if judge.provider == "anthropic" else OpenAIClient(judge)
    if judge.kind == "reward_url":
        return RewardClient(judge)
    from goldassay.judges import local

    return local.client_for(judge)


def _http(judge: Judge) -> httpx2.AsyncClient:
    try:
        import httpx2
    except ModuleNotFoundError:
        raise MissingExtraError("httpx2", "run") from None
    limits = judge.limits
    return httpx2.AsyncClient(
        follow_redirects=False,
        timeout=httpx2.Timeout(limits.timeout, connect=min(limits.timeout, 10.0)),
        limits=httpx2.Limits(max_connections=limits.concurrency, max_keepalive_connections=None),
    )


def retry_after(headers: Any) -> float | None:
    """Seconds that the endpoint asks to wait, from Retry-After (seconds or a date)."""
    milliseconds = headers.get("retry-after-ms")
    value = headers.get("retry-after")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        if value is None:
            return None
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        from datetime import UTC, datetime

        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


def failure_of_status(status: int, headers: Any, detail: str) -> FailureError:
    """A response that is no answer, by its HTTP status."""
    if 300 <= status < 400:
        return FailureError(
            "redirected",
            "the endpoint points elsewhere; give the final address as base_url",
            retry=False,
            http_status=status,
        )
    kinds = {
        401: "unauthorized",
        403: "forbidden",
        404: "not_found",
        408: "timeout",
        413: "too_long",
        429: "rate_limited",
    }
    kind = kinds.get(status) or ("server_error" if status >= 500 else "bad_request")
    retry = status in (408, 409, 425, 429) or status >= 500
    if status == 429 and "insufficient_quota" in detail:
        kind, retry = "out_of_quota", False
    return FailureError(
        kind,
        f"HTTP {status} {detail}".strip(),
        retry=retry,
        http_status=status,
        after=retry_after(headers),
    )


def _detail(body: str) -> str:
    """The endpoint's own words about an error: one short line."""
    try:
        data = json.loads(body)
        error = data.get("error", data)
        body = str(error.get("message") or error.get("code") or error)
        body += f" ({error['code']})" if error.get("code") else ""
    except (ValueError, AttributeError, RecursionError):
        pass
    return " ".join(body.split())[:200]


class OpenAIClient:
    """Everything that speaks the OpenAI protocol, through the `openai` client."""

    def __init__(self, judge: Judge) -> None:
        try:
            import openai
        except ModuleNotFoundError:
            raise MissingExtraError("openai", "run") from None
        self._openai = openai
        self.judge = judge
        key = api_key(judge)
        headers: dict[str, Any] = extra_headers(judge)
        self._secrets = tuple(value for value in (key, *headers.values()) if value)
        own = judge.endpoint.startswith("https://api.openai.com/")
        if not own:  # the account's names stay with the account's host
            headers |= {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        # Said for each request, so that no other key of the environment takes its place.
        self._authorization: Any = f"Bearer {key}" if key else openai.Omit()
        self.client = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=judge.endpoint,
            max_retries=0,
            timeout=judge.limits.timeout,
            default_headers=headers,
            http_client=_http(judge),
        )

    def body(self, request: Request) -> dict[str, Any]:
        """The JSON that is sent."""
        judge = self.judge
        messages = [{"role": "user", "content": request.prompt}]
        if judge.system_prompt:
            messages.insert(0, {"role": "system", "content": judge.system_prompt})
        body: dict[str, Any] = {"model": judge.model, "messages": messages, **request.parameters}
        if request.top_logprobs:
            body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
        if request.structured:
            schema = {"name": "verdict", "strict": True, "schema": verdict_schema(request)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    async def ask(self, request: Request) -> Response:
        text = await self.post(self.body(request), key=request.key)
        return response_of(self.judge, text)

    async def post(self, body: dict[str, Any], *, key: str) -> str:
        """Send one chat request; the text of a response with status 200."""
        import httpx2

        openai = self._openai
        try:
            # The whole call is timed: a server that drips bytes would never run into a read limit.
            async with asyncio.timeout(self.judge.limits.timeout):
                response = await self.client.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    body=body,
                    options={
                        "headers": {
                            "Authorization": self._authorization,
                            "Idempotency-Key": f"goldassay-{key}",
                        }
                    },
                )
        except (openai.APITimeoutError, TimeoutError):
            raise FailureError("timeout", f"after {self.judge.limits.timeout:g} s") from None
        except openai.APIStatusError as error:
            detail = without_secrets(_detail(error.response.text), self._secrets)
            raise failure_of_status(
                error.response.status_code, error.response.headers, detail
            ) from None
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            cause = type(error.__cause__ or error).__name__
            raise FailureError("connection", cause) from None
        except (openai.OpenAIError, ValueError) as error:
            raise FailureError("garbage", type(error).__name__) from None
        if response.status_code != 200:
            raise failure_of_status(response.status_code, response.headers, "")
        return without_secrets(response.text, self._secrets)

    async def close(self) -> None:
        await self.client.close()


def verdict_schema(request: Request) -> dict[str, Any]:
    """The JSON schema of the verdicts that a request asks for."""
    form, judge = request.format, request.judge
    words = [*form.options, *form.abstain]
    verdict: dict[str, Any] = {"type": "string", "enum": words}
    if form.realization == "numeric":
        verdict = {"type": "number", "minimum": 0, "maximum": 100}
    elif form.realization == "anchor":
        verdict = {"type": "string", "enum": ["A>>B", "A>B", "A=B", "B>A", "B>>A"]}
    elif form.realization == "pairwise":
        verdict["enum"] = ["A", "B", *(["tie"] if len(form.options) == 3 else [])]
    elif form.realization == "response_set":
        verdict = {"type": "array", "items": verdict, "minItems": 1}
    names = list(form.criteria) if form.together else ["verdict"]
    properties: dict[str, Any] = dict.fromkeys(names, verdict)
    if judge.explain and not form.together:
        properties = {"reason": {"type": "string"}, **properties}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


class _PlainHttp:
    """A POST of JSON with typed failures."""

    def __init__(self, judge: Judge, headers: dict[str, str], secrets: tuple[str, ...]) -> None:
        self._judge = judge
        self._headers = headers
        self._secrets = secrets
        self._client = _http(judge)

    async def _post(self, url: str, body: dict[str, Any]) -> str:
        import httpx2

        try:
            async with asyncio.timeout(self._judge.limits.timeout):
                response = await self._client.post(url, json=body, headers=self._headers)
        except (TimeoutError, httpx2.TimeoutException):
            raise FailureError("timeout", f"after {self._judge.limits.timeout:g} s") from None
        except (httpx2.HTTPError, ValueError) as error:
            raise FailureError("connection", type(error).__name__) from None
        text = without_secrets(response.text, self._secrets)
        if response.status_code != 200:
            raise failure_of_status(response.status_code, response.headers, _detail(text))
        return text

    async def close(self) -> None:
        await self._client.aclose()


class AnthropicClient(_PlainHttp):
    """Anthropic's own API."""

    def __init__(self, judge: Judge) -> None:
        key = api_key(judge)
        extra = extra_headers(judge)
        headers = {"anthropic-version": "2023-06-01", **extra}
        if key:
            headers["x-api-key"] = key
        secrets = tuple(value for value in (key, *extra.values()) if value)
        super().__init__(judge, headers, secrets)

    def body(self, request: Request) -> dict[str, Any]:
        judge = self._judge
        body: dict[str, Any] = {
            "model": judge.model,
            "max_tokens": 1024,
            "messages": [{"role": "user", "content": request.prompt}],
            **request.parameters,
        }
        if judge.system_prompt:
            body["system"] = judge.system_prompt
        return body

    async def ask(self, request: Request) -> Response:
        url = self._judge.endpoint.rstrip("/") + "/v1/messages"
        return response_of(self._judge, await self._post(url, self.body(request)))


class RewardClient(_PlainHttp):
    """A reward model behind an address: a conversation in, a number out."""

    def __init__(self, judge: Judge) -> None:
        key = api_key(judge) if judge.api_key_env or judge.api_key_file else None
        extra = extra_headers(judge)
        headers = {**extra, **({"Authorization": f"Bearer {key}"} if key else {})}
        super().__init__(judge, headers, tuple(v for v in (key, *extra.values()) if v))

    async def ask(self, request: Request) -> Response:
        item = request.item
        body = {
            "input": item.input,
            "output": item.output,
            "messages": [
                {"role": "user", "content": item.input},
                {"role": "assistant", "content": item.output},
            ],
        }
        text = await self._post(self._judge.endpoint, body)
        try:
            value: Any = json.loads(text)
            for step in self._judge.score_path.split("."):
                value = value[int(step)] if isinstance(value, list) else value[step]
        except (ValueError, KeyError, IndexError, TypeError):
            raise FailureError(
                "garbage", f"the response has nothing at {self._judge.score_path!r}"
            ) from None
        return response_of(self._judge, json.dumps({"score": value}))
