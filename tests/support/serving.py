"""A real `goldassay serve` on loopback for tests: start, ask, kill, start again.

`Server` is the command in a process of its own; `served` is the same application on a thread, which
starts at once.
"""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from patience import PATIENCE

SOURCE = Path(__file__).resolve().parents[2] / "src"


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


@dataclass
class Server:
    """A running server; `get` and `post` speak as our own page would unless told otherwise."""

    arguments: list[str]
    process: subprocess.Popen[str] = field(init=False, repr=False)
    port: int = 0
    token: str = ""
    #: What is served on a thread of this process.
    site: Any = None

    def start(self) -> Server:
        port = ["--port", str(self.port)] if self.port else []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "goldassay", "serve", *self.arguments, *port],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
        )
        assert self.process.stdout is not None
        said = ""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            line = self.process.stdout.readline()
            said += line
            if match := re.search(r"http://[^/]+:(\d+)/\?token=(\S+)", line):
                self.port, self.token = int(match[1]), match[2]
                return self
            if not line:
                break
        raise AssertionError(f"the server did not start:\n{said}")

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def link(self) -> str:
        return f"{self.base}/?token={self.token}"

    @property
    def cookie(self) -> str:
        return f"goldassay-{self.port}={self.token}"

    def kill(self) -> None:
        """As if the laptop had been closed."""
        self.process.kill()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def ask(
        self, method: str, path: str, headers: Mapping[str, str | None], body: bytes = b""
    ) -> Answer:
        """One request with exactly these headers (None leaves out one that is usual)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        usual = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie}
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {**usual, **headers}.items():
                if value is not None:
                    connection.putheader(name, value)
            if body and "Content-Length" not in headers:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body or None)
            response = connection.getresponse()
            return Answer(
                response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
            )
        finally:
            connection.close()

    def get(self, path: str, **headers: str | None) -> Answer:
        return self.ask("GET", path, _named(headers))

    def post(self, path: str, fields: Mapping[str, object], **headers: str | None) -> Answer:
        body = urlencode(fields, doseq=True).encode()
        usual: dict[str, str | None] = {
            "Origin": self.base,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self.ask("POST", path, {**usual, **_named(headers)}, body)


def _named(headers: Mapping[str, str | None]) -> dict[str, str | None]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


@contextmanager
def served(
    ratings: Path | None, task: Path, items: Path | None = None, **options: Any
) -> Iterator[Server]:
    """The application of `goldassay serve` on a thread; options of `Study` and `Settings`,
    `limits` and a `reporter`."""
    from goldassay.ratings.task import read_task
    from goldassay.web.desk import Settings
    from goldassay.web.study import Study, open_site

    reporter, limits = options.pop("reporter", None), options.pop("limits", None)
    about_study = {spec.name for spec in fields(Study)} & set(options)
    study = Study(
        ratings=str(ratings) if ratings else None,
        items=str(items) if items else None,
        **{name: options.pop(name) for name in about_study},
    )
    site = open_site(study, read_task(task), Settings(**options), reporter=reporter)
    with served_site(site, limits) as server:
        yield server


@contextmanager
def served_site(site: Any, limits: Any = None) -> Iterator[Server]:
    """A site on a thread, closed at the end."""
    from goldassay.web.server import Address, listen, server_of

    sock = listen(Address())
    server = Server([], site=site)
    server.port, server.token = sock.getsockname()[1], "t" * 43
    running = server_of(site, Address(), sock, token=server.token, limits=limits)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        running.should_exit = True
        thread.join(PATIENCE)
        sock.close()
        site.close()
