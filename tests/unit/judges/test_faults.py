"""An endpoint that fails in every way, crashes, full disks: every item ends with a status."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from judge_server import FAULTS, JudgeServer
from patience import PATIENCE, until

from goldassay.errors import SourceError
from goldassay.judges.calls import Tally
from goldassay.judges.declaration import Limits
from goldassay.judges.flow import Gate
from goldassay.judges.progress import line
from goldassay.judges.run import Outcome, run_judges
from goldassay.judges.spec import Judge, judge_from_mapping
from goldassay.store import open_store

ROOT = Path(__file__).resolve().parents[3]
N = 120


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldassay.judges.asking.backoff", lambda attempt: 0.001)


def judge(server: JudgeServer, **changes: Any) -> Judge:
    raw = {
        "name": "j",
        "model": "m",
        "base_url": server.url,
        "realization": "likert",
        "timeout": 1.5,
        "concurrency": 16,
        **changes,
    }
    return judge_from_mapping(raw, place="judge.toml")


def write_items(folder: Path, number: int = N) -> Path:
    path = folder / "items.jsonl"
    rows = [{"item": f"q{i}", "input": f"in {i}", "output": f"out {i}"} for i in range(number)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def statuses(path: Path) -> dict[str, int]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT status, count(*) FROM ratings GROUP BY 1").fetchall()
    connection.close()
    return dict(rows)


def run(server: JudgeServer, folder: Path, number: int = N, **changes: Any) -> Outcome:
    items = write_items(folder, number)
    return run_judges([judge(server, **changes)], items, folder / "r.db")


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5])
def test_faults_of_every_kind(tmp_path: Path, rate: float) -> None:
    with JudgeServer(rate=rate, seed=7, hang=3.0, retry_after=0.02).running() as server:
        outcome = run(server, tmp_path, retries=5)
        found = statuses(tmp_path / "r.db")
        assert sum(found.values()) == N
        assert set(found) <= {"rated", "failed"}
        assert found["rated"] > 0.9 * N
        attempts = outcome.tallies[0].attempts
        assert server.total <= attempts <= (1 + 5) * N
        connection = open_store(tmp_path / "r.db")
        kinds = {row[0].split(":")[0] for row in connection.execute("SELECT failure FROM attempts")}
        known = {
            "rate_limited",
            "server_error",
            "timeout",
            "connection",
            "garbage",
            "empty_choices",
        }
        assert kinds <= known
        (tries,) = connection.execute("SELECT sum(attempt) FROM calls").fetchone()
        assert tries == attempts
        assert not connection.execute("SELECT * FROM claims").fetchall()
        connection.close()
        server.rate = 0.0
        again = run_judges([judge(server)], tmp_path / "items.jsonl", tmp_path / "r.db")
    assert again.tallies[0].calls == found.get("failed", 0)  # only what failed is tried again
    assert statuses(tmp_path / "r.db") == {"rated": N}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_never_ends_is_a_typed_failure(tmp_path: Path, fault: str) -> None:
    slow = fault in ("hang", "late")
    with JudgeServer(rate=1.0, faults=(fault,), hang=1.0, retry_after=0.01).running() as server:
        outcome = run(server, tmp_path, 5, retries=1, timeout=0.3 if slow else 30)
    tally = outcome.tallies[0]
    if fault == "other_model":
        assert tally.statuses == {"rated": 5}
        assert tally.models == {"another-model": 5}
        return
    assert tally.attempts == 10
    assert tally.statuses == {"failed": 5}
    expected = {
        "status_429_after": "rate_limited",
        "status_429": "rate_limited",
        "hang": "timeout",
        "status_500": "server_error",
        "status_503": "server_error",
        "reset": "connection",
        "truncated": "connection",
        "late": "timeout",
        "garbage": "garbage",
        "empty_choices": "empty_choices",
    }[fault]
    assert set(tally.failures) == {expected}


def test_no_one_is_there(tmp_path: Path) -> None:
    with JudgeServer().running() as server:
        pass
    outcome = run(server, tmp_path, 3, retries=1)
    assert outcome.tallies[0].failures == {"connection": 3}


# --- crashes


def test_killed_at_random_moments() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "kill_run.py")]
    options = ["--kills", "2", "--calls", "80", "--kills-per-run", "2"]
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 runs with something wrong" in done.stdout


def test_a_torn_tail_of_the_log_loses_no_earlier_commit(tmp_path: Path) -> None:
    with JudgeServer().running() as server:
        run(server, tmp_path, 40)
        # A copy as a crash leaves it: the log not yet in the main file, its last page half written.
        connection = sqlite3.connect(tmp_path / "r.db")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("INSERT INTO endpoints VALUES ('x', 'y', '{}', 't')")
        connection.commit()
        torn = tmp_path / "torn"
        torn.mkdir()
        shutil.copy(tmp_path / "r.db", torn / "r.db")
        log = (tmp_path / "r.db-wal").read_bytes()
        connection.close()
        (torn / "r.db-wal").write_bytes(log[:-700] + random.Random(1).randbytes(300))
        items = write_items(torn, 50)
        asked = server.total
        run_judges([judge(server)], items, torn / "r.db")
        assert server.total == asked + 10
    assert statuses(torn / "r.db") == {"rated": 50}


def test_two_processes_share_the_work(tmp_path: Path) -> None:
    with JudgeServer(delay=0.05).running() as server:
        items = write_items(tmp_path, 60)
        (tmp_path / "j.toml").write_text(
            f'name = "j"\nmodel = "m"\nbase_url = "{server.url}"\nrealization = "likert"\n'
            "concurrency = 4\n"
        )
        command = [
            sys.executable,
            "-m",
            "goldassay",
            "run",
            "-j",
            str(tmp_path / "j.toml"),
            "-i",
            str(items),
            "-o",
            str(tmp_path / "r.db"),
            "--json",
        ]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        both = [
            subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
            for _ in range(2)
        ]
        outputs = [json.loads(one.communicate(timeout=PATIENCE)[0]) for one in both]
        assert [one.returncode for one in both] == [0, 0]
        assert server.total == 60
        assert max(server.requests.values()) == 1
    assert statuses(tmp_path / "r.db") == {"rated": 60}
    assert all(one["results"][0]["n_items"] == 60 for one in outputs)


# --- disks


def test_a_full_disk_is_a_clear_error_and_the_store_goes_on(tmp_path: Path) -> None:
    with JudgeServer().running() as server:
        run(server, tmp_path, 10)
        connection = sqlite3.connect(tmp_path / "r.db")
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.close()
        items = write_items(tmp_path, 400)
        real = open_store

        def small(*arguments: Any, **options: Any) -> sqlite3.Connection:
            limited = real(*arguments, **options)
            limited.execute(f"PRAGMA max_page_count = {pages + 4}")
            return limited

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("goldassay.judges.journal.open_store", small)
            with pytest.raises(SourceError, match="the disk is full"):
                run_judges([judge(server)], items, tmp_path / "r.db")
        kept = statuses(tmp_path / "r.db")["rated"]
        assert kept >= 10
        outcome = run_judges([judge(server)], items, tmp_path / "r.db")
    assert outcome.reason == "complete"
    assert outcome.tallies[0].calls == 400 - kept
    assert statuses(tmp_path / "r.db") == {"rated": 400}


def _small_disk(path: Path) -> bool:
    if os.geteuid() != 0 or not shutil.which("mount"):
        return False
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=320k", "tmpfs", str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_small_tmpfs_that_fills_up(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    if not _small_disk(disk):
        pytest.skip("mounting a tmpfs needs root and its capability")
    try:
        with JudgeServer().running() as server:
            items = write_items(tmp_path, 400)
            with pytest.raises(SourceError, match=r"disk is full|writing failed|cannot be written"):
                run_judges([judge(server)], items, disk / "r.db")
            kept = statuses(disk / "r.db")["rated"]
            assert kept > 0
            subprocess.run(["mount", "-o", "remount,size=20m", str(disk)], check=True)
            outcome = run_judges([judge(server)], items, disk / "r.db")
            assert outcome.tallies[0].calls == 400 - kept
            assert statuses(disk / "r.db") == {"rated": 400}
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def test_a_directory_that_may_not_be_written(tmp_path: Path) -> None:
    with JudgeServer().running() as server:
        items = write_items(tmp_path, 3)
        with pytest.raises(SourceError, match="cannot be written"):
            run_judges([judge(server)], items, "/proc/goldassay/r.db")
        assert server.total == 0


# --- Ctrl-C, and a judge that is given up, as a user meets them


def _started(tmp_path: Path, url: str, *more: str) -> subprocess.Popen[str]:
    write_items(tmp_path, 60)
    (tmp_path / "j.toml").write_text(
        f'name = "j"\nmodel = "m"\nbase_url = "{url}"\nrealization = "likert"\nconcurrency = 4\n'
    )
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "goldassay",
            "run",
            "-j",
            "j.toml",
            "-i",
            "items.jsonl",
            "-o",
            "r.db",
            *more,
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_once_finishes_twice_stops(tmp_path: Path, times: int) -> None:
    with JudgeServer(delay=0.8).running() as server:
        process, said = _started(tmp_path, server.url), ""
        until(lambda: server.total >= 4)
        assert process.stderr is not None
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            while "in flight; Ctrl-C again stops at once" not in said:
                said = process.stderr.readline()
                assert said, "it ended without a word"
        out, _ = process.communicate(timeout=PATIENCE)
        asked = server.total
        assert process.returncode == 130
        if times == 1:
            assert "Stopped by Ctrl-C" in out
            assert statuses(tmp_path / "r.db") == {"rated": asked}
    store = open_store(tmp_path / "r.db")
    assert not store.execute("SELECT * FROM claims").fetchall()
    store.close()


def test_a_judge_that_is_given_up_is_exit_code_2(tmp_path: Path) -> None:
    with JudgeServer(rate=1.0, faults=("status_401",)).running() as server:
        process = _started(tmp_path, server.url)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "judge 'j' given up: unauthorized" in err


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_an_endpoint_that_hangs_is_told(tmp_path: Path, quiet: list[str]) -> None:
    """Within 15 seconds, on standard error, whether anybody watches a line of progress or not."""
    with JudgeServer(rate=1.0, faults=("hang",), hang=40.0).running() as server:
        started = time.monotonic()
        process, said = _started(tmp_path, server.url, *quiet), ""
        assert process.stderr is not None
        until(lambda: server.total >= 1)
        asked = time.monotonic()
        while "no answer for" not in said:
            said = process.stderr.readline()
            assert said, "it ended without a word"
        told = time.monotonic()
        process.kill()
        process.communicate(timeout=PATIENCE)
    assert "j: no answer for 1" in said
    assert "each for at most 2 min" in said or "each for at most 120 s" in said
    assert 8 < told - asked < 15 + (asked - started)


def test_the_line_of_progress_says_that_it_waits() -> None:
    gate = Gate(Limits())
    with gate.listening():
        gate._heard -= 12
        assert "no answer for 12 s, still waiting" in line([Tally("j")], {"": gate}, 12.0)
    assert "still waiting" not in line([Tally("j")], {"": gate}, 12.0)


def test_the_line_of_progress() -> None:
    tally = Tally("j", planned=100, known=10, calls=30, attempts=33, cost=0.5)
    shown = line([tally], {}, 10.0)
    assert "40/100 calls" in shown
    assert "3.0/s" in shown
    assert "$0.50" in shown
    assert "20 s left" in shown
