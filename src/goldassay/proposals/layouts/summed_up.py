"""Columns that sum several people up beside the people themselves: no person of their own.

A majority or a mean that stands beside the votes it was made of would count them twice; a consensus
or a gold label says what was resolved, and is a reference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.numbered_names import numbered_name, numbered_series
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Table, some
from goldassay.ratings.vocabulary import MADE, RESOLVED, folded, number, plain_name, polarity, words

__all__ = [
    "goes_with_the_sum",
    "is_made",
    "is_made_of",
    "is_resolved",
    "statistics_of",
    "sum_of_criteria",
    "sums_of_people",
    "tell_sums",
]

#: The share of rows in which a column must be what the others give, and the fewest such rows.
_NEARLY_ALL, _ENOUGH = 0.98, 10
_GOLD = RESOLVED | {"gold", "golden", "adjudicator"}


def is_made(name: str) -> bool:
    """A name of what was made of several ratings: a majority, a mean."""
    return bool(set(words(name)) & MADE)


def is_resolved(name: str) -> bool:
    """A name of what people agreed on: a consensus, gold."""
    return bool(set(words(name)) & _GOLD)


def statistics_of(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """What is rated -> statistic -> column, where two things or more have two statistics or more
    each: `tone_mean` and `tone_mode`, `accuracy_mean` and `accuracy_mode`; else nothing.

    >>> statistics_of(["id", "tone_mean", "tone_std", "facts_mean", "facts_std"])["facts"]
    {'mean': 'facts_mean', 'std': 'facts_std'}
    """
    found: dict[str, dict[str, str]] = {}
    for name in names:
        parts = plain_name(name).split("_")
        at = next((k for k in (-1, 0) if len(parts) > 1 and parts[k] in _STATISTICS), None)
        if at is not None:
            found.setdefault("_".join(parts[:-1] if at else parts[1:]), {})[parts[at]] = name
    several = {thing: columns for thing, columns in found.items() if len(columns) > 1}
    return several if len(several) > 1 else {}


#: What is computed of several people's ratings.
_STATISTICS = frozenset(
    ["avg", "average", "mean", "median", "mode", "sd", "std", "stdev", "stddev", "var", "variance"]
)


def sums_of_people(table: Table, people: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of people's columns those that were made of the others, and those that resolve them; both
    only where two people or more are left."""
    made = [name for name in people if is_made(name)]
    resolved = [name for name in people if name not in made and is_resolved(name)]
    single = [name for name in people if name not in (*made, *resolved)]
    if len(single) < 2:
        return [], []
    alike = _numbered_alike(single)
    whole = [n for n in single if n not in alike and "overall" in words(n)]
    if len(alike) > 1 and len(whole) == 1:  # beside what each of them said
        resolved += whole
        single = [name for name in single if name not in whole]
    made += [n for n in single if len(alike) > 1 and n not in alike and is_made_of(table, n, alike)]
    return made, resolved


def tell_sums(made: Sequence[str], draft: Draft) -> None:
    if made:
        verb, are = ("sums", "is") if len(made) == 1 else ("sum", "are")
        draft.assume(
            Weight.WHO,
            f"{some(made)} {verb} people's ratings up and {are} left out: each person counts once",
        )


def goes_with_the_sum(table: Table, name: str, parts: Sequence[str]) -> bool:
    """Whether a column's numbers lie on one line over the sums of others in every row: a total, a
    mean, the share of zeros, an index made of them. Three sums or more, of two columns or more, and
    three rows or more in which it is not what all of them say anyway."""
    if len(parts) < 2 or not table.columns[name].numeric:
        return False
    points: dict[float, float] = {}
    telling = 0
    for (said, *votes), rows in counted(table.source, name, *parts).items():
        known = [value for vote in votes if (value := number(vote)) is not None]
        given = number(said)
        if len(known) < len(parts) or given is None:
            continue
        if abs(points.setdefault(sum(known), given) - given) > _ROUNDED:
            return False
        telling += rows if {*known} != {given} else 0
    if len(points) < 3 or telling < 3 or table.columns[name].filled < _ENOUGH:
        return False
    (low, first), (high, last) = min(points.items()), max(points.items())
    slope = (last - first) / (high - low)
    return slope != 0 and all(
        abs(given - first - slope * (total - low)) <= 2 * _ROUNDED + 1e-9
        for total, given in points.items()
    )


#: How far a number may be off that was rounded.
_ROUNDED = 0.0055
#: Words of columns that may sum the criteria of a row up.
_OVER_ALL = MADE | {"overall", "total", "sum", "score", "final"}


def sum_of_criteria(table: Table, criteria: Sequence[str]) -> str | None:
    """The column that is the mean or the sum of the other criteria in nearly all rows, or that says
    yes where all of them do."""
    for name in criteria:
        others = [one for one in criteria if one != name]
        if not set(words(name)) & _OVER_ALL or len(others) < 2 or len(others) > 30:
            continue
        found = counted(table.source, name, *others)
        if any(_goes(found, rule) for rule in (_mean, _sum, _all)):
            return name
    whole = [name for name in criteria if _follows_from_all(table, name, criteria)]
    return whole[0] if len(whole) == 1 else None


def _follows_from_all(table: Table, name: str, criteria: Sequence[str]) -> bool:
    """Whether a column, whatever it is called, says yes in a row just where all other criteria do
    that are rated in it, and two or more of them are why it says no (`mac`: meets all criteria)."""
    others = [one for one in criteria if one != name]
    if not 1 < len(others) <= _MOST_CRITERIA or len(table.columns[name].labels) != 2:
        return False
    found = {row: n for row, n in counted(table.source, name, *others).items() if row[0]}
    said = [polarity(folded(vote)) for row in found for vote in row if vote]
    if any(yes == no for yes, no in said) or sum(found.values()) < _ENOUGH:
        return False
    noes = {
        row: [other for other, vote in zip(others, row[1:], strict=True) if _no(vote)]
        for row in found
    }
    why = {rest[0] for rest in noes.values() if len(rest) == 1}
    return len(why) > 1 and all(_no(row[0]) == bool(rest) for row, rest in noes.items())


def _no(vote: str) -> bool:
    return bool(vote) and polarity(folded(vote))[1]


_MOST_CRITERIA = 12


def _numbered_alike(names: Sequence[str]) -> list[str]:
    """The names that differ in a number or letter at their end, where they are more than one."""
    stems = {stem: [*found.values()] for stem, found in numbered_series(names).items()}
    for name in names:
        match = re.match(r"^(.+)_(\d+)_(\w+)$", plain_name(name))
        if match and not numbered_name(name)[1]:  # of the records in a list
            stems.setdefault(f"{match[1]}_{match[3]}", []).append(name)
    return max(stems.values(), key=len, default=[])


def is_made_of(table: Table, name: str, parts: Sequence[str]) -> bool:
    """Whether a column is the majority, or the mean, of others in nearly all rows."""
    found = counted(table.source, name, *parts)
    return any(_goes(found, rule) for rule in (_majority, _mean))


def _goes(
    found: Mapping[tuple[str, ...], int], rule: Callable[[str, Sequence[str]], bool | None]
) -> bool:
    right = wrong = 0
    for (said, *votes), rows in found.items():
        same = rule(said, [vote for vote in votes if vote]) if said else None
        right += rows if same else 0
        wrong += rows if same is False else 0
    return right >= max(_ENOUGH, _NEARLY_ALL * (right + wrong))


def _majority(said: str, votes: Sequence[str]) -> bool | None:
    """Whether it is the label of more than half of three votes or more; None without one."""
    if len(votes) < 3:
        return None
    label, rows = Counter(map(folded, votes)).most_common(1)[0]
    return folded(said) == label if 2 * rows > len(votes) else None


def _all(said: str, votes: Sequence[str]) -> bool | None:
    """Whether it says yes where all votes do, and else no; None where one says neither."""
    each = [polarity(folded(one)) for one in (said, *votes)]
    if len(votes) < 2 or any(yes == no for yes, no in each):
        return None
    return each[0][0] == all(yes for yes, _ in each[1:])


def _sum(said: str, votes: Sequence[str]) -> bool | None:
    """Whether it is the sum of numbers; None where one is none."""
    known = [value for vote in votes if (value := number(vote)) is not None]
    if len(known) < max(2, len(votes)):
        return None
    given = number(said)
    return given is not None and abs(given - sum(known)) < 0.011


def _mean(said: str, votes: Sequence[str]) -> bool | None:
    """Whether it is the mean of votes that differ; None where they do not, or are no numbers."""
    values = {number(vote) for vote in votes}
    known = [value for vote in votes if (value := number(vote)) is not None]
    if None in values or len(values) < 2:
        return None
    given = number(said)
    return given is not None and abs(given - sum(known) / len(known)) < 0.011
