"""Ways to tell which columns name an item."""

from __future__ import annotations

from pathlib import Path

import pytest
from lookup import some
from plain_tables import guessed, labels

from goldassay.proposals.declared import Declared
from goldassay.proposals.propose import propose

TEXTS = [f"The committee met on Tuesday and agreed on the budget, said note {n}" for n in range(12)]


@pytest.mark.parametrize("count", ["word_count", "retrieved_docs"])
def test_a_text_of_any_name_is_what_raters_rated_and_no_count(tmp_path: Path, count: str) -> None:
    columns = {
        "note": TEXTS * 3,
        "rater": [who for who in ("ann", "bob", "gpt-4o") for _ in range(12)],
        "label": [one for at in range(3) for one in labels(("good", "bad"), 12, at)],
        count: [3 + n * 7 % 34 for n in range(36)],
    }
    _, draft = guessed(tmp_path, columns)
    assert draft.task["columns"]["item"] == "note"


@pytest.mark.parametrize(("name", "item"), [("axis", "student_id"), ("criterion", "entry")])
def test_what_every_criterion_has_once_is_the_item(tmp_path: Path, name: str, item: str) -> None:
    """A column of known criteria is one, whatever it is called."""
    columns = {
        item: [n for n in range(12) for _ in "12"],
        name: ["tone", "style"] * 12,
        "analyst": labels("0123", 24),
        "verifier": labels("0123", 24, 1),
    }
    _, draft = guessed(tmp_path, columns)
    task = draft.task
    assert task["columns"].get("criterion", name if name == "criterion" else None) == name
    assert task["columns"]["item"] == item
    assert task["wide"] == {"human": ["analyst"], "judge": ["verifier"]}


def test_an_answer_of_criteria_beside_a_system_is_tried(tmp_path: Path) -> None:
    """What is asked of grades of three people offers their columns as criteria, systems or not."""
    columns = {
        "task": [n // 2 for n in range(24)],
        "config": ["baseline", "bart"] * 12,
        "laura": labels(("S0", "S1", "S2"), 24),
        "omar": labels(("S0", "S1", "S2"), 24, 1),
        "evalResultRating": labels(("S0", "S1", "S2"), 24, 2),
    }
    path = tmp_path / "ratings.csv"
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join([",".join(columns), *rows]) + "\n")
    draft = propose(str(path))
    assert draft.missing
    for said in some(one for one in draft.missing[0].answers if not isinstance(one, str)):
        assert propose(str(path), None, Declared.of(said, "--task")).task
