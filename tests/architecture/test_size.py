"""Packages stay within the sizes of docs/architecture.md, and these are no larger than need be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts")]

from size import MAP, Size, budgets, measured, over_budget, size_of  # noqa: E402

FOUND = measured()
ALLOWED = budgets(MAP.read_text("utf-8"))


def test_every_package_is_within_its_size() -> None:
    assert over_budget(FOUND, ALLOWED) == []


def test_a_size_is_lowered_with_the_code() -> None:
    """A package that shrank by a twentieth has a new line."""
    loose = [name for name, (_, tokens) in ALLOWED.items() if FOUND[name].tokens < 0.95 * tokens]
    assert loose == []


def test_what_is_too_large_is_told() -> None:
    assert over_budget({"new": Size(lines=9, tokens=9)}, {"new": (8, 9), "gone": (1, 1)}) == [
        "new: 9 lines, 8 allowed"
    ]
    assert over_budget({"new": Size()}, {}) == ["new has no budget"]


@pytest.mark.parametrize(
    ("text", "code", "complex_ones"),
    [
        ('"""Doc."""\nimport os\n\n\ndef f(x):\n    # why\n    return x and os\n', 2, 0),
        ("def f(x):\n" + "    if x:\n        x += 1\n" * 20 + "    return x\n", 42, 1),
    ],
)
def test_code_is_counted_without_prose_and_imports(text: str, code: int, complex_ones: int) -> None:
    one = size_of(text)
    assert (one.code, one.complex) == (code, complex_ones)
