"""The axis above drawn intervals is in the unit of the figures beside it."""

from __future__ import annotations

from goldassay.rendering.strips import strip_column

INTERVAL = [(-0.15, 0.1, 0.52)]


def axis(*, rate: bool = False, in_points: bool = False) -> tuple[str, ...]:
    column = strip_column(INTERVAL, 30, rate=rate, in_points=in_points)
    assert column is not None
    return tuple(column.head.replace("\u00a0", " ").split("  "))


def test_an_axis_of_points_is_no_axis_of_percent() -> None:
    ends = axis(in_points=True)
    assert (ends[0], ends[-1].strip()) == ("-20", "60")


def test_an_axis_of_rates_is_in_percent_and_of_others_plain() -> None:
    rates, plain = axis(rate=True), axis()
    assert (rates[0], rates[-1].strip()) == ("-20 %", "60 %")
    assert (plain[0], plain[-1].strip()) == ("-0.20", "0.60")
