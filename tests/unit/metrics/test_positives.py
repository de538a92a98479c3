"""Positive rates and which way they differ, by hand and beside statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, binomtest
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


def test_strictness_is_the_log_odds_of_a_share_of_the_differences() -> None:
    # 5 of the 30 differences are misses; Beta(5.25, 26) and Beta(6, 25.25) hold its ends.
    interval = m.log_odds_strictness(counts=COUNTS).interval
    low, high = beta(5.25, 26).ppf(0.025), beta(6, 25.25).ppf(0.975)
    assert interval.low == pytest.approx(np.log(low / (1 - low)))
    assert interval.high == pytest.approx(np.log(high / (1 - high)))


def test_nothing_bounds_a_kind_of_difference_that_never_occurs() -> None:
    never_missed = m.log_odds_strictness(counts=[[30, 25], [0, 40]]).interval
    never_granted = m.log_odds_strictness(counts=[[30, 0], [25, 40]]).interval
    assert never_missed.low == -np.inf
    assert never_granted.high == np.inf
    assert never_missed.high == pytest.approx(-never_granted.low)
    assert never_missed.high < 0


def test_clusters_of_equal_decisions_count_once() -> None:
    alone = [[[1, 0], [0, 0]]] * 20 + [[[0, 1], [0, 0]]] * 12 + [[[0, 0], [1, 0]]] * 6
    ten = np.array(alone) * 10
    once, tenfold = (m.log_odds_strictness(counts=counts).interval for counts in (alone, ten))
    assert once.length < tenfold.length < 1.15 * once.length  # Student's t for 18 that differ
    one = m.log_odds_strictness(counts=[[[10, 5], [5, 10]]])
    assert one.interval is None


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


def test_the_rates_of_both_sides_have_the_interval_that_is_asked_for() -> None:
    for rate, hits in ((m.reference_rate, 45), (m.verdict_rate, 65)):
        found = rate(counts=COUNTS, method="wilson").interval
        theirs = binomtest(hits, 100).proportion_ci(method="wilson")
        assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))
