"""Equal error rates over systems: hand arithmetic, size and power."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from small_tables import judged, units

from goldassay.questions.select.candidates import gather
from goldassay.questions.select.stability import (
    Distortion,
    Homogeneity,
    RandomSigns,
    distortions,
    homogeneity,
    stabilities,
)
from goldassay.results import Undefined

ONES = np.ones(1, dtype=np.int64)


def drawn(
    rng: np.random.Generator, rates: list[float], *, prompts: int, share: float
) -> Homogeneity:
    """Prompts answered by every system; hits hang together within a prompt."""
    systems = len(rates)
    sizes = (rng.random((prompts, systems)) < share).astype(float)
    noise = np.sqrt(0.3) * rng.standard_normal((prompts, 1))
    noise = noise + np.sqrt(0.7) * rng.standard_normal((prompts, systems))
    hits = (noise < stats.norm.ppf(rates)) * sizes
    found = homogeneity(
        hits, sizes, np.ones(prompts, dtype=np.int64), RandomSigns(int(rng.integers(1e9)), 300)
    )
    assert isinstance(found, Homogeneity)
    return found


def test_the_statistic_is_pearsons() -> None:
    hits, sizes = np.diag([18.0, 9.0, 15.0]), np.diag([20.0, 20.0, 20.0])
    found = homogeneity(hits, sizes, np.ones(3, dtype=np.int64), RandomSigns(0))
    assert isinstance(found, Homogeneity)
    table = np.array([[18, 9, 15], [2, 11, 5]])
    assert found.statistic == pytest.approx(stats.chi2_contingency(table, correction=False)[0])


def test_single_items_agree_with_pearsons_p() -> None:
    hits = np.repeat(np.eye(2), [30, 20], axis=0)
    sizes = np.concatenate([hits, np.repeat(np.eye(2), [10, 20], axis=0)])
    hits = np.concatenate([hits, np.zeros((30, 2))])
    found = homogeneity(hits, sizes, np.ones(80, dtype=np.int64), RandomSigns(0, 20_000))
    assert isinstance(found, Homogeneity)
    expected = stats.chi2_contingency(np.array([[30, 20], [10, 20]]), correction=False)[1]
    assert found.p_value == pytest.approx(expected, abs=0.008)


def test_merged_patterns_give_the_same_test() -> None:
    hits = np.array([[1.0, 0], [0, 0], [0, 1], [0, 0]])
    sizes = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    times = np.array([30, 10, 20, 20])
    merged = homogeneity(hits, sizes, times, RandomSigns(0, 20_000))
    apart = homogeneity(
        np.repeat(hits, times, axis=0),
        np.repeat(sizes, times, axis=0),
        np.ones(80, dtype=np.int64),
        RandomSigns(1, 20_000),
    )
    assert isinstance(merged, Homogeneity)
    assert isinstance(apart, Homogeneity)
    assert merged.statistic == pytest.approx(apart.statistic)
    assert merged.p_value == pytest.approx(apart.p_value, abs=0.006)


@pytest.mark.parametrize(("prompts", "share"), [(50, 0.3), (150, 0.1)])
def test_size_and_power(prompts: int, share: float) -> None:
    rng = np.random.default_rng(0)
    alike = [drawn(rng, [0.9] * 4, prompts=prompts, share=share).p_value for _ in range(200)]
    unlike = [
        drawn(rng, [0.9, 0.9, 0.9, 0.5], prompts=prompts, share=share).p_value for _ in range(100)
    ]
    assert np.mean(np.array(alike) < 0.05) <= 0.085
    assert np.mean(np.array(unlike) < 0.05) > 0.5


def test_what_cannot_be_tested() -> None:
    assert isinstance(
        homogeneity(np.ones((1, 2)), np.array([[5.0, 0]]), ONES, RandomSigns(0)), Undefined
    )
    perfect = homogeneity(np.array([[5.0, 4]]), np.array([[5.0, 4]]), ONES, RandomSigns(0))
    assert isinstance(perfect, Homogeneity)
    assert perfect.p_value == 1


def test_a_judge_kinder_to_one_system_is_not_stable(tmp_path: Path) -> None:
    """On system t every third positive is found, on s all of them; specificity is 1 on both."""
    truth = [1, 1, 1, 0] * 30
    system = ["s"] * 60 + ["t"] * 60
    verdicts = [label if i < 60 or i % 4 == 0 else 0 for i, label in enumerate(truth)]
    candidates = gather(units(tmp_path, judged(truth, {"a": verdicts}, system=system)))
    sensitivity, specificity = stabilities(candidates, seed=1)
    assert (sensitivity.judge, sensitivity.rate) == ("a", "sensitivity")
    assert sensitivity.systems == ("s", "t")
    assert isinstance(sensitivity.found, Homogeneity)
    assert sensitivity.found.rates == pytest.approx([1, 1 / 3])
    assert sensitivity.differs
    assert specificity.rate == "specificity"
    assert not specificity.differs
    assert stabilities(gather(units(tmp_path, judged(truth, {"a": verdicts}))), seed=1) == ()


def test_the_line_of_a_judge_joins_its_rates(tmp_path: Path) -> None:
    candidates = gather(units(tmp_path, judged([1, 1, 0, 0, 0], {"a": [1, 0, 1, 0, 0]})))
    (line,) = distortions(candidates)
    assert line == Distortion("a", pytest.approx(1 / 3), 0.5, "yes")
    assert line.youden_j == pytest.approx(1 / 6)
    # without a negative item there is no false positive rate
    assert distortions(gather(units(tmp_path, judged([1, 1], {"a": [1, 0]})))) == ()


def test_signs_are_drawn_once_for_the_same_clusters() -> None:
    signs, times = RandomSigns(3, 50), np.array([1, 4, 2])
    (first,) = signs.blocks(times)
    (again,) = signs.blocks(times.copy())
    assert again is first
    assert (np.abs(first) <= times).all()
    assert ((first - times) % 2 == 0).all()
    (other,) = signs.blocks(times + 1)
    assert (np.abs(other) > times).any()
