"""Error against the share of items decided, with its bound, the limit and the threshold."""

from __future__ import annotations

import numpy as np

from goldassay.charts import Chart, Line, Reference, Series
from goldassay.questions.route.study import JudgeRoute, RouteStudy
from goldassay.questions.route.thresholds import Part
from goldassay.words import percent

__all__ = ["charts"]


def charts(found: RouteStudy) -> tuple[Chart, ...]:
    """The first judge: how its error grows with what it decides."""
    first = found.judges[0]
    drawn = _error(first, found)
    return () if drawn is None else (drawn,)


def _error(first: JudgeRoute, found: RouteStudy) -> Chart | None:
    series = [_series(first, part) for part in first.parts if part.steps is not None]
    if not series:
        return None
    risk = found.settings.risk
    references = [Reference(risk, f"limit {percent(risk)}", "y")]
    if first.holds and len(first.parts) == 1:
        share = first.decided / max(first.items, 1)
        references.append(Reference(share, f"decided {percent(share)}", "x"))
    return Line(
        title=f"Error of the surest verdicts: {first.judge}",
        x_label=f"share of {found.unit}s decided, surest first",
        y_label="share of labelled decisions that are wrong",
        series=tuple(series),
        references=tuple(references),
        rates="xy",
        alt="The line is the error among the surest verdicts, the band its upper bound; the "
        "judge decides up to where the bound first crosses the limit.",
    )


def _series(one: JudgeRoute, part: Part) -> Series:
    steps, signal = part.steps, one.signal
    assert steps is not None
    mine = (
        signal.pool
        if part.verdict is None
        else (signal.pool & (signal.verdict == signal.options.index(part.verdict)))
    )
    sure = np.sort(signal.sure[mine])
    beyond = len(sure) - np.searchsorted(sure, steps.at_least)
    # The first few labels say nothing and would hide the rest.
    shown = steps.labels >= min(10, int(steps.labels[-1]))
    x = beyond[shown] / max(len(sure), 1)
    return Series(
        part.verdict or one.judge,
        x.tolist(),
        steps.share[shown].tolist(),
        np.zeros(int(shown.sum())).tolist(),
        steps.upper[shown].tolist(),
    )
