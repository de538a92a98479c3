"""Columns that are called as raters' are, and those that say one thing in every row."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_tables import guessed, labels

IDS = [f"q{n}" for n in range(40)]
WORDS, GRADES, NUMBERS, MARKS = ("yes", "no"), ("5", "4", "2", "1"), ("1", "0"), ("True", "False")


def raters(options: tuple[str, ...], *names: str) -> dict[str, list[str]]:
    return {name: labels(options, 40, at) for at, name in enumerate(names)}


@pytest.mark.parametrize("options", [WORDS, GRADES, NUMBERS, MARKS, ("A", "B", "tie")])
@pytest.mark.parametrize(
    ("other", "name"),
    [
        ("prompt_v1", "prompt_v3"),
        ("strict_rubric", "lenient_rubric"),
        ("prompt_a", "prompt_b"),
        ("promptShort", "promptLong"),
    ],
)
def test_a_judge_who_never_says_another_is_read_beside_one_that_is_called_alike(
    tmp_path: Path, options: tuple[str, ...], other: str, name: str
) -> None:
    said = raters(options, "human", other) | {name: [options[0]] * 40}
    ratings, _ = guessed(tmp_path, {"id": IDS, **said})
    assert {*ratings.judges} == {other, name}


def test_two_judges_who_never_say_another_are_read(tmp_path: Path) -> None:
    said = raters(WORDS, "human", "prompt_v1")
    said |= {"prompt_v2": ["yes"] * 40, "prompt_v3": ["no"] * 39 + ["n/a"]}
    ratings, _ = guessed(tmp_path, {"id": IDS, **said})
    assert ratings.judges == ("prompt_v1", "prompt_v2", "prompt_v3")


def test_a_judge_who_never_says_another_is_read_between_others(tmp_path: Path) -> None:
    said = raters(WORDS, "human", "coin", "dice")
    last = {"always": ["yes"] * 40, "dice": said.pop("dice")}
    ratings, _ = guessed(tmp_path, {"id": IDS, **said, **last})
    assert ratings.judges == ("always", "coin", "dice")


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (WORDS, "in_split"),
        (GRADES, "n_shots"),
        (GRADES, "max_score"),
        (NUMBERS, "label_version"),
        (NUMBERS, "prompt_version"),
        (MARKS, "is_valid"),
        (MARKS, "has_context"),
        (("en", "de"), "language"),
    ],
)
def test_what_the_rows_were_made_with_is_no_rater_and_is_told(
    tmp_path: Path, options: tuple[str, ...], name: str
) -> None:
    said = raters(options, "human_score", "prompt_v1", "prompt_v2")
    last = {name: [options[0]] * 40, "prompt_v2": said.pop("prompt_v2")}
    ratings, draft = guessed(tmp_path, {"id": IDS, **said, **last})
    assert ratings.judges == ("prompt_v1", "prompt_v2")
    assert f"`{name}`" in " ".join((*draft.assumed, *draft.questions))
