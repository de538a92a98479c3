"""A line for each difference, or for each system of many; all differences and slices in full."""

from __future__ import annotations

import math
from typing import Any

from goldassay.questions.compare.record import CompareStudy, JudgeComparison, Pair
from goldassay.results import Estimate, Line, Result, Summary, Table
from goldassay.words import counted, decimal, interval_text, p_value, percent

__all__ = ["summary", "tables"]

#: Differences that a first table may hold; of more systems it has a line each.
MOST_PAIRS = 10


def summary(found: CompareStudy) -> Summary:
    """About the first judge: its differences, or its systems, the best first."""
    one = found.judges[0]
    if len(one.pairs) <= MOST_PAIRS:
        return _pairs(one)
    return _systems(one)


def _pairs(one: JudgeComparison) -> Summary:
    pairs = sorted(one.pairs, key=lambda pair: -_value(pair.difference))
    lines = tuple(
        Line(
            f"{pair.system} − {pair.opponent}",
            (pair.difference, pair.verdict, _p(pair), pair.judge, pair.labels),
        )
        for pair in pairs
    )
    columns = ("difference", "verdict", "p", "judge alone", "labels alone")
    return Summary("difference", columns, lines, (_note(one),))


def _systems(one: JudgeComparison) -> Summary:
    names, leaders = one.systems.systems, set(one.leaders)
    lines = []
    for place in one.order:
        name = names[place]
        above = [p for p in one.pairs if _beats(p, name)]
        below = [p for p in one.pairs if name in (p.system, p.opponent) and _told(p)]
        own = one.systems.whole.judge.value[place]
        cells = (
            one.systems.results[place],
            percent(float(own)) if one.measure.rate else decimal(float(own)),
            len(above),
            len(below) - len(above),
            round(float(one.systems.whole.labelled[place])),
        )
        lines.append(Line(name, cells, tied=name in leaders and len(leaders) > 1))
    columns = (one.measure.name, "judge alone", "better than", "worse than", "labels")
    return Summary("system", columns, tuple(lines), (_note(one),))


def _told(pair: Pair) -> bool:
    gap = pair.difference
    return isinstance(gap, Estimate) and gap.interval is not None and 0 not in gap.interval


def _beats(pair: Pair, name: str) -> bool:
    gap = pair.difference
    if not _told(pair) or not isinstance(gap, Estimate):
        return False
    return name == (pair.system if gap.value > 0 else pair.opponent)


def _note(one: JudgeComparison) -> str:
    level = percent(one.asked.confidence_level)
    margin = one.asked.margin
    told = f"; no worse: above a margin of -{decimal(margin)}" if margin is not None else ""
    if one.family < 2:
        return f"true difference, {level} confidence{told}"
    return f"{counted(one.family, 'difference')} at once, {level} confidence{told}"


def _value(result: Result) -> float:
    return result.value if isinstance(result, Estimate) else float("-inf")


def _p(pair: Pair) -> str | None:
    return None if pair.p_value is None else p_value(pair.p_value)


def tables(found: CompareStudy) -> dict[str, Table]:
    """By judge the systems, the differences, the slices, and what would tell."""
    made = {}
    for one in found.judges:
        label = one.subject.label
        made[f"systems_{label}"] = _system_table(one)
        made[f"differences_{label}"] = _difference_table(one)
        if one.slices:
            made[f"slices_{label}"] = _slice_table(one)
        if any(pair.needed for pair in one.pairs):
            made[f"needed_{label}"] = _needed_table(one)
    return made


def _system_table(one: JudgeComparison) -> Table:
    rows = []
    for place in one.order:
        result = one.systems.results[place]
        rows.append(
            (
                one.systems.systems[place],
                *_figure(result),
                _number(one.systems.whole.judge.value[place]),
                round(float(one.systems.whole.items[place])),
                round(float(one.systems.whole.labelled[place])),
            )
        )
    words = one.measure.words
    return Table(
        f"{words.capitalize()} of each system ({one.subject.label})",
        ("system", words, "interval", "judge alone", "items", "labels"),
        tuple(rows),
        ("The numbers of `goldassay estimate`; each interval by itself.",),
    )


def _difference_table(one: JudgeComparison) -> Table:
    rows = tuple(_difference(pair) for pair in one.pairs)
    notes = [_note(one)]
    if one.asked.margin is not None:
        notes.append(
            "p no worse: that it is worse by the margin or more; it is small where the interval "
            "excludes that"
        )
    return Table(
        f"All differences ({one.subject.label})", ("system", "less", *_COLUMNS), rows, tuple(notes)
    )


_COLUMNS = ("difference", "interval", "judge alone", "labels alone", "p", "p no worse", "verdict")


def _difference(pair: Pair) -> tuple[Any, ...]:
    worse = None if pair.p_no_worse is None else p_value(pair.p_no_worse)
    return (
        pair.system,
        pair.opponent,
        *_figure(pair.difference),
        _figure(pair.judge)[0],
        _figure(pair.labels)[0],
        _p(pair),
        worse,
        pair.verdict,
    )


def _slice_table(one: JudgeComparison) -> Table:
    rows = tuple(
        (part.slice, *_difference(part.pair), *_figure(part.beyond), "yes" if part.differs else "")
        for part in one.slices
    )
    return Table(
        f"Differences within {one.systems.column} ({one.subject.label})",
        ("slice", "system", "less", *_COLUMNS, "from the whole", "its interval", "differs"),
        rows,
        (
            f"{counted(one.slice_family, 'difference')} within slices hold at once, and so do "
            "their distances from the whole",
        ),
    )


def _needed_table(one: JudgeComparison) -> Table:
    rows = tuple(
        (
            pair.system,
            pair.opponent,
            pair.needed.labels_now,
            pair.needed.labels,
            pair.needed.labels_assured,
            pair.needed.items_now,
            pair.needed.items,
        )
        for pair in one.pairs
        if pair.needed is not None
    )
    return Table(
        f"What would tell ({one.subject.label})",
        ("system", "less", "labels now", "labels", "assured", "items now", "items instead"),
        rows,
        (
            "labels of each system that would tell the difference 8 times in 10, were it as large "
            "as it looks; assured: with 90 % confidence in its spread; empty: no number of labels "
            "of these items does; items instead: with the same share labelled",
        ),
    )


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _figure(result: Result) -> tuple[float | None, str | None]:
    if not isinstance(result, Estimate):
        return None, None
    ends = result.interval
    return result.value, interval_text(ends.low, ends.high) if ends else None
