"""Charts as data: what is drawn, without a word on how. `rendering/charts/` draws them.

Every chart has a title, and `alt`, a sentence that says what is seen. An unbounded end of an
interval, and a value that there is not, is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

from goldassay.frozen import dataclass

__all__ = [
    "Chart",
    "Curve",
    "Distribution",
    "Dot",
    "DotInterval",
    "HeatMap",
    "Histogram",
    "Line",
    "Move",
    "Moves",
    "Point",
    "Reference",
    "Scatter",
    "Series",
]


@dataclass(frozen=True, slots=True)
class Reference:
    """A marked value on an axis: chance, people's ceiling, no change."""

    value: float
    label: str
    axis: str | None = None


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with the ends of its interval."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """From one number to another with its interval: a judge's own rate to the corrected one.

    `aside` are the ends of a second interval to compare with (people's labels alone).
    """

    label: str
    start: float | None
    value: float
    low: float | None = None
    high: float | None = None
    aside: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """A line over x, with a band where it has one."""

    label: str
    x: Sequence[float]
    y: Sequence[float | None]
    low: Sequence[float | None] | None = None
    high: Sequence[float | None] | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """A named place on the plane."""

    label: str
    x: float
    y: float
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve behind points."""

    label: str
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts between edges; one edge more than counts."""

    label: str
    edges: Sequence[float]
    counts: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What every chart has."""

    kind: ClassVar[str] = ""
    title: str
    alt: str = ""

    def to_json(self) -> dict[str, Any]:
        """The chart as the document holds it; what is not set is left out."""
        drawn = {"kind": self.kind, **_plain(self)}
        return {**{key: drawn[key] for key in drawn if key != "alt"}, "alt": self.alt}


@dataclass(frozen=True, slots=True, kw_only=True)
class DotInterval(Chart):
    """A row for each value, with its interval."""

    kind: ClassVar[str] = "dot_interval"
    x_label: str
    rows: Sequence[Dot]
    references: Sequence[Reference] = ()
    #: Whether the values are shares, written as percentages.
    rate: bool | None = None
    #: Whether they are differences of shares, written as points.
    points: bool | None = None
    #: How many of the first rows cannot be told from the first one.
    tied: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves(Chart):
    """A row for each move from a first number to a second, on a common axis of shares."""

    kind: ClassVar[str] = "moves"
    x_label: str
    rows: Sequence[Move]
    #: What the first number, the second and the interval aside are called.
    names: tuple[str, str, str] = ("", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Chart):
    """Lines over a common x, those that matter first: of many the first few stand out.

    `x_scale` is "log" where x spans orders of magnitude.
    """

    kind: ClassVar[str] = "line"
    x_label: str
    y_label: str
    series: Sequence[Series]
    references: Sequence[Reference] = ()
    x_scale: str | None = None
    #: Which axes are shares, written as percentages: "x", "y" or "xy".
    rates: str | None = None
    #: What the line of equal x and y is called, where there is one.
    diagonal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter(Chart):
    """Points on a plane, with curves, a diagonal or quadrants behind them."""

    kind: ClassVar[str] = "scatter"
    x_label: str
    y_label: str
    points: Sequence[Point]
    curves: Sequence[Curve] = ()
    diagonal: bool = False
    quadrants: bool = False
    #: Which axes are shares, written as percentages: "x", "y" or "xy".
    rates: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap(Chart):
    """A value for each cell of rows and columns; `center` is where the colours turn.

    Of a `ratio` twice and half are equally dark; `here` is a place in units of cells, from the
    middle of the first one.
    """

    kind: ClassVar[str] = "heat_map"
    x_label: str
    y_label: str
    x_labels: Sequence[str]
    y_labels: Sequence[str]
    values: Sequence[Sequence[float | None]]
    center: float | None = None
    format: str = ".2f"
    texts: Sequence[Sequence[str]] | None = None
    ratio: bool | None = None
    here: Point | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution(Chart):
    """Histograms over a common axis."""

    kind: ClassVar[str] = "distribution"
    x_label: str
    series: Sequence[Histogram]


#: What stays in the JSON even where it is None: a value that there is not.
_KEPT = frozenset({"value", "low", "high", "center"})
#: ... but not where a whole band is absent.
_BANDS = frozenset({"Series"})


def _plain(record: Any) -> dict[str, Any]:
    band = type(record).__name__ in _BANDS
    out: dict[str, Any] = {}
    for one in fields(record):
        value = getattr(record, one.name)
        if value is None and (band or one.name not in _KEPT):
            continue
        out[one.name] = _items(value)
    return out


def _items(value: Any) -> Any:
    if is_dataclass(value):
        return _plain(value)
    if isinstance(value, str | Mapping):
        return value
    if isinstance(value, Sequence) or hasattr(value, "tolist"):
        return [_items(item) for item in (value.tolist() if hasattr(value, "tolist") else value)]
    return value
