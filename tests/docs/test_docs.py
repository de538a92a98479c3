"""README and docs are executed: Python blocks run, `$ goldassay` lines print what they show.

Blocks of one page run in order, in one empty folder. In a console block, lines after a command
are its expected output: each must occur in the real output, `...` stands for anything.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.M | re.S)


def blocks(page: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT))
)
def test_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "docs"}
    for kind, text in blocks(page):
        if kind == "python":
            exec(compile(text, str(page), "exec"), names)
        else:
            run_console(text, tmp_path)


def run_console(text: str, folder: Path) -> None:
    command, expected = None, []
    for line in [*text.splitlines(), "$ end"]:
        if not line.startswith("$ "):
            expected.append(line)
            continue
        if command is not None:
            check(command, expected, folder)
        command, expected = line[2:], []


def check(command: str, expected: list[str], folder: Path) -> None:
    words = shlex.split(command)
    if words[0] == "cat":
        output, code = "".join((folder / name).read_text() for name in words[1:]), 0
    else:
        assert words[0] == "goldassay", f"only goldassay and cat run in console blocks: {command}"
        environment = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            [sys.executable, "-m", "goldassay", *words[1:]],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        output, code = done.stdout + done.stderr, done.returncode
    assert code in (0, 1), output
    plain = " ".join(output.split())
    for line in expected:
        if line.strip():
            pattern = r".*?".join(re.escape(" ".join(p.split())) for p in line.split("..."))
            assert re.search(pattern, plain), f"{command}: not printed: {line}\n{output}"
