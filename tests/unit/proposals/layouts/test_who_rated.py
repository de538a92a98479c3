"""Who rated: names in a record beside what was said there."""

from __future__ import annotations

import json
from pathlib import Path

from goldassay.proposals.propose import guessed_ratings


def test_a_record_names_who_gave_its_label(tmp_path: Path) -> None:
    """The record as a whole is a column too, and names nobody."""
    rows = [
        {
            "id": f"a{n}",
            "human": {"label": ("safe", "unsafe")[n % 2]},
            "judge": {"model": "gpt-4o", "label": ("safe", "unsafe")[n % 3 == 0], "why": "so"},
        }
        for n in range(24)
    ]
    path = tmp_path / "evals.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    ratings, draft = guessed_ratings(str(path))
    assert ratings.judges == ("gpt-4o",)
    assert len(ratings.humans) == 1
    assert draft.task["columns"]["rater"] == "judge.model"
