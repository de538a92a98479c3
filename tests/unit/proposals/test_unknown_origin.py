"""Labels of which nothing says who gave them are a reference, and no sentence says people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import goldassay
from goldassay.proposals.declared import Declared
from goldassay.proposals.propose import guessed_ratings

ROWS = ["spam,spam", "ham,spam", "spam,spam", "ham,ham"] * 6


def _written(path: Path, head: str) -> str:
    lines = [f"p{n},{row}" for n, row in enumerate(ROWS)]
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return str(path)


def test_nobody_is_called_a_person(tmp_path: Path) -> None:
    path = _written(tmp_path / "posts.csv", "id,label,gpt4")
    draft = guessed_ratings(path)[1]
    assert draft.task["wide"] == {"reference": ["label"], "judge": ["gpt4"]}
    assert draft.task["references"] == {"label": "unknown"}
    said = str(goldassay.agree(path))
    assert "agrees with the reference on" in said
    assert "Judges are held against `label`: the reference; nothing says who gave it." in said
    assert "people" not in said


def test_the_question_can_be_pasted(tmp_path: Path) -> None:
    path = _written(tmp_path / "posts.csv", "id,label,gpt4")
    draft = guessed_ratings(path)[1]
    assert any(q.startswith("Did annotators give `label`?") for q in draft.questions)
    ratings, again = guessed_ratings(path, None, Declared.of(draft.offered[0], "--task"))
    assert again.task["wide"]["human"] == ["label"]
    assert ratings.humans == ("label",)


@pytest.mark.parametrize(
    ("name", "head"), [("posts.csv", "id,human_label,gpt4"), ("human_labels.csv", "id,label,gpt4")]
)
def test_a_name_says_people(tmp_path: Path, name: str, head: str) -> None:
    draft = guessed_ratings(_written(tmp_path / name, head))[1]
    assert "references" not in draft.task
    assert "human" in draft.task["wide"]


def test_an_offered_answer_has_the_names_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "severity.jsonl"
    records = [
        {
            "id": f"e{n}",
            "severity": n % 3,
            "judges": {"gpt-5.5": (n + n // 4) % 3, "opus-4.8": (n + n // 5) % 3},
        }
        for n in range(24)
    ]
    path.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    draft = guessed_ratings(str(path))[1]
    (question,) = (q for q in draft.questions if q.startswith("Did annotators give"))
    assert question.endswith('wide.judge = ["judges.gpt-5.5", "judges.opus-4.8"]')
