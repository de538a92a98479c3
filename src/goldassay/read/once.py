"""Each rating once: what other rows repeat unchanged, repeats, votes, and labels in other words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from goldassay.errors import UsageError, shown
from goldassay.read.arguments import Arguments
from goldassay.read.patterns import fits, is_pattern
from goldassay.read.table import Rating

__all__ = ["labelled", "once", "voters"]

#: What the voters of an item are called, before their number.
VOTER = "person"
REPEATED = "ratings that other rows or files repeat"


def once(ratings: Sequence[Rating], declared: Arguments, left_out: Counter[str]) -> list[Rating]:
    """What rows of other raters, or two files, repeat unchanged is one rating, and said otherwise
    an error. Other rows of one rater and item are repeats, numbered."""
    long = bool(declared.rater) or any(not one.own for one in ratings)
    first: dict[object, Rating] = {}
    times: Counter[object] = Counter()
    found = []
    for one in ratings:
        what = one.rated
        before = first.setdefault(what, one)
        if before is not one and (before.file != one.file or (one.own and long)):
            if before.value == one.value:
                left_out[REPEATED] += 1
                continue
            places = " and ".join(
                f"{shown(each.value, 40)} ({each.file}, row {each.row})" for each in (before, one)
            )
            raise UsageError(
                one.option,
                f"two ratings of {'/'.join(one.item)[:60]} differ: {places}",
                next_step=f"Where the files are the raters, write 'FILES={one.column}'"
                if before.file != one.file
                else "Name the column that tells them apart, as a part of --item",
            )
        times[what] += 1
        found.append(one if times[what] == 1 else replace(one, time=times[what]))
    return found


def voters(ratings: Iterable[Rating]) -> list[Rating]:
    """Votes of nobody by name: those of a row go round, so that no number stands for one option."""
    rows: dict[object, list[Rating]] = {}
    for one in ratings:
        rows.setdefault((one.kind, one.file, one.row, one.item, one.system), []).append(one)
    return [
        replace(one, rater=f"{VOTER} {(at + one.row) % len(row) + 1}")
        for row in rows.values()
        for at, one in enumerate(row)
    ]


def _same(one: str, other: str) -> bool:
    """Whether two texts are the same, or the same number.

    >>> _same("1.0", "1"), _same("a", "A")
    (True, False)
    """
    if one == other:
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def labelled(ratings: Sequence[Rating], labels: Sequence[tuple[str, str]]) -> list[Rating]:
    """Values written as --label says: the whole text, else a pattern."""
    if not labels:
        return list(ratings)
    meant: dict[str, str] = {}
    used: set[tuple[str, str]] = set()
    for value in dict.fromkeys(one.value for one in ratings):
        found = [pair for pair in labels if _same(pair[0], value)]
        found = found or [p for p in labels if is_pattern(p[0]) and fits(value, p[0])]
        used.update(found)
        if len({other for _, other in found}) > 1:
            both = " and ".join(f"{one}={other}" for one, other in found)
            raise UsageError(f"--label {both}", "a value fits both", found=shown(value, 60))
        if found:
            meant[value] = found[0][1]
    for one, other in labels:
        if (one, other) not in used:
            values = ", ".join(
                shown(v, 30) for v in list(dict.fromkeys(r.value for r in ratings))[:8]
            )
            raise UsageError(
                f"--label {one}={other}",
                "no rating has this value",
                next_step=f"There are {values}",
            )
    return [replace(one, value=meant.get(one.value, one.value)) for one in ratings]
