"""Groups of raters: the shuffle test is silent without a difference and finds one that is there."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.audit.populations import compare_groups, holm


def shares(counts: np.ndarray) -> np.ndarray:
    """One statistic of one 'judge': the mean share of the first option."""
    used = counts[counts.sum(-1) > 0]
    return np.array([[float((used[:, 0] / used.sum(-1)).mean())]])


def draw(rng: np.random.Generator, shift: float) -> dict[str, np.ndarray]:
    p = rng.random(60) * 0.6 + 0.2
    first = rng.binomial(4, p)
    second = rng.binomial(7, np.clip(p + shift, 0, 1))
    return {
        "a": np.stack([first, 4 - first], 1).astype(float),
        "b": np.stack([second, 7 - second], 1).astype(float),
    }


def test_a_difference_is_found() -> None:
    rng = np.random.default_rng(0)
    (found,) = compare_groups(draw(rng, 0.2), shares, shuffles=199, rng=rng)
    assert (found.first, found.second, found.n_items) == ("a", "b", 60)
    assert found.p_value[0, 0] == pytest.approx(1 / 200)
    assert found.divergence_p_value <= 0.05


def test_without_a_difference_p_values_are_even_whatever_the_group_sizes() -> None:
    rng = np.random.default_rng(1)
    found = [compare_groups(draw(rng, 0.0), shares, shuffles=39, rng=rng)[0] for _ in range(150)]
    for p in ([f.p_value[0, 0] for f in found], [f.divergence_p_value for f in found]):
        assert np.mean(np.array(p) <= 0.1) < 0.18  # .1 expected, standard error .025
        assert 0.4 < np.mean(p) < 0.6


def test_groups_without_a_common_item_are_not_compared() -> None:
    one, two = np.array([[1.0, 0], [0, 0]]), np.array([[0.0, 0], [0, 1]])
    rng = np.random.default_rng(0)
    assert compare_groups({"a": one, "b": two}, shares, shuffles=9, rng=rng) == []


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
