"""Ways to spend labels: what each record promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from small_tables import BINARY

from goldassay.questions.plan.designs import (
    BY_LABEL,
    BY_VERDICT,
    DESIGNS,
    PEOPLE,
    RANDOM,
    Design,
    expected_length,
    labels_for_length,
)
from goldassay.questions.plan.precision import JudgeRates
from goldassay.ratings.task import Task

RATES = JudgeRates(0.2, 0.9, 0.7)


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.parametrize("items", [math.inf, 20_000])
def test_labels_for_length_is_the_fewest(design: Design, items: float) -> None:
    labels = labels_for_length(design, RATES, 0.1, items=items)
    assert labels is not None
    assert expected_length(design, RATES, labels, items=items) <= 0.1
    assert expected_length(design, RATES, labels - 1, items=items) > 0.1


def test_a_target_below_what_the_items_allow_is_out_of_reach() -> None:
    assert labels_for_length(BY_LABEL, RATES, 0.05, items=500) is None
    assert labels_for_length(BY_VERDICT, RATES, 0.01, items=500) is None


def test_labels_drawn_from_the_pool_fit_in_it() -> None:
    assert BY_VERDICT.split is not None
    shares = BY_VERDICT.split(RATES, 900, 1000)
    assert sum(shares) == 900
    assert (np.array(shares) <= RATES.strata * 1000 + 0.5).all()


def test_labels_beyond_the_pool_have_no_length() -> None:
    assert expected_length(BY_VERDICT, RATES, 51, items=50) == math.inf
    assert expected_length(RANDOM, RATES, 51, items=50) == math.inf
    assert expected_length(BY_LABEL, RATES, 51, items=50) < 1  # a set beside the pool
    assert expected_length(PEOPLE, RATES, 51, items=50) < 1


def test_only_a_set_beside_the_pool_is_separate() -> None:
    assert [one.name for one in DESIGNS.values() if one.separate] == ["by_label"]


@pytest.mark.parametrize("name", [name for name in DESIGNS if name != "people"])
def test_designs_have_the_names_that_a_task_declares(name: str) -> None:
    task = Task.from_mapping({**BINARY, "calibration": name})
    assert task.calibration == name
