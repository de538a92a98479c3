"""Each verb on a bundled example (600 to 1,900 ratings) in a fresh process.

    python benchmarks/bench_start.py [VERB ...]

CPU seconds, the best of three, and peak megabytes; byte code is cached as after an installation.
"""

from __future__ import annotations

import os
import subprocess
import sys

from scale_curves import VERB
from timing import TOLD

import goldassay.examples

#: The example that a verb is asked about, and what else it must be told.
ASKED: dict[str, tuple[str, ...]] = {
    "check": ("rubric",),
    "agree": ("rubric",),
    "select": ("rubric",),
    "estimate": ("answers",),
    "replace": ("safety",),
    "route": ("rubric",),
    "compare": ("answers",),
    "plan": ("answers",),
    "audit": ("safety",),
    "rank": ("scores",),
}


def measured(verb: str, example: str, *more: str, repeats: int = 3) -> tuple[float, float]:
    """CPU seconds and megabytes of the fastest run."""
    table = goldassay.examples.named(example)
    asked = [verb, str(table.path), "--task", str(table.task), *more]
    runs = []
    for _ in range(repeats):
        done = subprocess.run(
            [sys.executable, "-c", TOLD + VERB, *asked],
            capture_output=True,
            check=True,
            text=True,
            env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""},
        )
        code, seconds, megabytes = done.stdout.split()
        if code != "0":
            raise SystemExit(done.stderr)
        runs.append((float(seconds), float(megabytes)))
    return min(runs)


if __name__ == "__main__":
    for verb in sys.argv[1:] or ASKED:
        seconds, megabytes = measured(verb, *ASKED[verb])
        print(f"| {verb} | {seconds:.2f} s | {megabytes:.0f} MB |", flush=True)
