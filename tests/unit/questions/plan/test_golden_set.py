"""Labelled items that tell two judges apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, units

from goldassay.questions.plan.golden_set import Pair, Sureness, golden_set, items_to_tell_apart


def test_golden_set_size_has_the_stated_power() -> None:
    """Two independent judges, 20,000 simulated golden sets."""
    first, second, prevalence = (0.9, 0.8), (0.8, 0.8), 0.5
    n = items_to_tell_apart(first, second, prevalence=prevalence)
    assert n == 895
    rng = np.random.default_rng(0)
    positives = rng.binomial(n, prevalence, 20_000)
    negatives = n - positives
    difference, variance = 0.0, 0.0
    for count, a, b in ((positives, 0.9, 0.8), (negatives, 0.8, 0.8)):
        only_a = rng.binomial(count, a * (1 - b))
        only_b = rng.binomial(count - only_a, b * (1 - a) / (1 - a * (1 - b)))
        d = (only_a - only_b) / count
        difference = difference + d / 2
        variance = variance + ((only_a + only_b) / count - d**2) / count / 4
    assert (np.abs(difference) > 1.959964 * np.sqrt(variance)).mean() == pytest.approx(
        0.8, abs=0.015
    )


def test_equal_judges_are_never_told_apart() -> None:
    assert items_to_tell_apart((0.9, 0.8), (0.8, 0.9), prevalence=0.3) is None
    assert items_to_tell_apart((0.9, 0.8), (0.8, 0.8), prevalence=0.0) is None


def test_more_comparisons_and_rarer_positives_need_more_items() -> None:
    one = items_to_tell_apart((0.9, 0.8), (0.8, 0.8), prevalence=0.5)
    many = items_to_tell_apart(
        (0.9, 0.8), (0.8, 0.8), prevalence=0.5, sure=Sureness(comparisons=10)
    )
    rare = items_to_tell_apart((0.9, 0.8), (0.8, 0.8), prevalence=0.05)
    alike = items_to_tell_apart((0.9, 0.8), (0.8, 0.8), prevalence=0.5, correlation=0.5)
    sizes = [size for size in (alike, one, many, rare) if size is not None]
    assert len(sizes) == 4
    assert sizes == sorted(sizes)


#: Ten items truly yes, ten truly no; `good` errs on one of each, `poor` on four of each, of which
#: one is the same: balanced accuracies .9 and .6.
TRUTH = [1] * 10 + [0] * 10
GOOD = [0] + [1] * 9 + [1] + [0] * 9
POOR = [0] * 4 + [1] * 6 + [1] * 4 + [0] * 6


def by_hand() -> int | None:
    """Hits within a class: together .6 (where poor is right), so covariance .6 - .9 x .6 = .06;
    deviations .3 and sqrt(.24): correlation .06 / .147."""
    correlation = 0.06 / (0.3 * 0.24**0.5)
    return items_to_tell_apart((0.9, 0.9), (0.6, 0.6), prevalence=0.5, correlation=correlation)


def test_pairs_of_judges_as_they_look_so_far(tmp_path: Path) -> None:
    found = golden_set(units(tmp_path, judged(TRUTH, {"good": GOOD, "poor": POOR})))
    assert found is not None
    (pair,) = found.pairs
    assert (pair.first, pair.second) == ("good", "poor")
    assert pair.difference == pytest.approx(0.3)
    assert pair.items == by_hand()


@pytest.mark.parametrize("declared", [{}, {"reference": "each"}, {"reference": "soft"}])
def test_two_people_who_agree_count_as_one(tmp_path: Path, declared: dict[str, str]) -> None:
    rows = judged(TRUTH, {"good": GOOD, "poor": POOR})
    rows += [{**row, "rater": "other"} for row in rows if row["kind"] == "human"]
    found = golden_set(units(tmp_path, rows, **declared))
    assert found is not None
    assert found.pairs[0].difference == pytest.approx(0.3)
    assert found.pairs[0].items == by_hand()


def test_weights_that_are_equal_change_nothing_and_others_weigh(tmp_path: Path) -> None:
    def difference(weights: list[float]) -> float:
        rows = judged(TRUTH, {"good": GOOD, "poor": POOR}, weight=weights)
        found = golden_set(units(tmp_path, rows))
        assert found is not None
        assert found.pairs[0].difference is not None
        return found.pairs[0].difference

    assert difference([2.0] * 20) == pytest.approx(0.3)
    # The second yes item, which `poor` alone gets wrong, weighs 11 of 20: sensitivities 19/20 and
    # 6/20; specificities stay .9 and .6. (13 / 20 + 6 / 20) / 2.
    assert difference([1.0, 11.0] + [1.0] * 18) == pytest.approx((13 / 20 + 0.3) / 2)


def test_judges_that_share_no_item_of_a_class_are_not_compared(tmp_path: Path) -> None:
    first = [verdict if index < 10 else -1 for index, verdict in enumerate(GOOD)]
    found = golden_set(units(tmp_path, judged(TRUTH, {"good": first, "poor": POOR})))
    assert found is not None
    assert found.pairs == (Pair("good", "poor", None, None),)


def test_one_judge_has_no_pair(tmp_path: Path) -> None:
    assert golden_set(units(tmp_path, judged(TRUTH, {"good": GOOD}))) is None
