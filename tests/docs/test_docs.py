"""README and docs are executed: Python blocks run, `$ goldassay` lines print what they show.

Blocks of one page run in order, in one empty folder. A console block under `<!-- whole output -->`
shows all that its commands print, and is compared as a whole; `GOLDASSAY_UPDATE_SHOWN=1 pytest
tests/docs` writes what came out into the page. In other console blocks each line after a command
must occur in the real output, `...` stands for anything.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from shown import run_console, run_whole

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^(<!-- whole output -->\n)?```(python|console)\n(.*?)^```", re.M | re.S)


def blocks(page: Path) -> list[re.Match[str]]:
    return list(BLOCK.finditer(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT))
)
def test_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "docs"}
    text = page.read_text(encoding="utf-8")
    for block in blocks(page):
        whole, kind, inside = block.groups()
        if kind == "python":
            exec(compile(inside, str(page), "exec"), names)
        elif not whole:
            run_console(inside, tmp_path)
        else:
            real = run_whole(inside, tmp_path)
            if not os.environ.get("GOLDASSAY_UPDATE_SHOWN"):
                assert inside == real, "GOLDASSAY_UPDATE_SHOWN=1 pytest tests/docs writes it anew"
            text = text.replace(block.group(), block.group().replace(inside, real))
    if os.environ.get("GOLDASSAY_UPDATE_SHOWN"):
        page.write_text(text, encoding="utf-8")


def test_whole_outputs_have_no_gaps() -> None:
    """Results are shown as they are printed, never as dots."""
    for page in PAGES:
        for whole, _, inside in (block.groups() for block in blocks(page)):
            assert not (whole and "..." in inside), page.name
