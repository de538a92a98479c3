"""`goldassay demo --live`: a real small model as the judge, and the whole report from it."""

from __future__ import annotations

import sys
from pathlib import Path

from goldassay.cli.common import write_atomically

__all__ = ["live"]

RESAMPLES = 1000


def live(out: str, seed: int) -> None:
    """Judge a few dozen answers with a model on this machine; write and name the report."""
    from goldassay.cli.report import report_document
    from goldassay.judges.progress import progress
    from goldassay.lab.live_demo import live_demo
    from goldassay.ratings.table import read_ratings
    from goldassay.ratings.task import read_task
    from goldassay.rendering.html import render_html
    from goldassay.results import dumps

    with progress() as show:
        made = live_demo(
            out, seed=seed, on_progress=show, on_message=lambda text: print(text, file=sys.stderr)
        )
    ratings = read_ratings(str(made.ratings), read_task(made.task))
    report = report_document(
        ratings, source=str(made.ratings), task_file=str(made.task), seed=seed, resamples=RESAMPLES
    )
    write_atomically(Path(out) / "report.json", dumps(report))
    write_atomically(Path(out) / "report.html", render_html(report))
    for sentence in made.sentences:
        print(sentence)
    print()
    for part in report["parts"]:
        for sentence in part["answer"][:2]:
            print(f"  {part['verb']:<9} {sentence}")
    print()
    print(f"Read {out}/report.html, or look at the calls: goldassay runs {made.ratings}")
