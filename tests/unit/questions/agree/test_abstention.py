"""Whether it depends on the items, or on the judge, that a verdict is missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_units import BINARY, DRAW, units

from goldassay.questions.agree.abstention import (
    dependence,
    difficulty,
    missing_by_judge,
    rate_results,
    share,
)


@pytest.mark.parametrize(("size", "clusters"), [(1, 2139), (3, 713)])
def test_full_coverage_has_an_interval_of_use(size: int, clusters: int) -> None:
    """2,139 verdicts of 2,139: as far below 1 as clusters that were not met allow."""
    sums = np.full((1, 2), float(size))
    found = share("coverage", sums, np.array([clusters]), "item", DRAW)
    assert (found.value, found.interval.high) == (1, 1)
    # Beta(C + 1/4, 1): 1 - .025^(1/C) is 3.7/C at 95 %.
    assert found.interval.low == pytest.approx(1 - 3.7 / clusters, abs=1.5 / clusters)


def test_missing_verdicts_by_column_by_hand() -> None:
    # topic x: 30 verdicts and 10 abstentions; topic y: 38 and 2.
    u = units(BINARY, [[1, 0]] * 4, [[0], [2], [0], [2]], [30, 10, 38, 2])
    codes = np.array([0, 0, 1, 1])
    (found,) = dependence(
        u, u.judges[0], {"topic": (("x", "y"), codes), "one": (("z",), codes * 0)}
    )
    assert (found.column, found.most, found.least) == ("topic", "x", "y")
    assert (found.most_rate, found.least_rate) == (0.25, 0.05)
    # 12 of 80 missing; 6 expected of each 40: 2 * 4^2 / (40 * .15 * .85) = 6.27, V = .28
    assert found.cramer_v == pytest.approx(np.sqrt(32 / (40 * 0.15 * 0.85) / 80))
    assert found.p_value == pytest.approx(0.0123, abs=0.0002)
    whole = replace(u, verdict=np.zeros((4, 1), np.int64))
    assert dependence(whole, whole.judges[0], {"topic": (("x", "y"), codes)}) == ()


def test_missing_verdicts_by_judge() -> None:
    u = units(BINARY, [[1, 0]] * 2, [[0, 0], [2, 0]], [30, 10], judges=("a", "b"))
    found = missing_by_judge(u, {"a": 0.75, "b": 1.0})
    assert found.judges == ("a", "b")
    assert found.shares.tolist() == [0.25, 0.0]
    assert found.items.tolist() == [40.0, 40.0]
    # 10 of 80; 5 expected of each 40: 2 * 5^2 / (40 / 8 * 7 / 8)
    assert found.cramer_v == pytest.approx(np.sqrt(50 / (5 * 7 / 8) / 80))
    assert missing_by_judge(u, {"a": 1.0, "b": 1.0}) is None


def test_a_place_left_empty_is_a_verdict_that_is_missing() -> None:
    """30 verdicts, and 10 labelled units without one: of 40, or of 30 where rows say what was
    asked; of units that nobody labelled nothing."""
    u = units(BINARY, [[1, 0], [1, 0], [0, 0]], [[0], [-1], [0]], [30, 10, 7])
    (unasked,) = rate_results(replace(u, by_rows=frozenset(u.judges)), u.judges[0], DRAW)
    (asked,) = rate_results(u, u.judges[0], DRAW)
    assert (unasked.value, unasked.n_items) == (1.0, 30)
    assert (asked.value, asked.n_items) == (0.75, 40)


def test_rates_that_the_data_cannot_have_are_left_out() -> None:
    u = units(BINARY, [[1, 0]] * 2, [[0], [3]], [30, 10])
    found = rate_results(u, u.judges[0], DRAW)
    assert {r.name: r.value for r in found} == {"coverage": 0.75, "invalid_rate": 0.25}


def test_difficulty_needs_two_people() -> None:
    assert difficulty(units(BINARY, [[1, 0]], [[0]], [5])) is None
    u = units(BINARY, [[2, 0], [1, 1], [1, 0]], [[0]] * 3, [1, 1, 1])
    _, codes = difficulty(u)
    assert codes.tolist() == [0, 1, -1]
