"""README and docs are executed: Python blocks run, `$ goldassay` lines print what they show.

Blocks of one page run in order, in one empty folder. In a console block, lines after a command
are its expected output: each must occur in the real output, `...` stands for anything.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from shown import run_console

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
