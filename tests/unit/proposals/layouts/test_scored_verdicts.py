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


@pytest.mark.parametrize("turned", [True, False])
def test_scores_that_go_the_other_way_are_asked_about(turned: bool, tmp_path: Path) -> None:
    """`llm_score` may be of `safe`, though `unsafe` is what is counted."""
    draw = random.Random(3)
    rows = []
    for n in range(40):
        label = ("safe", "unsafe")[n % 2]
        high = (label == "safe") == turned
        rows.append(f"c{n},{label},{draw.uniform(0.45, 1) if high else draw.uniform(0, 0.6):.3f}")
    path = tmp_path / "scored.csv"
    path.write_text("\n".join(["id,human_label,llm_score", *rows]), encoding="utf-8")
    draft = guessed_ratings(str(path))[1]
    asked = [one for one in draft.questions if one.startswith("Is `llm_score` a score of `safe`?")]
    assert bool(asked) == turned
    assert {"positive": "safe"} in draft.offered or not turned
