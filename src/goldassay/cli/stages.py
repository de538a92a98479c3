"""What a long command is doing, in one line of a terminal that goes away when it is done.

The library is silent and knows nothing of it: a thread of the command line looks now and then at
which module the work has come to, and names its stage. It lives as long as the `with` block.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TextIO

from goldassay.rendering.columns import width_of

__all__ = ["stage_of", "stages"]

#: Seconds before the first line, and between lines.
PATIENCE, PACE = 2.0, 0.5
#: Rooms of the library -> what is done there. Whoever is called last decides.
STEPS = {
    "goldassay.sources": "reading",
    "goldassay.ratings": "reading",
    "goldassay.counts": "counting",
    "goldassay.inference": "computing intervals",
    "goldassay.metrics": "computing intervals",
    "goldassay.rendering": "writing",
    "goldassay.lab": "simulating",
}
#: Modules of questions whose names say little to a reader -> what is done there.
SUBJECTS = {
    "aggregation": "systems' scores",
    "behaviour": "decisiveness",
    "evaluate": "definitions of agreement",
    "gold": "people's order",
    "judged": "judges' orders",
    "majority": "what more raters would say",
    "performance": "decisions",
    "sides": "people's and judges' shares",
    "tallies": "counting",
}


@contextmanager
def stages(verb: str, *, stream: TextIO | None = None) -> Iterator[None]:
    """Name the stage of what is done inside, on standard error, if somebody is looking."""
    out = sys.stderr if stream is None else stream
    if out is None or not out.isatty():
        yield
        return
    done = threading.Event()
    worker = threading.get_ident()
    watcher = threading.Thread(target=_watch, args=(verb, worker, out, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(verb: str, worker: int, out: TextIO, done: threading.Event) -> None:
    started = time.monotonic()
    written = 0
    with suppress(OSError, ValueError):  # nobody can look any more
        while not done.wait(PACE if written else PATIENCE):
            said = f"{stage_of(sys._current_frames().get(worker), verb)} … "
            said += f"{time.monotonic() - started:.0f} s"
            out.write(f"\r{said}{' ' * max(0, written - width_of(said))}")
            out.flush()
            written = max(written, width_of(said))
        if written:
            out.write(f"\r{' ' * written}\r")
            out.flush()


def stage_of(frame: FrameType | None, verb: str) -> str:
    """The question that is worked at and the step, from the calls that are under way."""
    step = question = subject = ""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        room = ".".join(module.split(".")[:2])
        step = step or STEPS.get(room, "")
        if module.startswith("goldassay.questions.") and not question:
            question, _, subject = module.removeprefix("goldassay.questions.").partition(".")
        frame = frame.f_back
    of_report = verb == "report" and question not in ("", "report", "asking")
    asked = f"{verb}, {question}" if of_report else verb
    subject = SUBJECTS.get(subject, subject.replace("_", " "))
    subject = "" if subject in ("ask", "study") else subject
    return f"{asked}: {step or subject or 'working'}"
