"""Every public metric has declared invariances; one that nobody classified fails here.

And the test of the test: wrong metrics must fail it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from equal_metrics import on_table
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from goldassay import Undefined, metrics

#: What a metric takes: a table, two lists of scores, several raters.
TAKES = {name: inspect.signature(getattr(metrics, name)).parameters for name in metrics.__all__}
FEWEST = {"draws": 100}
Compute = Callable[..., float]


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
    "mcnemar_p": Invariances(True, True, False, None, low=0.0),
}
#: Of two options alone: nothing says which others a third would be.
BINARY = {
    "sensitivity", "specificity", "negative_predictive_value", "kappa_phi_gap", "phi",
    "positive_rate_difference", "log_odds_strictness", "mcnemar_p",
}  # fmt: skip


def value(found: Any) -> float:
    return float("nan") if isinstance(found, Undefined) else float(found.value)


def tables(size: int) -> st.SearchStrategy[np.ndarray]:
    return hnp.arrays(np.int64, (size, size), elements=st.integers(0, 12))


def computed(name: str) -> Compute:
    """A metric as a function of a table and the place of the positive option."""

    def of(table: np.ndarray, positive: int = 0) -> float:
        size = len(table)
        labels = list(range(size))
        shares = {k: (k + 1) / (size * (size + 1) / 2) for k in labels}
        function = on_table(name, positive=positive, weights="linear", prevalence=shares)
        drawn = FEWEST if "draws" in TAKES[name] else {}
        return value(function(counts=table, labels=labels, **drawn))

    return of


def close(a: float, b: float) -> bool:
    return (np.isnan(a) and np.isnan(b)) or abs(a - b) < 1e-9


def check(compute: Compute, declared: Invariances, table: np.ndarray, order: list[int]) -> None:
    """Assert every declared invariance of a metric on one table."""
    found = compute(table)
    if not np.isnan(found):
        assert declared.low - 1e-9 <= found <= declared.high + 1e-9
    if declared.swap:
        assert close(compute(table.T), found)
    if declared.renaming:
        assert close(compute(table[np.ix_(order, order)], order.index(0)), found)
    if declared.copies:
        assert close(compute(3 * table), found)
    diagonal = np.diag(np.diag(table))
    if declared.perfect is not None and diagonal.any():
        perfect = compute(diagonal)
        assert np.isnan(perfect) or close(perfect, declared.perfect)


@pytest.mark.parametrize("name", sorted(DECLARED))
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_declared_invariances_hold(name: str, data: st.DataObject) -> None:
    size = 2 if name in BINARY else data.draw(st.integers(2, 4))
    table = data.draw(tables(size))
    assume(table.sum() > 0)
    check(computed(name), DECLARED[name], table, data.draw(st.permutations(range(size))))


WRONG: dict[str, tuple[Compute, Invariances]] = {
    "agreement over rows only": (
        lambda t, p=0: t[0, 0] / t[0].sum(),
        Invariances(True, True, True, 1.0),
    ),
    "counts instead of shares": (
        lambda t, p=0: float(np.trace(t)),
        Invariances(True, True, True, None, -1e9, 1e9),
    ),
    "kappa without its denominator": (
        lambda t, p=0: computed("accuracy")(t) - computed("chance_agreement")(t),
        SYMMETRIC,
    ),
    "a smoothed accuracy": (
        lambda t, p=0: (np.trace(t) + 1) / (t.sum() + 2),
        Invariances(True, True, True, 1.0),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_metric_fails(name: str) -> None:
    compute, declared = WRONG[name]
    with pytest.raises(AssertionError):
        check(compute, declared, np.array([[7, 2], [4, 9]]), [1, 0])


# --- scores and several raters ----------------------------------------------------------------

CORRELATIONS = ("pearson", "spearman", "kendall_tau_b", "lin_concordance", "icc")
RATERS = ("conger_kappa", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha", "observed_agreement")
#: Held by other tests: of a class and a score or a probability, of pairs of several raters.
ELSEWHERE = {
    "average_precision", "roc_auc", "kuiper_calibration", "kuiper_calibration_p",
    "risk_coverage_area", "mean_pairwise_kappa", "effective_judges",
}  # fmt: skip


def test_every_metric_is_classified() -> None:
    assert {name for name in TAKES if "counts" in TAKES[name]} == set(DECLARED)
    assert set(metrics.__all__) == {*DECLARED, *CORRELATIONS, *RATERS, *ELSEWHERE}


@pytest.mark.parametrize("name", CORRELATIONS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_correlations_are_symmetric_and_free_of_units(name: str, data: st.DataObject) -> None:
    scores = hnp.arrays(np.int64, 9, elements=st.integers(-5, 5)).map(lambda x: x.astype(float))
    x, y = data.draw(scores), data.draw(scores)

    def of(one: np.ndarray, other: np.ndarray) -> float:
        return value(getattr(metrics, name)(one, other))

    found = of(x, y)
    assert np.isnan(found) or -1 - 1e-9 <= found <= 1 + 1e-9
    assert close(of(y, x), found)
    assert close(of(2 * x + 3, 2 * y + 3), found)


@pytest.mark.parametrize("name", RATERS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_raters_and_options_have_no_order(name: str, data: st.DataObject) -> None:
    codes = data.draw(hnp.arrays(np.int64, (7, 3), elements=st.integers(-1, 2)))

    def of(codes: np.ndarray) -> float:
        given = [[None if one < 0 else int(one) for one in row] for row in codes]
        function = getattr(metrics, name)
        return value(function(ratings=given, labels=[0, 1, 2], **FEWEST))

    found, turned = of(codes), np.where(codes < 0, -1, (codes + 1) % 3)
    assert np.isnan(found) or found <= 1 + 1e-9
    for other in (codes[:, ::-1], codes[::-1], turned):
        assert close(of(other), found)


# --- the papers' identities -------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(tables(2))
def test_five_coefficients_are_one_on_binary_data(table: np.ndarray) -> None:
    """And kappa is at most phi, with equality where the rates match."""
    assume(table.sum(0).all() and table.sum(1).all())
    phi = computed("phi")(table)
    cells = [(a, b) for a in range(2) for b in range(2) for _ in range(int(table[a, b]))]
    x, y = np.array(cells, float).T
    for name in ("pearson", "spearman", "kendall_tau_b"):
        assert value(getattr(metrics, name)(x, y)) == pytest.approx(phi, abs=1e-12)
        assert computed(name)(table) == pytest.approx(phi, abs=1e-12)
    kappa = computed("cohen_kappa")(table)
    assert abs(kappa) <= abs(phi) + 1e-12
    if phi != 0:
        assert (abs(abs(kappa) - abs(phi)) < 1e-12) == (table[0, 1] == table[1, 0])


@settings(max_examples=20, deadline=None)
@given(tables(3))
def test_macro_j_and_balanced_accuracy_are_linear(table: np.ndarray) -> None:
    m = int((table.sum(1) > 0).sum())
    assume(m > 1)
    j = computed("youden_j")(table)
    assert computed("balanced_accuracy")(table) == pytest.approx((m - 1) / m * j + 1 / m)


@settings(max_examples=20, deadline=None)
@given(tables(2).filter(lambda t: t.sum(-1).min() > 0), st.integers(2, 9))
def test_j_ignores_prevalence_and_accuracy_does_not(table: np.ndarray, times: int) -> None:
    """More of one class with the same error rates changes nothing for J."""
    more = table * np.array([[times], [1]])
    assert close(computed("youden_j")(more), computed("youden_j")(table))
    even = table * table.sum(-1)[::-1, None]
    assert close(computed("accuracy")(even), computed("balanced_accuracy")(table))


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.integers(2, 5), st.data())
def test_alpha_is_fleiss_kappa_with_a_finite_sample_term(size: int, raters: int, data: Any) -> None:
    units = data.draw(st.integers(2, 12))
    codes = data.draw(hnp.arrays(np.int64, (units, raters), elements=st.integers(0, size - 1)))
    common = {"labels": list(range(size)), **FEWEST}
    kappa = value(metrics.fleiss_kappa(ratings=codes.tolist(), **common))
    alpha = value(metrics.krippendorff_alpha(ratings=codes.tolist(), **common))
    if np.isnan(kappa):
        assert np.isnan(alpha)
    else:
        assert alpha == pytest.approx(kappa + (1 - kappa) / (units * raters))
        assert alpha >= kappa - 1e-12
