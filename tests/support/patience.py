"""Waiting for what happens, not for the clock.

A machine may be busy. Nothing waits longer than it must: only a test that fails takes `PATIENCE`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

#: Seconds after which something that should happen counts as not happening.
PATIENCE = 240


def until(happened: Callable[[], object], pause: Callable[[float], object] = time.sleep) -> None:
    """Waits until something has happened, looking every 20 ms."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        pause(0.02)
