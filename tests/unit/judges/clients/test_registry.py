"""A kind of endpoint is one record: nothing outside its file and the registry knows of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judge_server import JudgeServer
from other_endpoints import Anthropic
from small_runs import judge, run

from goldassay.judges.clients.registry import DECLARED_BY, KINDS, PROVIDERS, kind_of
from goldassay.judges.declaration import Declaration
from goldassay.judges.responses import FailureError

SOURCE = Path(__file__).resolve().parents[4] / "src" / "goldassay"
WHO = {
    "openai": {"model": "m"},
    "anthropic": {"model": "m", "provider": "anthropic"},
    "callable": {"callable": "m:f"},
    "command": {"command": ("judge", "-v")},
    "reward_url": {"reward_url": "http://localhost/score"},
    "column": {"column": "x"},
}


def test_every_kind_is_found_by_what_declares_it() -> None:
    assert {kind.name for kind in KINDS} == set(WHO)
    for name, declared in WHO.items():
        one = Declaration(name="j", **declared)  # type: ignore[arg-type]
        assert kind_of(one).name == name
        assert kind_of(one).address(one)
    assert PROVIDERS == ("openai", "anthropic")
    assert DECLARED_BY == ("model", "callable", "command", "reward_url", "column")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("body", ["", "{", "[" * 100_000, "nope", "\x00"])
def test_a_body_of_no_protocol_is_a_failure(kind: object, body: str) -> None:
    with pytest.raises(FailureError):
        kind.read(body)  # type: ignore[attr-defined]


NAMES = st.sampled_from(
    [
        *("choices", "message", "content", "text", "type", "finish_reason", "refusal", "usage"),
        *("prompt_tokens", "input_tokens", "model", "error", "logprobs", "top_logprobs", "token"),
        *("logprob", "stop_reason", "status", "score", "value"),
    ]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.just("text"),
    st.just(10**400),
)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4)
)


@given(st.dictionaries(NAMES, JSON, max_size=5))
@settings(max_examples=300)
def test_any_json_is_read_or_a_failure(data: dict[str, Any]) -> None:
    for kind in KINDS:
        try:
            response = kind.read(json.dumps(data))
        except FailureError:
            continue
        assert isinstance(response.answer.text, str | None)
        assert 0 <= response.tokens < 2**54
        (response.model or "").encode()


def test_only_its_file_and_the_registry_know_a_provider() -> None:
    rooms = [*SOURCE.glob("judges/**/*.py"), *SOURCE.glob("cli/*.py")]
    named = {path.name for path in rooms if '"anthropic"' in path.read_text(encoding="utf-8")}
    assert named == {"anthropic.py"}


WITHOUT_NETWORK = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("httpx2", "httpx", "openai", "anyio"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
from goldassay.cli import command_line
assert command_line(["reparse", sys.argv[1]]) == 0
"""


def test_stored_bodies_are_read_without_the_packages_of_the_network(tmp_path: Path) -> None:
    with JudgeServer().running() as server, Anthropic().running() as url:
        run(tmp_path, judge(tmp_path, model="m", base_url=server.url, realization="likert"))
        other = {"model": "m", "provider": "anthropic", "base_url": url, "realization": "likert"}
        run(tmp_path, judge(tmp_path, **{"name": "k", **other}))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NETWORK, str(tmp_path / "r.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "8 verdicts read again; 0 changed" in done.stdout
