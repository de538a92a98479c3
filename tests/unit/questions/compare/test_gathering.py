"""The systems of each judge are counted once, however many questions ask for them."""

from __future__ import annotations

import pytest

from goldassay.examples import answers
from goldassay.questions.compare import gathering
from goldassay.questions.compare.gathering import Slicing, gathered


def test_systems_are_counted_once_for_each_judge_and_slicing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[str, str | None]] = []
    counted = gathering.counted_systems

    def counting(units, subject, slicing):  # type: ignore[no-untyped-def]
        made.append((subject.judge, slicing.name))
        return counted(units, subject, slicing)

    monkeypatch.setattr(gathering, "counted_systems", counting)
    ratings = answers()
    first, *_ = ratings.judges
    every = gathered(ratings, (), Slicing()).systems
    assert made == [(name, None) for name in ratings.judges]
    (again,) = gathered(ratings, (first,), Slicing()).systems
    assert again[1] is every[0][1] is not None
    assert len(made) == len(ratings.judges)
