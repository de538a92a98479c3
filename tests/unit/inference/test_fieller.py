from __future__ import annotations

import pytest

from goldassay.inference.rates import RatioParts, fieller_limits

MANY = 1e9


def parts(above: float, below: float, variances: tuple[float, float]) -> RatioParts:
    return RatioParts(above, variances[0], MANY, below, variances[1], MANY)


def test_a_known_denominator_divides_the_limits() -> None:
    low, high = fieller_limits(parts(0.1, 0.5, (0.0004, 0.0)))
    assert (low, high) == pytest.approx((0.2 - 1.96 * 0.04, 0.2 + 1.96 * 0.04), abs=1e-5)


def test_both_ends_are_just_kept() -> None:
    low, high = fieller_limits(parts(0.2, 0.6, (0.001, 0.004)))
    for end in (low, high):
        z = (0.2 - end * 0.6) / (0.001 + end**2 * 0.004) ** 0.5
        assert abs(z) == pytest.approx(1.959964, abs=1e-4)
    mirrored = fieller_limits(parts(-0.2, 0.6, (0.001, 0.004)))
    assert mirrored == pytest.approx((-high, -low))


def test_a_denominator_of_unknown_sign_bounds_nothing() -> None:
    for above, below in ((0.2, 0.1), (-0.2, 0.1), (0.01, 0.1), (0.2, -0.1)):
        assert fieller_limits(parts(above, below, (0.001, 0.01))) == (-1, 1)
    low, high = fieller_limits(parts(0.2, 0.1, (0.001, 0.0025)))  # 2 standard errors from 0
    assert low > 0
    assert high == 1


def test_few_degrees_of_freedom_lengthen() -> None:
    few = RatioParts(0.2, 0.001, 5, 0.6, 0.004, 3)
    low, high = fieller_limits(few)
    far = fieller_limits(parts(0.2, 0.6, (0.001, 0.004)))
    assert low < far[0] < far[1] < high
    # Satterthwaite at 0: the numerator's own.
    assert few.degrees(0.0) == pytest.approx(5)
