"""Differences with their intervals against 0 and the margin; slices below."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.charts import Chart, Dot, DotInterval, Reference
from goldassay.questions.compare.record import CompareStudy, JudgeComparison, Pair
from goldassay.results import Estimate
from goldassay.words import decimal

__all__ = ["charts"]

#: A picture of more differences than these is no picture.
MOST_DRAWN = 30
#: Pairs that are drawn three times, with the judge's own difference and that of the labels.
MOST_BESIDE = 4


def charts(found: CompareStudy) -> tuple[Chart, ...]:
    """The first judge's differences, beside its own and those of labels alone where they fit."""
    one = found.judges[0]
    pairs = sorted(
        (pair for pair in one.pairs if isinstance(pair.difference, Estimate)),
        key=lambda pair: -pair.difference.value,  # type: ignore[union-attr]
    )
    drawn = [_drawn(one, pairs)] if pairs else []
    if one.slices:
        names = [f"{part.slice}: {_label(part.pair)}" for part in one.slices]
        dots = _dots([part.pair for part in one.slices], names)
        if dots:
            drawn.append(_chart(one, f"Differences within {one.systems.column}", dots))
    return tuple(drawn)


def _label(pair: Pair) -> str:
    return f"{pair.system} − {pair.opponent}"


def _drawn(one: JudgeComparison, pairs: Sequence[Pair]) -> Chart:
    dots = []
    several = len(pairs) <= MOST_BESIDE
    for pair in pairs[:MOST_DRAWN]:
        group = "corrected" if several else None
        kinds = [(pair.difference, group)]
        if several:
            kinds += [(pair.judge, "judge alone"), (pair.labels, "labels alone")]
        for result, kind in kinds:
            if isinstance(result, Estimate):
                ends = result.interval
                low, high = (ends.low, ends.high) if ends else (None, None)
                dots.append(Dot(_label(pair), result.value, low, high, kind))
    return _chart(one, "Which system is better", dots)


def _dots(pairs: Sequence[Pair], names: Sequence[str]) -> list[Dot]:
    found = []
    for pair, name in zip(pairs, names, strict=True):
        gap = pair.difference
        if isinstance(gap, Estimate) and gap.interval is not None:
            found.append(Dot(name, gap.value, gap.interval.low, gap.interval.high))
    return found[:MOST_DRAWN]


def _chart(one: JudgeComparison, title: str, dots: Sequence[Dot]) -> Chart:
    margin = one.asked.margin
    references = [Reference(0.0, "no difference")]
    if margin:
        references.insert(0, Reference(-margin, f"margin -{decimal(margin)}"))
    return DotInterval(
        title=title,
        x_label=f"difference of {one.measure.words}s",
        rows=tuple(dots),
        references=tuple(references),
        alt="Each dot is one system's "
        f"{one.measure.words} less another's, with its interval; right of 0 the first is better.",
    )
