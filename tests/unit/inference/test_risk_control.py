"""How far down a list the error stays within a limit: by hand, against a plain twin, by chance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from naive_routes import holds_until, most_errors
from scipy.stats import beta

from goldassay.inference.risk_control import (
    Steps,
    _variance,
    fewest_labels,
    labels_needed,
    last_held,
    least_risk,
    sequence,
    steps_of,
)

RISK = LEVEL = 0.05


def alone(wrong: list[int], sure: list[float] | None = None, level: float = LEVEL) -> Steps:
    """Steps of decisions that stand alone, the surest first."""
    given = np.linspace(1, 0, len(wrong)) if sure is None else np.array(sure)
    return steps_of(given, np.array(wrong, float), None, np.ones(len(wrong)), level)


def test_labels_without_an_error() -> None:
    # .95^58 = .0510 and .95^59 = .0485; .9^28 = .0523 and .9^29 = .0471.
    assert fewest_labels(0.05, 0.05) == labels_needed(0.05, 0.05, 0.0) == 59
    assert fewest_labels(0.1, 0.05) == 29
    # .99^n <= .05 first at 299.
    assert fewest_labels(0.01, 0.05) == 299


def test_labels_with_errors() -> None:
    # One error of 93 is the fewest: P(X <= 1) = .95^93 + 93 (.05) .95^92 = .0085 + .0415.
    assert most_errors(92, RISK, LEVEL) == 0
    assert most_errors(93, RISK, LEVEL) == 1
    needed = labels_needed(RISK, LEVEL, share=0.02)
    steps = alone([1] * round(0.02 * needed) + [0] * (needed - round(0.02 * needed)))
    assert steps.upper[-1] == pytest.approx(RISK, abs=0.002)


@given(st.floats(1e-6, 0.99), st.floats(1e-6, 0.5), st.floats(0, 1))
@example(0.05, 0.05, 0.05)
@example(0.05, 0.05, math.nextafter(0.05, 0))
@example(0.05, 0.05, 0.0499999)
def test_labels_that_are_needed_show_it_or_none_do(risk: float, level: float, of: float) -> None:
    """However near the share of errors is to the limit, the search ends."""
    share = min(of, risk)
    needed = labels_needed(risk, level, share)
    if needed is None:
        assert share > 0.9 * risk
        return
    assert needed >= fewest_labels(risk, level)
    assert beta.ppf(1 - level, share * needed + 1, needed * (1 - share)) <= risk * (1 + 1e-6)


def test_the_sequence_by_hand() -> None:
    # 100 labels; the first test is at 59. Right up to 70, then wrong throughout. Steps have 2 %
    # more labels each: 59, 61, ..., 69 without an error, 71 with one, where 71 allow none.
    steps = alone([0] * 70 + [1] * 30)
    held = last_held(steps, RISK)
    assert held is not None
    assert (steps.labels[held], steps.errors[held]) == (69, 0)
    # An error among the first 59 ends it before it began.
    assert last_held(alone([0] * 10 + [1] + [0] * 89), RISK) is None
    # 58 labels cannot show it; a limit of 10 % can be shown by them.
    few = alone([0] * 58)
    assert not len(sequence(few, RISK))
    assert last_held(few, RISK) is None
    # 1 - .05^(1/58) = 5.03 %, so that 5.5 % is the least in steps of half a percent.
    assert least_risk(few, RISK) == pytest.approx(0.055)


def test_equally_sure_decisions_stand_or_fall_together() -> None:
    # Five answers: 80 decisions of which all agree, then 40 of four in five with 10 errors.
    steps = alone([0] * 80 + [1] * 10 + [0] * 30, [1.0] * 80 + [0.8] * 40)
    assert steps.labels.tolist() == [80, 120]
    held = last_held(steps, RISK)
    assert held == 0
    assert steps.at_least[held] == 1.0


@pytest.mark.parametrize("seed", range(40))
def test_against_a_plain_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(40, 400))
    doubt = rng.random(size).round(int(rng.integers(1, 4)))
    wrong = (rng.random(size) < rng.choice([0.02, 0.1, 0.4]) * doubt**2).astype(float)
    risk, level = float(rng.choice([0.05, 0.1, 0.2])), float(rng.choice([0.05, 0.1]))
    steps = steps_of(1 - doubt, wrong, None, np.ones(size), level)
    held = last_held(steps, risk)
    plain = holds_until(list(zip((1 - doubt).tolist(), wrong.tolist(), strict=True)), risk, level)
    if plain is None:
        assert held is None
    else:
        assert held is not None
        assert (steps.at_least[held], steps.labels[held], steps.errors[held]) == plain


def test_clusters_of_copies_are_worth_one_each() -> None:
    # Forty right decisions, five times over: 200 labels, as good as the 40 clusters or less.
    cluster = np.repeat(np.arange(40), 5)
    sure = np.linspace(1, 0, 200)
    steps = steps_of(sure, np.zeros(200), cluster, np.ones(200), LEVEL)
    assert steps.clusters[-1] == 40
    assert steps.effective[-1] <= 40
    assert last_held(steps, RISK) is None
    assert last_held(alone([0] * 200), RISK) is not None


def test_unequal_weights_cost() -> None:
    # Kish: (100 + 100 x 9)^2 / (100 + 100 x 81) = 121.95 labels' worth.
    weight = np.repeat([1.0, 9.0], 100)
    steps = steps_of(np.linspace(1, 0, 200), np.zeros(200), None, weight, LEVEL)
    assert steps.effective[-1] == pytest.approx(1000**2 / 8200)
    # The surest fifty stand for nothing, and are worth none.
    idle = np.concatenate([np.zeros(50), np.ones(150)])
    steps = steps_of(np.linspace(1, 0, 200), np.zeros(200), None, idle, LEVEL)
    assert steps.effective[steps.labels == 49].tolist() == [0.0]
    assert steps.upper[steps.labels == 49].tolist() == [1.0]
    assert steps.effective[-1] == 150
    # The weighted share: half of the heavy ones are wrong.
    wrong = np.concatenate([np.zeros(100), np.tile([0.0, 1.0], 50)])
    steps = steps_of(np.linspace(1, 0, 200), wrong, None, weight, LEVEL)
    assert steps.share[-1] == pytest.approx(450 / 1000)


@pytest.mark.parametrize("size", [1, 4])
def test_a_judge_just_above_the_limit_rarely_passes(size: int) -> None:
    """Every pass is an error: at most 5 % and three Monte Carlo errors of 400 studies."""
    rng = np.random.default_rng(3)
    passed = 0
    for _ in range(400):
        common = np.repeat(rng.random(80) < 0.0501, size)
        own = rng.random(80 * size) < 0.0501
        wrong = np.where(rng.random(80 * size) < 0.5, common, own).astype(float)
        cluster = None if size == 1 else np.repeat(np.arange(80), size)
        given = own.astype(float) if size == 1 else wrong
        steps = steps_of(rng.random(80 * size), given, cluster, np.ones(80 * size), LEVEL)
        passed += last_held(steps, RISK) is not None
    assert passed / 400 <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_a_giant_cluster_is_no_witness_for_itself() -> None:
    rng = np.random.default_rng(3)
    sure, wrong, weight = np.ones(120), (rng.random(120) < 0.1).astype(float), np.ones(120)
    equal = steps_of(sure, wrong, np.repeat(np.arange(20), 6), weight, 0.05)
    giant = np.concatenate([np.zeros(101, np.int64), np.arange(1, 20)])
    unequal = steps_of(sure, wrong, giant, weight, 0.05)
    assert unequal.upper[-1] > equal.upper[-1] + 0.03
    assert unequal.upper[-1] < 0.9  # no fewer degrees than those of `LEAST_WORTH`
    alone = steps_of(sure, wrong, np.zeros(120, np.int64), weight, 0.05)
    assert alone.upper[-1] == 1


def test_the_variance_of_a_share_by_hand() -> None:
    """Clusters of 1, 1 and 2 labels with 1, 0 and 1 errors: residuals .5, -.5 and 0."""
    hits, sizes = np.array([[1.0], [0.0], [1.0]]), np.array([[1.0], [1.0], [2.0]])
    found = _variance(hits, sizes, np.array([0.5]))
    assert found == pytest.approx([2 * 0.25 / 0.75 / 4**2])
