"""Axes: from data to pixels, with round ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable

from goldassay.frozen import dataclass

__all__ = ["Scale", "span"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Data in [low, high] drawn from pixel `start` to pixel `end`, linearly or by logarithm."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    #: Whether ticks are percentages of a share.
    percent: bool = False
    #: Whether they are points: hundredths, as percentages are, but without the sign.
    points: bool = False
    #: Whether the data are whole numbers, of which there is no half.
    whole: bool = False

    def __call__(self, value: float) -> float:
        """The pixel of a value; values beyond the axis stand at its end."""
        low, high = self._warped(self.low), self._warped(self.high)
        share = (self._warped(value) - low) / (high - low)
        return self.start + min(max(share, -0.02), 1.02) * (self.end - self.start)

    def _warped(self, value: float) -> float:
        return math.log10(max(value, 1e-300)) if self.log else value

    def ticks(self, count: int) -> list[float]:
        """About `count` round values within the axis."""
        if self.log:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            steps = (1.0, 2.0, 5.0) if last - first <= count / 2 else (1.0,)
            every = max(1, math.ceil((last - first) / max(count, 1)))
            values = [s * 10.0**e for e in range(first, last + 1, every) for s in steps]
            kept = [v for v in values if self.low * 0.999 <= v <= self.high * 1.001]
            return kept or [self.low, self.high]
        step = self._step(count)
        slack = step * 1e-6
        first, last = math.ceil((self.low - slack) / step), math.floor((self.high + slack) / step)
        return [0.0 if k == 0 else round(k * step, 12) for k in range(first, last + 1)]

    def _step(self, count: int) -> float:
        step = _round_step((self.high - self.low) / max(count, 1))
        return math.ceil(step) if self.whole and step != round(step) else step

    def tick_text(self, value: float, count: int) -> str:
        """A tick in as few digits as its neighbours need."""
        if self.percent or self.points:
            hundred = Scale(100 * self.low, 100 * self.high, self.start, self.end)
            return f"{hundred.tick_text(100 * value, count)}{' %' if self.percent else ''}"
        if self.log or abs(value) >= 1000:
            return f"{value:,.0f}" if 1 <= abs(value) < 1e6 else f"{value:g}"
        step = self._step(count)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        digits += abs(round(step, digits) - step) > 1e-9 * step  # a step of 2.5 needs one more
        return f"{value:.{digits}f}" if digits < 7 else f"{value:.3g}"


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next((m * power for m in (1, 2, 2.5, 5) if m * power >= rough * 0.999), 10 * power)


def span(
    values: Iterable[float | None], *, log: bool = False, tight: bool = False
) -> tuple[float, float]:
    """The ends of an axis that holds all values, with a little air unless `tight`."""
    known = [v for v in values if v is not None and abs(v) < 1e100 and (v > 0 or not log)]
    if not known:
        return (1.0, 10.0) if log else (0.0, 1.0)
    low, high = min(known), max(known)
    if log:
        return (low, high) if high > low * 1.01 else (low / 2, high * 2)
    if high - low < 1e-9 * max(1.0, abs(high)):
        half = 0.5 * abs(high) or 0.5
        return low - half, high + half
    air = 0.0 if tight else 0.04 * (high - low)
    below, above = low - air, high + air
    # A share's axis must not run past 0 or 1, where there is nothing to see.
    if low >= 0 > below:
        below = 0.0
    if high <= 1 < above:
        above = 1.0
    return below, above
