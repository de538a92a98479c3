"""What is done with a file that nobody declared: read it, ask, or refuse.

Silent only where the file is plain: one flat table, every column explained, nothing left out that
could be a rating, whose the ratings are said by a key, a column or unmistakable words that no data
contradict, and a key that is unique with rater and criterion. All else is shown and waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from goldassay.errors import InputError
from goldassay.frozen import dataclass
from goldassay.read.arguments import Arguments, from_options, options_of
from goldassay.read.contents import Content, contents
from goldassay.read.declaring import declared_contents
from goldassay.read.joining import joined_readings
from goldassay.read.profile import Profile, profiles
from goldassay.read.readings import Open, Reading, readings
from goldassay.read.records import File
from goldassay.read.refusal import marks, refusal, sums_up
from goldassay.read.table import Table
from goldassay.read.views import views

__all__ = ["Answer", "Decision", "decide"]

#: Readings that are tried before one is shown.
TRIED = 5


class Answer(StrEnum):
    """What is done."""

    read = "read"
    ask = "ask"
    refuse = "refuse"


@dataclass(frozen=True)
class Decision:
    """What is done with files, the reading that is shown, and why there is none."""

    answer: Answer
    sources: tuple[Content, ...]
    arguments: Arguments = Arguments()
    table: Table | None = None
    open: tuple[Open, ...] = ()
    why: str = ""


def decide(source: Any) -> Decision:
    """Read, ask or refuse a path, several, or a frame."""
    given = tuple(contents(source))
    if len(given) == 1:
        return _one(given[0])
    return _several(given)


def _best(content: Content) -> tuple[list[Reading], list[tuple[File, dict[str, Profile]]]]:
    """The readings of all views of a content, best first, and the views."""
    found: list[Reading] = []
    seen = []
    for rows, file in views(content):
        known = profiles(file)
        seen.append((file, known))
        found += readings(file, known, rows)
    return sorted(found, key=lambda one: -one.score), seen


def _one(content: Content) -> Decision:
    found, seen = _best(content)
    file, first = seen[0]
    summed = sums_up(first) is not None
    marked = any(marks(one) for one, _ in seen)
    sums = [one for one, known in seen if sums_up(known) is not None]
    for reading in [] if summed else found[:TRIED]:
        if any(reading.file is one for one in sums):
            continue
        if marked and (reading.arguments.rows or any("list" in role for _, role in reading.roles)):
            continue
        try:
            said = from_options(options_of(reading.arguments))  # as it will be pasted
            table = declared_contents([content], said)
        except InputError:
            continue
        doubts = (*reading.open, *_doubts(table, content, file))
        answer = Answer.ask if doubts else Answer.read
        return Decision(answer, (content,), said, table, doubts)
    return Decision(Answer.refuse, (content,), why=refusal(content, seen))


def _several(given: Sequence[Content]) -> Decision:
    """Several files: read one by one, then joined; always shown."""
    each = [(content, _best(content)) for content in given]
    usable = [(content, found[:3]) for content, (found, _) in each if found]
    for reading in joined_readings(given, usable) if usable else ():
        try:
            said = from_options(options_of(reading.arguments))
            table = declared_contents(given, said)
        except InputError:
            continue
        opened = reading.open or (Open("join", "do these files belong together so?"),)
        return Decision(Answer.ask, tuple(given), said, table, opened)
    content, (_, seen) = each[0]
    return Decision(Answer.refuse, tuple(given), why=refusal(content, seen))


def _doubts(table: Table, content: Content, file: File) -> list[Open]:
    """What speaks against silence in the reading itself."""
    found = []
    flat = isinstance(content.root, list) and not any(
        isinstance(value, dict | list) for row in file.rows[:50] for value in row.scopes[0].values()
    )
    if not flat:
        found.append(Open("ratings", "the file is nested: are these its ratings?"))
    counts = table.counts()
    values: dict[str, set[str]] = {}
    by_criterion: dict[str | None, dict[str, set[str]]] = {}
    for (kind, _, criterion), several in counts.items():
        values.setdefault(kind, set()).update(several)
        by_criterion.setdefault(criterion, {}).setdefault(kind, set()).update(several)
    for kinds in by_criterion.values():
        sets = list(kinds.values())
        if len(sets) > 1 and not all(_alike(sets[0], one) for one in sets[1:]):
            found.append(Open("value", "people and judge share no labels: are they of one scale?"))
            break
    if {"human", "reference"} <= set(values):
        found.append(Open("whose", "is the key apart from the people, or made of their ratings?"))
    if any(one.time > 1 for one in table.ratings):
        found.append(Open("repeat", "one rater has several ratings of one item: repeats?"))
    raters: dict[object, set[str | None]] = {}
    for one in table.ratings:
        raters.setdefault((one.unit, one.criterion), set()).add(one.rater)
    names = {one.rater for one in table.ratings}
    if len(names) > 1 and sum(len(some) > 1 for some in raters.values()) < 0.05 * len(raters):
        found.append(Open("item", "few items have two raters: is the key right?"))
    if any(table.left_out.get(why, 0) for why in ("no rater is named", "rows without a key")):
        found.append(Open("item", "some rows name no rater or no item"))
    if len(table.ratings) < 4:
        found.append(Open("ratings", "there are few ratings: is this the file?"))
    identical = _identical(table)
    if identical:
        found.append(
            Open("whose", f"{identical[0]} and {identical[1]} say the same everywhere: copies?")
        )
    return found


def _identical(table: Table) -> tuple[str, str] | None:
    """Two raters whose ratings are the same on every item of many."""
    said: dict[tuple[str | None, str | None], dict[object, str]] = {}
    for one in table.ratings:
        said.setdefault((one.rater, one.criterion), {})[one.unit] = one.value
    some = list(said.items())
    for at, (name, ratings) in enumerate(some[:20]):
        for other, theirs in some[at + 1 : 20]:
            if name[1] == other[1] and len(ratings) > 10 and ratings == theirs:
                return f"`{name[0]}`", f"`{other[0]}`"
    return None


def _alike(one: set[str], other: set[str]) -> bool:
    """Whether two sets of values are of one scale."""
    numbers = [_numbers(values) for values in (one, other)]
    if all(numbers):
        first, second = (some for some in numbers if some)
        low, high = max(min(first), min(second)), min(max(first), max(second))
        widest = max(max(first) - min(first), max(second) - min(second))
        return high - low >= 0.4 * widest
    fold = [{value.casefold() for value in values} for values in (one, other)]
    return len(fold[0] & fold[1]) >= 0.5 * min(map(len, fold))


def _numbers(values: set[str]) -> list[float] | None:
    try:
        return [float(value) for value in values]
    except ValueError:
        return None
