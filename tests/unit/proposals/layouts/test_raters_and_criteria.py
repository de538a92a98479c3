"""Columns of raters and criteria both, by their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_tables import guessed, labels


@pytest.mark.parametrize("written", ["{}-{}", "{}_{}", "{} {}"])
@pytest.mark.parametrize("judge", ["gpt", "zork"])
def test_names_in_any_way_of_writing(tmp_path: Path, written: str, judge: str) -> None:
    pairs = [(who, what) for who in ("rater", judge) for what in ("fluency", "style")]
    said = {
        written.format(*pair): labels(("correct", "incorrect"), 20, at)
        for at, pair in enumerate(pairs)
    }
    _, draft = guessed(tmp_path, {"item": [f"q{n}" for n in range(20)], **said})
    about = [(cell["rater"], cell["criterion"]) for cell in draft.task["cells"].values()]
    assert about == pairs
