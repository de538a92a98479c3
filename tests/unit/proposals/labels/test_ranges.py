"""Ends of a scale, by a column's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.proposals.labels.ranges import named_range
from goldassay.proposals.propose import propose


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("Quality (0–4)", (0.0, 4.0)),
        ("Rate the answer [1..7]", (1.0, 7.0)),
        ("helpful (1 to 5, 5 is best)", (1.0, 5.0)),
        ("Score on a 1-5 scale", (1.0, 5.0)),
        ("tone_1_to_5", (1.0, 5.0)),
        ("batch (3-7)", None),
        ("question 4 (2023-24)", None),
        ("annotator_1", None),
    ],
)
def test_a_name_may_tell_the_ends(name: str, ends: tuple[float, float] | None) -> None:
    assert named_range(name) == ends


def test_options_that_nobody_used_are_of_the_scale(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    rows = [(3, 4), (7, 6), (9, 9), (5, 7)]
    lines = [f"c{k},{human},{judge}" for k, (human, judge) in enumerate(rows)]
    path.write_text("\n".join(["id,Human (1-10),LLM (1-10)", *lines]), encoding="utf-8")
    assert propose(path).task["options"] == [str(k) for k in range(1, 11)]
