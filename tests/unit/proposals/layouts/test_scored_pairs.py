"""Scores of both sides by several reward models are a verdict of each."""

from __future__ import annotations

import json
from pathlib import Path

from goldassay.proposals.propose import guessed_ratings


def test_two_reward_models_in_one_record(tmp_path: Path) -> None:
    records = [
        {
            "id": n,
            "prompt": f"prompt {n}",
            "chosen": f"a text {n}",
            "rejected": f"another text {n}",
            "rm_scores": {
                "owl": {"chosen": n % 5 / 2, "rejected": n % 3 / 2},
                "kite": {"chosen": n % 7 / 2, "rejected": n % 4 / 2},
            },
        }
        for n in range(30)
    ]
    path = tmp_path / "preferences.jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    ratings, draft = guessed_ratings(str(path))
    assert draft.task["scale"] == "pairwise"
    assert {*ratings.judges} == {"rm_scores_owl", "rm_scores_kite"}
    verdicts = ratings.frame.collect(backend="pyarrow")
    kite = [
        (int(item), value)
        for item, rater, value in verdicts.select("item", "rater", "value").iter_rows()
        if rater == "rm_scores_kite"
    ]
    for item, value in kite:
        one, two = item % 7, item % 4
        assert value == ("chosen" if one > two else "rejected" if one < two else "tie")
