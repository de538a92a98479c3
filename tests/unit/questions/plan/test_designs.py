"""Ways to spend labels: what each record promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from small_tables import BINARY

from goldassay.questions.plan.allocation import algorithm_1
from goldassay.questions.plan.designs import (
    BY_LABEL,
    BY_VERDICT,
    DESIGNS,
    PEOPLE,
    RANDOM,
    Design,
    Purpose,
    expected_length,
    fewest,
    labels_for_length,
    length_of_shares,
)
from goldassay.questions.plan.precision import JudgeRates
from goldassay.ratings.task import Task

RATES = JudgeRates(0.2, 0.9, 0.7)


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.parametrize("items", [math.inf, 20_000])
def test_labels_for_length_is_the_fewest(design: Design, items: float) -> None:
    purpose = Purpose(0.1, items)
    labels = labels_for_length(design, RATES, purpose)
    assert labels is not None
    assert expected_length(design, RATES, labels, purpose) <= 0.1
    assert expected_length(design, RATES, labels - 1, purpose) > 0.1


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_assurance_takes_more_labels_and_keeps_its_word(design: Design) -> None:
    plain = labels_for_length(design, RATES, Purpose(0.1, 20_000))
    labels = labels_for_length(design, RATES, Purpose(0.1, 20_000, share=0.8))
    assert plain is not None
    assert labels is not None
    assert plain < labels < 1.4 * plain
    # Other studies than those it was found with.
    assert expected_length(design, RATES, labels, Purpose(0.1, 20_000, share=0.7, seed=9)) <= 0.1


def test_the_length_is_that_of_the_papers_interval() -> None:
    """Lang-Reiczigel: p = .4 of 1,000, q0 = .7 and q1 = .9 of 200 each -> (.05635, .26273)."""
    rates = JudgeRates.from_verdicts(0.4, 0.9, 0.7)
    found = length_of_shares(BY_LABEL, rates, (200, 200), Purpose(0.1, 1000))
    assert found == pytest.approx(0.2627330258 - 0.0563507248, abs=1e-9)


def test_a_judge_without_information_bounds_nothing() -> None:
    found = length_of_shares(BY_LABEL, JudgeRates(0.3, 0.5, 0.5), (100, 100), Purpose(0.1, 1000))
    assert found == math.inf


def test_a_target_below_what_the_items_allow_is_out_of_reach() -> None:
    assert labels_for_length(BY_LABEL, RATES, Purpose(0.05, 500)) is None
    assert labels_for_length(BY_VERDICT, RATES, Purpose(0.01, 500)) is None


def test_labels_drawn_from_the_pool_fit_in_it() -> None:
    assert BY_VERDICT.split is not None
    shares = BY_VERDICT.split(RATES, 900, Purpose(0.1, 1000))
    assert sum(shares) == 900
    assert (np.array(shares) <= RATES.strata * 1000 + 0.5).all()


def test_labels_beyond_the_pool_have_no_length() -> None:
    assert expected_length(BY_VERDICT, RATES, 51, Purpose(0.1, 50)) == math.inf
    assert expected_length(RANDOM, RATES, 51, Purpose(0.1, 50)) == math.inf
    assert expected_length(BY_LABEL, RATES, 51, Purpose(0.1, 50)) < 1  # a set beside the pool
    assert expected_length(PEOPLE, RATES, 51, Purpose(0.1, 50)) < 1


def test_only_a_set_beside_the_pool_is_separate() -> None:
    assert [one.name for one in DESIGNS.values() if one.separate] == ["by_label"]


@pytest.mark.parametrize("name", [name for name in DESIGNS if name != "people"])
def test_designs_have_the_names_that_a_task_declares(name: str) -> None:
    task = Task.from_mapping({**BINARY, "calibration": name})
    assert task.calibration == name


@given(
    some.integers(1, 5), some.integers(0, 3_000), some.integers(1, 4_000), some.integers(1, 4_000)
)
def test_a_search_finds_the_fewest_wherever_it_begins(
    least: int, most: int, fewest_of_all: int, near: int
) -> None:
    asked: list[int] = []

    def reached(labels: int) -> bool:
        asked.append(labels)
        return labels >= fewest_of_all

    wanted = max(fewest_of_all, least)
    assert fewest(reached, least, most, near) == (wanted if wanted <= most else None)
    assert all(least <= labels <= most for labels in asked)
    assert len(set(asked)) == len(asked)


@settings(max_examples=15, deadline=None)
@given(
    theta=some.floats(0.02, 0.98),
    sensitivity=some.floats(0.55, 1),
    specificity=some.floats(0.55, 1),
    labels=some.integers(2, 400),
    items=some.sampled_from([200.0, 1000.0, math.inf]),
    share=some.sampled_from([None, 0.8]),
)
def test_no_other_split_of_a_separate_set_is_shorter(
    theta: float,
    sensitivity: float,
    specificity: float,
    labels: int,
    items: float,
    share: float | None,
) -> None:
    """Not Algorithm 1's, not halves, and none next to it, by the very lengths that are told."""
    rates, purpose = JudgeRates(theta, sensitivity, specificity), Purpose(0.1, items, share=share)
    assert BY_LABEL.split is not None
    negatives, positives = BY_LABEL.split(rates, labels, purpose)
    assert negatives + positives == labels
    theirs = algorithm_1(
        labels, rates.verdict_rate, specificity=specificity, sensitivity=sensitivity
    )
    others = {theirs.positives, labels // 2, positives - 1, positives + 1}
    least = min(10, labels // 2)  # with fewer of a label its error rate is not known at all
    ours = length_of_shares(BY_LABEL, rates, (negatives, positives), purpose)
    for other in others:
        if least <= other <= labels - least:
            assert ours <= length_of_shares(BY_LABEL, rates, (labels - other, other), purpose)
