"""The rate of each batch, and the rate so far with a band that holds at all moments at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.charts import Chart, Line, Reference, Series
from goldassay.inference.sequential import anytime_limits
from goldassay.questions.monitor.streams import Counted
from goldassay.questions.monitor.study import MonitorStudy, Watched
from goldassay.questions.monitor.tables import label_of

__all__ = ["charts"]

#: Pictures of more judges than these are no picture; points of a line.
MOST_DRAWN, MOST_POINTS = 6, 200

Floats = npt.NDArray[np.float64]


def charts(found: MonitorStudy) -> tuple[Chart, ...]:
    """A picture for each judge and criterion, those that changed first."""
    drawn = (_chart(one, found) for one in found.watched[:MOST_DRAWN])
    return tuple(one for one in drawn if one is not None)


def _chart(one: Watched, found: MonitorStudy) -> Chart | None:
    live = one.streams.verdicts
    moved = max(live, key=lambda rate: _moved(rate, one.at) if rate.trials.sum() > 0 else -1.0)
    rates = [(moved, "live")] if moved.trials.sum() > 0 else []
    for anchors in one.streams.anchors[: len(live) if len(live) == 1 else 0]:
        hits, trials = anchors.hits.sum(0) * 1.0, anchors.trials.sum(0) * 1.0
        rates.append((Counted("anchor_rate", None, hits, trials), "anchors"))
    if not rates:
        return None
    level, changed = found.task.confidence_level, bool(one.alarmed)
    at = one.at if changed else 0
    series = tuple(_series(rate, f"{name}, so far", at, level) for rate, name in rates)
    series += tuple(_each(rate, f"{name}, each batch") for rate, name in rates[:1])
    what = f"Rate of {moved.option}" if moved.option else found.words.capitalize()
    since = f" A change is marked before batch {one.batches[one.at]}." if changed else ""
    return Line(
        title=f"{what} over time: {label_of(one)}",
        x_label="batch",
        y_label=what.lower() if not moved.option else "rate",
        series=series,
        references=(Reference(one.at + 0.5, f"since {one.batches[one.at]}", "x"),)
        if changed
        else (),
        rates="y",
        alt="The rate of each batch, and the rate so far with a band that holds at all moments at "
        "once, begun anew at a change." + since,
    )


def _moved(rate: Counted, at: int) -> float:
    (h0, n0), (h1, n1) = rate.split(at)
    return abs(h1 / n1 - h0 / n0) if n0 > 0 and n1 > 0 else 0.0


def _each(rate: Counted, name: str) -> Series:
    """The rate of each batch by itself; of very many batches, of as many together as are drawn."""
    hits, trials = rate.effective()
    parts = np.array_split(np.arange(len(hits)), min(len(hits), MOST_POINTS))
    known = [part for part in parts if trials[part].sum() > 0]
    return Series(
        name,
        [float(part.mean()) + 1.0 for part in known],
        [float(hits[part].sum() / trials[part].sum()) for part in known],
    )


def _series(rate: Counted, name: str, at: int, confidence_level: float) -> Series:
    """The rate so far; begun anew after `at` batches."""
    hits, trials = rate.effective()
    total = len(hits)
    h, n = np.empty(total), np.empty(total)
    for part in (slice(0, at), slice(at, total)):
        h[part], n[part] = np.cumsum(hits[part]), np.cumsum(trials[part])
    every = np.unique(np.linspace(0, total - 1, min(total, MOST_POINTS)).round().astype(np.int64))
    seen = every[n[every] > 0]
    low, high = anytime_limits(h[seen], n[seen], confidence_level=confidence_level)
    return Series(
        name, (seen + 1.0).tolist(), (h[seen] / n[seen]).tolist(), low.tolist(), high.tolist()
    )
