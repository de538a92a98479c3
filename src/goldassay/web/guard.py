"""What stands before every request: whose it is, where it comes from, and how large it is.

A page of another site, opened in the same browser, can send requests to a server on loopback, and
a name that it controls can be made to point there (DNS rebinding). So a request needs the token;
its `Host` must be one of ours; one that changes something must come from our own page (`Origin`)
and be a form of ours (never `text/plain`); and its size is bounded before it is read. What comes
before a request is whole is `connections`' to bound.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goldassay.frozen import dataclass
from goldassay.rendering.markup import document, el

__all__ = ["HEADERS", "MAX_ADDRESS", "MAX_BODY", "PAGE_POLICY", "Door", "Guard", "Limits"]

LOG = logging.getLogger("goldassay.web")

MAX_BODY = 64 * 1024
MAX_ADDRESS = 4 * 1024
FORM = "application/x-www-form-urlencoded"

#: Nothing but our own script and style sheet; no string becomes script (Trusted Types).
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
#: What every answer carries, those to what is no request too.
HEADERS = {
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
    """How much may be sent, how long that may take, and how many may do so at once."""

    body: int = MAX_BODY
    address: int = MAX_ADDRESS
    headers: int = 16 * 1024
    #: Seconds for the body of a request, and for what comes before it.
    seconds: float = 20.0
    header_seconds: float = 10.0
    #: Requests that are answered at once, and open connections.
    requests: int = 100
    connections: int = 256
    #: Connections of one peer that have asked nothing yet, or nothing more.
    waiting: int = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """What opens it: the token, in a cookie of this name; and the names that are ours."""

    token: str
    hosts: tuple[str, ...]
    cookie: str = "goldassay"
    limits: Limits = Limits()


class Guard:
    """ASGI middleware; see the module."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self.token = door.token
        self.hosts = frozenset(host.lower() for host in door.hosts)
        self.cookie = door.cookie
        self.limits = door.limits
        self._requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # no web sockets and no lifespan: the connection ends
        sending = _WithHeaders(send)
        self._requests += 1
        try:
            await self._answer(scope, receive, sending)
        except Exception:
            if sending.started and not sending.ended:
                raise  # half an answer: the connection ends
            if not sending.started:
                LOG.exception("error on %s", scope["path"])
                await _refused(500, "Something went wrong here.")(scope, receive, sending)
        finally:
            self._requests -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._refusal(scope)
        if answer is None:
            body, answer = await self._body(scope, receive)
            if answer is None:
                await self.app(scope, _replayed(body, receive), send)
                return
        await answer(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if self._requests > self.limits.requests:
            return _refused(503, "Too many requests at once; try again.")
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
        """Whether our cookie is among those sent. Servers on other ports of this machine share the
        browser's jar, and may put anything into it, under our name too: ours is looked for."""
        parts = [part for line in headers.getlist("cookie") for part in line.split(";")]
        cookies = [
            (name.strip(), value) for name, _, value in (one.partition("=") for one in parts)
        ]
        return any(
            name == self.cookie and self._equal(value.strip().strip('"')) for name, value in cookies
        )

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


class _WithHeaders:
    """The same answer with the headers that every page carries, unless it has stricter ones."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False
        self.ended = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            given = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *(
                    (name.encode(), value.encode())
                    for name, value in HEADERS.items()
                    if name.encode() not in given
                ),
            ]
        await self._send(message)
        self.ended = message["type"] == "http.response.body" and not message.get("more_body")
