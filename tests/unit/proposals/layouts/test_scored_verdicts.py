"""Probabilities of what people say are a judge's."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from goldassay.proposals.propose import guessed_ratings


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("p_toxic", ("toxic", "not toxic")),
        ("toxic_prob", ("toxic", "not toxic")),
        ("p_spam", ("spam", "ham")),
        ("P(spam)", ("spam", "ham")),
    ],
)
def test_the_probability_of_an_option(name: str, options: tuple[str, str], tmp_path: Path) -> None:
    draw = random.Random(3)
    rows = [f"c{n},{draw.choice(options)},{draw.random():.3f}" for n in range(30)]
    path = tmp_path / "scored.csv"
    path.write_text("\n".join([f"comment_id,human,{name}", *rows]), encoding="utf-8")
    ratings, draft = guessed_ratings(str(path))
    assert (ratings.judges, ratings.humans) == ((name,), ("human",))
    assert draft.task["cells"][name]["cut"] == ">= 0.5"
