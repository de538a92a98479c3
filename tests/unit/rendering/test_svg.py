"""Every chart kind draws well-formed, bounded, honest SVG, whatever the data."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
import sample_charts as charts
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.rendering.charts import svg
from goldassay.rendering.charts.canvas import spread
from goldassay.rendering.charts.scale import Scale, span
from goldassay.rendering.charts.svg import KINDS, NARROW, WIDE, draw, fits_narrow

SVG = "{http://www.w3.org/2000/svg}"


def _texts(svg: str) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


@pytest.mark.parametrize("chart", [*charts.all_kinds(), charts.moves()], ids=lambda c: c["title"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_each_kind_is_well_formed_named_and_small(chart: dict[str, Any], width: int) -> None:
    svg = draw(chart, width=width)
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == chart["alt"]
    assert root.find(f".//{SVG}title") is not None, "marks have tooltips"
    assert chart["x_label"] in _texts(svg)
    assert "style=" not in svg, "a strict policy forbids inline styles"
    assert len(svg) < 20_000


@pytest.mark.parametrize("chart", [*charts.all_kinds(), charts.moves()], ids=lambda c: c["title"])
def test_marks_stay_within_the_drawing(chart: dict[str, Any]) -> None:
    for width in (WIDE, NARROW):
        root = ElementTree.fromstring(draw(chart, width=width))
        _, _, w, h = map(float, root.get("viewBox", "").split())
        for text in root.iter(f"{SVG}text"):
            assert -1 <= float(text.get("x", 0)) <= w + 1
            assert 0 <= float(text.get("y", 0)) <= h
        for mark in root.iter(f"{SVG}circle"):
            assert 0 <= float(mark.get("cx", 0)) <= w
            assert 0 <= float(mark.get("cy", 0)) <= h


def _labels(svg: str) -> list[str]:
    """Texts as drawn, without their tooltips."""
    return ["".join(t for t in [one.text or "", *(c.tail or "" for c in one)]) for one in
            ElementTree.fromstring(svg).iter(f"{SVG}text")]  # fmt: skip


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_long_names_are_cut_in_the_middle_and_stay_different(width: int) -> None:
    names = [f"provider/{'a-very-long-model-name-' * 4}{k:02d}-instruct" for k in range(12)]
    rows = [{"label": name, "value": 0.5, "low": 0.4, "high": 0.6} for name in names]
    moves = [{**row, "start": 0.3} for row in rows]
    square = {"x_label": "", "y_label": "", "x_labels": names, "y_labels": names, "alt": "a"}
    for chart, times in (
        ({"kind": "dot_interval", "title": "t", "x_label": "x", "rows": rows, "alt": "a"}, 1),
        ({"kind": "moves", "title": "t", "x_label": "x", "rows": moves, "alt": "a"}, 1),
        ({"kind": "heat_map", "title": "t", "values": [[0.5] * 12] * 12, **square}, 2),
    ):
        drawn = [text for text in _labels(draw(chart, width=width)) if "…" in text]
        assert len(drawn) == 12 * times
        assert len(set(drawn[:12])) == len(set(drawn[-12:])) == 12


def test_of_many_lines_a_few_stand_out_and_the_rest_are_grey() -> None:
    series = [{"label": f"judge {k}", "x": [0, 1], "y": [0, k / 48]} for k in range(48)]
    svg = draw({"kind": "line", "title": "t", "x_label": "x", "y_label": "y", "series": series})
    assert svg.count('class="line rest"') == 43
    assert [text for text in _labels(svg) if text.startswith("judge ")] == [
        f"judge {k}" for k in range(5)
    ]
    assert "43 more, grey" in _labels(svg)


def test_ratios_are_shaded_by_their_logarithm_and_ones_own_place_is_marked() -> None:
    chart = {
        "kind": "heat_map",
        "title": "t",
        "x_label": "x",
        "y_label": "y",
        "x_labels": ["a", "b", "c", "d"],
        "y_labels": ["r"],
        "values": [[0.5, 1.0, 2.0, 33.75]],
        "center": 1.0,
        "ratio": True,
        "here": {"label": "your judge", "x": 1.5, "y": 0},
        "alt": "a",
    }
    root = ElementTree.fromstring(draw(chart))
    cells = [one for one in root.iter(f"{SVG}path") if one.find(f"{SVG}title") is not None]
    half, one, twice, far = (float(cell.get("fill-opacity", 0)) for cell in cells)
    assert [cell.get("class") for cell in cells] == ["down", "up", "up", "up"]
    assert half == pytest.approx(twice)  # log 2 either way, over log 10
    assert twice == pytest.approx(0.04 + 0.72 * 0.301, abs=0.006)
    assert (one, far) == (0.04, 0.76)
    assert len(root.findall(f".//{SVG}circle[@class='here']")) == 2  # on the map and in its key


def test_of_a_mirrored_map_one_half_is_drawn_and_listed() -> None:
    def cells(values: list[list[float]]) -> list[str | None]:
        chart = {
            "kind": "heat_map",
            "title": "t",
            "x_labels": ["a", "b"],
            "y_labels": ["a", "b"],
            "values": values,
            "alt": "a",
        }
        drawn = ElementTree.fromstring(draw(chart))
        listed = svg.numbers(chart)[1][1][1]
        assert listed == (None if values[0][1] == 0.5 else 0.5)
        return [one.text for one in drawn.findall(f".//{SVG}path/{SVG}title")]

    assert cells([[1.0, 0.5], [0.5, 1.0]]) == ["a, a: 1.00", "a, b: 0.50", "b, b: 1.00"]
    assert len(cells([[1.0, 0.4], [0.5, 1.0]])) == 4


def test_whole_things_have_whole_ticks_and_rates_percentages() -> None:
    ranks = [{"label": f"s{k}", "value": k, "low": k, "high": k + 1} for k in (1, 2)]
    drawn = {"kind": "dot_interval", "title": "t", "x_label": "rank", "rows": ranks, "alt": "a"}
    assert not [text for text in _labels(draw(drawn)) if "." in text]
    series = [{"label": "a", "x": [0.1, 0.9], "y": [0.2, 0.3]}]
    line = {"kind": "line", "title": "t", "x_label": "x", "y_label": "y", "series": series}
    ticks = [t for t in _labels(draw({**line, "rates": "xy"})) if t not in ("x", "y", "a")]
    assert ticks
    assert all(text.endswith(" %") for text in ticks)


def test_kinds_are_those_of_the_architecture() -> None:
    assert set(KINDS) == {"dot_interval", "moves", "line", "scatter", "heat_map", "distribution"}
    with pytest.raises(ValueError, match="pie"):
        draw({"kind": "pie"})


def test_an_undefined_value_is_said_and_not_drawn_at_zero() -> None:
    chart = {
        "kind": "dot_interval",
        "x_label": "kappa",
        "alt": "a",
        "rows": [{"label": "constant", "value": None, "low": None, "high": None}],
    }
    svg = draw(chart)
    assert "undefined" in _texts(svg)
    assert "<circle" not in svg


def test_an_unbounded_end_points_outwards() -> None:
    row = {"label": "undefeated", "value": 2.5, "low": 1.0, "high": None}
    svg = draw({"kind": "dot_interval", "x_label": "score", "alt": "a", "rows": [row]})
    assert "2.50 [1.00, ∞]" in _texts(svg)
    assert svg.count('class="bar') == 2, "the interval and its arrow"


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_chart_without_data_still_draws(kind: str) -> None:
    ElementTree.fromstring(draw({"kind": kind, "title": "nothing", "alt": "nothing"}))


HOSTILE = "</svg><script>alert(1)</script>\x00\u202e\"'&<" + "x" * 5_000


@pytest.mark.parametrize("chart", [*charts.all_kinds(), charts.moves()], ids=lambda c: c["title"])
def test_hostile_text_in_every_field_stays_text(chart: dict[str, Any]) -> None:
    def poison(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: poison(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [poison(v, key) for v in value]
        return HOSTILE if isinstance(value, str) and key not in ("kind", "axis") else value

    for width in (WIDE, NARROW):
        svg = draw(poison(chart), width=width)
        root = ElementTree.fromstring(svg)
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "text", "title", "line", "rect", "path", "circle"}
        assert "\u202e" not in svg
        assert "\x00" not in svg
        assert len(svg) < 200_000


numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(numbers, numbers, numbers), max_size=8))
def test_any_finite_numbers_draw(rows: list[tuple[float | None, ...]]) -> None:
    dots = [{"label": "j", "value": v, "low": a, "high": b} for v, a, b in rows]
    xs, ys = [v for v, _, _ in rows], [a for _, a, _ in rows]
    points = [{"label": "p", "x": x, "y": y} for x, y in zip(xs, ys, strict=True)]
    for chart in (
        {"kind": "dot_interval", "rows": dots},
        {"kind": "line", "series": [{"label": "s", "x": xs, "y": ys}]},
        {"kind": "scatter", "points": points, "diagonal": True},
        {"kind": "heat_map", "x_labels": ["a", "b", "c"], "values": [list(row) for row in rows]},
    ):
        svg = draw({**chart, "alt": "any"})
        ElementTree.fromstring(svg)
        assert "nan" not in svg
        assert "inf" not in svg.replace("infinity", "")


def test_drawing_is_a_pure_function_of_the_data() -> None:
    for chart in charts.all_kinds():
        before = json.dumps(chart)
        assert draw(chart) == draw(json.loads(before))
        assert json.dumps(chart) == before


def test_a_large_heat_map_stays_bounded_and_is_drawn_once() -> None:
    chart = charts.heat_map(48, 63)
    assert len(draw(chart)) < 450_000
    assert not fits_narrow(chart)


def test_ticks_are_round_and_few() -> None:
    assert Scale(0, 1, 0, 100).ticks(5) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert Scale(1, 1000, 0, 100, log=True).ticks(4) == [1, 10, 100, 1000]
    assert Scale(0.13, 0.31, 0, 100).tick_text(0.15, 4) == "0.15"


def test_an_axis_of_shares_does_not_leave_zero_and_one() -> None:
    assert span([0.01, 0.99]) == (0.0, 1.0)
    assert span([]) == (0.0, 1.0)
    low, high = span([0.5])
    assert low < 0.5 < high


@given(st.lists(st.floats(0, 100), max_size=12))
def test_labels_are_spread_in_order_within_bounds(wanted: list[float]) -> None:
    placed = spread(wanted, 5, 0, 100)
    assert all(-1e-6 <= y <= 100 + 1e-6 for y in placed)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    gaps = [placed[b] - placed[a] for a, b in pairwise(order)]
    assert all(gap >= 5 - 1e-6 for gap in gaps)


def test_an_axis_of_whole_numbers_has_whole_ticks() -> None:
    for high in range(3, 60):
        ticks = Scale(2, high, 0, 500, whole=True).ticks(8)
        assert all(tick == round(tick) for tick in ticks), high
        assert 1 <= len(ticks) <= 12, high
    assert "2.5" in {
        Scale(0, 10, 0, 500).tick_text(tick, 4) for tick in Scale(0, 10, 0, 9).ticks(4)
    }
