"""What is asked where no column holds ratings of the items."""

from __future__ import annotations

import json
from pathlib import Path

from goldassay.proposals.propose import guessed_ratings, propose


def test_spans_beside_a_column_that_says_one_thing(tmp_path: Path) -> None:
    records = [
        {
            "id": str(n),
            "model": ("gull", "kite")[n % 2],
            "labels": [{"start": 3, "end": 9, "label_type": "Conflict"}] * (n % 3),
            "quality": "good",
            "response": f"A response {n}.",
        }
        for n in range(24)
    ]
    path = tmp_path / "response.jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    missing = propose(str(path)).missing[0]
    assert "`quality` says the same in every row" in missing.question
    assert missing.answers[0] == {"file": {"rows": ["labels"]}}


def test_a_verdict_in_one_row_of_twenty(tmp_path: Path) -> None:
    rows = [f"{n},question {n},{'Failed on a date' if n == 3 else ''}" for n in range(20)]
    path = tmp_path / "human_evaluation.csv"
    path.write_text("\n".join(["No,Question,Verdict", *rows]) + "\n", encoding="utf-8")
    assert "nothing to read yet" in propose(str(path)).missing[0].question


def test_marks_of_rows_are_no_ratings(tmp_path: Path) -> None:
    rows = [f"L{n},{n % 3 == 0},{n % 4 == 0}".lower() for n in range(24)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["label_id,requires_review,ambiguity_flag", *rows]) + "\n")
    assert "mark rows, by their names" in propose(str(path)).missing[0].question


def test_a_category_beside_a_verdict_is_no_verdict(tmp_path: Path) -> None:
    kinds = ("factual", "nonsense", "context")
    rows = [f"q{n},{kinds[n % 3]},{n % 3 == 1}" for n in range(24)]
    path = tmp_path / "gold_labels.csv"
    path.write_text("\n".join(["qid,category,is_hallucination", *rows]) + "\n")
    draft = guessed_ratings(str(path))[1]
    assert draft.task["columns"]["value"] == "is_hallucination"


def test_a_category_is_no_person_beside_a_judges_score(tmp_path: Path) -> None:
    rows = [
        f"q{n // 2},{('concept', 'history')[n % 3 % 2]},m{n % 2},{n % 7 + 3}" for n in range(40)
    ]
    path = tmp_path / "judge_scores.csv"
    path.write_text("\n".join(["question_id,topic_label,model,judge_score", *rows]) + "\n")
    ratings, draft = guessed_ratings(str(path))
    assert (len(ratings.judges), len(ratings.humans)) == (1, 0)
    assert draft.task["scale"] == "ordinal"
