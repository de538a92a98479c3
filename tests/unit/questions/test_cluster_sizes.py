"""Few clusters of unequal sizes are told at the numbers that they may make too short, nowhere else.

Which these are was measured by `benchmarks/coverage_sizes.py --few --steep`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import goldassay
from goldassay.questions.cluster_sizes import (
    FEW_UNEQUAL_CLUSTERS,
    ONE_LARGE_CLUSTER,
    VERY_UNEQUAL_CLUSTERS,
    size_warnings,
    warnings_of_rates,
)
from goldassay.results import Estimate

FEW_UNEQUAL, FEW_EQUAL, MANY_UNEQUAL = [3] * 8 + [20] * 6, [9] * 14, [2] * 20 + [12] * 10
BINARY = {
    "scale": "binary",
    "options": ["yes", "no"],
    "positive": "yes",
    "cluster": "cluster",
    "calibration": "random",
}
GRADES = {
    "scale": "ordinal",
    "options": ["1", "2", "3"],
    "cluster": "cluster",
    "calibration": "random",
}
SCORES = {"scale": "continuous", "cluster": "cluster", "calibration": "random"}


def rows(
    sizes: Sequence[int], options: Sequence[str], *, half: bool = True, systems: int = 1
) -> list[dict[str, str]]:
    """Two judges of whom each errs now and then, and one person, on half of the items or on all."""
    rng = np.random.default_rng(3)
    found = []
    for cluster, size in enumerate(sizes):
        for k in range(size):
            for system in range(systems):
                true = int(rng.integers(len(options)))
                said = [true if rng.random() < 0.8 else int(rng.integers(len(options))), true]
                said[1] = int(rng.integers(len(options))) if rng.random() < 0.3 else true
                where = {"item": f"{cluster}-{k}-{system}", "cluster": f"c{cluster}"}
                if systems > 1:
                    where |= {"prompt": f"{cluster}-{k}", "system": f"s{system}"}
                raters = [("j0", "judge", said[0]), ("j1", "judge", said[1])]
                if not half or k % 2 == 0:
                    raters.append(("p", "human", true))
                found += [
                    {**where, "rater": rater, "kind": kind, "value": options[value]}
                    for rater, kind, value in raters
                ]
    return found


def at_numbers(found: goldassay.Findings, name: str) -> set[bool]:
    """Whether the estimates of a name have the warning."""
    results = (row.result for row in found.rows if row.result.name == name)
    told = {FEW_UNEQUAL_CLUSTERS in one.warnings for one in results if isinstance(one, Estimate)}
    assert told, name
    return told


def in_document(found: goldassay.Findings) -> bool:
    return any(FEW_UNEQUAL_CLUSTERS in one for one in found.warnings)


def test_few_and_unequal() -> None:
    """Fewer than 30, whose sizes vary by more than .2 in squares of their mean."""
    each = np.ones(14, np.int64)
    assert size_warnings(np.array(FEW_UNEQUAL, float), each) == (FEW_UNEQUAL_CLUSTERS,)
    assert size_warnings(np.array(FEW_EQUAL, float), each) == ()
    assert size_warnings(np.array(MANY_UNEQUAL, float), np.ones(30, np.int64)) == ()
    assert size_warnings(np.array(MANY_UNEQUAL[1:], float), np.ones(29, np.int64))
    merged = size_warnings(np.array([3.0, 20.0]), np.array([8, 6]))
    assert merged == (FEW_UNEQUAL_CLUSTERS,)


@pytest.mark.parametrize(
    ("task", "options", "name"),
    [
        (BINARY, ("yes", "no"), "prevalence"),
        (GRADES, ("1", "2", "3"), "prevalence"),
        (GRADES, ("1", "2", "3"), "mean_score"),
        (SCORES, ("1", "2", "3"), "mean_score"),
    ],
    ids=["rate", "rates of grades", "mean grade", "mean score"],
)
def test_corrected_rates_and_means(
    task: dict[str, object], options: tuple[str, ...], name: str
) -> None:
    for sizes, expected in ((FEW_UNEQUAL, True), (FEW_EQUAL, False), (MANY_UNEQUAL, False)):
        found = goldassay.estimate(rows(sizes, options), task)
        assert at_numbers(found, name) == {expected}
        assert in_document(found) is expected


def graded(tells: bool) -> list[dict[str, str]]:
    """Forty clusters of 1 to 96; grades, and who is right, go with sizes, or with their parity."""
    rng = np.random.default_rng(8)
    sizes = [1] * 8 + [2] * 10 + [4] * 8 + [9] * 8 + [30] * 4 + [96] * 2
    found = []
    for cluster, size in enumerate(sizes):
        high = size > 8 if tells else cluster % 2 == 0
        for k in range(size):
            true = int(rng.choice(3, p=(0.1, 0.2, 0.7) if high else (0.7, 0.2, 0.1)))
            right = (0.6, 0.9) if high else (0.9, 0.6)
            said = [true if rng.random() < one else int(rng.integers(3)) for one in right]
            raters = (("j0", "judge", said[0]), ("j1", "judge", said[1]), ("p", "human", true))
            found += [
                {
                    "item": f"{cluster}-{k}",
                    "cluster": f"c{cluster}",
                    "rater": rater,
                    "kind": kind,
                    "value": "123"[value],
                }
                for rater, kind, value in raters
                if kind == "judge" or k % 2 == 0
            ]
    return found


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize("task", [GRADES, SCORES], ids=["grades", "scores"])
def test_very_unequal_sizes_are_told_where_large_clusters_are_of_another_kind(
    task: dict[str, object], tells: bool
) -> None:
    found = goldassay.estimate(graded(tells), task)
    (told,) = {
        VERY_UNEQUAL_CLUSTERS in row.result.warnings
        for row in found.rows
        if row.result.name == "mean_score" and isinstance(row.result, Estimate)
    }
    assert told is tells


@pytest.mark.parametrize("tells", [True, False])
def test_very_unequal_sizes_are_told_of_differences_of_judges(tells: bool) -> None:
    found = goldassay.select(graded(tells), GRADES)
    assert any(VERY_UNEQUAL_CLUSTERS in one for one in found.warnings) is tells


def test_it_is_said_once_for_all_judges() -> None:
    found = goldassay.estimate(rows(FEW_UNEQUAL, ("yes", "no")), BINARY)
    (told,) = [one for one in found.warnings if FEW_UNEQUAL_CLUSTERS in one]
    assert told == f"`j0` and `j1`: {FEW_UNEQUAL_CLUSTERS}."


def test_rates_of_systems_but_not_their_differences() -> None:
    data = rows(FEW_UNEQUAL, ("yes", "no"), systems=2)
    for found in (goldassay.compare(data, BINARY), goldassay.estimate(data, BINARY)):
        assert at_numbers(found, "prevalence") == {True}
    assert at_numbers(goldassay.compare(data, BINARY), "difference") == {False}


def test_prompts_that_each_system_answers_once_are_no_clusters() -> None:
    data = [
        {key: value for key, value in one.items() if key != "cluster"}
        for one in rows([1] * 20, ("yes", "no"), half=False, systems=2)
    ]
    task = {key: value for key, value in BINARY.items() if key != "cluster"}
    assert at_numbers(goldassay.estimate(data, task), "prevalence") == {False}


def test_differences_of_judges_but_not_their_agreement() -> None:
    for sizes, expected in ((FEW_UNEQUAL, True), (FEW_EQUAL, False), (MANY_UNEQUAL, False)):
        data = rows(sizes, ("yes", "no"), half=False)
        agreed, chosen = goldassay.agree(data, BINARY), goldassay.select(data, BINARY)
        assert at_numbers(agreed, "accuracy") == {False}
        assert at_numbers(chosen, "balanced_accuracy") == {False}
        assert in_document(agreed) is expected
        assert in_document(chosen) is expected
        notes = " ".join(chosen.tables["judges"].notes).lower()
        assert (FEW_UNEQUAL_CLUSTERS in notes) is expected


def test_few_items_of_unequal_weight_are_no_clusters() -> None:
    data = [
        {**one, "weight": "9" if int(one["item"].split("-")[0]) % 3 else "1"}
        for one in rows([1] * 24, ("yes", "no"), half=False)
    ]
    task = {key: value for key, value in BINARY.items() if key != "cluster"}
    for found in (goldassay.estimate(data, task), goldassay.select(data, task)):
        assert not in_document(found)


@pytest.mark.parametrize(("largest", "told"), [(40.0, True), (20.0, False)])
def test_one_large_cluster_is_told_of_at_rates(largest: float, told: bool) -> None:
    sizes, times = np.array([largest, 1.0]), np.array([1, 60])
    assert (ONE_LARGE_CLUSTER in warnings_of_rates([sizes], times)) is told
    others = np.array([0.0, 2.0])  # on the other side, where the clusters are of one size
    assert (ONE_LARGE_CLUSTER in warnings_of_rates([sizes, others], times)) is told
    few = warnings_of_rates([sizes], np.array([1, 5]))  # of few it is said that they are few
    assert few == (FEW_UNEQUAL_CLUSTERS,)
