"""goldassay's command beside truescore's, and a leaderboard beside arena-rank's, on the same rows.

    python benchmarks/tools_speed.py FOLDER      an environment that holds truescore and arena-rank

Each runs in a process of its own, with one thread; CPU seconds and the peak are that process's.
This parent stays small, because a child's peak starts at its parent's. What does not end within two
minutes, or asks for more than four gigabytes, is named so.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS, BYTES = 120, 4 * 2**30

ARENA_RANK = """
import sys
import pandas as pd
from arena_rank.models.bradley_terry import BradleyTerry
from arena_rank.utils.data_utils import PairDataset
data = PairDataset.from_pandas(pd.read_csv(sys.argv[1]))
print(BradleyTerry(n_competitors=len(data.competitors)).compute_ratings_and_cis(data))
"""


def judged(path: Path, rows: int) -> None:
    """Verdicts of a judge that is right on 85 %; one item in twenty has a label."""
    draw = random.Random(1)
    with path.open("w") as out:
        out.write("id,judge,gold\n")
        for i in range(rows):
            truth = int(draw.random() < 0.3)
            verdict = truth if draw.random() < 0.85 else 1 - truth
            out.write(f"i{i},{verdict},{truth if i % 20 == 0 else ''}\n")


def battles(path: Path, rows: int, systems: int = 63) -> None:
    """A judge's votes between systems whose strengths lie on a line."""
    draw = random.Random(1)
    with path.open("w") as out:
        out.write("item,model_a,model_b,rater,kind,winner\n")
        for i in range(rows):
            a, b = draw.sample(range(systems), 2)
            won = draw.random() < 1 / (1 + 2.718281828 ** ((b - a) / 30))
            out.write(f"q{i},s{a:02d},s{b:02d},j,judge,{'model_a' if won else 'model_b'}\n")


def used(*command: str) -> str:
    """CPU seconds and megabytes of a command, or how it ended."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))

    environment = os.environ | {
        "OMP_NUM_THREADS": "1",
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    }
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        preexec_fn=bounded,  # noqa: PLW1509 - no thread runs in this parent
    )
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return f"did not end in {SECONDS} s"
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    global SPENT  # noqa: PLW0603 - the children's sum so far
    seconds = spent.ru_utime + spent.ru_stime - SPENT
    SPENT = spent.ru_utime + spent.ru_stime
    if process.returncode not in (0, 2):  # truescore ends with 2 where it has a finding
        return f"ended with {process.returncode} after {seconds:.1f} s"
    return f"{seconds:.1f} s"


SPENT = 0.0


def main(tools: Path) -> None:
    print("| Work | goldassay | Other |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        table = Path(name) / "table.csv"
        for rows in (1_000, 10_000, 100_000, 1_000_000):
            judged(table, rows)
            ours = used(sys.executable, "-m", "goldassay", "estimate", str(table))
            theirs = used(
                str(tools / "bin" / "truescore"), "audit", str(table), "--judge", "judge",
                "--gold", "gold",
            )  # fmt: skip
            print(f"| corrected rate, {rows:,} rows | {ours} | truescore: {theirs} |", flush=True)
        for rows in (10_000, 100_000):
            battles(table, rows)
            ours = used(sys.executable, "-m", "goldassay", "rank", str(table))
            theirs = used(str(tools / "bin" / "python"), "-c", ARENA_RANK, str(table))
            print(f"| 63 systems, {rows:,} votes | {ours} | arena-rank: {theirs} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
