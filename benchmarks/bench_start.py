"""Each verb in a fresh process: a bundled example, and plain tables of 1,000 rows without a task.

    python benchmarks/bench_start.py [VERB ...]

CPU seconds, the best of three; byte code is cached as after an installation. A busy machine is
slow in bursts, so that each run stands beside a loop that takes `QUIET` seconds on a quiet one: the
first figure is what the clock said, the second, in brackets, what it would have said there.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
from scale_curves import VERB
from timing import FRESH, TOLD, pace

import goldassay.examples

#: The example (600 to 1,900 ratings) that a verb is asked about, with its task.
ASKED: dict[str, str] = {
    "check": "rubric",
    "agree": "rubric",
    "select": "rubric",
    "estimate": "answers",
    "replace": "safety",
    "route": "rubric",
    "compare": "answers",
    "plan": "answers",
    "audit": "safety",
    "rank": "scores",
    "report": "rubric",
}

#: Tables of exactly 1,000 rows as people keep them: nothing is declared, so everything is guessed.
PLAIN = {
    "binary": """
        SELECT 'q' || i AS id, 't' || i % 5 AS topic, 'm' || i % 2 AS model,
               CASE WHEN i % 10 < 4 THEN p END AS human, j AS judge
        FROM (SELECT i, CASE WHEN hash(i) % 10 < 6 THEN 'pass' ELSE 'fail' END AS p,
                     CASE WHEN hash(i) % 10 + hash(i, 1) % 3 < 7 THEN 'pass' ELSE 'fail' END AS j
              FROM range(1000) a(i))
    """,
    "ordinal": """
        SELECT 'q' || i // 2 AS prompt, 'm' || i % 2 AS model,
               ['ann', 'ben', 'gpt-5', 'llama'][r + 1] AS rater,
               CASE WHEN r < 2 THEN 'human' ELSE 'judge' END AS kind,
               1 + (hash(i) % 30 + hash(i, r) % 20) // 10 AS score
        FROM range(250) a(i), range(4) b(r)
    """,
    "continuous": """
        SELECT 'q' || i // 2 AS prompt, 'm' || i % 2 AS model,
               ['ann', 'ben', 'gpt-5', 'llama'][r + 1] AS rater,
               CASE WHEN r < 2 THEN 'human' ELSE 'judge' END AS kind,
               (hash(i) % 1000 + hash(i, r) % 400) / 100.0 AS score
        FROM range(250) a(i), range(4) b(r)
    """,
    "pairwise": """
        SELECT 'q' || i AS question, 'm' || i % 3 AS model_a, 'm' || (i + 1) % 3 AS model_b,
               ['ann', 'ben', 'gpt-5', 'llama'][r + 1] AS judge,
               CASE WHEN r < 2 THEN 'human' ELSE 'judge' END AS kind,
               CASE WHEN hash(i) % 30 + hash(i, r) % 20 < 15 THEN 'model_a'
                    WHEN hash(i) % 30 + hash(i, r) % 20 < 30 THEN 'model_b' ELSE 'tie' END AS winner
        FROM range(250) a(i), range(4) b(r)
    """,
}

REPEATS = 3


def run(verb: str, *asked: str) -> tuple[int, float]:
    """Exit code and CPU seconds of one fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", TOLD + VERB, verb, *asked],
        capture_output=True,
        check=False,
        text=True,
        env=FRESH | {"OMP_NUM_THREADS": "1"},
    )
    if not done.stdout:
        raise SystemExit(done.stderr)
    code, seconds, _ = done.stdout.split()
    return int(code), float(seconds)


def measured(verb: str, *asked: str) -> str:
    """As the clock said and beside the loop, or that the verb refuses such a table."""
    runs, beside = [], []
    for _ in range(REPEATS):
        before = pace()
        code, seconds = run(verb, *asked)
        if code == 2:
            return "refused"
        runs.append(seconds)
        beside.append(seconds / ((before + pace()) / 2))
    return f"{min(runs):.2f} ({min(beside):.2f})"


def told(verbs: list[str], folder: Path) -> Iterator[str]:
    """A row for each verb."""
    for name, query in PLAIN.items():
        duckdb.sql(query).write_csv(str(folder / f"{name}.csv"))
    yield " | ".join(("| verb", "an example", *PLAIN)) + " |"
    yield "| --- " * (2 + len(PLAIN)) + "|"
    for verb in verbs:
        example = goldassay.examples.named(ASKED[verb])
        cells = [measured(verb, str(example.path), "--task", str(example.task))]
        cells += [measured(verb, str(folder / f"{name}.csv")) for name in PLAIN]
        yield " | ".join((f"| {verb}", *cells)) + " |"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        for line in told(sys.argv[1:] or list(ASKED), Path(made)):
            print(line, flush=True)
