"""How many prompts a ranking needs."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.rank.stability import SHUFFLED, disjoint_subsets
from goldassay.questions.rank.study import Options, study
from goldassay.ratings.task import Task
from tests.support.contests import contest


@pytest.mark.parametrize("n_clusters", [20, SHUFFLED + 1])
def test_subsets_share_no_prompt(n_clusters: int) -> None:
    size = n_clusters // 3
    one, two = disjoint_subsets(n_clusters, size, 300, np.random.default_rng(0))
    assert (one.sum(axis=1) == size).all()
    assert (two.sum(axis=1) == size).all()
    assert not (one * two).any()
    # Every prompt is in a third of the sets, but for five standard errors.
    share, error = size / n_clusters, np.sqrt(2 / 9 / 300)
    assert np.abs([one.mean(axis=0) - share, two.mean(axis=0) - share]).max() < 5 * error


def test_curves_of_a_clear_order() -> None:
    # Without noise every set of prompts, systems or judges gives people's order.
    one = contest(judges=3, noise=0.0)
    steady = study(one, Task(scale="continuous"), options=Options(resamples=100)).stability
    assert steady is not None
    assert steady.judge == "judge 0"
    assert (steady.between.sizes[0], steady.between.sizes[-1]) == (5, 30)  # halves of 60 prompts
    for curve in (steady.between, steady.with_gold, steady.systems, steady.judges):
        assert curve is not None
        assert (*curve.low, *curve.mean) == pytest.approx((1.0,) * (2 * len(curve.sizes)))


def test_few_prompts_are_not_divided() -> None:
    few = study(contest(prompts=19), Task(scale="continuous"), options=Options(resamples=100))
    assert few.stability is None
