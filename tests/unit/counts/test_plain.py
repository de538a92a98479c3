"""Units that were kept apart by more columns, and are put together again."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from random_studies import random_study

from goldassay.counts import Units, count_units, counting, few_rows
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task


def arrays(units: Units) -> dict[str, object]:
    found = {field.name: getattr(units, field.name) for field in fields(units)}
    found["by"] = {name: (one.labels, one.codes.tolist()) for name, one in units.by.items()}
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in found.items()}


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5, 9, 16])
def test_columns_more_leave_no_trace(number: int) -> None:
    """Not in the patterns, and not in their order: every sum over them is the same to the bit."""
    study = random_study(number)
    ratings, again = (read_ratings(study.frame, Task.from_mapping(study.task)) for _ in range(2))
    apart = count_units(ratings, by=["item", "cluster"])
    plain = count_units(again)
    assert len(apart.n) >= len(plain.n)
    assert arrays(apart.plain) == arrays(plain)


@pytest.mark.parametrize("few", [few_rows.FEW_ROWS, 0], ids=["in memory", "by the engine"])
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5, 9, 16])
def test_what_was_counted_by_more_columns_is_not_counted_again(
    number: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(few_rows, "FEW_ROWS", few)
    study = random_study(number)
    ratings, again = (read_ratings(study.frame, Task.from_mapping(study.task)) for _ in range(2))
    fresh = [count_units(again, by=by) for by in ([], ["cluster"])]
    count_units(ratings, by=["item", "cluster"])

    def refused(*_: object) -> Units:
        raise AssertionError("counted again")

    monkeypatch.setattr(counting, "_counted", refused)
    for by, units in zip(([], ["cluster"]), fresh, strict=True):
        assert arrays(count_units(ratings, by=by)) == arrays(units)
    with pytest.raises(AssertionError, match="counted again"):  # the same columns in another order
        count_units(ratings, by=["cluster", "item"])
