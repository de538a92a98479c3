"""Recall, precision and F1 of each option: a table by hand, and what is said of a missed option."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from equal_metrics import assert_same

import goldassay as ga
from goldassay import metrics
from goldassay.findings import Findings
from goldassay.results import Undefined

#: Ten items: people against the judge.
TEN = [
    ("good", "good"),
    ("good", "good"),
    ("good", "good"),
    ("good", "fair"),
    ("fair", "fair"),
    ("fair", "good"),
    ("fair", "fair"),
    ("bad", "fair"),
    ("bad", "bad"),
    ("bad", "good"),
]
NOMINAL = {"scale": "nominal", "options": ["good", "fair", "bad", "awful"]}


def agreed(pairs: list[tuple[str, str]], task: dict[str, Any], **more: Any) -> Findings:
    """What `agree` finds about items of which each has one person's label and one verdict."""
    rows = [
        {"item": str(i), "rater": rater, "kind": kind, "value": value}
        for i, pair in enumerate(pairs)
        for rater, kind, value in (("ann", "human", pair[0]), ("gpt", "judge", pair[1]))
    ]
    return ga.agree(pl.DataFrame(rows), task, resamples=200, **more)


def value(found: Findings, name: str, option: str) -> float:
    (row,) = found.rows_where(name=name, judge="gpt", option=option)
    return row.result.value


def test_by_hand() -> None:
    found = agreed(TEN, NOMINAL)
    # good: people 4 times, judge 5 times, both 3 times; fair: 3, 4, 2; bad: 3, 1, 1.
    expected = {
        "good": (3 / 4, 3 / 5, 6 / 9),
        "fair": (2 / 3, 2 / 4, 4 / 7),
        "bad": (1 / 3, 1 / 1, 2 / 4),
    }
    for option, numbers in expected.items():
        for name, number in zip(("recall", "precision", "f1"), numbers, strict=True):
            assert value(found, name, option) == pytest.approx(number)
    table = found.tables["options: gpt"]
    assert table.rows[2] == ("bad", 3, 1, pytest.approx(1 / 3), 1.0, 0.5)
    assert table.rows[3] == ("awful", 0, 0, None, None, None)


def test_an_option_that_nobody_uses_has_no_number_but_a_reason() -> None:
    found = agreed(TEN, NOMINAL)
    results = [row.result for row in found.rows_where(judge="gpt", option="awful")]
    assert all(isinstance(one, Undefined) for one in results)
    assert [one.reason for one in results] == [
        "people never say `awful` (the judge does on 0 of 10)",
        "the judge never says `awful` (people do on 0 of 10)",
        "neither people nor judge say `awful` on any of 10",
    ]


def test_the_public_metric_says_the_same() -> None:
    """Value, ends and method, also of F1, whose interval is drawn."""
    found = agreed(TEN, NOMINAL)
    people, judge = zip(*TEN, strict=True)
    for name in ("recall", "precision", "f1"):
        for option in ("good", "fair", "bad"):
            (row,) = found.rows_where(name=name, judge="gpt", option=option)
            own = getattr(metrics, name)(
                people, judge, labels=NOMINAL["options"], positive=option, seed=1, draws=200
            )
            assert_same(own, row.result)


def test_one_recall_is_the_mean_that_balanced_accuracy_is() -> None:
    found = agreed(TEN, NOMINAL)
    recalls = [value(found, "recall", option) for option in ("good", "fair", "bad")]
    assert found["balanced_accuracy", "gpt"].value == pytest.approx(sum(recalls) / 3)


def test_two_options_have_one_positive_and_no_list() -> None:
    pairs = [(a.replace("fair", "bad"), b.replace("fair", "bad")) for a, b in TEN]
    found = agreed(pairs, {"scale": "binary", "options": ["good", "bad"], "positive": "good"})
    assert not found.rows_where(name="recall", option="good")
    assert "options: gpt" not in found.tables


def test_abstention_as_a_class_has_its_own_numbers() -> None:
    """Appendix B of the agreement-metrics paper: F1 of MET against the rest is 60/90."""
    counts = {
        ("MET", "MET"): 30,
        ("MET", "UNMET"): 10,
        ("MET", "CA"): 5,
        ("UNMET", "MET"): 10,
        ("UNMET", "UNMET"): 20,
        ("UNMET", "CA"): 5,
        ("CA", "MET"): 5,
        ("CA", "UNMET"): 5,
        ("CA", "CA"): 10,
    }
    pairs = [pair for pair, n in counts.items() for _ in range(n)]
    task = {
        "scale": "binary",
        "options": ["MET", "UNMET"],
        "positive": "MET",
        "abstain": ["CA"],
        "abstentions": "class",
    }
    found = agreed(pairs, task)
    assert value(found, "f1", "MET") == pytest.approx(60 / 90)
    assert value(found, "recall", "abstained") == pytest.approx(10 / 20)


def test_an_invalid_verdict_lowers_recall_and_has_no_line() -> None:
    task = {**NOMINAL, "invalid": ["?"], "invalids": "class"}
    found = agreed([*TEN, ("bad", "?")], task)
    assert value(found, "recall", "bad") == pytest.approx(1 / 4)
    assert not found.rows_where(option="invalid")


def test_a_missed_option_is_said_and_an_even_judge_is_not() -> None:
    fair = [("good", "good")] * 36 + [("bad", "bad")] * 38 + [("fair", "fair")] * 3
    found = agreed([*fair, *[("good", "bad")] * 4, *[("fair", "good")] * 27], NOMINAL)
    (said,) = [one for one in found.answer + found.notes if one.key == "agree.option"]
    assert said.about == {"judge": "gpt", "option": "fair"}
    # 3 of 30 that people call fair; 74 of the other 78.
    assert said.facts["value"] == pytest.approx(3 / 30)
    assert (said.facts["people"], said.facts["elsewhere"]) == (30, pytest.approx(74 / 78))
    assert "often misses `fair`: it says so on 10 %" in said.text
    even = agreed([pair for pair in TEN for _ in range(3)], NOMINAL)
    assert not [one for one in even.answer + even.notes if one.key == "agree.option"]


def test_so_many_options_are_left_to_the_matrix() -> None:
    options = [str(k) for k in range(1, 14)]
    pairs = [(option, option) for option in options]
    found = agreed(pairs, {"scale": "ordinal", "options": options})
    assert "options: gpt" not in found.tables
