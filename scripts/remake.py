"""Everything in docs that is made from the source, the tables and the committed results.

    python scripts/remake.py

The pages of reference, the picture and page of coverage, the drawing of the house, the page of the
gallery, and the table of questions in README.md and docs/index.md. It takes seconds and needs
neither data nor a browser; a test fails where something is stale. What needs them is made by
`readme_picture.py`, `serve_animation.py`, `*_screenshots.py` and `gallery.py make`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import coverage_pictures  # noqa: E402
import gallery  # noqa: E402
import house  # noqa: E402
import reference  # noqa: E402

from goldassay.verbs import ASK, VERBS  # noqa: E402


def made() -> dict[Path, str]:
    """Every made file, and what it should hold."""
    pages = {reference.REFERENCE / name: text for name, text in reference.pages().items()}
    drawn = {house.PICTURE: house.drawing(), gallery.GALLERY / "index.md": gallery.page()}
    asked = {path: with_questions(path) for path in (ROOT / "README.md", ROOT / "docs/index.md")}
    return {**pages, **coverage_pictures.files(), **drawn, **asked}


def with_questions(path: Path) -> str:
    """A page with its table of questions, each linked to its own page."""
    docs = "docs/" if path.parent == ROOT else ""
    rows = [(one.help, f"[`{one.name}`]({docs}{one.name}.md)") for one in VERBS if one.panel == ASK]
    inside = (
        f"<!-- questions -->\n{reference.table(('You ask', 'Verb'), rows)}\n<!-- /questions -->"
    )
    text = path.read_text(encoding="utf-8")
    return re.sub(r"<!-- questions -->.*<!-- /questions -->", lambda _: inside, text, flags=re.S)


def stale() -> list[Path]:
    """The files that hold something else."""
    return [
        path
        for path, text in made().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


if __name__ == "__main__":
    for path, text in made().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(ROOT))
