"""`goldassay demo --live`: a real small model as the judge, and the whole report from it."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldassay.judges.calls import Tally
    from goldassay.judges.flow import Gate
    from goldassay.judges.progress import Show

__all__ = ["live"]

RESAMPLES = 1000
#: Seconds between two lines of progress where no terminal shows it all the time.
EVERY = 10.0


def live(out: str, seed: int, time_limit: float | None) -> None:
    """Judge a few dozen answers with a model on this machine; write and name the report."""
    import typer

    from goldassay.judges.progress import progress
    from goldassay.lab.live_demo import TIME_LIMIT, live_demo
    from goldassay.questions.report.ask import report

    with progress() as show:
        made = live_demo(
            out,
            seed=seed,
            time_limit=TIME_LIMIT if time_limit is None else time_limit,
            on_progress=show or _by_lines(),
            on_message=_say,
        )
    _say("Making the report.")
    found = report(str(made.ratings), str(made.task), resamples=RESAMPLES, seed=seed)
    found = replace(found, warnings=(*made.sentences, *found.warnings))
    found.save(Path(out) / "report.json", Path(out) / "report.html")
    for sentence in made.sentences:
        print(sentence)
    print()
    for part in found.more["parts"]:
        for sentence in part["answer"][:2]:
            print(f"  {part['verb']:<9} {sentence}")
    print()
    print(f"Read {out}/report.html, or look at the calls: goldassay runs {made.ratings}")
    if made.outcome.reason == "interrupted":
        raise typer.Exit(130)


def _by_lines() -> Show:
    """Progress as a line from time to time, for a log."""
    told = time.monotonic()

    def show(tallies: Sequence[Tally], gates: Mapping[str, Gate]) -> None:
        nonlocal told
        if time.monotonic() - told < EVERY:
            return
        told = time.monotonic()
        calls, planned = sum(one.calls for one in tallies), sum(one.planned for one in tallies)
        _say(f"{calls} of {planned} verdicts")

    return show


def _say(text: str) -> None:
    print(text, file=sys.stderr)
