"""CPU seconds and peak memory of the verbs as tables grow: `docs/scale.md`'s table.

    python benchmarks/scale_curves.py [ROW ...]      the rows whose names begin so; all unless named
    python benchmarks/scale_curves.py --curves [AXIS ...]      one thing grows: a line for each axis
    python benchmarks/scale_curves.py --cores 0 [ROW ...]      on these cores alone; wall time too

Each verb runs in a fresh process on a Parquet file made by DuckDB, with as many threads as the
command takes by itself; user and system time and the peak are those of that process alone. In
brackets the seconds of a quiet machine, from a loop that is timed before and after.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb
from timing import FRESH, TOLD, pace

BINARY = 'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n'
VERB = """
import os, sys
from goldassay.cli import main
out = os.dup(1); os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
try:
    main()
except SystemExit as end:
    os.write(out, f"{end.code} {told()}".encode())
"""


def _binary(items: int, judges: int, people: int = 2, *, cluster: str = "i") -> str:
    """Items that people and judges call yes or no: an item's own lean, and noise of each rater."""
    return f"""
        SELECT 'i' || i AS item, 'c' || ({cluster}) AS cluster,
               CASE WHEN r < {people} THEN 'p' || r ELSE 'j' || (r - {people}) END AS rater,
               CASE WHEN r < {people} THEN 'human' ELSE 'judge' END AS kind,
               CASE WHEN hash(i) % 10 + hash(i, r) % 5 + r % 3 > 7 THEN 'yes' ELSE 'no' END AS value
        FROM range({items}) a(i), range({people + judges}) b(r)
    """


def _systems(prompts: int, systems: int, judges: int, *, scores: bool = True) -> str:
    """Answers of systems that people and judges score; better systems score higher."""
    value = "(hash(p, s) % 1000 + 3 * s + hash(p, s, r) % 400) / 10.0"
    value = value if scores else f"CASE WHEN {value} > 70 THEN 'yes' ELSE 'no' END"
    return f"""
        SELECT 'p' || p || 's' || s AS item, 'p' || p AS prompt, 's' || s AS system,
               CASE WHEN r < 1 THEN 'h' ELSE 'j' || r END AS rater,
               CASE WHEN r < 1 THEN 'human' ELSE 'judge' END AS kind,
               {value} AS value
        FROM range({prompts}) a(p), range({systems}) b(s), range({judges + 1}) c(r)
    """


def _options(items: int, options: int) -> tuple[str, str]:
    names = ", ".join(f'"o{k}"' for k in range(options))
    return (
        f"""
        SELECT 'i' || i AS item, CASE r WHEN 0 THEN 'h' ELSE 'j' || r END AS rater,
               CASE r WHEN 0 THEN 'human' ELSE 'judge' END AS kind,
               'o' || CASE WHEN hash(i, r) % 4 = 0 THEN hash(i, r, 1) % {options}
                      ELSE hash(i) % {options} END AS value
        FROM range({items}) a(i), range(3) b(r)
        WHERE r > 0 OR i % 4 = 0
        """,
        f'scale = "nominal"\noptions = [{names}]\n',
    )


CONTINUOUS = """
    SELECT 'i' || i AS item, CASE r WHEN 0 THEN 'h' ELSE 'j' || r END AS rater,
           CASE r WHEN 0 THEN 'human' ELSE 'judge' END AS kind,
           (hash(i) % 10000 + hash(i, r) % 4000) / 100.0 AS value
    FROM range(333334) a(i), range(3) b(r)
"""


@dataclass(frozen=True)
class Work:
    name: str
    verb: str
    table: str
    task: str
    #: What it may take: CPU seconds, megabytes.
    wanted: tuple[float, float]


SCORED = 'scale = "continuous"\ncluster = "prompt"\n'
MANY = _options(20_000, 100)
WORK = (
    *(
        Work(f"small {v}", v, _binary(200, 4), BINARY, (0.7, 300))
        for v in ("check", "agree", "select", "estimate")
    ),
    Work("audit 10^5", "audit", _binary(12_500, 3, 5), BINARY, (4, 600)),
    Work("report 10^5", "report", _binary(16_667, 4), BINARY, (6, 600)),
    Work("rank 5 systems, 10^6", "rank", _systems(66_667, 5, 2), SCORED, (8, 600)),
    Work("rank 200 systems", "rank", _systems(500, 200, 3), SCORED, (20, 800)),
    Work("agree continuous 10^6", "agree", CONTINUOUS, 'scale = "continuous"\n', (6, 800)),
    Work("agree 200 judges", "agree", _binary(1_500, 200), BINARY, (15, 600)),
    *(Work(f"{v} 100 options", v, *MANY, (8, 600)) for v in ("agree", "select", "estimate")),
    Work(
        "agree 2 M in clusters of two",
        "agree",
        _binary(333_334, 4, cluster="i // 2"),
        BINARY + 'cluster = "cluster"\n',
        (5, 400),
    ),
    Work("agree 10^6", "agree", _binary(166_667, 4), BINARY, (2, 400)),
    Work("agree 10^7", "agree", _binary(1_666_667, 4), BINARY, (5, 500)),
    Work(
        "report 48 judges x 63 systems x 500",
        "report",
        _systems(500, 63, 48, scores=False),
        BINARY + 'cluster = "prompt"\n',
        (60, 700),
    ),
)


def _criteria(items: int, criteria: int) -> str:
    """Four judges and two people on each criterion of each item."""
    return f"""
        SELECT 'i' || i AS item, 'q' || q AS criterion,
               CASE WHEN r < 2 THEN 'p' || r ELSE 'j' || (r - 2) END AS rater,
               CASE WHEN r < 2 THEN 'human' ELSE 'judge' END AS kind,
               CASE WHEN hash(i, q) % 10 + hash(i, q, r) % 5 + r % 3 > 7 THEN 'yes' ELSE 'no' END
                   AS value
        FROM range({items}) a(i), range({criteria}) c(q), range(6) b(r)
    """


CLUSTERED = BINARY + 'cluster = "cluster"\n'
#: What grows, the verb, and the tables by how much there is of it.
CURVES: dict[str, tuple[str, dict[int, tuple[str, str]]]] = {
    "ratings, by four judges and two people": (
        "agree",
        {10**k: (_binary(-(-(10**k) // 6), 4), BINARY) for k in range(3, 8)},
    ),
    "judges, on 1,500 items": ("agree", {n: (_binary(1_500, n), BINARY) for n in (2, 10, 50, 200)}),
    "options, of 20,000 items": ("agree", {n: _options(20_000, n) for n in (3, 10, 30, 100)}),
    "criteria, of 1,000 items": (
        "agree",
        {n: (_criteria(1_000, n), BINARY) for n in (2, 10, 50, 200)},
    ),
    "clusters of two items": (
        "agree",
        {
            n: (_binary(2 * n, 4, cluster="i // 2"), CLUSTERED)
            for n in (100, 1_000, 10_000, 100_000, 166_667)
        },
    ),
    "systems, on 500 prompts": (
        "rank",
        {n: (_systems(500, n, 3), SCORED) for n in (5, 20, 60, 200)},
    ),
    "prompts, of 5 systems": (
        "rank",
        {n: (_systems(n, 5, 2), SCORED) for n in (100, 1_000, 10_000, 66_667)},
    ),
}


def curve(axis: str) -> str:
    """A line for each axis: quiet CPU seconds and megabytes at every point."""
    verb, points = CURVES[axis]
    cells = []
    for number, (table, task) in points.items():
        before = pace()
        with tempfile.TemporaryDirectory() as folder:
            code, seconds, megabytes, _ = measured(
                Work(axis, verb, table, task, (0.0, 0.0)), Path(folder)
            )
        quiet = seconds / ((before + pace()) / 2)
        ended = "" if code == 0 else f", exit {code}"
        cells.append(f"{number:,}: {quiet:.1f} s, {megabytes:.0f} MB{ended}")
    return f"| {axis} | `{verb}` | {'; '.join(cells)} |"


def measured(work: Work, folder: Path, cores: str | None = None) -> tuple[int, float, float, float]:
    """Exit code, CPU seconds, megabytes, seconds by the clock."""
    table, task = folder / "ratings.parquet", folder / "task.toml"
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"COPY ({work.table}) TO '{table}'")
    task.write_text(work.task)
    arguments = [work.verb, str(table), "--task", str(task)]
    if work.verb == "report":
        arguments += ["--out", str(folder / "report.html")]
    command = [sys.executable, "-c", TOLD + VERB, *arguments]
    start = time.monotonic()
    done = subprocess.run(
        command if cores is None else ["taskset", "-c", cores, *command],
        capture_output=True,
        check=False,
        text=True,
        env={name: text for name, text in FRESH.items() if not name.endswith("_THREADS")},
    )
    wall = time.monotonic() - start
    if not done.stdout:
        raise SystemExit(done.stderr)
    code, seconds, megabytes = done.stdout.split()
    if code != "0":
        print(done.stderr, file=sys.stderr)
    return int(code), float(seconds), float(megabytes), wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--curves", action="store_true")
    parser.add_argument("--cores")
    asked = parser.parse_args()
    names = asked.rows
    if asked.curves:
        for axis in CURVES:
            if not names or any(axis.startswith(name) for name in names):
                print(curve(axis), flush=True)
        return
    for work in WORK:
        if names and not any(work.name.startswith(name) for name in names):
            continue
        before = pace()
        with tempfile.TemporaryDirectory() as folder:
            code, seconds, megabytes, wall = measured(work, Path(folder), asked.cores)
        quiet = seconds / ((before + pace()) / 2)
        wanted = f"{work.wanted[0]:g} s, {work.wanted[1]:g} MB"
        ended = "" if code == 0 else f" exit {code}"
        found = f"{seconds:.1f} ({quiet:.1f}) s | {megabytes:.0f} MB"
        if asked.cores is not None:
            found += f" | {wall:.1f} s by the clock on cores {asked.cores}"
        print(f"| {work.name} | {found} | {wanted} |{ended}", flush=True)


if __name__ == "__main__":
    main()
