"""Nobody keeps others out by asking nothing, asking slowly, or asking too much at once."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from patience import PATIENCE
from serving import Server, served
from studies import StudyFiles, write_study

from goldassay.web.guard import Limits

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1"


@pytest.fixture
def files(tmp_path: Path) -> StudyFiles:
    return write_study(tmp_path, n=3)


@contextmanager
def opened(server: Server, number: int, said: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections that say something and then nothing more."""
    with ExitStack() as stack:
        found = []
        for _ in range(number):
            one = stack.enter_context(
                socket.create_connection(("127.0.0.1", server.port), PATIENCE)
            )
            one.sendall(said)
            found.append(one)
        yield found


def ended(connection: socket.socket, seconds: float) -> bool:
    """Whether the other side ends the connection within so many seconds."""
    connection.settimeout(seconds)
    try:
        while connection.recv(65_536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        pass
    return True


@pytest.mark.parametrize("said", [b"", HALF])
def test_many_that_ask_nothing_keep_nobody_out(files: StudyFiles, said: bytes) -> None:
    """The command itself, as it is started: 300 connections, then the page."""
    server = Server([str(files.ratings), "--task", str(files.task)]).start()
    try:
        with opened(server, 300, said) as connections:
            for _ in range(10):
                assert server.get("/").status == 200
            assert ended(connections[0], PATIENCE)  # the oldest made place
            assert not ended(connections[-1], 0.2)
    finally:
        server.kill()


def test_who_does_not_ask_in_time_is_let_go(files: StudyFiles) -> None:
    limits = Limits(header_seconds=0.5)
    with served(files.ratings, files.task, limits=limits) as server:
        with opened(server, 1) as (silent,), opened(server, 1, HALF) as (slow,):
            for _ in range(3):  # more words do not buy more time
                time.sleep(0.1)
                with suppress(OSError):  # it was let go already
                    slow.sendall(b"x")
            assert ended(silent, PATIENCE)
            assert ended(slow, PATIENCE)
        assert server.get("/").status == 200


def test_a_second_request_has_its_time_too(files: StudyFiles) -> None:
    """A connection that is kept alive and then asks half a question is no place to hide."""
    limits = Limits(header_seconds=2)
    asked = "GET /version HTTP/1.1\r\nHost: 127.0.0.1:{0.port}\r\nCookie: {0.cookie}\r\n\r\n"
    with (
        served(files.ratings, files.task, limits=limits) as server,
        opened(server, 1, asked.format(server).encode()) as (one,),
    ):
        assert b"200 OK" in one.recv(65_536)
        one.sendall(HALF)
        assert ended(one, PATIENCE)


def test_who_does_not_read_the_answers_is_let_go(files: StudyFiles) -> None:
    """One that asks again and again without reading would hold a request for ever."""
    where = "GET /static/goldassay.css HTTP/1.1"
    asked = where + "\r\nHost: 127.0.0.1:{0.port}\r\nCookie: {0.cookie}\r\n"
    with (
        served(files.ratings, files.task, limits=Limits(header_seconds=0.5)) as server,
        socket.socket() as deaf,
    ):
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", server.port))
        deaf.settimeout(1)
        until = time.monotonic() + PATIENCE
        cut = False
        while not cut and time.monotonic() < until:
            try:
                deaf.sendall(f"{asked.format(server)}\r\n".encode())
            except TimeoutError:
                pass  # it takes no more questions: the answers wait for us
            except OSError:
                cut = True
        assert cut
        assert server.get("/").status == 200


def test_too_many_requests_at_once_are_told_so(files: StudyFiles) -> None:
    with served(files.ratings, files.task, limits=Limits(requests=0)) as server:
        answer = server.get("/")
        assert answer.status == 503
        assert "try again" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_number_of_connections_is_bounded(files: StudyFiles) -> None:
    limits = Limits(connections=5, waiting=100)
    with (
        served(files.ratings, files.task, limits=limits) as server,
        opened(server, 20, HALF) as connections,
    ):
        assert server.get("/").status == 200
        assert sum(ended(one, 0.1) for one in connections) >= 14
