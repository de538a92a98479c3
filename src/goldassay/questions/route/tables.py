"""A line for each judge, its verdicts one by one, and the error at each threshold."""

from __future__ import annotations

import numpy as np

from goldassay.questions.route.study import JudgeRoute, RouteStudy
from goldassay.questions.route.thresholds import Part
from goldassay.questions.route.words import threshold_text
from goldassay.results import Line, Summary, Table
from goldassay.words import percent

__all__ = ["summary", "tables"]

#: Lines of the table of thresholds.
STEPS_SHOWN = 12


def summary(found: RouteStudy) -> Summary:
    """The judges, the one that may decide most first."""
    lines = []
    for one in found.judges:
        texts = [threshold_text(one, part) for part in one.parts]
        cells = (one.share_decided, one.error_beyond(), ", ".join(texts), one.labels)
        lines.append(Line(one.judge, cells))
    settings = found.settings
    return Summary(
        "judge",
        ("share_decided", "error_beyond", "threshold", "labels"),
        tuple(lines),
        (
            f"decided alone: the error beyond the threshold is {percent(settings.risk)} or less "
            f"with {percent(settings.confidence)} confidence",
        ),
    )


def tables(found: RouteStudy) -> dict[str, Table]:
    """By verdict, and step by step."""
    made = {"sides": _sides(found)}
    for one in found.judges:
        for part in one.parts:
            if part.steps is not None:
                side = f"_{part.verdict}" if part.verdict is not None else ""
                made[f"steps_{one.judge}{side}"] = _steps(one, part, found)
    return made


def _sides(found: RouteStudy) -> Table:
    rows = []
    for one in found.judges:
        for part in one.sides:
            beyond = part.labels_beyond
            share = part.errors / beyond if beyond else None
            rows.append(
                (
                    one.judge,
                    part.verdict,
                    threshold_text(one, part),
                    part.decided,
                    part.items,
                    beyond or None,
                    percent(share) if share is not None else None,
                    part.reason or None,
                )
            )
    level = percent(found.settings.confidence)
    columns = ("judge", "verdict", "threshold", "decided", "of", "labels", "wrong", "why not")
    return Table(
        "Each verdict by itself",
        columns,
        tuple(rows),
        (
            f"decided: the error within each verdict is {percent(found.settings.risk)} or less, in "
            f"all verdicts of a judge together with {level} confidence; labels, wrong: beyond the "
            "threshold",
        ),
    )


def _steps(one: JudgeRoute, part: Part, found: RouteStudy) -> Table:
    steps = part.steps
    assert steps is not None
    size = len(steps.labels)
    kept = np.unique(np.linspace(0, size - 1, min(size, STEPS_SHOWN)).round().astype(int))
    kept = np.unique([*kept, *([part.held] if part.held is not None else [])])
    signal = one.signal
    mine = signal.pool & (
        np.ones(len(signal.sure), bool)
        if part.verdict is None
        else signal.verdict == signal.options.index(part.verdict)
    )
    sure = np.sort(signal.sure[mine])
    rows = []
    for k in kept:
        least = float(steps.at_least[k])
        beyond = (len(sure) - np.searchsorted(sure, least)) / max(len(sure), 1)
        rows.append(
            (
                round(least, 4),
                percent(float(beyond)),
                int(steps.labels[k]),
                percent(float(steps.share[k])),
                percent(float(steps.upper[k])),
                "yes"
                if part.held is not None and k <= part.held and steps.upper[k] <= part.limit.risk
                else "",
            )
        )
    what = f", {part.verdict}" if part.verdict is not None else ""
    return Table(
        f"Error among the surest verdicts: {one.judge}{what}",
        ("at least so sure", f"{found.unit}s", "labels", "wrong", "at most", "held"),
        tuple(rows),
        (
            f"at most: upper bound of each line by itself, {percent(1 - part.limit.level)} "
            "confidence; they are tested from the surest on, not every one, until one fails",
        ),
    )
