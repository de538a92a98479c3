"""Position and length, by hand and by simulation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_units import BINARY, DRAW, units

from goldassay.counts import By
from goldassay.questions.agree.bias import length_bias, logistic, position_bias, shown_first
from goldassay.questions.agree.texts import Texts
from goldassay.ratings.task import Task
from goldassay.results import Estimate


def test_position_by_hand() -> None:
    task = Task(scale="pairwise", options=("A", "B"))
    # 6 units: A in both orders; 4 units: whichever is shown first
    u = units(task, [[1, 0], [1, 0]], [[0, 0], [0, 1]], [6, 4], orders=("A", "B"))
    found = {r.name: r for r in position_bias(u, "j", DRAW)}
    assert found["position_consistency"].value == pytest.approx(0.6)
    # shown first wins: once in two for the 6, always for the 4
    assert found["first_position_rate"].value == pytest.approx((3 + 4) / 10)
    assert shown_first("swapped", ["A", "B"]) == 1
    assert shown_first("given", ["A", "B"]) == 0
    assert shown_first("monday", ["A", "B"]) is None


def test_length_bias_is_found_and_not_invented() -> None:
    rng = np.random.default_rng(0)
    size = 400
    truth = rng.random(size) < 0.5
    length = np.exp(rng.normal(5, 1, size))
    lengths = {(f"i{k}", ""): np.array([x]) for k, x in enumerate(length)}
    texts = Texts(dict.fromkeys(lengths, "..."), lengths)
    names = tuple(f"i{k}" for k in range(size))

    def value(verdict: np.ndarray) -> Estimate:
        u = units(
            BINARY, [[int(t), int(not t)] for t in truth], verdict[:, None].tolist(), [1] * size
        )
        u = replace(u, by={"item": By(names, np.arange(size))})
        found = length_bias(u, verdict[:, None], u.human[:, :2].astype(float), texts, DRAW)
        assert isinstance(found, Estimate)
        return found

    fair = np.where(rng.random(size) < 0.85, ~truth, truth).astype(np.int64)
    assert 0 in value(fair).interval
    long = np.log2(length) + 2 * truth + rng.logistic(size=size) * 0.7 > 8.2
    assert value((~long).astype(np.int64)).interval.low > 0
    apart = np.column_stack([np.ones(4), [0, 0, 1, 1]])
    assert logistic(apart, np.array([0.0, 0, 1, 1]), np.arange(4)) is None
