"""Scores of yes-or-no items, by hand and beside scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from goldassay import metrics as m
from goldassay.results import Estimate, Undefined

RNG = np.random.default_rng(4)
POSITIVE = RNG.random(120) < 0.4
SCORE = np.round(np.clip(0.5 + 0.2 * (POSITIVE - 0.5) + RNG.normal(0, 0.2, 120), 0, 1), 2)


def test_auc_is_scikit_learn_s() -> None:
    found = m.roc_auc(POSITIVE, SCORE)
    assert found.value == pytest.approx(roc_auc_score(POSITIVE, SCORE))
    words = np.where(POSITIVE, "good", "bad")
    assert m.roc_auc(words, SCORE, positive="good") == found
    assert m.roc_auc(words, SCORE, positive="bad").value == pytest.approx(1 - found.value)


def test_clusters_widen_the_interval() -> None:
    doubled = [np.repeat(side, 2) for side in (POSITIVE, SCORE)]
    alone = m.roc_auc(*doubled)
    held = m.roc_auc(*doubled, clusters=np.repeat(np.arange(120), 2))
    assert held.value == pytest.approx(alone.value)
    assert held.interval.length > 1.3 * alone.interval.length
    assert held.n_clusters == 120


def test_people_who_are_evenly_divided_decide_nothing() -> None:
    shares = np.where(POSITIVE, 2 / 3, 1 / 3)
    shares[:5] = 0.5
    found = m.roc_auc(shares, SCORE)
    assert found == m.roc_auc(POSITIVE[5:], SCORE[5:])


def test_undefined() -> None:
    found = m.roc_auc([1, 1], [0.1, 0.2])
    assert found == Undefined("roc_auc", "every reference is positive", 2)
    for function in (m.kuiper_calibration, m.kuiper_calibration_p, m.risk_coverage_area):
        assert function([1, 0], [3, 0.5]).reason == "scores are not probabilities"
    assert m.kuiper_calibration_p([1, 0], [1, 0]).reason == "every score is 0 or 1"
    assert m.risk_coverage_area([1], [0.7]).reason == "there is one scored item"


def test_calibration_and_risk_by_hand() -> None:
    # In order of the probability the sums of outcome - probability are -.2, .4, -.1 (over 3).
    found = m.kuiper_calibration([0, 1, 0], [0.2, 0.4, 0.5])
    assert found.value == pytest.approx((0.4 + 0.2) / 3)
    assert 0 < m.kuiper_calibration_p([0, 1, 0], [0.2, 0.4, 0.5]).value <= 1
    # Surest first: .9 right, .2 wrong, .6 right: errors 0, 1/2, 1/3.
    risk = m.risk_coverage_area([1, 1, 1], [0.6, 0.9, 0.2])
    assert risk.value == pytest.approx((0 + 1 / 2 + 1 / 3) / 3)


def test_average_precision_is_scikit_learn_s() -> None:
    """SCORE has ties: precision is read after all items of a score."""
    found = m.average_precision(POSITIVE, SCORE)
    assert found.value == pytest.approx(average_precision_score(POSITIVE, SCORE))
    assert found.declared["by_chance"] == pytest.approx(POSITIVE.mean())
    assert found.interval.low < found.value < found.interval.high


def test_average_precision_of_ten_items_by_hand() -> None:
    people = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
    score = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    # Positives at places 1, 2, 4 and 7: precisions 1, 1, 3/4 and 4/7.
    found = m.average_precision(people, score)
    assert found.value == pytest.approx((1 + 1 + 3 / 4 + 4 / 7) / 4)
    # With 7 and 6 level, the third positive has 3 of 5.
    level = m.average_precision(people, [10, 9, 8, 6, 6, 5, 4, 3, 2, 1])
    assert level.value == pytest.approx((1 + 1 + 3 / 5 + 4 / 7) / 4)


def test_perfect_scores_have_an_interval() -> None:
    found = m.average_precision([1] * 10 + [0] * 30, range(40, 0, -1))
    assert found.value == 1
    assert found.interval.high == 1
    # Wilson's lower end for 10 of 10 is .722; the first of them has no other item above it.
    assert 0.4 < found.interval.low < 0.722


def test_clusters_widen_average_precision() -> None:
    doubled = [np.repeat(side, 2) for side in (POSITIVE, SCORE)]
    alone = m.average_precision(*doubled)
    held = m.average_precision(*doubled, clusters=np.repeat(np.arange(120), 2))
    assert held.value == pytest.approx(alone.value)
    assert held.interval.length > 1.2 * alone.interval.length
    one = m.average_precision(POSITIVE, SCORE, clusters=np.where(POSITIVE, 0, np.arange(120) + 1))
    assert one.interval is None


def test_an_area_warns_where_it_has_no_interval_and_only_there() -> None:
    found = m.roc_auc(POSITIVE, SCORE)
    assert found.interval is not None
    assert found.warnings == ()
    together = m.roc_auc([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1], clusters=["a", "a", "b", "c"])
    assert together.interval is None
    assert together.warnings == ("no interval: all positives or all negatives are one cluster's",)


def test_items_on_which_people_are_divided_take_their_clusters_with_them() -> None:
    cluster = np.arange(120) // 3
    with_one = [np.append(side, one) for side, one in ((POSITIVE, 0.5), (SCORE, 0.7), (cluster, 7))]
    found = m.roc_auc(*with_one[:2], clusters=with_one[2])
    without = m.roc_auc(POSITIVE, SCORE, clusters=cluster)
    assert found.value == without.value
    assert found.interval.low == pytest.approx(without.interval.low)


@pytest.mark.parametrize(("clusters", "correlation", "warned"), [(9, 0.9, True), (9, 0.0, False)])
def test_an_area_says_that_few_clusters_have_scores_alike(
    clusters: int, correlation: float, warned: bool
) -> None:
    rng = np.random.default_rng(5)
    cluster = np.repeat(np.arange(clusters), 20)
    reference = rng.random(len(cluster)) < 0.5
    shared = rng.normal(size=clusters)[cluster] * np.sqrt(correlation)
    score = shared + rng.normal(size=len(cluster)) * np.sqrt(1 - correlation) + reference
    found = m.roc_auc(reference.astype(int), score, clusters=cluster)
    assert isinstance(found, Estimate)
    assert found.interval is not None
    assert any("much alike" in one for one in found.warnings) is warned


def test_scores_alike_in_many_clusters_are_held() -> None:
    rng = np.random.default_rng(5)
    cluster = np.repeat(np.arange(40), 10)
    reference = rng.random(len(cluster)) < 0.5
    found = m.roc_auc(
        reference.astype(int), rng.normal(size=40)[cluster] + reference, clusters=cluster
    )
    assert isinstance(found, Estimate)
    assert not any("much alike" in one for one in found.warnings)
