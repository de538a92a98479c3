"""README and docs are executed: Python blocks run, `$ goldassay` lines print what they show.

Blocks of one page run in order, in one empty folder. A console block shows all that its commands
print, and stands under `<!-- whole output -->`; where that is long, a filter behind the command (`|
head -5`) leaves a part. `GOLDASSAY_UPDATE_SHOWN=1 pytest tests/docs` writes what came out into the
page.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from shown import run_whole

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
        else:
            assert whole, f"<!-- whole output --> above it, and all of it:\n{inside}"
            real = run_whole(inside, tmp_path)
            if not os.environ.get("GOLDASSAY_UPDATE_SHOWN"):
                assert inside == real, "GOLDASSAY_UPDATE_SHOWN=1 pytest tests/docs writes it anew"
            text = text.replace(block.group(), block.group().replace(inside, real))
    if os.environ.get("GOLDASSAY_UPDATE_SHOWN"):
        page.write_text(text, encoding="utf-8")
