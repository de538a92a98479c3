"""Drawn files in the shapes that public repositories have are read as they are meant, or asked
about (`benchmarks/odd_files.py` draws and measures many)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from odd_files import SHAPES, drawn_file, outcome, written  # noqa: E402

#: What is not read right at once, and how it ends.
TOLD = {"scores_side_by_side": "part, told"}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_drawn_file(tmp_path: Path, shape: str) -> None:
    file = drawn_file("mend", shape, 1)
    found = outcome(file, written(file, tmp_path))
    assert found.name == TOLD.get(shape, "right"), found.why


def test_a_seed_draws_the_same_file() -> None:
    one, two = (drawn_file("held", "nested_kinds", 7) for _ in range(2))
    assert one.files == two.files
    assert one.ratings == two.ratings
