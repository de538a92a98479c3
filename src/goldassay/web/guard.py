"""What stands before every request: whose it is, where it comes from, and how large it is.

A page of another site, opened in the same browser, can send requests to a server on loopback, and
a name that it controls can be made to point there (DNS rebinding). So a request needs the token;
its `Host` must be one of ours; one that changes something must come from our own page (`Origin`)
and be a form of ours (never `text/plain`); and its size is bounded before it is read.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goldassay.rendering.markup import document, el

__all__ = ["MAX_ADDRESS", "MAX_BODY", "PAGE_POLICY", "Guard", "Limits"]

MAX_BODY = 64 * 1024
MAX_ADDRESS = 4 * 1024
FORM = "application/x-www-form-urlencoded"

#: Nothing but our own script and style sheet; no string becomes script (Trusted Types).
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # `no-referrer` would make the Origin of our own forms "null".
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one request may send, and how long it may take to send it."""

    body: int = MAX_BODY
    address: int = MAX_ADDRESS
    headers: int = 16 * 1024
    seconds: float = 20.0


class Guard:
    """ASGI middleware; see the module."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        hosts: Iterable[str],
        cookie: str = "goldassay",
        limits: Limits | None = None,
    ) -> None:
        self.app = app
        self.token = token
        self.hosts = frozenset(host.lower() for host in hosts)
        self.cookie = cookie
        self.limits = limits or Limits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # no web sockets and no lifespan: the connection ends
        answer = self._refusal(scope)
        if answer is None:
            body, answer = await self._body(scope, receive)
            if answer is None:
                await self.app(scope, _replayed(body, receive), _with_headers(send))
                return
        await answer(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if len(headers.getlist("host")) != 1 or host not in self.hosts:
            return _refused(421, "This server is not known under that name.")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return _refused(405, "Only GET, HEAD and POST are answered.")
        if len(scope["raw_path"]) + len(scope["query_string"]) > self.limits.address:
            return _refused(414, "The address is too long.")
        if sum(len(name) + len(value) for name, value in scope["headers"]) > self.limits.headers:
            return _refused(431, "The headers are too long.")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and (
            scope["method"] == "POST" or headers.get("sec-fetch-mode") != "navigate"
        ):
            return _refused(403, "Requests from other sites are not answered.")
        if scope["method"] == "POST" and headers.getlist("origin") != [
            f"{scope['scheme']}://{host}"
        ]:
            return _refused(403, "A change must come from a page of this server.")
        if scope["method"] == "GET" and scope["path"] == "/" and self._in_address(scope):
            return self._welcome()
        if not self._known(headers):
            return _refused(
                403,
                "Open the link that `goldassay serve` printed when it started; it holds the token.",
            )
        return None

    def _in_address(self, scope: Scope) -> bool:
        try:
            given = parse_qsl(scope["query_string"].decode("latin-1"), max_num_fields=20)
        except ValueError:
            return False
        return self._equal(dict(given).get("token", ""))

    def _known(self, headers: Headers) -> bool:
        jar: SimpleCookie = SimpleCookie()
        try:
            jar.load(headers.get("cookie", ""))
        except CookieError:
            return False
        return self.cookie in jar and self._equal(jar[self.cookie].value)

    def _equal(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def _welcome(self) -> Response:
        """The token goes into a cookie and out of the address.

        Not a redirect: the cookie is `SameSite=Strict`, and only a navigation that starts on our
        own page is sure to carry it.
        """
        head = (
            el("meta", {"charset": "utf-8"}),
            el("title", None, "goldassay"),
            el("meta", {"http-equiv": "refresh", "content": "0;url=/"}),
        )
        body = el("p", None, el("a", {"href": "/"}, "Open goldassay"))
        page = document(el("head", None, head), el("body", None, body))
        response = Response(page, media_type="text/html")
        response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
        return response

    async def _body(self, scope: Scope, receive: Receive) -> tuple[bytes, Response | None]:
        """The whole body, read under the bound, and a refusal when it breaks a rule."""
        headers = Headers(scope=scope)
        too_large = _refused(413, f"A request holds at most {self.limits.body:,} bytes.")
        declared = headers.get("content-length", "0")
        if not declared.isascii() or not declared.isdigit() or int(declared) > self.limits.body:
            return b"", too_large
        if scope["method"] == "POST":
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != FORM or len(headers.getlist("content-type")) != 1:
                return b"", _refused(415, f"A change is sent as {FORM}.")
        chunks: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self.limits.seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return b"", _refused(400, "The request ended early.")
                    chunks.append(message.get("body", b""))
                    size += len(chunks[-1])
                    if size > self.limits.body:
                        return b"", too_large
                    if not message.get("more_body", False):
                        return b"".join(chunks), None
        except TimeoutError:
            return b"", _refused(408, "The request took too long to arrive.")


def _refused(status: int, reason: str) -> Response:
    return PlainTextResponse(f"{reason}\n", status_code=status, headers={"connection": "close"})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body once, as one message; then whatever the connection says."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _with_headers(send: Send) -> Send:
    """The same answer with the headers that every page carries, unless it has stricter ones."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *(
                    (name.encode(), value.encode())
                    for name, value in _HEADERS.items()
                    if name.encode() not in given
                ),
            ]
        await send(message)

    return sending
