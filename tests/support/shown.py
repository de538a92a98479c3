"""What pages show is run: console blocks and doctests, in a folder of their own."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from patience import PATIENCE
from warm import warm_run

__all__ = ["python_run", "run_whole"]

#: Where whole outputs are made: a terminal as wide as a page has room for, on the 1st of May 2026.
WHOLE = {"COLUMNS": "88", "SOURCE_DATE_EPOCH": "1777593600"}
#: Commands that may stand behind a bar, to show a part of a long output.
FILTERS = ("grep", "head", "sed", "tail")


def python_run(
    words: list[str], folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`python WORDS...` in a folder."""
    fixed = {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    whole = {**os.environ, **fixed, **(environment or {})}
    # Another source is imported anew; elsewhere than on Linux a fork may not compute.
    if words[0] == "-m" and "PYTHONPATH" not in (environment or {}) and sys.platform == "linux":
        return warm_run(words[1:], folder, whole)
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=whole,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def run_whole(text: str, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """The block as it comes out: every `$` line, each followed by all that it prints."""
    settings = {**WHOLE, **(environment or {})}
    shown = []
    for line in text.splitlines():
        if line.startswith("$ "):
            printed = _output(line[2:], folder, settings).strip("\n")
            shown += [line, *(row.rstrip() for row in printed.splitlines())]
    return "\n".join(shown) + "\n"


def _output(line: str, folder: Path, environment: Mapping[str, str] | None) -> str:
    """All that a command prints, or what a filter behind it leaves of its output."""
    command, *filters = line.split(" | ")
    words = shlex.split(command, comments=True)
    if words[0] == "cat":
        printed = "".join((folder / name).read_text(encoding="utf-8") for name in words[1:])
        return _filtered(printed, filters)
    if words[:3] == ["python", "-m", "goldassay.examples"]:
        done = python_run(words[1:], folder, environment)
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert words[0] == "goldassay", f"only goldassay and cat run in console blocks: {command}"
        done = python_run(["-m", "goldassay", *words[1:]], folder, environment)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return _filtered(done.stdout, filters) + done.stderr


def _filtered(text: str, filters: list[str]) -> str:
    for one in filters:
        words = shlex.split(one, comments=True)
        assert words[0] in FILTERS, f"{one}: only {', '.join(FILTERS)} may follow a bar"
        text = subprocess.run(words, input=text, text=True, capture_output=True, check=True).stdout
    return text
