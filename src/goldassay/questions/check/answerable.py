"""Which questions a table can answer as it is, and the one thing that would unlock another."""

from __future__ import annotations

from collections.abc import Iterator

from goldassay.frozen import dataclass
from goldassay.words import named

__all__ = ["Answerable", "Held", "answerable"]


@dataclass(frozen=True, slots=True)
class Held:
    """What a table holds, as far as it decides which questions it answers."""

    scale: str
    people: int
    judges: int
    systems: int
    #: A cut that would make verdicts of scores; None where there are options.
    cut: str | None
    #: Units that a judge and a person rated, and the most people on one unit.
    shared: int
    most_people: int
    #: Whether those who count as people are references, which are no independent persons.
    referred: bool
    #: Whether some judged units have no label, and whether the task says how labels were drawn.
    partly: bool
    drawn: bool
    #: Whether something tells how sure a verdict is: a score, several answers to an item, or how
    #: many judges agree on it.
    sureness: bool = False
    #: Whether verdicts have a batch or a time.
    timed: bool = False
    #: Whether the task says which option is counted, how many there are, and whether ratings
    #: have numbers beside.
    positive: bool = False
    options: int = 2
    scored: bool = False
    #: The goal for which a judge is chosen, and whether a column names systems to rank.
    goal: str = "prevalence"
    ranked: bool = False
    #: The one class that the reference of the judged units has; none where it has several.
    only_class: str | None = None
    #: Whether nothing of what the ratings mean is guessed.
    declared: bool = True
    #: Whether any rating of a judge counts: that it abstained is no verdict.
    judged: bool = True
    #: Whether people are divided on all that they rated, so that nothing has a label.
    divided: bool = False

    @property
    def ranking(self) -> bool:
        """Whether the goal is to rank systems."""
        return self.goal == "ranking" and self.ranked


@dataclass(frozen=True, slots=True)
class Answerable:
    """A question: can it be answered now, and what one thing would make it so, or tell more."""

    verb: str
    now: bool
    unlock: str = ""
    more: str = ""


def answerable(held: Held) -> tuple[Answerable, ...]:
    """Every question of a table of ratings, in the order of the help."""
    more = dict(_more(held))
    return tuple(
        Answerable(verb, unlock is None, unlock or "", more.get(verb, "") if unlock is None else "")
        for verb, unlock in _unlocks(held)
    )


def _unlocks(held: Held) -> Iterator[tuple[str, str | None]]:
    both = _both(held)
    options = _options(held)
    label = both or (_DIVIDED if held.divided else None)
    yield "agree", both
    yield "select", label or options or _select(held)
    yield "estimate", both or _second_option(held)
    yield "plan", _plan(held)
    yield "audit", both or options
    second = _PERSONS if held.referred else None if held.most_people > 1 else _SECOND
    yield "replace", both or second
    yield "route", label or options or _route(held)
    yield "rank", _rank(held)
    yield "compare", _compare(held, label)
    yield "certify", both or (None if held.declared else _TASK)
    yield "monitor", _monitor(held)


def _more(held: Held) -> Iterator[tuple[str, str]]:
    """What a question that is answered would tell more with."""
    if held.judges < 2:
        yield "select", "a second judge of the same items"
    if held.most_people < 2:
        yield "audit", _PERSONS if held.referred else _SECOND
    if held.divided:
        yield from ((verb, _DIVIDED) for verb in ("agree", "estimate"))
    elif held.partly and not held.drawn:
        yield from ((verb, _DRAWN) for verb in ("estimate", "compare"))


def _both(held: Held) -> str | None:
    if not held.judges:
        return 'ratings of a judge: a file beside this one, or [raters] judge = ["..."]'
    if not held.judged:
        return "verdicts of a judge that count: it has none"
    if not held.people:
        return "people's labels of some of the judged items: a file beside this one"
    return None if held.shared else "people's labels of items that the judge rated"


def _options(held: Held) -> str | None:
    return held.cut and f"options instead of numbers: a cut, as --task '{held.cut}'"


def _plan(held: Held) -> str | None:
    if not (held.judges and held.judged):
        return _both(held)
    if lacks := _options(held):
        return lacks
    if held.scale != "binary" and not held.positive:
        return 'the option whose rate is wanted: positive = "..."'
    return None


def _second_option(held: Held) -> str | None:
    if held.scale == "continuous" or held.options > 1:
        return None
    return 'all options that a rating may have: options = ["...", "..."]'


def _select(held: Held) -> str | None:
    """Battles have no scores to rank systems by; one class has no balanced accuracy."""
    if held.ranking:
        battles = held.scale == "pairwise" and not held.scored
        return 'another goal than "ranking", which rank answers' if battles else None
    if held.only_class is not None and held.goal == "prevalence":
        return f"labels of a second class: the reference is {named(held.only_class)} everywhere"
    return None


def _route(held: Held) -> str | None:
    if held.sureness:
        return None
    if held.judges == 2:  # that agree on all items, or on none
        return 'a third judge, or how sure a judge is: [columns] score = "..."'
    return 'how sure the judge is: [columns] score = "..."'


_DIVIDED = 'reference = "each": people are divided on every item'
_SECOND = "labels of a second person on the same items"
_PERSONS = "labels of two independent persons on the same items"
_SYSTEM = 'a column that names the system: [columns] system = "..."'
_DRAWN = 'how labels were drawn, as calibration = "random"'
_TASK = "a task that declares what is assumed here (--write-task)"


def _system(held: Held) -> str:
    return "ratings of a second system on the same prompts" if held.systems else _SYSTEM


def _compare(held: Held, both: str | None) -> str | None:
    if both or held.systems < 2:
        return both or _system(held)
    if held.scale == "nominal":
        return 'which options are counted, as positive = ["..."]'
    return None


def _rank(held: Held) -> str | None:
    if not held.judges:
        return _both(held)
    if held.systems < 2:
        return _system(held)
    if held.scale == "nominal" and not held.scored:
        return 'numbers beside the options: [columns] score = "..."'
    return None


def _monitor(held: Held) -> str | None:
    if not held.judges:
        return _both(held)
    if lacks := _options(held):
        return lacks
    return None if held.timed else "when each verdict was given: a column batch or time"
