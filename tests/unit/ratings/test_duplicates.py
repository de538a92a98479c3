"""Whether a rater rated a unit twice is asked once of a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from goldassay.examples import grades
from goldassay.ratings import duplicates
from goldassay.ratings.duplicates import each_once


def test_a_table_is_asked_once_and_another_one_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    fetch = duplicates.fetch

    def counted(frame: Any, *, place: str) -> Any:
        asked.append(place)
        return fetch(frame, place=place)

    monkeypatch.setattr(duplicates, "fetch", counted)
    ratings = grades()
    assert each_once(ratings, parts=False) is ratings
    assert each_once(ratings, parts=False) is each_once(ratings, parts=True) is ratings
    assert len(asked) == 1  # without weights, parts make no difference
    narrowed = replace(ratings, frame=ratings.frame.head(100))
    assert each_once(narrowed, parts=False) is narrowed
    assert len(asked) == 2
