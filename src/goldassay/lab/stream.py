"""Verdicts of a judge over some weeks, after one of which it grows laxer: what is true is known."""

from __future__ import annotations

import numpy as np

from goldassay.frozen import dataclass
from goldassay.sources.spreadsheet import csv_text

__all__ = ["Stream", "drawn_stream"]

COLUMNS = ("item", "rater", "kind", "value", "week", "set")
WEEKS, CHANGE = 20, 13
LIVE, LABELLED, ANCHORS = 120, 15, 40
PREVALENCE, SENSITIVITY = 0.7, 0.9
#: Before the change, and from it on.
SPECIFICITY = (0.88, 0.55)


@dataclass(frozen=True)
class Stream:
    """Rows of verdicts and labels, the judge, and the first week of the laxer one."""

    rows: tuple[tuple[str, ...], ...]
    judge: str
    changed: str

    def to_csv(self) -> str:
        return csv_text(COLUMNS, self.rows)


def drawn_stream(judge: str, options: tuple[str, str], *, seed: int) -> Stream:
    """Live items of each week, some labelled, and the same anchors judged again every week.

    An item has one evidence for good: it is called positive where that lies below the judge's
    sensitivity, or its false positive rate. So an anchor's verdict turns at the change or never.
    """
    rng = np.random.default_rng(seed)
    anchors, evidence = rng.random(ANCHORS) < PREVALENCE, rng.random(ANCHORS)
    rows: list[tuple[str, ...]] = []
    for week in range(1, WEEKS + 1):
        when, limit = f"{week:02d}", 1 - SPECIFICITY[week >= CHANGE]

        def said(good: bool, by: float, limit: float = limit) -> str:
            return options[0] if by < (SENSITIVITY if good else limit) else options[1]

        live = rng.random(LIVE) < PREVALENCE
        for number, (good, by) in enumerate(zip(live, rng.random(LIVE), strict=True)):
            name = f"w{when}-{number:03d}"
            rows.append((name, judge, "judge", said(good, by), when, "live"))
            if number < LABELLED:
                label = options[0] if good else options[1]
                rows.append((name, "ann", "human", label, when, "live"))
        for number, (good, by) in enumerate(zip(anchors, evidence, strict=True)):
            rows.append((f"anchor-{number:02d}", judge, "judge", said(good, by), when, "anchor"))
    return Stream(tuple(rows), judge, f"{CHANGE:02d}")
