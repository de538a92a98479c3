"""Work that splits into parts (a judge, a system), on two cores where there are two.

NumPy lets other threads run while it computes, so that threads are enough and nothing is copied.
What comes out is the same on one core: results are in the order of the parts, and a part draws from
a generator of its own, if at all.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from threading import Thread
from typing import Generic, TypeVar

__all__ = ["cores", "each"]

Part = TypeVar("Part")
Made = TypeVar("Made")

#: Each part has arrays of its own in memory: two of them are held, however many cores there are.
MOST = 2


def cores() -> int:
    """The cores that this process may use, which may be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(
    work: Callable[[Part], Made], parts: Sequence[Part], *, most: int = MOST
) -> Iterator[Made]:
    """What `work` makes of each part, in their order, `most` of them at once.

    >>> list(each(abs, [3, -1, -2]))
    [3, 1, 2]
    """
    threads = min(most, cores(), len(parts))
    if threads < 2:
        yield from map(work, parts)
        return
    begun: deque[_Begun[Part, Made]] = deque()
    for part in parts:
        begun.append(_Begun(work, part))
        if len(begun) == threads:
            yield begun.popleft().made()
    while begun:
        yield begun.popleft().made()


class _Begun(Thread, Generic[Part, Made]):
    """A part that is being worked on. (To import a pool of threads takes longer than a small part;
    and whoever stops a program need not wait for these.)"""

    def __init__(self, work: Callable[[Part], Made], part: Part) -> None:
        super().__init__(daemon=True)
        self._work, self._part = work, part
        self._context = copy_context()  # NumPy keeps there what it does about a division by zero
        self._made: list[Made] = []
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._made.append(self._context.run(self._work, self._part))
        except BaseException as error:  # the caller's to see
            self._error = error

    def made(self) -> Made:
        self.join()
        if self._error is not None:
            raise self._error
        return self._made[0]
