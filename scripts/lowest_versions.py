"""The quick verbs with the lowest declared and with the newest dependencies, on every Python here.

    python scripts/lowest_versions.py                 # all of it, about five minutes
    python scripts/lowest_versions.py --only lowest   # one environment, about one minute

With the lowest versions the demo and a share of the tests run instead of the verbs.

Makes a virtual environment for each case (the package index must be within reach), simulates a
small study, and takes it through the verbs. Prints a line for each case; exits 1 if one failed.
Run it when a lower bound in pyproject.toml changes, or when the code begins to use something new.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
TABLE = ("study/ratings.csv", "--task", "study/task.toml")
VERBS: tuple[tuple[str, ...], ...] = (
    ("simulate", "--out", "study", "--prompts", "30"),
    ("check", "study/ratings.csv"),
    ("agree", *TABLE, "--resamples", "100", "--items", "3"),
    ("select", *TABLE, "--resamples", "100"),
    ("estimate", *TABLE),
    ("plan", *TABLE),
    ("audit", *TABLE, "--resamples", "100"),
    ("rank", *TABLE, "--resamples", "100"),
    ("report", *TABLE, "--resamples", "100", "--out", "r.html", "--out", "r.json"),
    ("diff", "r.json", "r.json"),
    ("judges",),
)
#: What the lowest versions run: the README's first command, which asks every question, and tests of
#: files and of numbers of SciPy's.
TEST_TOOLS = ("pytest>=8,<9", "hypothesis", "polars", "pyyaml")
DEMO = (("demo", "--out", "demo"),)
TESTS = ("tests/unit/sources/test_spreadsheet.py", "tests/unit/inference/test_risk_control.py")


@dataclass(frozen=True)
class Case:
    """An environment: its name, its Python and what is installed in it."""

    name: str
    python: str
    requirements: tuple[str, ...]
    verbs: tuple[tuple[str, ...], ...] = VERBS
    tests: tuple[str, ...] = ()


def declared() -> tuple[str, ...]:
    """The dependencies of pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as stream:
        return tuple(tomllib.load(stream)["project"]["dependencies"])


def lowest(requirement: str) -> str:
    """A requirement at its lower bound.

    >>> lowest("typer>=0.19,<0.29")
    'typer==0.19'
    """
    found = re.match(r"([\w.-]+)>=([\w.]+)", requirement)
    if found is None:
        raise SystemExit(f"pyproject.toml: {requirement!r} has no lower bound")
    return f"{found[1]}=={found[2]}"


def python_of(version: str) -> str | None:
    """An interpreter of a version, on the path or among pyenv's."""
    kept = sorted(Path("~/.pyenv/versions").expanduser().glob(f"{version}.*/bin/python"))
    return str(kept[-1]) if kept else shutil.which(f"python{version}")


def cases() -> Iterator[Case]:
    """The lowest versions on the oldest Python, the newest on each that is at hand."""
    found = {version: python_of(version) for version in PYTHONS}
    for version, python in found.items():
        if python is None:
            print(f"Python {version}: not at hand")
            continue
        if version == PYTHONS[0]:
            least = (*map(lowest, declared()), *TEST_TOOLS)
            yield Case(f"lowest, {version}", python, least, DEMO, TESTS)
        yield Case(f"newest, {version}", python, declared())


def failures(case: Case, folder: Path) -> list[str]:
    """What does not work in a case."""
    place = folder / re.sub(r"\W+", "-", case.name)
    subprocess.run([case.python, "-m", "venv", str(place)], check=True)
    python = str(place / ("Scripts" if os.name == "nt" else "bin") / "python")
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    done = subprocess.run(
        [*install, *case.requirements], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return [f"pip: {done.stderr.strip().splitlines()[-1]}"]
    asked = [("goldassay", *words) for words in case.verbs]
    # Warnings of old versions about newer ones beside them are no fault of the tests.
    asked += [
        ("pytest", "-q", "-o", "filterwarnings=default", str(ROOT / one)) for one in case.tests
    ]
    return [line for words in asked if (line := _failure(python, words, place))]


def _failure(python: str, words: Sequence[str], folder: Path) -> str:
    paths = os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests" / "support")))
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(
        [python, "-W", "error::DeprecationWarning:goldassay", "-m", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = ((done.stderr.strip() or done.stdout.strip()).splitlines() or [""])[-1]
    return f"{' '.join(words[:2])}: exit code {done.returncode}: {said}" if done.returncode else ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", default="", help="cases whose name holds this: lowest, 3.12")
    only = parser.parse_args().only
    broken = False
    with tempfile.TemporaryDirectory(prefix="goldassay-versions-") as folder:
        for case in cases():
            if only not in case.name:
                continue
            start = time.perf_counter()
            wrong = failures(case, Path(folder))
            took = time.perf_counter() - start
            print(f"{case.name}: {'; '.join(wrong) or 'all verbs work'} ({took:.0f} s)", flush=True)
            broken |= bool(wrong)
    sys.exit(int(broken))


if __name__ == "__main__":
    main()
