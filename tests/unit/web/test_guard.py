"""The server's door, asked over a real socket."""

from __future__ import annotations

import signal
import socket
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from patience import PATIENCE
from serving import Server
from studies import StudyFiles, write_study


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> StudyFiles:
    return write_study(tmp_path_factory.mktemp("guard"), n=6)


@pytest.fixture(scope="module")
def server(files: StudyFiles) -> Iterator[Server]:
    running = Server([str(files.ratings), "--task", str(files.task), "--items", str(files.items)])
    yield running.start()
    running.kill()


PATHS = (
    "/",
    "/label?rater=a",
    "/watch",
    "/explore",
    "/report",
    "/version",
    "/static/goldassay.js",
    "/export/labels.csv",
    "/text/x?field=input",
    "/explore/x",
)


@pytest.mark.parametrize("path", PATHS)
def test_nothing_without_the_token(server: Server, path: str) -> None:
    for cookie in (
        None,
        "",
        f"goldassay-{server.port}=",
        f"goldassay-{server.port}=wrong",
        f"goldassay={server.token}",
        f"goldassay-{server.port}={server.token}x",
    ):
        answer = server.get(path, Cookie=cookie)
        assert answer.status == 403
        assert server.token not in answer.text


def test_the_token_opens_only_the_first_page(server: Server) -> None:
    assert server.get(f"/?token={server.token}", Cookie=None).status == 200
    assert server.get(f"/label?rater=a&token={server.token}", Cookie=None).status == 403
    assert server.get("/?token=", Cookie=None).status == 403
    assert server.get("/?token=%C3%BF", Cookie=None).status == 403
    assert server.get("/?" + "a=1&" * 100, Cookie=None).status == 403
    cookie = server.get(f"/?token={server.token}", Cookie=None).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))


@pytest.mark.parametrize(
    "before",
    [
        "theme=dark",
        '{"json": [1, 2]}',
        'a="an open quote',
        "no sign of equality; =nothing; ;; \tx = y",
        "bad name\xe9=\xff",
        "goldassay-{port}=somebody else's",
        "goldassay-{port}",
    ],
)
def test_cookies_of_others_do_not_lock_out(server: Server, before: str) -> None:
    """Servers on other ports of this machine share the browser's cookies."""
    foreign = before.format(port=server.port) if "port" in before else before
    for cookie in (f"{foreign}; {server.cookie}", f"{server.cookie}; {foreign}"):
        assert server.get("/", Cookie=cookie).status == 200
    assert server.get("/", Cookie=foreign).status == 403
    quoted = f'{foreign}; goldassay-{server.port}="{server.token}"'
    assert server.get("/", Cookie=quoted).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.1",
        "",
        "127.0.0.1:1",
        "localhost.evil.example:{port}",
        "0.0.0.0:{port}",
        "127.0.0.1:{port}@evil.example",
        None,
    ],
)
def test_a_name_that_was_made_to_point_here_is_refused(server: Server, host: str | None) -> None:
    """DNS rebinding: the browser sends the attacker's name, with the attacker's origin."""
    name = host.format(port=server.port) if host is not None else None
    assert server.get("/", Host=name).status in (400, 421)
    answer = server.post("/label", {"rater": "a"}, Host=name, Origin=f"http://{name}")
    assert answer.status in (400, 421)


def test_loopback_by_any_of_its_names(server: Server) -> None:
    for name in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        assert server.get("/", Host=f"{name}:{server.port}").status == 200


def unit(server: Server) -> str:
    page = server.get("/label?rater=mallory").text
    return page.split('name="unit" value="')[1].split('"')[0]


def labels(files: StudyFiles) -> int:
    with sqlite3.connect(files.labels) as connection:
        return int(connection.execute("SELECT count(*) FROM labels").fetchone()[0])


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "",
        "http://evil.example",
        "http://127.0.0.1",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
    ],
)
def test_a_change_comes_from_our_own_page(
    server: Server, files: StudyFiles, origin: str | None
) -> None:
    name = origin.format(port=server.port) if origin is not None else None
    fields = {"rater": "mallory", "unit": unit(server), "choice": "0"}
    assert server.post("/label", fields, Origin=name).status == 403
    assert server.post("/undo", fields, Origin=name).status == 403
    assert labels(files) == 0


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/json",
        "multipart/form-data; boundary=x",
        "",
        None,
        "text/plain; application/x-www-form-urlencoded",
    ],
)
def test_a_change_is_a_form_of_ours(server: Server, files: StudyFiles, kind: str | None) -> None:
    fields = {"rater": "mallory", "unit": unit(server), "choice": "0"}
    assert server.post("/label", fields, Content_Type=kind).status == 415
    assert labels(files) == 0


def test_requests_that_a_browser_marks_as_foreign_are_refused(server: Server) -> None:
    for site in ("cross-site", "same-site"):
        assert (
            server.get("/label?rater=a", Sec_Fetch_Site=site, Sec_Fetch_Mode="no-cors").status
            == 403
        )
        assert server.post("/undo", {"rater": "a"}, Sec_Fetch_Site=site).status == 403
    # A link in a mail may lead here.
    assert server.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate").status == 200


def test_sizes_are_bounded(server: Server, files: StudyFiles) -> None:
    key = unit(server)
    fields = {"rater": "mallory", "unit": key, "choice": "0", "comment": "x" * 70_000}
    assert server.post("/label", fields).status == 413
    assert server.post("/label", {**fields, "comment": "x" * 5_000}).status == 422
    assert server.post("/label", fields, Content_Length="99999999999999999999").status in (400, 413)
    assert server.post("/label", {f"f{i}": "1" for i in range(900)}).status == 400
    assert server.get("/label?rater=" + "a" * 5_000).status == 414
    assert server.get("/", X=("a" * 20_000)).status == 431
    assert labels(files) == 0


def test_a_body_without_a_length_is_bounded_too(server: Server) -> None:
    head = (
        f"POST /label HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\n"
        f"Origin: {server.base}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
        connection.sendall(head.encode())
        chunk = b"1000\r\n" + b"a" * 0x1000 + b"\r\n"
        try:
            for _ in range(40):
                connection.sendall(chunk)
        except OSError:
            pass  # it hung up, as it should
        assert b" 413 " in connection.recv(1000)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    assert server.ask(method, "/", {"Origin": server.base}).status == 405


@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static",
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/..\\app.py",
        "/static//etc/passwd",
        "/static/goldassay.css/..",
        "/static/%00",
        "//etc/passwd",
        "/../../etc/passwd",
        "/export/../../etc/passwd",
        "/export/passwd",
        "/text/../x",
        "/docs",
        "/openapi.json",
        "/debug",
        "/.git/config",
        "/explore/..%2f..%2fetc",
        "/static/goldassay.css%00.js",
    ],
)
def test_no_traversal_no_listing(server: Server, path: str) -> None:
    answer = server.get(path)
    assert answer.status in (400, 404)
    assert "root:" not in answer.text
    assert "Traceback" not in answer.text


def test_errors_tell_no_secrets(server: Server) -> None:
    for path in (
        "/label?unit=%FF&rater=%00",
        "/label?rater=a&unit=nope",
        "/explore?page=-1",
        "/explore?judge=99999999999999999999",
        "/watch?rater=" + "%E2%80%AE",
    ):
        answer = server.get(path)
        assert answer.status in (200, 404, 422)
        assert "Traceback" not in answer.text
        assert "site-packages" not in answer.text


def test_every_answer_carries_the_policy(server: Server) -> None:
    answers = [server.get(path) for path in PATHS]
    answers += [server.get("/", Cookie=None), server.get("/", Host="x"), server.get("/nothing")]
    answers += [server.get("/", X="a" * 40_000), server.ask("BREW", "/", {})]
    for answer in answers:
        carries_the_policy(answer.headers)


def carries_the_policy(headers: Mapping[str, str]) -> None:
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"]
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "raw",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 70_000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",  # TLS
    ],
)
def test_what_is_no_request_is_answered_with_the_policy_too(server: Server, raw: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
        connection.sendall(raw + b"\r\n\r\n")
        head, _, body = whole(connection).partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    assert first.split()[1] in ("400", "421")
    carries_the_policy({k.lower(): v for k, _, v in (line.partition(": ") for line in lines)})
    assert b"Traceback" not in body


def whole(connection: socket.socket) -> bytes:
    """Everything that comes until the other side ends."""
    found = b""
    try:
        while chunk := connection.recv(65_536):
            found += chunk
    except ConnectionResetError:
        pass
    return found


def test_a_web_socket_is_not_answered(server: Server) -> None:
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    answer = server.get(
        "/watch",
        Connection="Upgrade",
        Upgrade="websocket",
        Sec_WebSocket_Version="13",
        Sec_WebSocket_Key=key,
    )
    assert answer.status != 101


def test_the_first_page_is_small(server: Server) -> None:
    paths = ("/", "/static/goldassay.css", "/static/goldassay.js", "/static/icon.svg")
    assert sum(len(server.get(path).body) for path in paths) < 100_000


def test_stopped_by_hand_it_says_what_it_has(tmp_path: Path) -> None:
    files = write_study(tmp_path, n=3)
    running = Server([str(files.ratings), "--task", str(files.task)]).start()
    assert running.get("/").status == 200
    running.process.send_signal(signal.SIGINT)
    assert running.process.stdout is not None
    assert "Stopped. 0 labels in" in running.process.stdout.read()
    running.process.stdout.close()
    assert running.process.wait(PATIENCE) == 0


def test_the_token_is_not_on_the_command_line_of_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody on the machine can read that line; the file that it names, only its owner."""
    files = write_study(tmp_path, n=3)
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(
        f'#!/bin/sh\nfile="${{1#file://}}"\n'
        f'printf "%s\\n" "$1" > {seen}\nstat -c %a "$file" "$(dirname "$file")" >> {seen}\n'
        f'cat "$file" >> {seen}\n'
    )
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    running = Server([str(files.ratings), "--task", str(files.task), "--open"]).start()
    assert running.get("/").status == 200
    address, *modes, page = seen.read_text().split("\n", 3)
    assert address.startswith("file://")
    assert running.token not in address
    assert modes == ["600", "700"]
    assert f"0;url={running.link}" in page
    running.process.send_signal(signal.SIGINT)
    assert running.process.stdout is not None
    assert "Stopped." in running.process.stdout.read()
    running.process.stdout.close()
    assert running.process.wait(PATIENCE) == 0
    assert not Path(address.removeprefix("file://")).exists()
