"""Agreement item by item, and what it explains of tau."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas.comparisons import comparisons_from_scores, shared_preferences
from goldassay.questions.rank.items import ItemAgreement, ItemLevel, explained_by_items
from goldassay.questions.rank.record import Aggregated, Behaviour, Judged, RankAgreement
from goldassay.questions.rank.resampling import Draw
from goldassay.results import Estimate, Undefined


def test_ties_of_the_judge_agree_by_half() -> None:
    # People prefer the first system on three prompts and tie on the last, which does not count.
    people = comparisons_from_scores(np.array([[2.0, 1.0], [2.0, 1.0], [2.0, 1.0], [1.0, 1.0]]))
    judge = comparisons_from_scores(np.array([[2.0, 1.0], [1.0, 2.0], [1.0, 1.0], [2.0, 1.0]]))
    found = ItemAgreement(*shared_preferences(judge, people))
    assert found.agreed.tolist() == [1, 0, 0.5, 0]
    assert found.value == pytest.approx(1.5 / 3)


def test_errors_that_come_by_prompts_lengthen_the_interval() -> None:
    weights = np.ones((2, 40), np.int64)
    draw, compared = Draw(weights, 40, 0.95), np.full(40, 6.0)

    def length(errors: list[int]) -> float:
        agreed = compared.copy()
        agreed[: len(errors)] -= errors
        found = ItemAgreement(agreed, compared).interval(draw)
        assert found.low < agreed.sum() / 240 <= found.high
        return found.high - found.low

    spread, together = length([1] * 12), length([6, 6])
    assert spread == pytest.approx(0.064, abs=0.006)  # as of 240 lone comparisons, or a little more
    assert together == pytest.approx(2.4 * spread, rel=0.15)  # nearly as of 40
    # Where the judge is never wrong a prompt counts once; one prompt alone tells next to nothing.
    assert length([]) == pytest.approx(1 - 0.025 ** (1 / 40.25), rel=0.02)
    alone = ItemAgreement(np.array([5.0]), np.array([6.0])).interval(draw)
    assert alone.high - alone.low > 0.8


def level(tau: float, accuracy: float | None, delta: float) -> ItemLevel:
    scores = np.zeros(2)
    result = Estimate("kendall_tau", tau)
    agreement = RankAgreement(result, result, None)
    spread = Estimate("bias_delta", delta)
    judge = Judged(
        "judge",
        {"mean": Aggregated(scores, scores[None], agreement=agreement)},
        Behaviour(result, result, result, spread, None),
    )
    silent = Undefined("item_accuracy", "judge and people share no item")
    return ItemLevel(judge, silent if accuracy is None else Estimate("item_accuracy", accuracy))


def test_what_items_and_bias_explain() -> None:
    # tau = accuracy - delta, the two uncorrelated: half of the variance each.
    grid = [(0.6, 0.1), (0.6, 0.3), (0.8, 0.1), (0.8, 0.3)]
    levels = [level(a - d, a, d) for a, d in grid] + [level(0.5, 0.7, 0.2), level(0.9, None, 0.1)]
    found = explained_by_items(levels, "mean")
    assert found is not None
    assert found.n_judges == 5
    assert found.by_items == pytest.approx(0.5)
    assert found.with_bias == pytest.approx(1)


def test_too_few_or_equal_judges_explain_nothing() -> None:
    assert explained_by_items([level(0.1 * i, 0.1 * i, 0.1 * i) for i in range(4)], "mean") is None
    assert explained_by_items([level(0.1 * i, 0.7, 0.1 * i) for i in range(6)], "mean") is None
