"""Which columns hold ratings."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_tables import again, guessed, labels

IDS = [f"q{n}" for n in range(20)]


@pytest.mark.parametrize("options", [("yes", "no"), ("resolved", "unresolved"), ("3", "1")])
def test_what_is_called_as_who_rates_may_be_what_was_said(
    tmp_path: Path, options: tuple[str, str]
) -> None:
    """`rater`, `reviewer` and `judge_model` hold verdicts here, and nobody's name."""
    said = {name: labels(options, 20, at) for at, name in enumerate(("gpt-4o", "rater"))}
    _, draft = guessed(tmp_path, {"id": IDS, **said, "judge_model": labels(options, 20, 2)})
    assert draft.task["wide"] == {"human": ["rater"], "judge": ["gpt-4o", "judge_model"]}


def test_opposites_under_a_raters_name_are_ratings(tmp_path: Path) -> None:
    said = {"reviewer": labels(("answered", "not answered"), 20)}
    _, draft = guessed(tmp_path, {"id": IDS, **said, "llm_eval": labels(("yes", "no"), 20, 1)})
    assert draft.task["wide"] == {"human": ["reviewer"], "judge": ["llm_eval"]}
    assert draft.task["positive"] == "answered"


def test_a_judge_that_is_called_as_systems_are_is_one_of_several(tmp_path: Path) -> None:
    said = {
        name: labels(("yes", "no"), 20, at) for at, name in enumerate(("human", "openai", "llm"))
    }
    _, draft = guessed(tmp_path, {"id": IDS, **said})
    assert draft.task["wide"] == {"human": ["human"], "judge": ["openai", "llm"]}


def test_what_kind_a_rater_is_is_no_rating(tmp_path: Path) -> None:
    texts = [
        f"The committee met on Tuesday and agreed on the budget, said note {n}" for n in range(20)
    ]
    columns = {
        "post": [*texts, *texts],
        "rater": ["ann"] * 20 + ["machine"] * 20,
        "evaluator_type": ["human"] * 20 + ["model"] * 20,
        "assessment": labels(("resolved", "unresolved"), 20)
        + labels(("resolved", "unresolved"), 20, 1),
    }
    ratings, draft = guessed(tmp_path, columns)
    assert draft.task["columns"] == {"value": "assessment", "item": "post"}
    assert (ratings.judges, ratings.humans) == (("machine",), ("ann",))


def test_labels_in_many_ways_of_writing_are_few(tmp_path: Path) -> None:
    topics = ("sports", "politics", "tech", "law")
    ways = again((str.lower, str.upper, str.title, " {}".format, "{} ".format), 20)
    said = [way(one) for way, one in zip(ways, labels(topics, 20), strict=True)]
    columns = {"id": IDS, "human": said, "gpt-4o": labels(topics, 20, 1)}
    _, draft = guessed(tmp_path, columns)
    assert draft.task["wide"] == {"human": ["human"], "judge": ["gpt-4o"]}
    assert draft.task["scale"] == "nominal"
