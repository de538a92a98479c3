"""Quantiles and tails of single numbers are those of SciPy's package."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special as scipy_special

from goldassay.formulas import special

TAILS = [1e-12, 1e-6, 0.001, 0.0125, 0.025, 0.05, 0.2, 0.26, 0.4, 0.5, 0.6, 0.76, 0.975, 0.9999]
PARAMETERS = [0.25, 0.5, 1.0, 1.25, 2.0, 5.0, 17.5, 66.0, 100.0, 1000.25, 9999.0]


@pytest.mark.parametrize("probability", [1e-300, 1e-20, *TAILS, 0.4999999, 0.5 + 1e-9])
def test_normal_quantile(probability: float) -> None:
    expected = float(scipy_special.ndtri(probability))
    assert special.normal_quantile(probability) == pytest.approx(expected, rel=1e-13, abs=1e-300)


def test_normal_quantile_at_and_beyond_the_ends() -> None:
    assert special.normal_quantile(0.0) == -math.inf
    assert special.normal_quantile(1.0) == math.inf
    assert math.isnan(special.normal_quantile(-0.1))
    assert math.isnan(special.normal_quantile(math.nan))


def test_normal_cdf() -> None:
    for x in np.linspace(-30, 9, 200):
        expected = float(scipy_special.ndtr(x))
        assert special.normal_cdf(float(x)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("degrees", [0.5, 1.0, 1.3, 2.0, 3.0, 7.7, 30.0, 66.0, 1000.0, 9999.5, 1e6])
def test_student_quantile(degrees: float) -> None:
    for probability in TAILS:
        expected = float(scipy_special.stdtrit(degrees, probability))
        found = special.student_quantile(degrees, probability)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert math.isnan(special.student_quantile(math.nan, 0.025))


@pytest.mark.parametrize("a", PARAMETERS)
def test_beta_quantile(a: float) -> None:
    for b in PARAMETERS:
        found = special.beta_quantile(a, b, TAILS)
        np.testing.assert_allclose(
            found, scipy_special.betaincinv(a, b, TAILS), rtol=1e-12, atol=1e-16
        )


def test_beta_quantile_of_many_or_large_or_no_parameters() -> None:
    many = np.linspace(1, 200, 100)
    for a, b in ((many, many[::-1]), (2e6, 3e6)):
        expected = scipy_special.betaincinv(a, b, 0.025)
        np.testing.assert_array_equal(special.beta_quantile(a, b, 0.025), expected)
    assert np.isnan(special.beta_quantile([math.nan, 0.0], 1.0, 0.5)).all()
    assert special.beta_quantile(2.0, 3.0, [0.0, 1.0]).tolist() == [0.0, 1.0]
    # x^a = p for Beta(a, 1): 10^-4000 is below what a double holds.
    assert float(special.beta_quantile(1e-3, 1.0, 1e-4)) == 0.0


def test_chi_square_tail() -> None:
    for degrees in range(1, 40):
        for value in (1e-9, 0.1, 1.0, 3.84, 10.0, 50.0, 200.0):
            expected = float(scipy_special.chdtrc(degrees, value))
            assert special.chi_square_tail(degrees, value) == pytest.approx(expected, rel=1e-12)
    assert special.chi_square_tail(3, 0.0) == 1.0
    assert special.chi_square_tail(3, math.inf) == 0.0


def test_log_odds() -> None:
    for p in (1e-300, 0.2, 0.5, 0.9, 1 - 1e-12):
        assert special.log_odds(p) == pytest.approx(float(scipy_special.logit(p)), rel=1e-12)
    assert (special.log_odds(0.0), special.log_odds(1.0)) == (-math.inf, math.inf)
