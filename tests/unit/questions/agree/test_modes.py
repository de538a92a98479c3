"""How ties, invalid verdicts and repeats are resolved, by hand."""

from __future__ import annotations

import pytest
from small_units import BINARY, units

from goldassay.questions.agree.modes import Mode, declared_mode, resolved
from goldassay.ratings.task import Task


def test_ties_half_exclude_class() -> None:
    task = Task(scale="pairwise", options=("A", "B", "tie"), tie="tie")
    # reference A, A, tie, tie against verdict A, tie, B, tie
    u = units(
        task, [[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]], [[0], [2], [1], [2]], [4, 3, 2, 1]
    )

    def table(rule: str) -> list[list[float]]:
        mode = Mode("m", "exclude", "exclude", rule, None, "")  # type: ignore[arg-type]
        return resolved(u, u.verdict, mode).total.tolist()

    assert table("class") == [[4, 0, 3], [0, 0, 0], [0, 2, 1]]
    assert table("exclude") == [[4, 0], [0, 0]]
    # A/tie: half AA, half AB; tie/B: half AB, half BB; two ties agree
    assert table("half") == [[4 + 1.5 + 0.5, 1.5 + 1], [0, 1 + 0.5]]


def test_invalid_as_wrong_is_the_other_answer() -> None:
    u = units(BINARY, [[1, 0], [0, 1]], [[3], [3]], [5, 7])
    mode = Mode("m", "exclude", "wrong", "class", None, "")
    assert resolved(u, u.verdict, mode).total.tolist() == [[0, 5], [7, 0]]
    three = Task(scale="nominal", options=("a", "b", "c"))
    u = units(three, [[1, 0, 0]], [[4]], [5])
    found = resolved(u, u.verdict, mode)
    assert found.labels == ("a", "b", "c", "invalid")
    assert found.total[0].tolist() == [0, 0, 0, 5]


def test_repeats_share_their_unit() -> None:
    u = units(BINARY, [[1, 0]], [[0, 0, 1, -1]], [6], samples=("1", "2", "3", "4"))
    total = resolved(u, u.verdict, declared_mode(BINARY)).total
    assert total.tolist() == [[pytest.approx(4), pytest.approx(2)], [0, 0]]
