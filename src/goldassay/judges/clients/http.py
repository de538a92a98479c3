"""Plain HTTP for judges: the one place that talks to the network.

Redirects are not followed, so that no key goes to another host. Nothing is retried here (the run
does that, in the open, and notes every try). A call has one deadline, from the connection to the
last byte, and a body is bounded after decompression.
"""

from __future__ import annotations

import asyncio
import json
import math
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from goldassay.errors import MissingExtraError
from goldassay.judges.api_keys import Secrets
from goldassay.judges.declaration import Declaration
from goldassay.judges.responses import MOST_BYTES, FailureError, storable

if TYPE_CHECKING:
    import httpx2

__all__ = ["Http", "failure_of_status", "joined", "retry_after"]

_KINDS = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    408: "timeout",
    413: "too_long",
    429: "rate_limited",
}


#: An endpoint that asks for longer might as well ask for ever.
_LONGEST_ASKED = 1e9


class Http:
    """HTTP for one judge, with typed failures and no key in any text."""

    def __init__(self, judge: Declaration, headers: Mapping[str, str], secrets: Secrets) -> None:
        try:
            import httpx2
        except ModuleNotFoundError:
            raise MissingExtraError("httpx2", "run") from None
        limits = judge.limits
        self._errors = httpx2
        self._secrets = secrets
        self._timeout = limits.timeout
        self._client = httpx2.AsyncClient(
            follow_redirects=False,
            # Answers are small; what is not compressed cannot be a bomb.
            headers={"Accept-Encoding": "identity", **headers},
            timeout=httpx2.Timeout(limits.timeout, connect=min(limits.timeout, 10.0)),
            limits=httpx2.Limits(
                max_connections=limits.concurrency, max_keepalive_connections=None
            ),
        )

    async def post(
        self, url: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> str:
        """The text of the answer to some JSON."""
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")
        sent = {"Content-Type": "application/json", **(headers or {})}
        return await self.send("POST", url, content=content, headers=sent)

    async def send(
        self,
        method: str,
        url: str,
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        most: int = MOST_BYTES,
        seconds: float | None = None,
    ) -> str:
        """The text of an answer of at most so many bytes, within so many seconds."""
        seconds = self._timeout if seconds is None else seconds
        try:
            async with (
                asyncio.timeout(seconds),
                self._client.stream(method, url, content=content, headers=headers) as response,
            ):
                body = await _body(response, most)
                status, answered = response.status_code, response.headers
        except (TimeoutError, self._errors.TimeoutException):
            raise FailureError("timeout", f"after {seconds:g} s") from None
        except (self._errors.HTTPError, self._errors.InvalidURL, ValueError) as error:
            raise FailureError("connection", type(error).__name__) from None
        text = self._secrets.covered(body.decode("utf-8", "replace"))
        if status != 200:
            raise failure_of_status(status, answered, _detail(text))
        return text

    async def close(self) -> None:
        await self._client.aclose()


async def _body(response: httpx2.Response, most: int) -> bytes:
    """The body, decompressed where the endpoint compressed it all the same."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip", "x-gzip", "deflate"):
        raise FailureError("garbage", "the response is in an encoding that was not asked for")
    unpack = None if encoding in ("identity", "") else zlib.decompressobj(zlib.MAX_WBITS | 32)
    body = bytearray()
    async for chunk in response.aiter_raw():
        try:  # never more than one byte too many
            body += unpack.decompress(chunk, most + 1 - len(body)) if unpack else chunk
        except zlib.error:
            raise FailureError("garbage", "the response cannot be decompressed") from None
        if len(body) > most:
            raise FailureError(
                "too_large", f"the response is longer than {most:,} bytes", retry=False
            )
    return bytes(body)


def joined(address: str, path: str) -> str:
    """An address with a path after it; a query (Azure's `api-version`) stays at the end."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") + path))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the endpoint asks to wait, from Retry-After (seconds or a date)."""
    milliseconds = headers.get("retry-after-ms")
    value = headers.get("retry-after")
    seconds: float | None = None
    try:
        if milliseconds is not None:
            seconds = float(milliseconds) / 1000
        elif value is not None:
            seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value or "") - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError, OverflowError):
            return None
    if seconds is None or not math.isfinite(seconds):
        return None
    return min(max(0.0, seconds), _LONGEST_ASKED)


def failure_of_status(status: int, headers: Mapping[str, str], detail: str) -> FailureError:
    """A response that is no answer, by its HTTP status."""
    if 300 <= status < 400:
        return FailureError(
            "redirected",
            "the endpoint points elsewhere; give the final address as base_url",
            retry=False,
            http_status=status,
        )
    kind = _KINDS.get(status) or ("server_error" if status >= 500 else "bad_request")
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
        data = json.loads(body.removeprefix("\ufeff"), strict=False)
        error = data.get("error", data)
        body = str(error.get("message") or error.get("code") or error)
        body += f" ({error['code']})" if error.get("code") else ""
    except (ValueError, AttributeError, RecursionError):
        pass
    return storable(" ".join(body.split()), 200)
