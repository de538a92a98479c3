"""Accuracy at a declared prevalence, and average precision, beside scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import accuracy_score, average_precision_score

import goldassay as ga
from goldassay.findings import Findings
from goldassay.results import Sentence, Undefined

TASK = {"scale": "binary", "options": ["MET", "UNMET"], "positive": "MET"}
#: Ten items: people, judge, the judge's score.
TEN = [
    ("MET", "MET", 0.95),
    ("MET", "MET", 0.9),
    ("UNMET", "MET", 0.7),
    ("MET", "MET", 0.65),
    ("UNMET", "MET", 0.6),
    ("UNMET", "UNMET", 0.4),
    ("MET", "UNMET", 0.35),
    ("UNMET", "UNMET", 0.2),
    ("UNMET", "UNMET", 0.1),
    ("UNMET", "UNMET", 0.05),
]


def agreed(**declared: object) -> Findings:
    rows = []
    for item, (person, judge, score) in enumerate(TEN):
        rows.append({"item": str(item), "rater": "ann", "kind": "human", "value": person})
        rows.append(
            {"item": str(item), "rater": "gpt", "kind": "judge", "value": judge, "score": score}
        )
    return ga.agree(pl.DataFrame(rows), {**TASK, **declared}, resamples=200)


def told(found: Findings, key: str) -> Sentence:
    (one,) = [said for said in (*found.answer, *found.notes) if said.key == key]
    return one


def test_options_weigh_as_declared() -> None:
    found = agreed(prevalence={"MET": 0.1, "UNMET": 0.9})
    # Sensitivity 3/4, specificity 4/6.
    expected = 0.1 * 3 / 4 + 0.9 * 4 / 6
    result = found["weighted_balanced_accuracy", "gpt"]
    assert result.value == pytest.approx(expected)
    people, judge, _ = zip(*TEN, strict=True)
    weight = np.where(np.array(people) == "MET", 0.1 / 4, 0.9 / 6)
    assert result.value == pytest.approx(accuracy_score(people, judge, sample_weight=weight))
    one = told(found, "agree.at_prevalence")
    assert one.facts["value"] == result.value
    assert one.facts["accuracy"] == pytest.approx(0.7)
    assert one.text.startswith("Where 10 % are `MET` and 90 % are `UNMET`, `gpt` would be right on")


def test_equal_shares_are_balanced_accuracy_and_the_references_own_are_accuracy() -> None:
    even = agreed(prevalence={"MET": 0.5, "UNMET": 0.5})
    balanced = even["balanced_accuracy", "gpt"]
    assert even["weighted_balanced_accuracy", "gpt"].value == pytest.approx(balanced.value)
    own = agreed(prevalence={"MET": 0.4, "UNMET": 0.6})
    assert own["weighted_balanced_accuracy", "gpt"].value == pytest.approx(0.7)


def test_nothing_is_said_where_nothing_is_declared() -> None:
    assert not agreed().rows_where(name="weighted_balanced_accuracy")


def test_an_option_that_people_never_give_leaves_it_undefined() -> None:
    found = ga.metrics.weighted_balanced_accuracy(
        ["a", "a", "b"], ["a", "b", "b"], labels=["a", "b", "c"], prevalence={"a": 0.5, "c": 0.5}
    )
    assert isinstance(found, Undefined)
    assert found.reason.startswith("the reference lacks an option that has a share")


def test_several_positive_options_share_what_they_have() -> None:
    rows = [
        {"item": str(i), "rater": rater, "kind": kind, "value": value}
        for i, pair in enumerate([("1", "1"), ("2", "3"), ("3", "3"), ("4", "4"), ("1", "2")])
        for rater, kind, value in (("ann", "human", pair[0]), ("gpt", "judge", pair[1]))
    ]
    task = {
        "scale": "ordinal",
        "options": ["1", "2", "3", "4"],
        "cut": ">= 3",
        "prevalence": {"1": 0.5, "2": 0.2, "3": 0.2, "4": 0.1},
    }
    found = ga.agree(pl.DataFrame(rows), task, resamples=100)
    # 3 and 4: 2 of 2 found; 1 and 2: 2 of 3.
    expected = 0.3 * 1 + 0.7 * 2 / 3
    assert found["weighted_balanced_accuracy", "gpt"].value == pytest.approx(expected)


def test_scores_are_said_to_rank() -> None:
    found = agreed()
    people, _, score = zip(*TEN, strict=True)
    truth = [one == "MET" for one in people]
    expected = average_precision_score(truth, score)
    assert expected == pytest.approx((1 + 1 + 3 / 4 + 4 / 7) / 4)
    assert found["average_precision", "gpt"].value == pytest.approx(expected)
    one = told(found, "agree.scores")
    assert one.facts["average_precision"] == pytest.approx(expected)
    assert one.facts["by_chance"] == pytest.approx(0.4)
    assert one not in found.answer
