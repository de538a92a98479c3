"""`karat demo --live`: a real small model as the judge, and the whole report from it."""

from __future__ import annotations

import sys
from pathlib import Path

from karat.cli.common import write_atomically

__all__ = ["live"]

RESAMPLES = 1000


def live(out: str, seed: int) -> None:
    """Judge a few dozen answers with a model on this machine; write and name the report."""
    from karat.cli.report import report_document
    from karat.judge.live_demo import live_demo
    from karat.judge.progress import progress
    from karat.ratings import read_ratings
    from karat.report.html import render_html
    from karat.results import dumps
    from karat.task import read_task

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
    print(f"Read {out}/report.html, or look at the calls: karat runs {made.ratings}")
