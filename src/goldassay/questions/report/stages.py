"""Which question a report is at, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["stage", "stages"]

_TELL: ContextVar[Callable[[str], None] | None] = ContextVar("goldassay_report_stage", default=None)


@contextmanager
def stages(tell: Callable[[str], None]) -> Iterator[None]:
    """Have the verb of each question told, as it is asked, within the block."""
    before = _TELL.set(tell)
    try:
        yield
    finally:
        _TELL.reset(before)


def stage(verb: str) -> None:
    """A question begins."""
    if (tell := _TELL.get()) is not None:
        tell(verb)
