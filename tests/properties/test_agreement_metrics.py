"""Every metric has declared invariances; one that nobody classified fails here.

The registries are those of `goldassay.metrics.registry`. And the test of the test: wrong metrics
must fail it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from goldassay.formulas import agreement as c
from goldassay.formulas import correlation as r
from goldassay.formulas import reliability as rel
from goldassay.inference.clusters import distinct_clusters
from goldassay.inference.draw import Draw
from goldassay.metrics.rater_inputs import Rated
from goldassay.metrics.rater_sums import drawn_sums
from goldassay.metrics.registry import RATER_METRICS, SCORE_METRICS, TABLE_METRICS
from goldassay.metrics.tables import Setting, TableMetric


@dataclass(frozen=True)
class Invariances:
    swap: bool  # people and judge change places
    renaming: bool  # options in another order (the positive one moves along)
    copies: bool  # every item counted k times
    perfect: float | None  # value when judge and people always agree
    low: float = -1.0
    high: float = 1.0


SYMMETRIC = Invariances(True, True, True, 1.0)
ORDERED = Invariances(True, False, True, 1.0)
ONE_SIDED = Invariances(False, True, True, 1.0, low=0.0)

DECLARED = {
    "accuracy": Invariances(True, True, True, 1.0, low=0.0),
    "chance_agreement": Invariances(True, True, True, None, low=0.0),
    "balanced_accuracy": ONE_SIDED,
    # the shares go with the options' places, so that renaming moves it
    "weighted_balanced_accuracy": Invariances(False, False, True, 1.0, low=0.0),
    "youden_j": Invariances(False, True, True, 1.0),
    "sensitivity": ONE_SIDED,
    "specificity": ONE_SIDED,
    "precision": ONE_SIDED,
    "recall": ONE_SIDED,
    "negative_predictive_value": ONE_SIDED,
    "f1": Invariances(True, True, True, 1.0, low=0.0),
    "macro_f1": Invariances(True, True, True, 1.0, low=0.0),
    "cohen_kappa": SYMMETRIC,
    "weighted_kappa": ORDERED,
    "phi": SYMMETRIC,
    "mcc": SYMMETRIC,
    "kappa_phi_gap": Invariances(True, True, True, 0.0, low=0.0),
    "scott_pi": SYMMETRIC,
    "gwet_ac1": SYMMETRIC,
    "gwet_ac2": ORDERED,
    # n - 1 in place of n: copies bring it nearer to its limit
    "krippendorff_alpha": Invariances(True, False, False, 1.0),
    "spearman": ORDERED,
    "kendall_tau_b": ORDERED,
    "pearson": ORDERED,
    "reference_rate": Invariances(False, True, True, None, low=0.0),
    "verdict_rate": Invariances(False, True, True, None, low=0.0),
    "positive_rate_difference": Invariances(False, True, True, 0.0),
    "log_odds_strictness": Invariances(False, True, False, None, -50, 50),  # halves added
}


def tables(size: int) -> st.SearchStrategy[np.ndarray]:
    return hnp.arrays(np.int64, (size, size), elements=st.integers(0, 12)).map(
        lambda t: t.astype(float)
    )


def setting(metric: TableMetric, size: int, positive: int = 0) -> Setting:
    scale = metric.scales[0] if len(metric.scales) == 1 else "nominal"
    shares = np.arange(1.0, size + 1) / (size * (size + 1) / 2)
    weights = c.agreement_weights("linear", size)
    return Setting(scale, size, positive, weights, "linear", prevalence=shares)


def close(a: float, b: float) -> bool:
    return (np.isnan(a) and np.isnan(b)) or abs(a - b) < 1e-9


def check(metric: TableMetric, declared: Invariances, table: np.ndarray, order: list[int]) -> None:
    """Assert every declared invariance of a metric on one table."""
    size = len(table)
    base = setting(metric, size)
    value = float(metric.compute(table, base))
    if not np.isnan(value):
        assert declared.low - 1e-9 <= value <= declared.high + 1e-9
    if declared.swap:
        assert close(float(metric.compute(table.T, base)), value)
    if declared.renaming:
        moved = table[np.ix_(order, order)]
        there = setting(metric, size, order.index(0))
        assert close(float(metric.compute(moved, there)), value)
    if declared.copies:
        assert close(float(metric.compute(3 * table, base)), value)
    stack = np.stack([table, 2 * table + 1])
    assert close(float(metric.compute(stack, base)[0]), value)
    if declared.perfect is not None:
        perfect = float(metric.compute(np.diag(np.diag(table)), base))
        assert np.isnan(perfect) or close(perfect, declared.perfect)


def test_every_metric_is_classified() -> None:
    assert set(DECLARED) == set(TABLE_METRICS)


@pytest.mark.parametrize("name", sorted(TABLE_METRICS))
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_declared_invariances_hold(name: str, data: st.DataObject) -> None:
    metric = TABLE_METRICS[name]
    size = 2 if metric.scales == ("binary",) else data.draw(st.integers(2, 4))
    table = data.draw(tables(size))
    assume(table.sum() > 0)
    check(metric, DECLARED[name], table, data.draw(st.permutations(range(size))))


def wrong(name: str, compute: Callable[[np.ndarray, Setting], np.ndarray]) -> TableMetric:
    return TableMetric(name, compute)


WRONG = {
    "agreement over rows only": (
        wrong("a", lambda t, s: t[..., 0, 0] / t[..., 0, :].sum(-1)),
        Invariances(True, True, True, 1.0),
    ),
    "counts instead of shares": (
        wrong("b", lambda t, s: np.trace(t, axis1=-2, axis2=-1)),
        Invariances(True, True, True, None, -1e9, 1e9),
    ),
    "kappa without its denominator": (
        wrong("c", lambda t, s: c.accuracy(t) - c.chance_agreement(t)),
        SYMMETRIC,
    ),
    "a smoothed accuracy": (
        wrong("d", lambda t, s: (np.trace(t, axis1=-2, axis2=-1) + 1) / (t.sum((-1, -2)) + 2)),
        Invariances(True, True, True, 1.0),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_metric_fails(name: str) -> None:
    metric, declared = WRONG[name]
    table = np.array([[7.0, 2], [4, 9]])
    with pytest.raises(AssertionError):
        check(metric, declared, table, [1, 0])


# --- scores and several raters ----------------------------------------------------------------

#: Whether another unit of the scores (2 x + 3 on both sides) leaves a correlation as it is.
UNITS_FREE = dict.fromkeys(("pearson", "spearman", "kendall_tau_b", "lin_concordance", "icc"), True)


def test_every_correlation_is_classified() -> None:
    assert set(UNITS_FREE) == set(SCORE_METRICS)


@pytest.mark.parametrize("name", sorted(SCORE_METRICS))
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_correlations_are_symmetric_and_free_of_units(name: str, data: st.DataObject) -> None:
    scores = hnp.arrays(np.int64, 9, elements=st.integers(-5, 5)).map(lambda x: x.astype(float))
    x, y = data.draw(scores), data.draw(scores)
    statistic = SCORE_METRICS[name].statistic
    value = statistic(x, y)
    assert np.isnan(value) or -1 - 1e-9 <= value <= 1 + 1e-9
    assert close(statistic(y, x), value)
    assert close(statistic(2 * x + 3, 2 * y + 3), value) == UNITS_FREE[name]


@pytest.mark.parametrize("name", sorted(RATER_METRICS))
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_raters_and_options_have_no_order(name: str, data: st.DataObject) -> None:
    codes = data.draw(hnp.arrays(np.int64, (7, 3), elements=st.integers(-1, 2)))
    metric = RATER_METRICS[name]

    def value(codes: np.ndarray) -> float:
        rated = Rated(rel.tally(codes.T, 3), np.ones(len(codes), np.int64), None, codes)
        assume(rated.n_items > 0)
        sums = drawn_sums(rated, "nominal", Draw(100, 1, 0.95), by_rater=metric.by_rater)
        return float(metric.compute(sums.total, sums.layout))

    found, turned = value(codes), np.where(codes < 0, -1, (codes + 1) % 3)
    assert np.isnan(found) or found <= 1 + 1e-9
    for other in (codes[:, ::-1], codes[::-1], turned):
        assert close(value(other), found)


# --- the papers' identities -------------------------------------------------------------------


def vectors(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    cells = [(a, b) for a in range(2) for b in range(2) for _ in range(int(table[a, b]))]
    return np.array([a for a, _ in cells]), np.array([b for _, b in cells])


@settings(deadline=None)
@given(tables(2))
def test_five_coefficients_are_one_on_binary_data(table: np.ndarray) -> None:
    assume(table.sum(0).all() and table.sum(1).all())
    phi = float(c.phi(table))
    x, y = vectors(table)
    for other in (
        r.pearson(x, y),
        r.spearman(x, y),
        r.kendall_tau_b(x, y),
        float(r.pearson_of_table(table)),
        float(r.spearman_of_table(table)),
        float(r.kendall_tau_b_of_table(table)),
    ):
        assert other == pytest.approx(phi, abs=1e-12)


@given(tables(2))
def test_kappa_is_at_most_phi_with_equality_iff_the_rates_match(table: np.ndarray) -> None:
    assume(table.sum(0).all() and table.sum(1).all())
    kappa, phi = float(c.cohen_kappa(table)), float(c.phi(table))
    assert abs(kappa) <= abs(phi) + 1e-12
    matched = table[0, 1] == table[1, 0]
    if phi != 0:
        assert (abs(abs(kappa) - abs(phi)) < 1e-12) == matched


@given(tables(3))
def test_macro_j_and_balanced_accuracy_are_linear(table: np.ndarray) -> None:
    m = int((table.sum(1) > 0).sum())
    assume(m > 1)
    assert float(c.balanced_accuracy(table)) == pytest.approx(
        (m - 1) / m * float(c.youden_j(table)) + 1 / m
    )


@given(st.integers(2, 4), st.integers(2, 5), st.data())
def test_alpha_is_fleiss_kappa_with_a_finite_sample_term(size: int, raters: int, data) -> None:
    units = data.draw(st.integers(2, 12))
    codes = data.draw(hnp.arrays(np.int64, (raters, units), elements=st.integers(0, size - 1)))
    counts = rel.tally(codes, size)
    kappa = float(rel.fleiss_kappa(rel.pair_sums(counts).sum(0)))
    alpha = float(rel.krippendorff_alpha(rel.coincidences(counts).sum(0)))
    if np.isnan(kappa):
        assert np.isnan(alpha)
    else:
        assert alpha == pytest.approx(kappa + (1 - kappa) / (units * raters))
        assert alpha >= kappa - 1e-12


@given(st.data())
def test_merging_equal_units_changes_nothing(data) -> None:
    counts = data.draw(hnp.arrays(np.int64, (9, 3), elements=st.integers(0, 3)))
    patterns, times = distinct_clusters(counts, np.ones(9, np.int64))
    long = rel.coincidences(counts).sum(0)
    short = np.tensordot(times, rel.coincidences(patterns), axes=1)
    assert np.allclose(long, short)
    assert np.allclose(rel.pair_sums(counts).sum(0), times @ rel.pair_sums(patterns))
