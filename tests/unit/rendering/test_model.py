"""The story of a document: what its head says was read."""

from __future__ import annotations

from pathlib import Path

import goldassay
from goldassay.rendering.model import story


def _file(path: Path, start: int) -> Path:
    rows = [
        f"q{start + k},{'yes' if k % 2 else 'no'},{'yes' if k % 3 else 'no'}" for k in range(20)
    ]
    path.write_text("\n".join(["id,human,judge", *rows]) + "\n")
    return path


def test_the_head_counts_ratings_and_not_rows(tmp_path: Path) -> None:
    one, two = _file(tmp_path / "one.csv", 0), _file(tmp_path / "two.csv", 20)
    alone = story(goldassay.agree(one).document())
    assert alone.subtitle == "one.csv; 40 ratings; binary scale"
    both = story(goldassay.agree([one, two]).document())
    assert both.subtitle == "one.csv, two.csv; 80 ratings; binary scale"
    made = [str(s) for s in (*alone.sections, *both.sections) if s.anchor == "provenance"]
    assert "40 ratings, SHA-256" in made[0]
    assert "SHA-256" in made[1]
    assert "0 rows" not in made[1]
