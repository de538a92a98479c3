"""The progress of a run on a terminal: rate, errors, cost, time left. Quiet anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from goldassay.judges.flow import QUIET
from goldassay.words import duration, money, number

if TYPE_CHECKING:
    from goldassay.judges.calls import Tally
    from goldassay.judges.flow import Gate

__all__ = ["progress"]


class Show(Protocol):
    """What a run calls, a few times a second."""

    def __call__(self, tallies: Sequence[Tally], gates: Mapping[str, Gate]) -> None: ...


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Show | None]:
    """A live line on standard error; None where nobody is looking."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    started = time.monotonic()
    with Live(console=Console(stderr=True), refresh_per_second=5, transient=True) as live:

        def show(tallies: Sequence[Tally], gates: Mapping[str, Gate]) -> None:
            live.update(Text(line(tallies, gates, time.monotonic() - started)))

        yield show


def line(tallies: Sequence[Tally], gates: Mapping[str, Gate], seconds: float) -> str:
    """One line of what is going on. The number planned grows while the items are read."""
    calls = sum(tally.calls for tally in tallies)
    known = sum(tally.known for tally in tallies)
    planned = sum(tally.planned for tally in tallies)
    failed = sum(tally.statuses["failed"] for tally in tallies)
    invalid = sum(tally.statuses["invalid"] for tally in tallies)
    retries = sum(tally.attempts for tally in tallies) - calls
    cost = sum(tally.cost for tally in tallies)
    inside = sum(gate.inside for gate in gates.values())
    speed = calls / seconds if seconds else 0.0
    left = max(0, planned - calls - known)
    parts = [
        f"{calls + known:,}/{planned:,} calls",
        f"{number(speed, 1)}/s",
        f"{inside} in flight",
        f"{failed} failed",
        f"{invalid} invalid",
        f"{max(0, retries - inside)} retries",
        money(cost),
    ]
    if speed and left:
        parts.append(f"{duration(left / speed)} left of those read")
    paused = max((gate.paused_until for gate in gates.values()), default=0.0) - time.monotonic()
    if paused > 1:
        parts.append(f"the endpoint asks to wait {duration(paused)}")
    silence = max((gate.silence for gate in gates.values()), default=0.0)
    if silence > QUIET:
        parts.append(f"no answer for {duration(silence)}, still waiting")
    return " · ".join(parts)
