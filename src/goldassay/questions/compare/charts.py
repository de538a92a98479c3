"""Differences with their intervals against 0 and the margin; slices below."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.charts import Chart, Dot, DotInterval, Reference
from goldassay.questions.compare.record import CompareStudy, JudgeComparison, Pair
from goldassay.questions.compare.tables import pair_label, shown_pairs
from goldassay.results import Estimate, Result
from goldassay.words import decimal, points

__all__ = ["charts"]

#: A picture of more differences than these is no picture.
MOST_DRAWN = 30
#: Pairs that are drawn three times, with the judge's own difference and that of the labels.
MOST_BESIDE = 4


def charts(found: CompareStudy) -> tuple[Chart, ...]:
    """The first judge's differences as its table has them: direction, order and unit.

    Beside its own and those of labels alone where they fit; of several criteria each is named.
    """
    leading = found.leading
    named = len(leading) > 1
    pairs = [
        (pair_label(one, pair, named=named), pair)
        for one in leading
        for pair in shown_pairs(one)
        if isinstance(pair.difference, Estimate)
    ]
    drawn = [_chart(leading[0], "Which system is better", _beside(pairs))] if pairs else []
    for one in leading:
        slices = [
            (f"{part.slice}: {pair_label(one, part.pair, named=False)}", part.pair)
            for part in one.slices
        ]
        dots = [dot for label, pair in slices for dot in _dot(label, pair.difference)]
        if dots:
            where = f" on {one.criterion}" if named else ""
            title = f"Differences within {one.systems.column}{where}"
            drawn.append(_chart(one, title, dots[:MOST_DRAWN]))
    return tuple(drawn)


def _beside(pairs: Sequence[tuple[str, Pair]]) -> list[Dot]:
    several = len(pairs) <= MOST_BESIDE
    found = []
    for label, pair in pairs[:MOST_DRAWN]:
        found += _dot(label, pair.difference, "corrected" if several else None)
        if several:
            found += _dot(label, pair.judge, "judge alone")
            found += _dot(label, pair.labels, "labels alone")
    return found


def _dot(label: str, result: Result, group: str | None = None) -> list[Dot]:
    """A dot of what is known."""
    if not isinstance(result, Estimate):
        return []
    ends = result.interval
    low, high = (ends.low, ends.high) if ends else (None, None)
    return [Dot(label, result.value, low, high, group)]


def _chart(one: JudgeComparison, title: str, dots: Sequence[Dot]) -> Chart:
    margin, rate = one.asked.margin, one.measure.rate
    references = [Reference(0.0, "no difference")]
    if margin:
        written = points(-margin) if rate else f"-{decimal(margin)}"
        references.insert(0, Reference(-margin, f"margin {written}"))
    return DotInterval(
        title=title,
        x_label=f"difference of {one.measure.words}s{', points' if rate else ''}",
        rows=tuple(dots),
        references=tuple(references),
        points=rate or None,
        alt="Each dot is one system's "
        f"{one.measure.words} less another's, with its interval; right of 0 the first is better.",
    )
