"""A line for each difference, or for each system of many; all differences and slices in full."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

from goldassay.questions.compare.pair_words import is_practical
from goldassay.questions.compare.record import RATE, CompareStudy, JudgeComparison, Pair
from goldassay.questions.facts import TIE_WORDS
from goldassay.results import Estimate, Line, Result, Summary, Table
from goldassay.words import counted, decimal, interval_text, p_value, percent, points
from goldassay.words import named as quoted

__all__ = ["pair_label", "shown_pairs", "summary", "tables"]

#: Differences that a first table may hold; of more systems it has a line each.
MOST_PAIRS = 10


def summary(found: CompareStudy) -> Summary:
    """About the first judge, who is named: its differences, or its systems, the best first.

    Of several criteria, one after the other, each named.
    """
    leading = found.leading
    few = all(len(one.pairs) <= MOST_PAIRS for one in leading)
    made = [_pairs(one, named=len(leading) > 1) if few else _systems(one) for one in leading]
    if found.chosen is not None:
        # What people labelled whole goes by no judge.
        lead = "judge alone:" if all(one.systems.uncorrected for one in leading) else "going by"
        who = f"{lead} {quoted(found.chosen.judge)}, {found.chosen.why}"
        made = [replace(one, notes=(who, *one.notes)) for one in made]
    if len(made) == 1:
        return made[0]
    lines = [
        line if few else replace(line, label=f"{one.criterion}: {line.label}", tied=False)
        for one, part in zip(leading, made, strict=True)
        for line in part.lines
    ]
    notes = tuple(dict.fromkeys(note for part in made for note in part.notes))
    return replace(made[0], lines=tuple(lines), notes=(*notes, "each criterion by itself"))


def shown_pairs(one: JudgeComparison) -> tuple[Pair, ...]:
    """The differences as they are read: the larger rate first, those that are told before others.

    Against a baseline, with a margin, or of two systems the direction is the one that was asked.
    """
    pairs = one.pairs
    if len(pairs) > 1 and one.asked.baseline is None and one.asked.margin is None:
        pairs = tuple(map(_winner_first, pairs))
    return tuple(sorted(pairs, key=lambda pair: (not pair.apart, -_value(pair.difference))))


def pair_label(one: JudgeComparison, pair: Pair, *, named: bool) -> str:
    """`B − A`, with the criterion before it where there are several."""
    label = f"{pair.system} − {pair.opponent}"
    return f"{one.criterion}: {label}" if named else label


def _pairs(one: JudgeComparison, *, named: bool) -> Summary:
    lines = tuple(
        Line(
            pair_label(one, pair, named=named),
            (
                _cell(pair.difference, one),
                pair.verdict,
                _p(pair),
                *(() if one.systems.other_scale else (_cell(pair.judge, one),)),
                _cell(pair.labels, one),
            ),
        )
        for pair in shown_pairs(one)
    )
    alone = () if one.systems.other_scale else ("judge alone",)
    columns = ("difference", "verdict", "p", *alone, "labels alone")
    return Summary("difference", columns, lines, (_note(one),))


def _winner_first(pair: Pair) -> Pair:
    """The same pair, the system with the higher rate less the other."""
    if _value(pair.difference) >= 0 or not isinstance(pair.difference, Estimate):
        return pair
    return replace(
        pair,
        system=pair.opponent,
        opponent=pair.system,
        difference=_less(pair.difference),
        judge=_less(pair.judge),
        labels=_less(pair.labels),
        verdict="better" if pair.verdict == "worse" else pair.verdict,
    )


def _less(result: Result) -> Result:
    """A difference the other way round."""
    if not isinstance(result, Estimate):
        return result
    ends = result.interval
    turned = replace(ends, low=-ends.high, high=-ends.low) if ends else None
    return replace(result, value=-result.value + 0.0, interval=turned)


def _cell(result: Result, one: JudgeComparison) -> Result:
    """A difference of rates by the name under which it is written in points."""
    if not one.measure.rate:
        return result
    return replace(result, name=result.name.replace("difference", "difference_of_rates", 1))


def _systems(one: JudgeComparison) -> Summary:
    names, leaders = one.systems.systems, set(one.leaders)
    told = [pair for pair in one.pairs if _told(pair)]
    better = Counter(_better(pair) for pair in told)
    apart = Counter(name for pair in told for name in (pair.system, pair.opponent))
    lines = []
    for place in one.order:
        name = names[place]
        own = one.systems.whole.judge.value[place]
        cells: tuple[Result | str | int, ...] = (
            one.systems.results[place],
            percent(float(own)) if one.measure.rate else decimal(float(own)),
            better[name],
            apart[name] - better[name],
            round(float(one.systems.whole.labelled[place])),
        )
        if one.systems.other_scale:  # its scores do not stand beside people's
            cells = (cells[0], *cells[2:])
        lines.append(Line(name, cells, tied=name in leaders and len(leaders) > 1))
    alone = () if one.systems.other_scale else ("judge alone",)
    columns = (one.measure.name, *alone, "better than", "worse than", "labels")
    return Summary("system", columns, tuple(lines), (_note(one),))


def _told(pair: Pair) -> bool:
    gap = pair.difference
    return isinstance(gap, Estimate) and gap.interval is not None and 0 not in gap.interval


def _better(pair: Pair) -> str:
    """Of two systems that are told apart the better one."""
    gap = pair.difference
    return pair.system if isinstance(gap, Estimate) and gap.value > 0 else pair.opponent


def _note(one: JudgeComparison) -> str:
    level = percent(one.asked.confidence_level)
    margin = one.asked.margin
    write = points if one.measure.rate else decimal
    told = f"; no worse: above a margin of {write(-margin)}" if margin is not None else ""
    told += f"; {TIE_WORDS[one.systems.ties]}" if one.systems.ties is not None else ""
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
    note = "each interval by itself"
    if one.measure is RATE:  # `estimate` has neither win rates nor mean grades of systems
        note = f"the numbers of `goldassay estimate`; {note}"
    return Table(
        f"{words.capitalize()} of each system ({one.subject.label})",
        ("system", words, "interval", "judge alone", "items", "labels"),
        tuple(rows),
        (note,),
    )


def _difference_table(one: JudgeComparison) -> Table:
    rows = tuple(_difference(pair, one) for pair in one.pairs)
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


def _difference(pair: Pair, one: JudgeComparison) -> tuple[Any, ...]:
    worse = None if pair.p_no_worse is None else p_value(pair.p_no_worse)
    return (
        pair.system,
        pair.opponent,
        *_gap(pair.difference, one),
        _gap(pair.judge, one)[0],
        _gap(pair.labels, one)[0],
        _p(pair),
        worse,
        pair.verdict,
    )


def _slice_table(one: JudgeComparison) -> Table:
    rows = tuple(
        (
            part.slice,
            *_difference(part.pair, one),
            *_gap(part.beyond, one),
            "yes" if part.differs else "",
        )
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
            pair.needed.items if is_practical(pair.needed.items) else None,
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
            "of these items does; items instead: with the same share labelled, up to 100,000",
        ),
    )


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _figure(result: Result, *, rate: bool = False) -> tuple[float | None, str | None]:
    if not isinstance(result, Estimate):
        return None, None
    ends = result.interval
    return result.value, interval_text(ends.low, ends.high, rate=rate) if ends else None


def _gap(result: Result, one: JudgeComparison) -> tuple[float | str | None, str | None]:
    """A difference and its ends: of rates in points, of means in their own unit."""
    value, ends = _figure(result, rate=one.measure.rate)
    return (points(value) if one.measure.rate and value is not None else value), ends
