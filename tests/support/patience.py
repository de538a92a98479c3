"""Waiting for what happens, not for the clock, and leaving to `--slow` what takes long.

A machine may be busy. Nothing waits longer than it must: only a test that fails takes `PATIENCE`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

#: Seconds after which something that should happen counts as not happening.
PATIENCE = 240


def until(happened: Callable[[], object], pause: Callable[[float], object] = time.sleep) -> None:
    """Waits until something has happened, looking every 20 ms."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        pause(0.02)


def seldom(cases: Iterable[Any], *always: int) -> list[Any]:
    """Cases of which those at these places always run, and the others with `--slow`."""
    found = list(cases)
    assert always
    assert max(always) < len(found), "no such place"
    for place, one in enumerate(found):
        if place not in always:
            values = one if isinstance(one, tuple) else (one,)
            found[place] = pytest.param(*values, marks=pytest.mark.slow)
    return found
