"""What an empty cell may say."""

from __future__ import annotations

from pathlib import Path

from plain_tables import guessed, labels

IDS = [f"q{n}" for n in range(20)]


def test_fine_numbers_differ_without_being_corrections(tmp_path: Path) -> None:
    """Two raters hardly ever give the same of many numbers, and no cell is asked about."""
    said = {
        name: ["" if n % at == at - 1 else f"{(n * 37 + at) % 100 / 10:.1f}" for n in range(20)]
        for name, at in (("reviewer_1", 3), ("reviewer_2", 4), ("gpt-4o", 99))
    }
    _, draft = guessed(tmp_path, {"id": IDS, **said})
    assert draft.task["wide"] == {"human": ["reviewer_1", "reviewer_2"], "judge": ["gpt-4o"]}


def test_other_words_are_no_corrections(tmp_path: Path) -> None:
    """A dash that both use is no label of one scale."""
    people = ["" if n % 3 else one for n, one in enumerate(labels(("present", "absent", "-"), 20))]
    judge = labels(("yes", "no", "-"), 20, 1)
    _, draft = guessed(tmp_path, {"id": IDS * 1, "sme": people, "gpt-4": judge})
    assert draft.task["positive"] == "present"
