"""Units that were kept apart by more columns, and are put together again."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from random_studies import random_study

from goldassay.counts import Units, count_units
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
    ratings = read_ratings(study.frame, Task.from_mapping(study.task))
    apart = count_units(ratings, by=["item", "cluster"])
    plain = count_units(ratings)
    assert len(apart.n) >= len(plain.n)
    assert arrays(apart.plain) == arrays(plain)
