"""A line for each judge, the rates before and after, and the evidence of each stream."""

from __future__ import annotations

from goldassay.questions.monitor.study import MOST, Change, MonitorStudy, Watched
from goldassay.questions.monitor.words import STREAMS, VERDICTS
from goldassay.results import Line, Summary, Table
from goldassay.words import interval_text, percent

__all__ = ["summary", "tables"]


def label_of(one: Watched) -> str:
    """A judge, and its criterion where there are several."""
    criterion = one.streams.criterion
    return one.streams.judge + (f", {criterion}" if criterion else "")


def summary(found: MonitorStudy) -> Summary:
    """One line for each judge and criterion, those that changed first."""
    lines = []
    for one in found.watched:
        main = _shown(one)
        since = one.batches[one.at] if one.alarmed else None
        cells = (main.change if main else None, VERDICTS[one.verdict], since, len(one.batches))
        lines.append(Line(label_of(one), cells))
    level = percent(1 - found.task.confidence_level)
    notes = [
        "change of the rate: since the change; halfway through (or since the reference) where "
        f"there is none. False alarms: at most {level} in all, however often one looks"
    ]
    if any(_away_from_zero(one) for one in found.watched):
        notes.append("An interval without 0 looks at one moment only, and is no alarm")
    return Summary(
        "judge", ("rate_change", "found", "since", "batches"), tuple(lines), tuple(notes)
    )


def _shown(one: Watched) -> Change | None:
    """The change that stands for a judge: of its rate, or of its rate on anchors."""
    return max(
        (c for c in one.changes if c.result in ("rate", "anchor_rate")),
        key=lambda change: (change.result == "rate", abs(change.change.value)),
        default=None,
    )


def _away_from_zero(one: Watched) -> bool:
    """Whether the interval that is shown leaves out 0 where no alarm was raised."""
    main = _shown(one)
    ends = main.change.interval if main is not None and not one.alarmed else None
    return ends is not None and (ends.low > 0 or ends.high < 0)


def tables(found: MonitorStudy) -> dict[str, Table]:
    """Rates before and after, and evidence."""
    rates, evidence = [], []
    for one in found.watched:
        for change in one.changes:
            ends = change.change.interval
            span = interval_text(ends.low, ends.high, rate=True) if ends else None
            rates.append(
                (
                    label_of(one),
                    change.result.replace("_", " "),
                    change.option,
                    one.batches[one.at],
                    change.before,
                    change.after,
                    span,
                    round(sum(change.trials)),
                )
            )
        for alarm in one.alarms:
            after = None if alarm.first is None else one.batches[alarm.first]
            evidence.append(
                (label_of(one), STREAMS[alarm.stream], _e(alarm.evidence), _e(alarm.bound), after)
            )
    columns = (
        "judge",
        "rate",
        "option",
        "split at",
        "before",
        "after",
        "change, points",
        "verdicts or labels",
    )
    return {
        "rates": Table("Rates before and after", columns, tuple(rates)),
        "evidence": Table(
            "Evidence of a change",
            ("judge", "stream", "evidence", "alarm at", "alarm after"),
            tuple(evidence),
            ("evidence: an e-value, at most 1 on average while nothing changes; an alarm stays",),
        ),
    }


def _e(value: float) -> str:
    """An e-value, in as many digits as matter."""
    if value < 0.01:
        return "under 0.01"
    if value >= MOST:
        return f"over {MOST:,.0f}"
    return f"{value:,.2f}" if value < 10 else f"{value:,.0f}"
