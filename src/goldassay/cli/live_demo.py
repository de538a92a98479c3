"""`goldassay demo --live`: a real small model as the judge, and the whole report from it."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["live"]

RESAMPLES = 1000


def live(out: str, seed: int) -> None:
    """Judge a few dozen answers with a model on this machine; write and name the report."""
    from goldassay.judges.progress import progress
    from goldassay.lab.live_demo import live_demo
    from goldassay.questions.report.ask import report

    with progress() as show:
        made = live_demo(
            out, seed=seed, on_progress=show, on_message=lambda text: print(text, file=sys.stderr)
        )
    found = report(str(made.ratings), str(made.task), resamples=RESAMPLES, seed=seed)
    found.save(Path(out) / "report.json", Path(out) / "report.html")
    for sentence in made.sentences:
        print(sentence)
    print()
    for part in found.more["parts"]:
        for sentence in part["answer"][:2]:
            print(f"  {part['verb']:<9} {sentence}")
    print()
    print(f"Read {out}/report.html, or look at the calls: goldassay runs {made.ratings}")
