"""Names of raters: what a name is, and which of them look alike.

A name is all that tells one rater from another. Two people under names that a reader takes for one
would be mixed up, and one person under two such names would count as two: so a new name must not
look like one that is there, and where a table brings such names, the pages tell them apart.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

from goldassay.errors import UsageError, shown

__all__ = ["MAX_NAME", "alike", "checked", "told_apart", "unlike"]

MAX_NAME = 60
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
#: Letters of other alphabets that look like Latin ones in one case or both (a part of what
#: Unicode's UTS #39 lists), and characters that look like a letter.
_LETTERS = dict(
    zip(
        "авеһіјкмнорстухѕԁԛԝӏ" + "αβεζηικμνορτυχωγ" + "ı",
        "abehijkmhopctyxsdqwl" + "abezhikmvoptyxwy" + "i",
        strict=True,
    )
)
_LATIN = str.maketrans(_LETTERS | {a.upper(): b.upper() for a, b in _LETTERS.items() if a != "ı"})
_GLYPHS = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "o", "O": "o"})


def checked(name: str) -> str:
    """The name as it is stored, or an error that says what a name is."""
    name = unicodedata.normalize("NFC", name).strip()
    hidden = any(unicodedata.category(c) in _HIDDEN for c in name)
    if not name or len(name) > MAX_NAME or hidden:
        raise UsageError("your name", f"has 1 to {MAX_NAME} visible characters", found=shown(name))
    return name


def alike(one: str, other: str) -> bool:
    """Whether a reader may take one name for the other.

    >>> alike("Anna", "anna"), alike("Ian", "lan"), alike("r 0", "r o"), alike("a", "\u0430")
    (True, True, True, True)
    >>> alike("Anna", "Anne"), alike("Jose", "José"), alike("rater 1", "rater 2")
    (False, False, False)
    """
    return bool(_spoken(one) & _spoken(other))


def _latin(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).split()).translate(_LATIN)


@lru_cache(maxsize=65_536)
def _spoken(name: str) -> frozenset[str]:
    """The name without regard to case, read letter by letter and by its looks."""
    return frozenset({_latin(name).casefold(), _latin(name).translate(_GLYPHS).casefold()})


def told_apart(names: Iterable[str]) -> Mapping[str, str]:
    """Those of the names that look the same as another, with what tells them apart.

    >>> told_apart(["anna", "ben", "\u0430nna"])
    {'anna': 'anna (a is U+0061)', '\u0430nna': '\u0430nna (\u0430 is U+0430)'}
    """
    return dict(_told_apart(frozenset(names)))


@lru_cache(maxsize=16)  # every page asks, and names seldom change
def _told_apart(names: frozenset[str]) -> Mapping[str, str]:
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        groups.setdefault(_latin(name).translate(_GLYPHS), []).append(name)
    several = [group for group in groups.values() if len(group) > 1]
    return {name: f"{name} ({_mark(name, group)})" for group in several for name in group}


def _mark(name: str, group: list[str]) -> str:
    """What a name has and others of its looks have not."""
    if len({len(other) for other in group}) > 1:
        return f"{len(name)} characters"
    places = zip(name, zip(*group, strict=True), strict=True)
    odd = dict.fromkeys(c for c, others in places if len(set(others)) > 1)
    return ", ".join(f"{c} is U+{ord(c):04X}" for c in odd)


def unlike(name: str, others: Iterable[str]) -> str:
    """A new name that looks like nobody else's, or an error that says whose it looks like."""
    if near := next((other for other in sorted(others) if alike(name, other)), None):
        raise UsageError(
            "your name",
            f"looks like {near!r}, who is here already",
            found=shown(name),
            next_step=f"If that is you, choose {near!r}; else add something to your name",
        )
    return name
