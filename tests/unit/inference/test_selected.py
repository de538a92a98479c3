"""Raters of a selection, on tables counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact

from goldassay.inference.selected import _as_unlike, raters_of_selections

RATERS = ("ann", "bob", "zed")


def rows(third_where_they_differ: int, third_elsewhere: int) -> tuple[np.ndarray, np.ndarray]:
    """Two raters of 100 units who differ on 30, and how many of each kind a third one rated."""
    verdict = np.array([[0, 1, 0], [0, 1, -1], [0, 0, 0], [0, 0, -1]])
    n = [
        third_where_they_differ,
        30 - third_where_they_differ,
        third_elsewhere,
        70 - third_elsewhere,
    ]
    return verdict, np.array(n)


def test_who_rated_only_what_others_differ_on_saw_a_selection() -> None:
    (one,) = raters_of_selections(*rows(30, 0), RATERS, 2)
    assert (one.rater, one.units, one.differ, one.differ_elsewhere) == ("zed", 30, 1.0, 0.0)


@pytest.mark.parametrize(("differing", "alike"), [(9, 21), (12, 18), (30, 70), (0, 0), (0, 30)])
def test_who_rated_some_of_all_did_not(differing: int, alike: int) -> None:
    assert raters_of_selections(*rows(differing, alike), RATERS, 2) == ()


@pytest.mark.parametrize("table", [(8, 2, 3, 20), (5, 0, 10, 30), (2, 9, 4, 5)])
def test_the_chance_is_fishers(table: tuple[int, int, int, int]) -> None:
    hits, rest, misses, others = table
    expected = fisher_exact([[hits, rest], [misses, others]], alternative="greater").pvalue
    found = _as_unlike(hits, hits + rest, misses, misses + others)
    assert found == pytest.approx(expected, rel=1e-9)
