"""What pages show is run: console blocks and doctests, in a folder of their own."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["python_run", "run_console", "run_whole"]

#: Columns of the terminal in which whole outputs are shown: what a page has room for.
COLUMNS = 88


def python_run(
    words: list[str], folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`python WORDS...` in a folder."""
    fixed = {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, **fixed, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def run_console(text: str, folder: Path, environment: Mapping[str, str] | None = None) -> None:
    """Run the `$` lines of a block. Lines after a command are its expected output: each must occur
    in the real output, `...` stands for anything."""
    command, expected = None, []
    for line in [*text.splitlines(), "$ end"]:
        if not line.startswith("$ "):
            expected.append(line)
            continue
        if command is not None:
            _check(command, expected, _output(command, folder, environment))
        command, expected = line[2:], []


def run_whole(text: str, folder: Path) -> str:
    """The block as it comes out: every `$` line, each followed by all that it prints."""
    shown = []
    for line in text.splitlines():
        if line.startswith("$ "):
            printed = _output(line[2:], folder, {"COLUMNS": str(COLUMNS)}).strip("\n")
            shown += [line, *(row.rstrip() for row in printed.splitlines())]
    return "\n".join(shown) + "\n"


def _output(command: str, folder: Path, environment: Mapping[str, str] | None) -> str:
    words = shlex.split(command, comments=True)
    if words[0] == "cat":
        return "".join((folder / name).read_text(encoding="utf-8") for name in words[1:])
    if words[:3] == ["python", "-m", "goldassay.examples"]:
        done = python_run(words[1:], folder, environment)
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert words[0] == "goldassay", f"only goldassay and cat run in console blocks: {command}"
        done = python_run(["-m", "goldassay", *words[1:]], folder, environment)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout + done.stderr


def _check(command: str, expected: list[str], output: str) -> None:
    plain = " ".join(output.split())
    for line in expected:
        if line.strip():
            pattern = r".*?".join(re.escape(" ".join(p.split())) for p in line.split("..."))
            assert re.search(pattern, plain), f"{command}: not printed: {line}\n{output}"
