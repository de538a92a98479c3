"""Serving a study: the address, the token, the process."""

from __future__ import annotations

import ipaddress
import logging
import os
import re
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn

from goldassay.errors import UsageError, shown
from goldassay.frozen import dataclass
from goldassay.rendering.markup import document, el
from goldassay.web.app import make_app
from goldassay.web.connections import Connection
from goldassay.web.guard import Door, Limits
from goldassay.web.site import Site

__all__ = ["Address", "handed_over", "link", "listen", "new_token", "serve", "server_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where to listen. Anything but loopback needs `expose`, and the names it is known by."""

    host: str = "127.0.0.1"
    port: int = 0
    expose: bool = False
    names: tuple[str, ...] = ()

    def check(self) -> None:
        try:
            bound = ipaddress.ip_address(self.host)
        except ValueError:
            raise UsageError(
                "--host",
                "is an IP address",
                found=shown(self.host),
                next_step="Use 127.0.0.1, or ::1",
            ) from None
        if bound.is_loopback:
            return
        if not self.expose:
            raise UsageError(
                f"--host {self.host}",
                "opens this study to the network: whoever has the link can read every text and "
                "every judge's answer, and label, and the connection is not encrypted",
                next_step="If that is wanted, add --expose",
            )
        if bound.is_unspecified and not self.names:
            raise UsageError(
                f"--host {self.host}",
                "answers only to names that are given",
                next_step="Add --name 192.0.2.7, or the name by which this machine is reached",
            )

    def hosts(self, port: int) -> tuple[str, ...]:
        """The values of the Host header that are ours."""
        bound = ipaddress.ip_address(self.host)
        names = [*self.names]
        if bound.is_loopback:
            names += ["127.0.0.1", "localhost", "[::1]"]
        elif not bound.is_unspecified:
            names.append(f"[{bound}]" if bound.version == 6 else str(bound))
        return tuple(f"{name}:{port}" for name in names) + (tuple(names) if port == 80 else ())


def listen(address: Address) -> socket.socket:
    """A listening socket, so that the port is known and ours before the link is printed."""
    address.check()
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address.host, address.port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise UsageError(
            f"{address.host}:{address.port}",
            f"cannot be listened on ({error.strerror})",
            next_step="Leave out --port and a free one is taken",
        ) from None
    sock.set_inheritable(True)
    return sock


def serve(site: Site, address: Address, sock: socket.socket, *, token: str) -> None:
    """Serve until interrupted. Nothing is lost by it: labels are on the disk already."""
    logging.basicConfig(format="goldassay serve: %(message)s")
    server = server_of(site, address, sock, token=token)
    with suppress(KeyboardInterrupt):  # uvicorn has shut down and passes the signal on
        server.run(sockets=[sock])


def server_of(
    site: Site, address: Address, sock: socket.socket, *, token: str, limits: Limits | None = None
) -> uvicorn.Server:
    """The server that is not running yet."""
    limits = limits or Limits()
    port = sock.getsockname()[1]
    door = Door(token=token, hosts=address.hosts(port), cookie=f"goldassay-{port}", limits=limits)
    app: Any = make_app(site, door)
    connection: Any = partial(Connection, limits)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        loop="asyncio",
        http=connection,
        ws="none",
        lifespan="off",
        timeout_keep_alive=5,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=limits.headers,
    )
    return uvicorn.Server(config)


def new_token(path: str | None = None) -> str:
    """A random token, or the one kept in a file that only its owner can read.

    With a file the link stays the same when the server is started again.
    """
    token = secrets.token_urlsafe(32)
    if path is None:
        return token
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        kept = Path(path).read_text(encoding="ascii", errors="replace").strip()
        if not re.fullmatch(r"[A-Za-z0-9_-]{40,100}", kept):
            raise UsageError(
                "--token-file",
                "holds a token that goldassay wrote",
                found=path,
                next_step="Name a file that does not exist yet",
            ) from None
        if os.name == "posix" and Path(path).stat().st_mode & 0o077:
            raise UsageError(
                "--token-file",
                "must be readable by its owner only",
                found=path,
                next_step=f"Run: chmod 600 {path}",
            ) from None
        return kept
    except OSError as error:
        raise UsageError(
            "--token-file", f"cannot be written ({error.strerror})", found=path
        ) from None
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(token)
    return token


@contextmanager
def handed_over(where: str) -> Iterator[str]:
    """The address of a file that leads to the link, for the command line of a browser.

    Everybody on a machine can read the command lines of its processes, and nobody but its owner
    this file. It is there as long as the block runs.
    """
    head = (
        el("meta", {"charset": "utf-8"}),
        el("meta", {"name": "referrer", "content": "no-referrer"}),
        el("meta", {"http-equiv": "refresh", "content": f"0;url={where}"}),
        el("title", None, "goldassay"),
    )
    body = el("p", None, el("a", {"href": where}, "Open goldassay"))
    page = document(el("head", None, head), el("body", None, body))
    with tempfile.TemporaryDirectory(prefix="goldassay-open-") as folder:  # its owner's alone
        file = Path(folder) / "open.html"
        file.touch(0o600)
        file.write_text(page, encoding="utf-8")
        yield file.as_uri()


def link(address: Address, port: int, token: str) -> str:
    name = address.names[0] if address.names else address.host
    host = f"[{name}]" if ":" in name and not name.startswith("[") else name
    return f"http://{host}:{port}/?token={token}"
