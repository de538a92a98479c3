"""No telemetry: no verb looks up a name or opens a connection; only a configured judge is asked."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from goldassay.cli import VERBS, command_line
from goldassay.lab import demo
from goldassay.lab.simulate.ask import simulate
from goldassay.store import open_store


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A machine without a network; the list holds what was tried."""
    tried: list[str] = []

    def refuse(*given: Any, **_: Any) -> NoReturn:
        tried.append(repr(given))
        raise AssertionError(f"a connection to {given!r}")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    return tried


@pytest.fixture
def small_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """A demo that asks the same questions of fewer prompts."""
    few = replace(demo.demo_study(), prompts=20)
    monkeypatch.setattr(demo, "demo_study", lambda: few)
    monkeypatch.setattr(demo, "RESAMPLES", 100)


def commands(folder: Path) -> dict[str, list[list[str]]]:
    study = simulate(prompts=30).save(folder / "study")
    table = [str(study / "ratings.csv"), "--task", str(study / "task.toml")]
    store = folder / "store.db"
    open_store(store, create=True).close()
    judge = folder / "judge.toml"
    judge.write_text('name = "j"\nrealization = "binary"\ncommand = "cat"\n')
    items = folder / "items.jsonl"
    items.write_text('{"item": "a", "input": "i", "output": "o"}\n')
    log = folder / "evals.jsonl"
    log.write_text("{}\n")
    run = ["--judge", str(judge), "--items", str(items), "--out", str(folder / "r.db")]
    report = ["report", *table, "--resamples", "100", "-o", str(folder / "r.json")]
    return {
        **{verb: [[verb, *table]] for verb in ("estimate", "check", "replace", "route")},
        "plan": [["plan", *table, "--calibration", "random"]],
        "monitor": [["monitor", *table, "--batch", "prompt"]],
        **{verb: [[verb, *table, "--resamples", "100"]] for verb in ("agree", "select", "audit")},
        "rank": [["rank", *table, "--resamples", "100"]],
        "report": [report],
        "certify": [["certify", *table, "--resamples", "100"]],
        "diff": [report, ["diff", str(folder / "r.json"), str(folder / "r.json")]],
        "run": [["run", *run, "--dry-run"], ["run", *run, "--quiet"]],
        "runs": [["runs", str(store)]],
        "judges": [["judges"]],
        "reparse": [["reparse", str(store)]],
        "import": [["import", str(log), "--out", str(folder / "x.csv")]],
        "export": [["export", str(store), "--out", str(folder / "x.jsonl")]],
        "demo": [["demo", "--out", str(folder / "demo")]],
        "simulate": [["simulate", "--out", str(folder / "sim")]],
        "compare": [
            ["simulate", "--out", str(folder / "two")],
            [
                "compare",
                str(folder / "two" / "ratings.csv"),
                "-t",
                str(folder / "two" / "task.toml"),
            ],
        ],
        "reproduce": [["reproduce", "justrank", "--quick"]],
    }


@pytest.mark.usefixtures("small_demo")
@pytest.mark.parametrize("verb", [verb.name for verb in VERBS if verb.name != "serve"])
def test_no_verb_reaches_out(
    verb: str, tmp_path: Path, alone: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    codes = [command_line(words) for words in commands(tmp_path)[verb]]
    assert alone == []
    assert 3 not in codes
    assert "a connection to" not in capsys.readouterr().err
    # An empty log and an answer that is no verdict are refused; all other verbs end well.
    assert verb in ("import", "run") or set(codes) == {0}


def test_the_guard_sees_a_connection(alone: list[str]) -> None:
    with pytest.raises(AssertionError, match="a connection"):
        socket.create_connection(("127.0.0.1", 9))
    assert len(alone) == 1
