"""How the benchmarks measure: the same for both sides of a ratio.

CPU seconds, never wall time; a peer that takes minutes is timed on two small sizes and carried on
by the slope between them, so that its start-up is not multiplied; the peak of memory is that of
the process's own pages.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

#: Prints CPU seconds and peak megabytes of the process that runs it. The peak is VmHWM, which
#: begins at zero with the program; `ru_maxrss` of a child begins at its parent's peak.
TOLD = """
def told():
    import time
    with open("/proc/self/status") as lines:
        peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return f"{time.process_time()} {peak / 1024}"
"""


#: The environment of a fresh process: its modules are compiled as an installed package's are.
FRESH = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
#: A loop of a script's own names, and its CPU seconds on a quiet machine of 2025.
LOOP = compile("total = 0\nfor number in range(2_000_000): total += number", "loop", "exec")
QUIET = 0.14


def pace() -> float:
    """How many times as long as on a quiet machine a loop takes that needs nothing but a core."""
    start = process_time()
    exec(LOOP, {})
    return (process_time() - start) / QUIET


def cpu(work: Callable[[], object], repeats: int = 3) -> float:
    """CPU seconds, the best of a few: other work on the machine only ever adds time."""
    times = []
    for _ in range(repeats):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def carried_on(
    work: Callable[[int], object], rounds: int, timed: tuple[int, int] = (2, 6)
) -> float:
    """CPU seconds of so many rounds, on the line through two numbers of rounds that were timed."""
    few, many = timed
    short, long = cpu(lambda: work(few), 2), cpu(lambda: work(many), 2)
    return short + (rounds - few) * (long - short) / (many - few)


def fresh(code: str, *arguments: str, repeats: int = 1) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a fresh process; `code` ends with `print(told())`."""
    runs = []
    for _ in range(repeats):
        done = subprocess.run(
            [sys.executable, "-c", TOLD + code, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env=FRESH,
        )
        used, peak = (float(text) for text in done.stdout.split()[-2:])  # after a progress bar
        runs.append((used, peak))
    return min(runs)


def row(
    work: str, ours: float, peer: str, theirs: float | None, target: object = None
) -> dict[str, Any]:
    """One line of the table; without the peer there is no ratio."""
    return {
        "work": work,
        "goldassay_seconds": ours,
        "peer": peer,
        "peer_seconds": theirs,
        "ratio": None if theirs is None else theirs / ours,
        "target": target,
    }
