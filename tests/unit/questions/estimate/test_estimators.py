"""The records of the estimators, and that everything goes through them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from goldassay.questions.estimate.design import DESIGNS, drawing
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    EFFECTIVE,
    ESTIMATORS,
    NAIVE,
    ROGAN_GLADEN,
    STRATIFIED,
    Corrected,
    Counts,
    Estimator,
    broken_by_shift,
    estimates,
    headline,
)
from goldassay.questions.estimate.study import study as estimate
from goldassay.questions.estimate.tables import tables

from .conftest import study

ROOT = Path(__file__).resolve().parents[4]
# 100 labelled items: 52 called positive, of which 40 are; 48 called negative, of which 8 are.
CALIBRATION = np.array([[40.0, 12.0], [8.0, 40.0]])
TEST = np.array([600.0, 400.0])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # 648 of 1,100 items are called negative, 452 positive.
        ("stratified", (648 * 8 / 48 + 452 * 40 / 52) / 1100),
        ("conditional_calibration", (600 * 8 / 48 + 400 * 40 / 52) / 1000),
        ("difference", 0.4 + 0.48 - 0.52),
        # q0 = 40 / 52, q1 = 40 / 48
        ("rogan_gladen", (0.4 + 40 / 52 - 1) / (40 / 52 + 40 / 48 - 1)),
        ("calibration_only", 0.48),
        ("naive", 0.4),
    ],
)
def test_formulas_by_hand(name: str, expected: float) -> None:
    assert float(ESTIMATORS[name].rate(Counts(TEST, CALIBRATION))) == pytest.approx(expected)
    value, low, high = estimates(name, TEST, CALIBRATION)
    assert float(value) == pytest.approx(expected)
    assert low < value < high


def test_the_judges_own_rate_is_that_of_the_items_wanted() -> None:
    """With the labelled items in the pool 452 of 1,100 are called positive."""
    assert float(NAIVE.rate(Counts(TEST, CALIBRATION, pooled=True))) == pytest.approx(452 / 1100)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_formula_is_the_value_of_the_interval(name: str) -> None:
    rng = np.random.default_rng(5)
    counts = Counts(
        rng.integers(1, 90, (40, 2)).astype(float), rng.integers(1, 40, (40, 2, 2)).astype(float)
    )
    one = ESTIMATORS[name]
    np.testing.assert_allclose(one.rate(counts), one.corrected(counts, 0.9, 2.5).value, atol=1e-12)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_record_is_whole(name: str) -> None:
    one = ESTIMATORS[name]
    assert one.name == name
    assert one.result.startswith("prevalence_")
    assert one.words
    assert one.needs
    assert one.assumes
    assert one.requires
    assert one.designs <= set(DESIGNS)
    # docs/estimate.md has its line.
    assert f"`{one.result}`" in (ROOT / "docs" / "estimate.md").read_text(encoding="utf-8")


def test_results_and_words_are_told_apart() -> None:
    assert len({one.result for one in ESTIMATORS.values()}) == len(ESTIMATORS)
    assert len({one.words for one in ESTIMATORS.values()}) == len(ESTIMATORS)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("design", DESIGNS)
def test_the_headline_is_right_under_the_declared_design(design: str, apart: bool) -> None:
    drawn = drawing(design, apart=apart)
    assert headline(drawn).holds(drawn) is True


def test_without_a_design_the_headline_is_right_under_every_possible_one() -> None:
    for apart, expected in ((False, STRATIFIED), (True, ROGAN_GLADEN)):
        drawn = drawing(None, apart=apart)
        assert headline(drawn) is expected
        assert {one.name for one in drawn.possible} <= expected.designs
        assert expected.holds(drawn) is None


def test_a_shift_breaks_what_is_right_for_labels_of_the_pool_alone() -> None:
    broken = {one.name for one in broken_by_shift()}
    assert broken == set(ESTIMATORS) - {"rogan_gladen", "naive"}


@pytest.mark.parametrize(
    ("test", "calibration", "names"),
    [
        (TEST, np.zeros((2, 2)), {"naive"}),
        ([0, 0], CALIBRATION, {"stratified", "calibration_only"}),
        (TEST, [[0, 0], [8, 40]], set(ESTIMATORS) - {"rogan_gladen"}),
        (TEST, [[20, 32], [30, 18]], set(ESTIMATORS) - {"rogan_gladen"}),
        (
            [600, 300, 100],
            [[40, 10, 2], [8, 30, 10]],
            set(ESTIMATORS) - {"power_tuned", "difference"},
        ),
    ],
    ids=["no label", "all labelled", "no negative", "no information", "a third verdict"],
)
def test_what_the_counts_allow(test: object, calibration: object, names: set[str]) -> None:
    counts = Counts(np.array(test, float), np.array(calibration, float))
    possible = {name for name, one in ESTIMATORS.items() if one.impossible(counts) is None}
    assert possible == names


def test_a_new_record_is_all_that_a_new_estimator_needs(units_of, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """It is computed, and shown in the table with its needs."""

    def rate(counts: Counts) -> np.ndarray:
        return np.full(counts.test.shape[:-1], 0.5)

    def corrected(counts: Counts, level: float, inflation: object) -> Corrected:
        return Corrected(rate(counts), np.array(0.4), np.array(0.6), "a guess")

    guess = Estimator(
        name="guess",
        result="prevalence_guess",
        words="a coin",
        needs="luck",
        assumes="that it is a half",
        designs=frozenset({"separate"}),
        requires=(),
        rate=rate,
        corrected=corrected,
    )
    monkeypatch.setitem(ESTIMATORS, "guess", guess)
    labelled = {
        ("MET", "MET"): 40,
        ("MET", "UNMET"): 8,
        ("UNMET", "MET"): 12,
        ("UNMET", "UNMET"): 40,
    }
    found = estimate(units_of(study(labelled, {"MET": 40}), calibration="separate"))
    row = next(row.result for row in found.rows() if row.result.name == "prevalence_guess")
    assert row.value == 0.5
    assert row.interval.method == "a guess"
    assert row.assumptions == ("that it is a half",)
    assert ("a coin", pytest.approx(0.2), "yes", "luck") in tables(found)["estimators j"].rows


@pytest.mark.parametrize("name", ["difference", "power_tuned"])
def test_limits_beyond_0_or_1_are_no_single_point(name: str) -> None:
    # 8 of 48 labelled are said positive and none is; hardly any of the others is said positive.
    counts = Counts(np.array([1000.0, 3.0]), np.array([[40.0, 8.0], [0.0, 0.0]]))
    found = ESTIMATORS[name].corrected(counts, 0.95, 1.0)
    assert float(found.low) == 0
    assert 0.01 < float(found.high) < 0.15
    turned = Counts(counts.test[::-1], counts.calibration[::-1, ::-1])
    other = ESTIMATORS[name].corrected(turned, 0.95, 1.0)
    assert float(other.high) == 1
    assert float(other.low) == pytest.approx(1 - float(found.high))


def test_a_share_over_clusters_is_the_rate_of_one_stratum_and_of_lone_items_at_least() -> None:
    many = 10 * CALIBRATION
    counts = Counts(np.zeros((3, 2)), np.broadcast_to(many, (3, 2, 2)), pooled=True)
    found = CALIBRATION_ONLY.corrected(counts, 0.95, np.array([1.0, 1.0001, 9.0]))
    assert found.value.tolist() == [0.48] * 3
    assert list(found.method) == ["hedged binomial", EFFECTIVE, EFFECTIVE]
    lengths = found.high - found.low
    assert lengths[1] == pytest.approx(lengths[0], rel=1e-3)
    one = Counts(np.zeros((1, 1)), many.sum(1)[None, :, None], pooled=True)
    low, high = STRATIFIED.corrected(one, 0.95, np.array([9.0]))[1:3]
    assert (found.low[2], found.high[2]) == pytest.approx((low[0], high[0]))
    # Wald's of a ninth of the items; everything where the effect is not known.
    assert lengths[2] == pytest.approx(2 * 1.96 * np.sqrt(9 * 0.48 * 0.52 / 1_000), rel=0.03)
    unknown = CALIBRATION_ONLY.corrected(counts, 0.95, np.full(3, np.nan))
    assert (unknown.low.tolist(), unknown.high.tolist()) == ([0.0] * 3, [1.0] * 3)
