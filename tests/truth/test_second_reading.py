"""Sentences that were false, or said too late, when all was read a second time."""

from __future__ import annotations

from pathlib import Path

from told_tables import said

import goldassay as ga


def test_people_who_are_counted_votes_are_said_to_be_so(tmp_path: Path) -> None:
    """Three votes an item, counted; whose they are nobody knows."""
    rows = [
        f"i{k},{(k % 3) + (k % 2)},{3 - (k % 3) - (k % 2)},{'yes' if k % 3 else 'no'}"
        for k in range(90)
    ]
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(["item,yes_votes,no_votes,gpt", *rows]) + "\n")
    found = ga.replace(str(path))
    one = said(found, "replace.counted_votes")
    assert one in found.answer
    assert one.facts["columns"] == ["yes_votes", "no_votes"]
    assert "made-up people" in one.text
    assert len(found.answer) <= 3
