"""Plain HTTP: bounded in size and time, patient within bounds, and no key in any text."""

from __future__ import annotations

import base64
import gzip
import json
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer
from patience import PATIENCE
from raw_endpoint import bomb, dripping, endless, raw_endpoint
from small_runs import judge, run, write_items

from goldassay.cli import command_line as goldassay
from goldassay.errors import InputError
from goldassay.judges.api_keys import Secrets
from goldassay.judges.clients.http import failure_of_status, joined
from goldassay.judges.responses import MOST_BYTES
from goldassay.judges.run import Outcome, run_judges

GOOD = json.dumps({"choices": [{"message": {"content": "[[Good]]"}, "finish_reason": "stop"}]})
#: Without its time of day: two workers must collect the same cases.
PACKED = gzip.compress(GOOD.encode(), mtime=0)


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldassay.judges.asking.backoff", lambda attempt: 0.001)


def answered(
    folder: Path, pieces: Any, *, status: int = 200, number: int = 1, **changes: Any
) -> Outcome:
    """A run against an endpoint that always sends these pieces."""
    headers = changes.pop("headers", {})
    with raw_endpoint(lambda _: (status, headers, iter(pieces()))) as (url, _):
        settings = {"realization": "likert", "retries": 0, **changes}
        return run(folder, judge(folder, model="m", base_url=url, **settings), number)


# --- size and time


def test_an_endless_body_is_given_up(tmp_path: Path) -> None:
    outcome = answered(tmp_path, endless, timeout=PATIENCE)
    assert outcome.tallies[0].failures == {"too_large": 1}


def test_a_packed_body_is_bounded_by_what_it_unpacks_to(tmp_path: Path) -> None:
    packed = bomb(64)
    assert len(packed) < 2**17
    assert MOST_BYTES < 64 * 2**20
    outcome = answered(tmp_path, lambda: [packed], headers={"Content-Encoding": "gzip"})
    assert outcome.tallies[0].failures == {"too_large": 1}


@pytest.mark.parametrize(
    ("encoding", "body", "expected"),
    [
        ("gzip", PACKED, "rated"),
        ("identity", GOOD.encode(), "rated"),
        ("gzip", PACKED[:-20], "garbage"),
        ("gzip", GOOD.encode(), "garbage"),
        ("br", GOOD.encode(), "garbage"),
        ("gzip, gzip", gzip.compress(PACKED, mtime=0), "garbage"),
    ],
)
def test_what_was_not_to_be_packed(
    tmp_path: Path, encoding: str, body: bytes, expected: str
) -> None:
    outcome = answered(tmp_path, lambda: [body], headers={"Content-Encoding": encoding})
    tally = outcome.tallies[0]
    assert {**tally.statuses, **tally.failures}.get(expected) == 1


def test_one_deadline_for_all_of_a_call(tmp_path: Path) -> None:
    """Every byte comes in time, and the whole does not."""
    started = time.monotonic()
    outcome = answered(tmp_path, lambda: dripping(PATIENCE), timeout=0.5)
    assert outcome.tallies[0].examples == {"timeout": "timeout: after 0.5 s"}
    assert time.monotonic() - started < PATIENCE / 2


# --- waits


def test_a_wait_is_bounded_and_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldassay.judges.asking.LONGEST_WAIT", 2.0)

    def answer(number: int) -> tuple[int, dict[str, str], Iterator[bytes]]:
        if number <= 4:  # four at once are refused
            return 429, {"Retry-After": "86400"}, iter([b"{}"])
        return 200, {}, iter([GOOD.encode()])

    said: list[str] = []
    with raw_endpoint(answer) as (url, _):
        one = judge(tmp_path, model="m", base_url=url, realization="likert", concurrency=4)
        started = time.monotonic()
        outcome = run_judges(
            [one], write_items(tmp_path, 4), tmp_path / "r.db", on_message=said.append
        )
    assert outcome.tallies[0].statuses == {"rated": 4}
    assert 2 <= time.monotonic() - started < PATIENCE
    assert said == ["j: waiting 2.0 s: the endpoint asks for it (24.0 h)"]


@pytest.mark.parametrize("retries", [0, 2])
def test_probing_obeys_the_judges_retries(tmp_path: Path, retries: int) -> None:
    with JudgeServer(rate=1.0, faults=("status_500",)).running() as server:
        one = judge(tmp_path, model="m", base_url=server.url, realization="binary", retries=retries)
        with pytest.raises(InputError, match=r"could not be asked \(server_error"):
            run(tmp_path, one)
        assert server.total == retries + 1


def test_a_run_whose_calls_all_fail_says_why_and_exits_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = write_items(tmp_path, 5)

    def command(url: str) -> list[str]:
        (tmp_path / "j.toml").write_text(
            f'name = "j"\nmodel = "m"\nbase_url = "{url}"\nrealization = "likert"\nretries = 0\n'
        )
        judged, out = str(tmp_path / "j.toml"), str(tmp_path / "r.db")
        return ["run", "-j", judged, "-i", str(items), "-o", out]

    def answer(number: int) -> tuple[int, dict[str, str], Iterator[bytes]]:
        wrong = b'{"error": {"message": "the model m is asleep"}}'
        return (500, {}, iter([wrong])) if number != 2 else (200, {}, iter([b"nonsense"]))

    with raw_endpoint(answer) as (url, _):
        assert goldassay(command(url)) == 2
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert "every call failed (5); found most often (4) server_error: HTTP 500" in shown.err
    assert "the model m is asleep" in shown.err
    assert "5 ratings (0 rated, 5 failed)" in shown.out
    with JudgeServer().running() as server:  # all is well again
        assert goldassay(command(server.url)) == 0
        assert goldassay(command(server.url)) == 0  # nothing to ask is no failure


def test_a_resumed_run_of_failures_alone_ends_as_the_first_one_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three of five items fail whenever they are asked; the store holds the answers of the rest."""

    def answer(number: int) -> tuple[int, dict[str, str], Iterator[bytes]]:
        said = {"choices": [{"message": {"role": "assistant", "content": "nonsense"}}]}
        asleep = {"error": {"message": "asleep"}}
        body = json.dumps(said if number in (1, 2) else asleep).encode()
        return (200 if number in (1, 2) else 500), {}, iter([body])

    def command(url: str, *more: str) -> list[str]:
        lines = ['name = "j"', 'model = "m"', f'base_url = "{url}"', 'realization = "likert"']
        lines += ["retries = 0", "concurrency = 1", *more]
        (tmp_path / "j.toml").write_text("\n".join(lines))
        judged, out = str(tmp_path / "j.toml"), str(tmp_path / "r.db")
        return ["run", "-j", judged, "-i", str(items), "-o", out]

    items = write_items(tmp_path, 5)
    with raw_endpoint(answer) as (url, _):
        for _ in range(2):
            assert goldassay(command(url)) == 0
            shown = capsys.readouterr()
            assert "5 ratings (0 rated, 2 invalid, 3 failed)" in shown.out
            assert not shown.err
        assert goldassay(command(url, 'version = "2"')) == 2  # another judge, never answered
    assert "every call failed (5)" in capsys.readouterr().err


# --- keys


KEY = 'sk/Ab+c"d\\e'


def spellings(key: str) -> dict[str, str]:
    """The key as a JSON text may hold it."""
    plain = json.dumps(key)[1:-1]
    return {
        "plain": plain,
        "slashes escaped": plain.replace("/", "\\/"),
        "every character escaped": "".join(f"\\u{ord(c):04x}" for c in key),
        "escaped in upper case": "".join(f"\\u{ord(c):04X}" for c in key),
        "one escaped": f"\\u{ord(key[0]):04x}" + plain[1:],
        "JSON in JSON": json.dumps(plain)[1:-1],
        "JSON in JSON, escaped": "".join(f"\\\\u{ord(c):04x}" for c in key),
        "in an address": "".join(f"%{ord(c):02X}" for c in key),
        "on a page": "".join(f"&#{ord(c)};" for c in key),
        "on a page, in hexadecimal": "".join(f"&#x{ord(c):x};" for c in key),
    }


@pytest.mark.parametrize("echo", spellings(KEY).values(), ids=spellings(KEY))
def test_no_spelling_of_a_key_is_left(echo: str) -> None:
    assert Secrets([KEY]).covered(f'{{"message": "{echo}!"}}') == '{"message": "[key]!"}'


def test_a_text_of_backslashes_takes_no_longer_than_another() -> None:
    started = time.process_time()
    Secrets([KEY]).covered("\\" * 2**20)
    assert time.process_time() - started < 5


def test_ordinary_words_are_not_covered() -> None:
    text = "the abc is a b c"
    assert Secrets(["abc", None, ""]).covered(text) == text
    assert Secrets(["longer", "longer-still"]).covered("longer-still longer") == "[key] [key]"


@pytest.mark.parametrize("status", [200, 401])
@pytest.mark.parametrize("echo", spellings(KEY).values(), ids=spellings(KEY))
def test_an_echoed_key_reaches_neither_the_store_nor_the_terminal(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    echo: str,
    status: int,
) -> None:
    monkeypatch.setenv("MINE", KEY)
    said = f"Your key {echo} is wrong."
    good = GOOD.replace("[[Good]]", said)
    body = good if status == 200 else f'{{"error": {{"message": "{said}"}}}}'
    items = write_items(tmp_path, 2)
    with raw_endpoint(lambda _: (status, {}, iter([body.encode()]))) as (url, _):
        (tmp_path / "j.toml").write_text(
            f'name = "j"\nmodel = "m"\nbase_url = "{url}"\nrealization = "likert"\n'
            'api_key_env = "MINE"\nretries = 0\n'
        )
        judged, out = str(tmp_path / "j.toml"), str(tmp_path / "r.db")
        goldassay(["run", "-j", judged, "-i", str(items), "-o", out])
    shown = capsys.readouterr()
    store = sqlite3.connect(tmp_path / "r.db")
    texts = [shown.out, shown.err, *store.iterdump()]
    store.close()
    for text in texts:
        assert KEY not in decoded(text)
        assert echo not in text
    assert any("[key]" in text for text in texts)


LONG_KEY = "sk-live-7Qp2Xy9ZtRk4Wm8NbVc3LdH6JsFg5Ta1"


def disguises(key: str) -> dict[str, str]:
    """The key as a gateway, a proxy or a model may give it back."""
    return {
        "in base64": base64.b64encode(key.encode()).decode(),
        "in base64 for addresses": base64.urlsafe_b64encode(key.encode()).decode(),
        "in base64 with its header": base64.b64encode(f"Bearer {key}".encode()).decode(),
        "in base64 a byte further": base64.b64encode(f"Bearer: {key}!".encode()).decode(),
        "in hexadecimal": key.encode().hex(),
        "backwards": key[::-1],
        "in capitals": key.upper(),
        "in small letters": key.lower(),
        "cut in two": f"{key[:20]} and then {key[20:]}",
        "cut near its end": f"{key[:-6]} and then {key[-6:]}",
        "over two lines": f"{key[:20]}\n{key[20:]}",
        "letter by letter": " ".join(key),
    }


@pytest.mark.parametrize("status", [200, 401])
@pytest.mark.parametrize("name", disguises(LONG_KEY))
def test_no_disguise_of_a_key_reaches_the_store_or_the_terminal(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    status: int,
) -> None:
    monkeypatch.setenv("MINE", LONG_KEY)
    echo = disguises(LONG_KEY)[name]
    said = json.dumps(f"Your key {echo} is wrong. [[Good]]")[1:-1]
    good = GOOD.replace("[[Good]]", said)
    body = good if status == 200 else f'{{"error": {{"message": "{said}"}}}}'
    items = write_items(tmp_path, 2)
    with raw_endpoint(lambda _: (status, {}, iter([body.encode()]))) as (url, _):
        (tmp_path / "j.toml").write_text(
            f'name = "j"\nmodel = "m"\nbase_url = "{url}"\nrealization = "likert"\n'
            'api_key_env = "MINE"\nretries = 0\n'
        )
        judged, out = str(tmp_path / "j.toml"), str(tmp_path / "r.db")
        goldassay(["run", "-j", judged, "-i", str(items), "-o", out])
    shown = capsys.readouterr()
    store = sqlite3.connect(tmp_path / "r.db")
    texts = [shown.out, shown.err, *store.iterdump()]
    verdicts = store.execute("SELECT status FROM verdicts").fetchall()
    store.close()
    assert set(verdicts) == {("rated",) if status == 200 else ("failed",)}
    for text in texts:
        # No piece of it of six characters, nor what covers a third of an encoded one.
        pieces = [echo[i : i + 6] for i in range(len(echo) - 5)] if " " not in echo else []
        kept = sum(piece in text for piece in pieces)
        assert kept <= len(pieces) / 3
        letters = re.sub("[^0-9a-z]", "", text.casefold())
        bare = re.sub("[^0-9a-z]", "", LONG_KEY.casefold())
        assert not any(bare[i : i + 8] in letters for i in range(len(bare) - 7))
        assert not any(bare[::-1][i : i + 8] in letters for i in range(len(bare) - 7))
    assert any("[key]" in text for text in texts)


def test_a_text_without_the_key_stays_as_it_is() -> None:
    text = json.dumps(["A live key sk-live-7Q... is shown so.", "\n\t é 한 %7Q &#55;", "x" * 5000])
    assert Secrets([LONG_KEY, "my-organisation"]).covered(text) == text
    assert Secrets([LONG_KEY, "my-organisation"]).covered("The organisation") == "The organisation"


def test_what_is_covered_leaves_json_as_it_is() -> None:
    for cut in (4, 12, 20, 30, 37):
        said = {"a": [LONG_KEY[:cut], LONG_KEY[cut:]], "b": {"c": LONG_KEY + "\\"}, "d": 1}
        found = json.loads(Secrets([LONG_KEY]).covered(json.dumps(said)))
        assert found.keys() == said.keys()
        assert LONG_KEY[:cut] not in found["a"] or cut == 4
        assert LONG_KEY[cut:] not in found["a"]


def test_a_long_text_takes_little_time() -> None:
    secrets, text = Secrets([LONG_KEY]), json.dumps("What is said of an answer.\n" * 40_000)
    started = time.process_time()
    assert secrets.covered(text) == text
    assert time.process_time() - started < 10


def decoded(text: str) -> str:
    """A text with the escapes of JSON undone, as often as there are any."""
    for _ in range(4):
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
        text = re.sub(r'\\([/"\\])', r"\1", text)
    return text


# --- small things


def test_an_address_keeps_its_query_at_the_end() -> None:
    assert joined("http://a/v1/", "/chat") == "http://a/v1/chat"
    assert joined("http://a/d?api-version=1", "/chat") == "http://a/d/chat?api-version=1"


def test_an_endpoint_that_is_out_of_money_is_not_asked_again() -> None:
    assert not failure_of_status(429, {}, "You have insufficient_quota").retry
    assert failure_of_status(429, {}, "slow down").retry
