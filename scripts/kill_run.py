"""Kill a run with SIGKILL at random moments, again and again, and check that nothing is lost.

    python scripts/kill_run.py --kills 200 --calls 2000

For every run: no acknowledged verdict is missing after a kill, none is asked for again, the calls
made twice are at most those in flight at the kills, and the ratings are, byte for byte, those of an
undisturbed run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT / "tests" / "support" / "judge_server.py"
CONCURRENCY = 8

#: Runs the judge and notes every acknowledged call, by the hash of its prompt, in a file.
DRIVER = """
import os, sys, hashlib
from goldassay.judges import run
from goldassay.judges.journal import Journal
from goldassay.judges.prompts import requests
from goldassay.judges.spec import read_judge
judge, items, out, acks = sys.argv[1:]
log = os.open(acks, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
prompts = {}
plan, record = Journal.plan, Journal.record
async def noting_plan(self, asked):
    prompts.update({one.key: one.prompt for one in asked})
    return await plan(self, asked)
async def noting(self, call):
    await record(self, call)
    os.write(log, (hashlib.sha256(prompts[call.key].encode()).hexdigest() + "\\n").encode())
Journal.plan, Journal.record = noting_plan, noting
print("ready", flush=True)
run.run_judges([read_judge(judge)], items, out)
"""


def dump(store: Path) -> str:
    """The ratings as bytes to compare: everything that does not depend on the clock."""
    connection = sqlite3.connect(store)
    columns = 'item, rater, kind, value, criterion, system, sample, "order", score, status, reason'
    rows = connection.execute(
        f'SELECT {columns} FROM ratings ORDER BY item, system, criterion, sample, "order"'
    ).fetchall()
    connection.close()
    return json.dumps(rows)


def answered(store: Path) -> int:
    """Answers on the disk."""
    if not store.exists():
        return 0
    connection = sqlite3.connect(store)
    try:
        return int(connection.execute("SELECT count(*) FROM calls").fetchone()[0])
    except sqlite3.OperationalError:  # killed before the tables were made
        return 0
    finally:
        connection.close()


class Study:
    """One server, one judge, one file of items."""

    def __init__(self, folder: Path, calls: int) -> None:
        self.folder, self.calls = folder, calls
        self.asked = folder / "asked.txt"
        self.asked.touch()
        self.server = subprocess.Popen(
            [sys.executable, str(SERVER), "--delay", "0.004", "--count", str(self.asked)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.server.stdout is not None
        port = int(self.server.stdout.readline())
        (folder / "judge.toml").write_text(
            f'name = "j"\nmodel = "m"\nbase_url = "http://127.0.0.1:{port}/v1"\n'
            f'realization = "likert"\nconcurrency = {CONCURRENCY}\n'
        )
        with (folder / "items.jsonl").open("w") as stream:
            for i in range(calls):
                row = {"item": f"q{i}", "system": "s", "input": f"in {i}", "output": f"out {i}"}
                stream.write(json.dumps(row) + "\n")

    def start(self, store: Path, acks: Path) -> subprocess.Popen[str]:
        paths = [self.folder / "judge.toml", self.folder / "items.jsonl", store, acks]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        process = subprocess.Popen(
            [sys.executable, "-c", DRIVER, *map(str, paths)],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert process.stdout is not None
        process.stdout.readline()
        return process

    def requests(self) -> list[str]:
        return self.asked.read_text().split()

    def close(self) -> None:
        self.server.terminate()
        self.server.wait()


def watched(
    process: subprocess.Popen[str], acks: Path, target: int | None, rng: random.Random
) -> bool:
    """Kill the process at a random moment about its `target`-th answer; False when it ended."""
    early = time.monotonic() + rng.uniform(0.0, 2.0) if rng.random() < 0.1 else None
    while process.poll() is None:
        reached = target is not None and acks.stat().st_size // 65 >= target
        if reached or (early is not None and target is not None and time.monotonic() > early):
            time.sleep(rng.uniform(0.0, 0.02))
            process.send_signal(signal.SIGKILL)
            process.wait()
            return process.returncode == -signal.SIGKILL
        time.sleep(0.001 if target is not None else 0.05)
    return False


def disturbed(study: Study, name: str, rng: random.Random, kills: int) -> dict[str, int]:
    """One run, killed `kills` times, then let finish; what was found on the way."""
    store, acks = study.folder / f"{name}.db", study.folder / f"{name}.acks"
    acks.touch()
    begin = len(study.requests())
    targets = sorted(rng.sample(range(study.calls - 1), kills))
    killed = again = missing = 0
    acknowledged: set[str] = set()
    while True:
        seen = len(study.requests())
        process = study.start(store, acks)
        dead = watched(process, acks, targets[killed] if killed < kills else None, rng)
        killed += dead
        time.sleep(0.05)  # what was under way reaches the server's log
        again += sum(one in acknowledged for one in study.requests()[seen:])
        acknowledged = set(acks.read_text().split())
        missing += max(0, len(acknowledged) - answered(store))
        if not dead:
            if process.returncode != 0:
                raise SystemExit(f"the run ended with {process.returncode}")
            break
    counts = Counter(study.requests()[begin:])
    return {
        "kills": killed,
        "lost": missing,
        "asked again though acknowledged": again,
        "repeated": sum(counts.values()) - len(counts),
        "calls": len(counts),
        "digest": int(hashlib.sha256(dump(store).encode()).hexdigest()[:12], 16),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--kills-per-run", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        study = Study(Path(name), options.calls)
        try:
            started = time.monotonic()
            whole = disturbed(study, "whole", rng, 0)
            seconds = time.monotonic() - started
            kills = repeated = runs = 0
            bad = []
            while kills < options.kills:
                most = min(options.kills_per_run, options.kills - kills)
                found = disturbed(study, f"run{runs}", rng, most)
                runs += 1
                kills += found["kills"]
                repeated += found["repeated"]
                if (
                    found["lost"]
                    or found["asked again though acknowledged"]
                    or found["repeated"] > found["kills"] * CONCURRENCY
                    or found["digest"] != whole["digest"]
                    or found["calls"] != options.calls
                ):
                    bad.append(found)
                print(f"run {runs}: {found}", flush=True)
        finally:
            study.close()
    print(
        f"{kills} kills in {runs} runs of {options.calls} calls ({seconds:.1f} s undisturbed): "
        f"{repeated} calls repeated (at most {CONCURRENCY} in flight at a kill), "
        f"{len(bad)} runs with something wrong"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
