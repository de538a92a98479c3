"""Whether a rater rated a unit twice is asked once of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import pytest

from goldassay.counts import count_units, few_rows
from goldassay.errors import RatingsError
from goldassay.examples import grades
from goldassay.ratings import duplicates
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task


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


@pytest.mark.parametrize("few", [few_rows.FEW_ROWS, 0], ids=["in memory", "by the engine"])
@pytest.mark.parametrize("twice", [False, True])
def test_a_table_whose_units_were_counted_is_not_asked(
    few: int, twice: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(few_rows, "FEW_ROWS", few)
    ratings = grades()
    if twice:  # the first rows stand there again
        ratings = replace(ratings, frame=nw.concat([ratings.frame, ratings.frame.head(7)]))
    units = count_units(ratings)
    assert [one.reason for one in units.exclusions] == ["equal to another row"] * twice
    if not twice:

        def refused(*_: object, **__: object) -> bool:
            raise AssertionError("asked again")

        monkeypatch.setattr(duplicates, "has_duplicates", refused)
    for parts in (False, True):
        assert (each_once(ratings, parts=parts) is ratings) is not twice


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (lambda n: (0.7, 0.3), "likeliest option"),
        (lambda n: (1.5 + n % 3,) * 2, "The column 'page' tells them apart"),
    ],
    ids=["probabilities of the options", "weights of the items"],
)
def test_what_is_advised_of_conflicting_rows_with_weights(
    tmp_path: Path, weights: Callable[[int], tuple[float, float]], said: str
) -> None:
    rows = ["item,rater,kind,value,weight,page"]
    for n in range(12):
        for at, (value, weight) in enumerate(zip(("yes", "no"), weights(n), strict=True)):
            rows.append(f"{n},gpt-5,judge,{value},{weight},{at}")
        rows.append(f"{n},ann,human,{'yes' if n % 3 else 'no'},{weights(n)[0]},0")
    path = tmp_path / "table.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    task = Task.from_mapping({"scale": "binary", "options": ["yes", "no"], "positive": "yes"})
    with pytest.raises(RatingsError) as found:
        each_once(read_ratings(str(path), task), parts=False)
    assert said in str(found.value.next_step)
