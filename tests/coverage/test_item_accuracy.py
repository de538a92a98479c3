"""`rank`'s item accuracy: its interval holds the truth, and is not longer than it must be."""

from __future__ import annotations

import numpy as np
import pytest
from internals import ItemAgreement, binomial
from internals import PromptDraw as Draw
from scipy.stats import norm, t

RUNS, LEVEL = 400, 0.95


def studies(prompts: int, each: int, accuracy: float, correlation: float) -> np.ndarray:
    """Right comparisons (RUNS, prompts) of `each` on a prompt, which share a chance of their own.

    A Beta distribution with the correlation of two comparisons of a prompt.
    """
    rng = np.random.default_rng(prompts + each)
    if correlation == 0:
        return rng.binomial(each, accuracy, (RUNS, prompts)).astype(float)
    total = 1 / correlation - 1
    chance = rng.beta(accuracy * total, (1 - accuracy) * total, (RUNS, prompts))
    return rng.binomial(each, chance).astype(float)


def intervals(right: np.ndarray, each: int) -> np.ndarray:
    """The ends (RUNS, 2)."""
    prompts = right.shape[1]
    draw = Draw(np.ones((1, prompts), np.int64), prompts, LEVEL)
    found = [ItemAgreement(one, np.full(prompts, float(each))).interval(draw) for one in right]
    return np.array([(one.low, one.high) for one in found])


@pytest.mark.parametrize(
    ("prompts", "each", "accuracy", "correlation"),
    [(20, 6, 0.85, 0.3), (60, 10, 0.7, 0.1), (40, 3, 0.97, 0.3), (150, 6, 0.93, 0.2)],
)
def test_errors_that_come_by_prompts_are_counted(
    prompts: int, each: int, accuracy: float, correlation: float
) -> None:
    right = studies(prompts, each, accuracy, correlation)
    low, high = intervals(right, each).T
    covered = ((low <= accuracy) & (accuracy <= high)).mean()
    assert covered + 2 * np.sqrt(0.05 * 0.95 / RUNS) >= 0.95 - 0.005
    # Beside Student's t over prompts, which falls short where errors are rare.
    error = (right / each).std(1, ddof=1) / np.sqrt(prompts)
    plain = 2 * t.ppf((1 + LEVEL) / 2, prompts - 1) * error
    assert (high - low).mean() <= (1.15 if accuracy < 0.9 else 1.5) * plain.mean()


def test_independent_errors_cost_little() -> None:
    right = studies(100, 5, 0.85, 0.0)
    low, high = intervals(right, 5).T
    assert ((low <= 0.85) & (high >= 0.85)).mean() >= 0.93
    alone = np.subtract(*binomial(right.sum(1), 500, confidence_level=LEVEL)[::-1])
    assert (high - low).mean() <= 1.15 * alone.mean()


def test_a_judge_that_was_never_wrong_counts_each_prompt_once() -> None:
    ((low, high),) = intervals(np.full((1, 30), 5.0), 5)
    assert high == 1
    assert low == pytest.approx(float(binomial(30, 30, confidence_level=LEVEL)[0]))
    assert 1 - low < norm.ppf(0.975) / np.sqrt(30)
