"""What takes too long for every change: each run with its last figure, seconds, date and commit.

    python scripts/long_runs.py                       # the table, oldest first
    python scripts/long_runs.py run --minutes 30      # the oldest, until the time is up
    python scripts/long_runs.py run 'site' 'spark'    # these
    python scripts/long_runs.py check                 # none failed or is too old

Slow tests by file or folder, the parts that need what `.[test-heavy]` installs (Spark, browsers,
PDF, notebooks, a small model), the site, the lowest versions, sweeps of mutants and benchmarks. The
table is `tests/long_runs.md`, written by this script alone and committed before each landing.
"""

from __future__ import annotations

import argparse
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests" / "long_runs.md"
#: Commits of the main line after which a run is too old.
OLDEST = 100
#: Seconds after which a run is ended, and counts as failed.
LIMIT = 3_600
PYTHON = sys.executable
#: Folders whose tests need more than the light extra; but for a few they are slow (conftest.py).
HEAVY = ("browser", "model", "notebooks", "spark")
#: Needs a server of another program, which its test names.
ELSEWHERE = ("tools",)
SLOW_WORDS = re.compile(r"mark\.slow|\bseldom\(")
#: Tests of these folders are too many for one run: a run for each file.
BY_FILE = ("coverage", "properties")
#: Parts of the source in which mutants are drawn.
SWEPT = ("formulas", "inference", "metrics", "counts", "questions", "judges")
#: Benchmarks that are run for a picture, or whose words choose among many settings.
BY_HAND = {
    "compare_others", "coverage_probe", "lengths", "odd_files", "plain_files", "run",
    "scale_curves", "screen_verbs", "sweep", "tools_draws", "tools_monitor", "tools_others",
    "tools_page", "tools_speed",
}  # fmt: skip
#: How a benchmark is told to take few draws.
FEW = {"--runs": "60", "--draws": "300", "--studies": "20", "--samples": "60"}
HEAD = """# Long runs

What is not run at every change, with its last figure. `python scripts/long_runs.py run` runs the
oldest and writes this table; `.ci/run` fails where one failed or is older than 100 commits. A run
that says *not yet* counts from the commit that listed it.
"""


@dataclass
class Run:
    """A line of the table; `commits` is how many the history had, which a rebase does not move."""

    name: str
    figure: str = "not yet"
    seconds: str = ""
    date: str = ""
    commit: str = ""
    commits: str = ""


def commands() -> dict[str, list[str]]:
    """Each run's name, and how it is run."""
    tests = [PYTHON, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--slow", "-m"]
    found = {f"slow {part}": [*tests, "slow", part] for part in _slow_parts()}
    heavy = "slow or not slow"
    found |= {name: [*tests, heavy, f"tests/{name}"] for name in HEAVY}
    found["site"] = [PYTHON, "scripts/site.py", "--clean"]
    found["lowest versions"] = [PYTHON, "scripts/lowest_versions.py"]
    mutate = [PYTHON, "scripts/mutate.py"]
    found["mutants fixed"] = [*mutate, "fixed"]
    found["mutants map"] = [*mutate, "map"]
    for part in SWEPT:
        found[f"mutants {part}"] = [*mutate, "run", "--sample", "200", "--within", part]
    for path in sorted((ROOT / "benchmarks").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "__main__" in text and path.stem not in BY_HAND:
            few = [
                word for option, n in FEW.items() if f'"{option}"' in text for word in (option, n)
            ]
            found[f"benchmark {path.stem}"] = [PYTHON, str(path.relative_to(ROOT)), *few]
    return found


def _slow_parts() -> list[str]:
    """Files and folders of `tests` that have slow tests, heavy folders aside."""
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        part = path.relative_to(ROOT).parts
        if part[1] not in (*HEAVY, *ELSEWHERE) and SLOW_WORDS.search(
            path.read_text(encoding="utf-8")
        ):
            whole = (
                "/".join(part)
                if part[1] in BY_FILE
                else "/".join(part[: 3 if part[1] == "unit" else 2])
            )
            found.add(whole)
    return sorted(found)


def read() -> dict[str, Run]:
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:2] == "| "
    ]
    rows = [Run(*row) for row in cells[1:] if not row[0].startswith("---")]
    return {row.name: row for row in rows}


def write(rows: dict[str, Run]) -> None:
    names = [field.name for field in fields(Run)]
    lines = [names, ["---"] * len(names), *(astuple(rows[name]) for name in sorted(rows))]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    TABLE.write_text(f"{HEAD}\n{text}\n", encoding="utf-8")


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def listed(rows: dict[str, Run]) -> dict[str, Run]:
    """The table with a line for each run that there is, and no other."""
    count, here = git("rev-list", "--count", "HEAD"), git("rev-parse", "--short", "HEAD")
    return {name: rows.get(name) or Run(name, commit=here, commits=count) for name in commands()}


def measured(name: str) -> Run:
    """Runs one; what it prints last is its figure."""
    began = time.monotonic()
    print(f"{name} ...", flush=True)
    with subprocess.Popen(
        commands()[name], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as running:  # fmt: skip
        try:
            said, _ = running.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGINT)
            said, _ = running.communicate()
    seconds = time.monotonic() - began
    last = next((one for one in reversed(said.splitlines()) if one.strip()), "nothing said")
    figure = re.sub(r" in [\d.]+s.*", "", last).replace("|", "/").strip("= ")[:80]
    nothing = running.returncode == 5 or re.fullmatch(r"\d+ skipped(, \d+ deselected)?", figure)
    if running.returncode or nothing:
        figure = f"FAILED: {figure}"
        print("\n".join(said.splitlines()[-30:]))
    print(f"    {figure} ({seconds:.0f} s)", flush=True)
    return Run(
        name, figure, f"{seconds:.0f}", datetime.now(UTC).strftime("%Y-%m-%d"),
        git("rev-parse", "--short", "HEAD"), git("rev-list", "--count", "HEAD"),
    )  # fmt: skip


def faults(rows: dict[str, Run]) -> Iterator[str]:
    """What keeps a change from landing: a run that failed, or is too old."""
    now = int(git("rev-list", "--count", "HEAD") or 0)
    cut = not now or git("rev-parse", "--is-shallow-repository") == "true"
    here = commands()  # what is not listed yet is with the next run, and counts from then
    for row in (row for row in rows.values() if row.name in here):
        if row.figure.startswith("FAILED"):
            yield f"{row.name}: {row.figure}"
        elif not cut and now - int(row.commits) > OLDEST:
            yield f"{row.name}: {now - int(row.commits)} commits old"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="?", choices=["list", "run", "check"], default="list")
    parser.add_argument("names", nargs="*", help="these runs; else the oldest")
    parser.add_argument("--minutes", type=float, default=30, help="no run begins after so long")
    options = parser.parse_intermixed_args()
    rows = read()
    if options.what == "check":
        found = sorted(faults(rows))
        print("\n".join(found) or f"{len(rows)} long runs, none failed or too old")
        if found:
            print("next: python scripts/long_runs.py run, and commit tests/long_runs.md")
        return int(bool(found))
    rows = listed(rows)
    order = sorted(rows, key=lambda name: (rows[name].seconds != "", int(rows[name].commits or 0)))
    if options.what == "list":
        print("\n".join("  ".join(filter(None, astuple(rows[name]))) for name in order))
        return 0
    unknown = set(options.names) - rows.keys()
    if unknown:
        parser.error(f"no such run: {', '.join(sorted(unknown))}")
    write(rows)
    end = time.monotonic() + 60 * options.minutes
    for name in options.names or order:
        if time.monotonic() >= end:
            break
        rows[name] = measured(name)
        write(rows)  # what was measured is kept, whatever comes
    return int(any(row.figure.startswith("FAILED") for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
