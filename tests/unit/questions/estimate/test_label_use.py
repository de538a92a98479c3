"""Whose labels correct a system, where some have few of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sample_cells import sample_of_cells

import goldassay as ga
from goldassay.inference.contrasts import pairs_of
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.label_use import LabelUse, PartlyShared
from goldassay.questions.estimate.systems import (
    corrected_rates,
    joint_of,
    labelled_together,
    system_rates,
)
from goldassay.results import Estimate

RANDOM = drawing("random", apart=False)
#: Rows negative, positive, not labelled; columns called negative, called positive.
WHOLE = [[70, 10], [4, 16], [0, 0]]
MANY = [[12, 3], [2, 13], [40, 30]]
FEW = [[1, 0], [0, 2], [50, 47]]
OTHER_FEW = [[2, 1], [0, 1], [60, 36]]
TASK = {"scale": "binary", "options": ["no", "yes"], "positive": "yes", "calibration": "random"}


def ends(result: Any) -> tuple[float, float, float]:
    assert isinstance(result, Estimate)
    assert result.interval is not None
    return result.value, result.interval.low, result.interval.high


def rates_of(*groups: list[list[int]], labels: str | None = None) -> Any:
    found = system_rates(sample_of_cells(*groups), RANDOM, labels=labels, confidence_level=0.95)
    assert found is not None
    return found


def test_a_system_with_labels_is_not_corrected_with_others_because_a_third_has_few() -> None:
    mixed = rates_of(WHOLE, MANY, FEW)
    own, shared = (rates_of(WHOLE, MANY, FEW, labels=labels) for labels in ("own", "shared"))
    assert ends(mixed.rates[0]) == ends(own.rates[0])
    assert ends(mixed.rates[1]) == ends(own.rates[1])
    assert ends(mixed.rates[2]) == pytest.approx(ends(shared.rates[2]))
    assert mixed.rates[0].value == pytest.approx(0.2)
    assert [one.interval.method.split(", ")[1] for one in mixed.rates] == [
        "own labels",
        "own labels",
        "labels of all systems",
    ]
    assert mixed.board.borrow == (False, False, True)
    assert "errs on `s2` as on all systems together" in mixed.assumption


def test_labels_of_one_system_leave_those_that_have_enough_as_they_are() -> None:
    one, other = rates_of(WHOLE, MANY, FEW), rates_of(WHOLE, MANY, OTHER_FEW)
    assert ends(one.rates[0]) == ends(other.rates[0])
    assert ends(one.rates[1]) == ends(other.rates[1])
    assert ends(one.rates[2]) != ends(other.rates[2])


def test_limits_are_fiellers_between_two_that_borrow_and_recovered_elsewhere() -> None:
    sample = sample_of_cells(MANY, FEW, OTHER_FEW)
    use = LabelUse.of(sample.total, RANDOM, None)
    assert use.borrow.tolist() == [False, True, True]
    rates = corrected_rates(sample, use)
    joint = joint_of(rates, use, sample)
    assert isinstance(joint, PartlyShared)
    pairs = pairs_of(np.array([0, 1]), np.array([1, 2]))
    low, high = joint.contrast_limits(pairs, 0.95)
    fieller, recovered = (
        one.contrast_limits(pairs, 0.95) for one in (joint.shared, rates.recovered)
    )
    assert (low[0], high[0]) == (recovered[0][0], recovered[1][0])
    assert (low[1], high[1]) == (fieller[0][1], fieller[1][1])
    above, below = joint.distances(pairs)
    for k, source in enumerate((rates.recovered, joint.shared)):
        far = source.distances(pairs)
        assert (above[k], below[k]) == (far[0][k], far[1][k])
    assert use.method_of_pair(1, 2).endswith("Fieller, simultaneous")
    assert use.method_of_pair(0, 1).startswith("own labels and labels of all systems, MOVER")


@pytest.mark.parametrize(
    ("groups", "labels", "borrow"),
    [
        ((MANY, MANY), None, [False, False]),
        ((FEW, FEW), None, [True, True]),
        ((WHOLE, FEW), None, [False, True]),
        ((WHOLE, WHOLE), None, [False, False]),
        ((MANY, FEW), "own", [False, False]),
        ((MANY, MANY), "shared", [True, True]),
    ],
)
def test_who_borrows(
    groups: tuple[list[list[int]], ...], labels: str | None, borrow: list[bool]
) -> None:
    use = LabelUse.of(sample_of_cells(*groups).total, RANDOM, labels)
    assert use.borrow.tolist() == borrow
    assert use.complete == (groups == (WHOLE, WHOLE))
    # What is of no system comes last, and goes with the systems where these are alike.
    fine = LabelUse.of(sample_of_cells(*groups, FEW).total, RANDOM, labels, [0, 1]).sliced(2)
    assert fine.borrow[:4].tolist() == [*borrow, *borrow]


def test_a_whole_system_counts_items_on_which_the_judge_is_silent() -> None:
    """A's 40 items are labelled, 20 of them yes; on five of these the judge says nothing."""
    rows: list[dict[str, str]] = []

    def add(system: str, k: int, rater: str, kind: str, value: str) -> None:
        item = {"item": f"{system}{k}", "system": system}
        rows.append({**item, "rater": rater, "kind": kind, "value": value})

    for system, labels in (("A", 40), ("B", 3)):
        for k in range(40):
            true = "yes" if k % 2 else "no"
            wrong = "no" if k % 2 else "yes"
            if system == "B" or k % 8 != 1:
                add(system, k, "bot", "judge", wrong if k % 5 == 0 else true)
            if k < labels:
                add(system, k, "ann", "human", true)
    found = ga.estimate(rows, TASK)
    whole, few = (
        next(
            row.result
            for row in found.rows
            if row.result.name == "prevalence" and row.about.get("system") == system
        )
        for system in "AB"
    )
    assert (whole.value, whole.n_items) == (0.5, 40)
    assert few.declared["estimator"] == "rogan_gladen"
    assert "if it errs on `B` as elsewhere" in found.answer[0].text
    # The headline is the mean of the two, by their items.
    assert found["prevalence"].value == pytest.approx((whole.value + few.value) / 2)
    compared = ga.compare(rows, TASK)
    (pair,) = [row.result for row in compared.rows if row.result.name == "difference"]
    assert pair.value == pytest.approx(few.value - whole.value)


@pytest.mark.parametrize(("systems", "prompts", "together"), [(1, 10, 10), (3, 1, 1), (3, 10, 10)])
def test_how_many_items_are_labelled_together(systems: int, prompts: int, together: float) -> None:
    """Every other cluster is labelled whole: `prompts` of each of its systems."""
    cells = np.zeros((8, systems, 3, 2))
    cells[::2, :, 0, 0] = cells[1::2, :, 2, 0] = prompts
    sample = replace(
        sample_of_cells(*[FEW] * systems),
        cells=cells,
        multiplicity=np.ones(8, np.int64),
        n_items=8 * systems * prompts,
    )
    assert labelled_together(sample) == pytest.approx(together)
