"""The live demo with a judge server in the place of the model: how it ends, and what it says."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from judge_server import JudgeServer
from patience import until

from goldassay.cli import command_line
from goldassay.cli import live_demo as cli_live_demo
from goldassay.errors import InputError
from goldassay.lab import live_demo


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    """One endpoint for both judges, one call at a time, 0.1 s each: about 10 s for 96 calls."""
    with JudgeServer(delay=0.1).running() as running:

        @contextmanager
        def served(*, threads: int) -> Iterator[str]:
            yield running.url

        monkeypatch.setattr(live_demo, "local_model", served)
        yield running


def _people(folder: Path) -> tuple[set[str], set[str]]:
    """The answers that people labelled, and those that a judge judged."""
    with closing(sqlite3.connect(folder / "ratings.db")) as store:
        found = store.execute("SELECT kind, item FROM ratings").fetchall()
    return (
        {item for kind, item in found if kind == "human"},
        {item for kind, item in found if kind == "judge"},
    )


def test_a_time_limit_ends_in_a_report_of_what_there_is(
    tmp_path: Path,
    server: JudgeServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cli_live_demo, "EVERY", 0.5)
    assert command_line(["demo", "--live", "--time-limit", "2", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert " of 96 verdicts\n" in shown.err
    stopped = next(line for line in shown.out.splitlines() if line.startswith("Stopped"))
    with closing(sqlite3.connect(tmp_path / "ratings.db")) as store:
        (given,) = store.execute("SELECT count(*) FROM ratings WHERE kind = 'judge'").fetchone()
    assert 0 < given < 96
    assert stopped == (
        f"Stopped by the time limit of 2 s after {given} of 96 verdicts: the report is of these."
    )
    labelled, judged = _people(tmp_path)
    assert labelled == judged
    assert stopped in (tmp_path / "report.html").read_text()
    assert stopped in json.loads((tmp_path / "report.json").read_text())["warnings"]


def test_ctrl_c_ends_in_a_report_of_what_there_is(
    tmp_path: Path, server: JudgeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    def press() -> None:
        until(lambda: server.total >= 12)
        os.kill(os.getpid(), signal.SIGINT)

    pressing = threading.Thread(target=press)
    pressing.start()
    assert command_line(["demo", "--live", "--out", str(tmp_path)]) == 130
    pressing.join()
    assert "Stopped by Ctrl-C after " in capsys.readouterr().out
    labelled, judged = _people(tmp_path)
    assert labelled == judged
    assert (tmp_path / "report.html").exists()


def test_no_time_for_one_answer_is_an_error(tmp_path: Path, server: JudgeServer) -> None:
    with pytest.raises(InputError, match="--time-limit: leaves time for one answer"):
        live_demo.live_demo(tmp_path, time_limit=0.0)


def test_a_time_limit_belongs_to_the_live_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["demo", "--time-limit", "5"]) == 2
    assert "--time-limit: belongs to --live" in capsys.readouterr().err
