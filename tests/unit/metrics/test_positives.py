"""Positive rates and which way they differ, by hand and beside statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from goldassay import metrics as m
from goldassay.results import Undefined

#: TN 30, FP 25, FN 5, TP 40.
COUNTS = [[30, 25], [5, 40]]


def test_rates_by_hand() -> None:
    assert m.reference_rate(counts=COUNTS).value == 0.45
    assert m.verdict_rate(counts=COUNTS).value == 0.65
    lenient = m.positive_rate_difference(counts=COUNTS)
    assert lenient.value == pytest.approx(0.2)
    assert lenient.interval.low > 0
    assert m.log_odds_strictness(counts=COUNTS).value == pytest.approx(np.log(5.5 / 25.5))
    strict = m.positive_rate_difference(counts=COUNTS, positive=0)
    assert strict.value == pytest.approx(-0.2)


@pytest.mark.parametrize(
    ("method", "theirs"),
    [
        ("exact", {"exact": True}),
        ("corrected", {"exact": False, "correction": True}),
        ("uncorrected", {"exact": False, "correction": False}),
    ],
)
def test_mcnemar_is_statsmodels(method: str, theirs: dict[str, bool]) -> None:
    found = m.mcnemar_p(counts=COUNTS, method=method)  # type: ignore[arg-type]
    assert found.value == pytest.approx(mcnemar(COUNTS, **theirs).pvalue)
    assert found.interval is None
    if method == "exact":
        declared = m.positive_rate_difference(counts=COUNTS).declared
        assert declared["mcnemar_p"] == found.value


def test_mcnemar_of_one_label_against_the_rest() -> None:
    people, judge = list("aabbcc"), list("abbbca")
    found = m.mcnemar_p(people, judge, positive="a")
    folded = m.mcnemar_p([x == "a" for x in people], [x == "a" for x in judge])
    assert found.value == folded.value
    never = m.mcnemar_p(["a", "b"], ["a", "b"])
    assert never == Undefined("mcnemar_p", "judge and people never differ", 2)


def test_no_p_value_for_clusters() -> None:
    found = m.positive_rate_difference([1, 0, 1, 1], [1, 1, 0, 1], clusters=[1, 1, 2, 2])
    assert "mcnemar_p" not in found.declared
