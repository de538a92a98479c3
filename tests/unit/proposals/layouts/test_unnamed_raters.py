"""Columns whose names say nothing of who rates, beside those of raters."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_tables import guessed, labels

IDS = [f"q{n}" for n in range(12)]


@pytest.mark.parametrize("judge", ["evals", "verifier", "guardrail"])
def test_what_evaluates_beside_a_person_is_a_judge(tmp_path: Path, judge: str) -> None:
    said = {"tutor": labels(("good", "bad"), 12), judge: labels(("good", "bad"), 12, 1)}
    _, draft = guessed(tmp_path, {"id": IDS, **said})
    assert draft.task["wide"] == {"human": ["tutor"], "judge": [judge]}


def test_people_who_give_numbers_of_their_own_are_people(tmp_path: Path) -> None:
    """Five people's numbers share hardly one with the judge's."""
    names = ("chen", "laura", "lars", "lucas", "nina", "claude-3-opus_grade")
    said = {
        name: [f"{(n * 83 + at * 17) % 997 / 1000:.3f}" for n in range(12)]
        for at, name in enumerate(names)
    }
    _, draft = guessed(tmp_path, {"id": IDS, **said})
    assert draft.task["wide"] == {"human": list(names[:-1]), "judge": [names[-1]]}


def test_a_series_is_read_whole(tmp_path: Path) -> None:
    """`r2` has a grade that neither the judge nor the key has."""
    said = {f"r{k}": labels("1234567", 12, k) for k in (1, 2, 3)}
    said["r2"][0] = "9"
    other = {"gpt4_judge": labels("1234567", 12), "expected_label": labels("1234567", 12, 1)}
    _, draft = guessed(tmp_path, {"id": IDS, **said, **other})
    assert draft.task["wide"]["human"] == ["r1", "r2", "r3"]


def test_who_agrees_with_all_is_no_sum_of_them(tmp_path: Path) -> None:
    same = labels("123", 12)
    said = dict.fromkeys(("R1", "R2", "R3", "gpt-4o", "claude"), same)
    _, draft = guessed(tmp_path, {"id": IDS, **said})
    assert draft.task["wide"] == {"human": ["R1", "R2", "R3"], "judge": ["gpt-4o", "claude"]}


def test_the_version_of_a_judge_is_no_criterion(tmp_path: Path) -> None:
    """The 3 of `claude-3-opus` has nothing to do with that of `R3`."""
    names = ("R1", "R2", "R3", "stars_claude", "claude-3-opus")
    said = {name: labels("0123", 12, at) for at, name in enumerate(names)}
    _, draft = guessed(tmp_path, {"id": IDS, **said})
    assert draft.task["wide"] == {"human": list(names[:3]), "judge": list(names[3:])}


def test_a_key_in_other_words_for_yes_and_no_is_read(tmp_path: Path) -> None:
    said = {"gpt-4.1": labels("10", 12), "o3-mini": labels("10", 12, 1)}
    columns = {"id": IDS, **said, "expected_label": labels(("correct", "incorrect"), 12, 2)}
    _, draft = guessed(tmp_path, columns)
    assert draft.task["wide"]["reference"] == ["expected_label"]
