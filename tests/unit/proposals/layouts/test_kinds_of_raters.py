"""Who of the raters in rows is a person."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_tables import guessed, labels

from goldassay.proposals.declared import Declared
from goldassay.proposals.propose import guessed_ratings


@pytest.mark.parametrize("people", [("A1", "A5"), ("emma", "john")])
def test_whether_unknown_raters_in_a_column_of_judges_are_people_is_asked(
    tmp_path: Path, people: tuple[str, str]
) -> None:
    columns = {
        "id": [f"q{n}" for n in range(12)] * 3,
        "judge": [who for who in (*people, "claude") for _ in range(12)],
        "label": [one for at in range(3) for one in labels(("good", "bad"), 12, at)],
    }
    ratings, draft = guessed(tmp_path, columns)
    assert len(ratings.judges) == 3
    assert any(
        question.startswith("Are ") and "people?" in question for question in draft.questions
    )
    path = str(tmp_path / "ratings.csv")
    again, _ = guessed_ratings(path, None, Declared.of(draft.offered[0], "--task"))
    assert (again.judges, again.humans) == (("claude",), people)


def test_by_names_who_rated(tmp_path: Path) -> None:
    columns = {
        "id": [f"q{n}" for n in range(12)] * 2,
        "by": ["worker-8"] * 12 + ["o3-mini"] * 12,
        "outcome": labels("YN", 12) + labels("YN", 12, 1),
    }
    ratings, _ = guessed(tmp_path, columns)
    assert (ratings.judges, ratings.humans) == (("o3-mini",), ("worker-8",))
