"""Which questions a table can answer as it is, and the one thing that would unlock another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Answerable", "Held", "answerable"]


@dataclass(frozen=True, slots=True)
class Held:
    """What a table holds, as far as it decides which questions it answers."""

    scale: str
    people: int
    judges: int
    systems: int
    #: Units that a judge and a person rated, and the most people on one unit.
    shared: int
    most_people: int
    #: Whether some judged units have no label, and whether the task says how labels were drawn.
    partly: bool
    drawn: bool
    #: Whether something tells how sure a verdict is: a score, or several answers to an item.
    sureness: bool = False
    #: Whether verdicts have a batch or a time.
    timed: bool = False


@dataclass(frozen=True, slots=True)
class Answerable:
    """A question: can it be answered now, and if not, what one thing would make it so."""

    verb: str
    now: bool
    unlock: str = ""


def answerable(held: Held) -> tuple[Answerable, ...]:
    """Every question of a table of ratings, in the order of the help."""
    return tuple(Answerable(verb, unlock is None, unlock or "") for verb, unlock in _unlocks(held))


def _unlocks(held: Held) -> Iterator[tuple[str, str | None]]:
    both = _both(held)
    yield "agree", both
    yield "select", both or (None if held.judges > 1 else "a second judge of the same items")
    yield "estimate", _estimate(held, both)
    yield "plan", None if held.judges and held.scale != "continuous" else both or _OPTIONS
    yield "audit", _audit(held, both)
    yield "replace", both or (None if held.most_people > 1 else _SECOND)
    yield "route", _route(held, both)
    yield "rank", _rank(held)
    yield "compare", _compare(held, both)
    yield "certify", both
    yield "monitor", _monitor(held)


def _both(held: Held) -> str | None:
    if not held.judges:
        return 'ratings of a judge, named in [raters] judge = ["..."]'
    if not held.people:
        return "people's labels of some of the judged items"
    return None if held.shared else "people's labels of items that the judge rated"


def _estimate(held: Held, both: str | None) -> str | None:
    if both:
        return both
    if held.partly and not held.drawn:
        return 'how labelled items were drawn, as calibration = "random"'
    return None


def _audit(held: Held, both: str | None) -> str | None:
    if held.scale == "continuous":
        return _OPTIONS
    return both or (None if held.most_people > 1 else _SECOND)


def _route(held: Held, both: str | None) -> str | None:
    if held.scale == "continuous":
        return both or _OPTIONS
    told = held.sureness or held.judges > 1
    return both or (None if told else 'how sure the judge is: [columns] score = "..."')


_SECOND = "labels of a second person on the same items"
_OPTIONS = 'options instead of numbers: a cut, as cut = ">= 3"'


def _compare(held: Held, both: str | None) -> str | None:
    if held.systems < 2:
        return both or 'the column that names the rated system: [columns] system = "..."'
    return _estimate(held, both)


def _rank(held: Held) -> str | None:
    if not held.judges:
        return _both(held)
    if held.systems < 2:
        return 'the column that names the rated system: [columns] system = "..."'
    return None


def _monitor(held: Held) -> str | None:
    if not held.judges:
        return _both(held)
    if held.scale == "continuous":
        return _OPTIONS
    return None if held.timed else "when each verdict was given: a column batch or time"
