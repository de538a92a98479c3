"""A choice of a judge in tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from goldassay.glossary import SHARED
from goldassay.questions.select.criteria import Criterion
from goldassay.questions.select.stability import Stability
from goldassay.questions.select.study import Merit, SelectStudy
from goldassay.questions.select.thresholds import CutScores
from goldassay.results import Estimate, Line, Result, Summary, Table, Undefined
from goldassay.words import between, counted, percent

__all__ = ["summary", "tables"]

#: What is compared where judges were asked several times.
SINGLE = "of single answers (a panel: one by each judge); repeats share their item"


def summary(study: SelectStudy) -> Summary | None:
    """A line per candidate, best first: what it is compared by, its own number, coverage, items."""
    if not study.merits:
        return None
    found, name = study.comparison, study.criterion.name
    number = len(study.compared)
    lines = []
    for j, merit in enumerate(study.merits):
        tied = found is not None and number > 1 and j < number and (not j or not found.apart(0, j))
        own: tuple[Result, ...] = () if study.all_alike else (merit.criterion,)
        first = merit.comparable
        if j >= number and not study.all_alike and not isinstance(first, Undefined):
            reason = f"decides too few {study.unit}s to be compared"
            first = Undefined(name + SHARED, reason, merit.n_items)
        lines.append(Line(merit.name, (first, *own, merit.coverage, merit.n_items), tied))
    said = [f"{percent(study.confidence_level)} intervals for all {study.unit}s like these"]
    if study.repeated:
        said.append(SINGLE)
    columns = [name, "coverage", f"{study.unit}s"]
    if not study.all_alike:
        columns = [name + SHARED, name, "coverage", f"{study.unit}s"]
        items = counted(study.n_items, study.unit)
        said.append(f"compared on the {items} that all compared candidates decide")
    return Summary("judge", tuple(columns), tuple(lines), tuple(said))


def tables(study: SelectStudy) -> dict[str, Table]:
    """All tables by name."""
    return dict(_tables(study))


def _tables(study: SelectStudy) -> Iterator[tuple[str, Table]]:
    compared = study.compared
    if compared:
        yield "judges", _judges(study)
    if len(compared) > 2:
        yield "differences", _differences(study)
    if len(compared) > 1:
        yield "choices", _choices(study, compared[0])
    if study.stabilities:
        yield "stability", _stability(study.stabilities)
    tuned = [one for one in study.cut_scores if one.threshold is not None]
    if tuned:
        yield "thresholds", _thresholds(tuned, study.confidence_level)


def _judges(study: SelectStudy) -> Table:
    found = study.comparison
    assert found is not None
    rows: list[tuple[Any, ...]] = []
    for j, merit in enumerate(study.compared):
        estimate = merit.comparable
        assert isinstance(estimate, Estimate)
        span = estimate.interval
        behind: list[Any] = [None] * 4
        if j:
            ends = _bound(found.low[0, j]), _bound(found.high[0, j])
            behind = [float(found.difference[0, j]), *ends, _yes(found.apart(0, j))]
        rows.append(
            (
                merit.name,
                estimate.value,
                span.low if span else None,
                span.high if span else None,
                *behind,
                estimate.n_items,
                *(mean.get(merit.name) for mean in study.spending.values()),
            )
        )
    level = percent(found.confidence_level)
    return Table(
        f"Judges by {_words(study.criterion)}",
        (
            *("judge", "value", "low", "high", "behind", "at least", "at most", "told apart"),
            *("items", *study.spending),
        ),
        tuple(rows),
        (
            f"Low to high: {level} interval. Behind: by how much the best is better, with an "
            f"interval that holds for all differences at once with {level}. All on the "
            f"{counted(study.n_items, study.unit)} that all of them decide.",
            *(("Cost, latency: means of a verdict.",) if study.spending else ()),
            *(_at_differences(study) if len(rows) > 1 else ()),
        ),
    )


def _at_differences(study: SelectStudy) -> tuple[str, ...]:
    """What stands at the differences, where a reader has them before him."""
    return tuple(f"{one[0].upper()}{one[1:]}." for one in study.at_differences)


def _differences(study: SelectStudy) -> Table:
    found, compared = study.comparison, study.compared
    assert found is not None
    pairs = list(combinations(range(len(compared)), 2))
    return Table(
        "Differences between judges",
        ("judge", "other", "leads by", "low", "high", "told apart", "items that would do"),
        tuple(
            (
                compared[a].name,
                compared[b].name,
                float(found.difference[a, b]),
                _bound(found.low[a, b]),
                _bound(found.high[a, b]),
                _yes(found.apart(a, b)),
                None if found.apart(a, b) else study.items_to_tell(a, b),
            )
            for a, b in pairs
        ),
        (
            f"Low to high: {percent(found.confidence_level)} interval, joint over all {len(pairs)} "
            "differences. Items that would do: for 80 % power, if the difference is as large as it "
            "looks.",
            *_at_differences(study),
        ),
    )


def _choices(study: SelectStudy, leader: Merit) -> Table:
    note = "Metrics other than balanced accuracy move with the prevalence of the labelled items."
    return Table(
        f"What other metrics would have chosen on {counted(study.n_items, study.unit)}",
        ("metric", "chooses", "its value", f"value of {leader.name}"),
        tuple((one.metric, one.judge, one.value, one.leader_value) for one in study.rivals),
        (note,) if study.criterion.free_of_prevalence else (),
    )


def _stability(stabilities: Sequence[Stability]) -> Table:
    rows: list[tuple[Any, ...]] = []
    for one in stabilities:
        found = one.found
        if isinstance(found, Undefined):
            rows.append((one.judge, one.rate, None, "", None, "", None, found.reason))
            continue
        low, high = int(np.nanargmin(found.rates)), int(np.nanargmax(found.rates))
        rows.append(
            (
                one.judge,
                one.rate,
                float(found.rates[low]),
                one.systems[low],
                float(found.rates[high]),
                one.systems[high],
                found.p_value,
                "",
            )
        )
    return Table(
        "Are error rates the same on every system?",
        ("judge", "rate", "lowest", "on", "highest", "on ", "p", "note"),
        tuple(rows),
        ("p: the chance of rates at least as unlike if they were the same on every system.",),
    )


def _thresholds(tuned: Sequence[CutScores], confidence_level: float) -> Table:
    rows: list[tuple[Any, ...]] = []
    for one in tuned:
        found, interval = one.threshold, one.result.interval
        assert found is not None
        rows.append(
            (
                one.judge,
                found.threshold,
                between(*found.spread),
                found.youden_j,
                between(interval.low, interval.high) if interval else "",
                found.apparent_j,
                found.optimism,
                one.result.n_items,
            )
        )
    return Table(
        "Thresholds of scored judges: positive when the score is at least",
        (
            "judge",
            "threshold",
            "over folds",
            "Youden's J, not tuned on",
            f"{percent(confidence_level)} interval",
            "tuned on",
            "optimism",
            "items",
        ),
        tuple(rows),
        (
            "Each threshold is chosen on four fifths of the clusters and applied to the rest, ten "
            "times over; optimism is what reporting J on the tuning items would have added.",
        ),
    )


def _words(criterion: Criterion) -> str:
    return criterion.name.replace("_", " ")


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def _bound(end: float) -> float | None:
    """An end of an interval; one without a bound has no number."""
    return float(end) if math.isfinite(end) else None
