"""Raters among themselves, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from small_units import BINARY, DRAW, units

from goldassay.questions.agree.panels import (
    error_correlation,
    inter_rater,
    mean_pairwise_kappa,
    one_verdict,
)
from goldassay.results import Estimate, Undefined


def test_panels_by_hand() -> None:
    assert one_verdict(np.array([[0, 0, 1], [0, 1, -1], [-1, -1, -1]]), 2).tolist() == [0, -1, -1]
    codes = np.array([[0, 0], [1, 1], [0, 0], [1, 1]])
    reference = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    together = error_correlation(codes, reference, np.ones(4, np.int64))
    assert together[0, 1] == pytest.approx(1)  # they err on the same items


def test_inter_rater_covers_a_perfect_panel_with_width() -> None:
    u = units(BINARY, [[1, 0], [0, 1]], [[0], [1]], [10, 10])
    counts = np.array([[3, 0], [0, 3]])
    found = {r.name: r for r in inter_rater(counts, u, DRAW, prefix="")}
    alpha = found["krippendorff_alpha"]
    assert alpha.value == 1
    assert alpha.interval.high == 1
    assert 0.5 < alpha.interval.low < 0.99
    alone = inter_rater(np.array([[1, 0], [0, 1]]), u, DRAW, prefix="")
    assert isinstance(alone[0], Undefined)


def test_pairs_of_many_raters_share_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    items, raters = 120, 8
    ease = rng.uniform(0.55, 1.0, (items, 1))
    codes = np.where(rng.random((items, raters)) < ease, rng.integers(0, 2, (items, 1)), 1)
    u = units(
        BINARY,
        [[0, 0]] * items,
        codes.tolist(),
        [1] * items,
        judges=tuple(f"r{k}" for k in range(raters)),
    )

    def width() -> float:
        found = mean_pairwise_kappa("kappa", u, codes, DRAW)
        assert isinstance(found, Estimate)
        return found.interval.high - found.interval.low

    together = width()
    monkeypatch.setattr("goldassay.metrics.rater_pairs.PAIRS_AT_ONCE", 4)
    assert width() == pytest.approx(together, rel=0.1)
