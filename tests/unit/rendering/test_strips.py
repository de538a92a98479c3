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


def test_an_interval_is_drawn_in_twelve_cells_and_not_in_fewer() -> None:
    """The first table of the tutorial leaves twelve, and an interval of five of them is seen."""
    drawn = strip_column([(0.79, 0.84, 0.87)], 12, rate=True)
    assert drawn is not None
    assert drawn.cells == ("·━━━━━━●━━━·",)
    assert drawn.head.replace("\u00a0", " ") == "78 %    88 %"
    assert strip_column([(0.79, 0.84, 0.87)], 11, rate=True) is None
