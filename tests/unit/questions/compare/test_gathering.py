"""The systems of each judge are counted once, however many questions ask for them."""

from __future__ import annotations

import pytest

from goldassay.examples import answers
from goldassay.questions.compare import gathering
from goldassay.questions.compare.gathering import Slicing, gathered


def test_systems_are_counted_once_for_each_judge_slicing_and_use_of_labels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[str, str | None, str | None]] = []
    counted = gathering.counted_systems

    def counting(units, subject, slicing, *, labels):  # type: ignore[no-untyped-def]
        made.append((subject.judge, slicing.name, labels))
        return counted(units, subject, slicing, labels=labels)

    monkeypatch.setattr(gathering, "counted_systems", counting)
    ratings = answers()
    first, *_ = ratings.judges
    every = gathered(ratings, (), Slicing(), None).systems
    assert made == [(name, None, None) for name in ratings.judges]
    (again,) = gathered(ratings, (first,), Slicing(), None).systems
    assert again[1] is every[0][1] is not None
    assert len(made) == len(ratings.judges)
    for labels in ("own", "shared"):
        gathered(ratings, (first,), Slicing(), labels)
    assert made[len(ratings.judges) :] == [(first, None, "own"), (first, None, "shared")]
