"""Numbers and names as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.results import Estimate, Interval
from goldassay.words import (
    beside,
    between,
    counted,
    decimal,
    figure,
    interval_text,
    is_outside,
    named,
    p_value,
    percent,
    points,
)

SHARES = st.floats(0, 1, allow_nan=False)


def estimate(name: str, value: float, low: float, high: float) -> Estimate:
    return Estimate(name, value, Interval(low, high, 0.95, "by hand"))


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (0.72, 0.68, 0.75, "72 % [68, 75]"),
        (0.9, 0.8991, 0.9012, "90.0 % [89.9, 90.1]"),  # whole points would all read 90
        (1.0, 0.97, 1.0, "100 % [97, 100]"),
        (0.001, 0.0, 0.004, "0.1 % [0.0, 0.4]"),  # 0 % would claim that there is none
        (0.9996, 0.999, 1.0, "over 99.9 % [99.9, 100.0]"),
        (0.9996, 0.9981, 0.9999, "over 99.9 % [99.8, 100.0]"),  # ends are rounded outward
        (0.0002, 0.0001, 0.0004, "under 0.1 % [0.0, 0.1]"),
    ],
)
def test_digits_of_a_rate_follow_its_interval(value, low, high, said):
    assert figure(estimate("accuracy", value, low, high)) == said


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (0.74, 0.66, 0.8, "0.74 [0.66, 0.80]"),
        (0.7412, 0.738, 0.7432, "0.741 [0.738, 0.743]"),
        (9.23, 0.1, 9506.65, "9.23 [0.10, 9,507]"),
        (1.0, 0.9, float("inf"), "1.00 [0.90, ∞]"),
    ],
)
def test_digits_of_a_coefficient_follow_its_interval(value, low, high, said):
    assert figure(estimate("cohen_kappa", value, low, high)) == said


@given(SHARES, SHARES)
def test_no_rate_that_is_not_nought_or_all_is_written_so(value, end):
    """But for what the arithmetic of a sum leaves of either."""
    said = percent(value, (min(value, end), max(value, end)))
    assert (float(said.split()[-2]) == 0) <= (value < 1e-11 or said.startswith("under"))
    assert (float(said.split()[-2]) == 100) <= (value > 1 - 1e-11)


def test_what_arithmetic_leaves_of_nought_is_nought() -> None:
    assert points(3e-17, (0.0, 0.001)) == "0.0 points [0.0, 0.1]"
    assert percent(1 - 1e-15) == "100 %"
    assert figure(estimate("cohen_kappa", 0.1, 0.0, 0.1 + 1e-17)) == "0.10 [0.00, 0.10]"


def test_names_counts_and_p_values():
    assert named("a`b\u202e") == "`a'b⟨U+202E⟩`"
    assert counted(1, "rating") == "1 rating"
    assert p_value(0.031249) == "0.031"
    assert interval_text(0.1, None) == "0.10, ∞"
    assert decimal(0.5) == "0.50"


def test_a_share_outside_an_interval_is_not_written_as_inside() -> None:
    assert beside(0.175, 0.1765, 0.4702) == ("17.5 %", "17.6 to 47.0 %")
    assert beside(0.4712, 0.1765, 0.4702) == ("47.1 %", "17.6 to 47.0 %")
    assert beside(0.48, 0.1765, 0.4702) == ("48 %", "18 to 47 %")
    assert beside(0.178, 0.1765, 0.4702) == ("18 %", "18 to 47 %")  # inside, and written so
    assert not is_outside(0.0, 2e-157, 0.47)
    assert is_outside(0.0, 0.001, 0.47)


def test_the_middle_of_an_interval_makes_no_digits() -> None:
    assert between(-0.681, 0.671, rate=True) == "-68 to 67 %"
    assert interval_text(-0.5, 0.5) == "-0.50, 0.50"
    assert between(-0.506, -0.004, rate=True) == "-50.6 to -0.4 %"
