"""Definitions as results, and the judge that each selects."""

from __future__ import annotations

import numpy as np
import pytest
from audit_counts import TASK, counted

from goldassay.questions.audit.bounds import bounds
from goldassay.questions.audit.definitions import Settings, definitions_of
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.performance import Performance, performances
from goldassay.questions.audit.sides import both_sides
from goldassay.results import Estimate, Undefined

YES, NO = [1.0, 0.0], [0.0, 1.0]


def performance(forced: list[list[float]], **judges: list[list[float]]) -> dict[str, Performance]:
    given = {name: np.array(choices) for name, choices in judges.items()}
    sides = both_sides(counted(np.array(forced), **given), TASK)
    definitions = definitions_of(TASK, Settings())
    found = bounds(sides, definitions, Draws(resamples=20, panels=0))
    return {one.definition.label: one for one in performances(sides, definitions, found, None)}


def test_a_definition_selects_the_better_judge() -> None:
    # people say Yes, Yes, No; one judge is right thrice, the other twice
    found = performance([YES, YES, NO], poor=[YES, NO, NO], good=[YES, YES, NO])
    hits = found["hit_rate h/h"]
    assert [one.value for one in hits.results if isinstance(one, Estimate)] == [
        pytest.approx(2 / 3),
        1.0,
    ]
    assert hits.selects == "good"
    assert found["mean_squared_error s/s"].selects == "good"  # the lower one
    assert found["estimation_bias s/s Yes 0.5"].selects == "good"  # the one nearer to 0


def test_judges_that_score_alike_or_an_undefined_one_leave_none_selected() -> None:
    same = performance([YES, YES, NO], one=[YES, NO, NO], two=[NO, YES, NO])
    assert same["hit_rate h/h"].selects is None
    # where the judge has the people's one option only, kappa is 0/0
    undefined = performance([YES, YES], same=[YES, YES], other=[YES, NO])["cohen_kappa h/h"]
    first, second = undefined.results
    assert isinstance(first, Undefined)
    assert "one and the same option" in first.reason
    assert isinstance(second, Estimate)
    assert undefined.selects is None


def test_a_logarithm_of_0_is_named_with_its_items() -> None:
    (only,) = performance([[0.5, 0.5], YES], j=[YES, YES])["kl_divergence s/s"].results
    assert isinstance(only, Undefined)
    assert "logarithm on 1 item;" in only.reason


def test_what_a_result_rests_on() -> None:
    found = performance([[2.0, 1], [1, 0]], j=[YES, YES])
    (hits,) = found["coverage h/hrs"].results
    assert isinstance(hits, Estimate)
    assert hits.declared["raters_per_item"] == "2 (1 to 3)"
    assert hits.declared["set_threshold"] == 0.5
    assert hits.declared["tied_modes"] == "exclude"
    assert hits.assumptions == (
        "people's response sets: assumed, beta = 0",
        "the judge would answer alike if asked again: it was sampled once",
    )
