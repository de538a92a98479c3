"""Lists of records that are rated one by one, a member for each person."""

from __future__ import annotations

import json
from pathlib import Path

from goldassay.proposals.propose import guessed_ratings

LABELS = ("NoE", "OutE", "EntE")


def test_sentences_of_a_summary_with_a_member_for_each_annotator(tmp_path: Path) -> None:
    records = [
        {
            "hash": f"h{n}",
            "model_name": ("gull", "kite")[n % 2],
            "summary": f"Summary {n}.",
            "sentences_annotations": [
                {f"annotator_{k}": [LABELS[(n + k + at) % 3]] for k in range(3)}
                for at in range(2 + n % 2)
            ],
        }
        for n in range(20)
    ]
    path = tmp_path / "human_annotations.jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    ratings, draft = guessed_ratings(str(path))
    assert draft.task["file"] == {"rows": ["sentences_annotations"]}
    assert draft.task["columns"]["item"] == ["hash", "place"]
    assert len(ratings.humans) == 3
