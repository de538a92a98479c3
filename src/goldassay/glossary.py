"""What each number means, its formula and where it comes from, in words for the page.

The entries are in `glossary.toml`, one per name that a result may carry; a result whose name is
missing there is still shown, with its own method and declarations.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files

from goldassay.frozen import dataclass
from goldassay.reference_words import wording

__all__ = [
    "SHARED",
    "WAYS",
    "Method",
    "is_central",
    "is_points",
    "is_rate",
    "is_whole",
    "method_of",
    "methods",
    "said",
    "words",
]


#: Whose ratings a result compares when they are not judge and people.
_AMONG = {"human_": "among people", "judges_": "among judges"}

#: What is made of a side's ratings of an item, by its letters in a definition of agreement.
WAYS = {
    "h": "the most chosen option",
    "s": "the shares of the options",
    "hrs": "the options that enough raters accept",
    "srs": "the share of raters who accept each option",
}

#: How results on the items that all compared judges decide are called.
SHARED = "_on_shared_items"


@dataclass(frozen=True, slots=True)
class Method:
    """A number's name in words, what it says, how it is computed, and a reference."""

    words: str
    meaning: str
    formula: str
    reference: str = ""
    #: Whether it is among the few that are shown first where there is much to show.
    central: bool = False
    #: Whether it is a share of something, written as a percentage; otherwise a plain number.
    rate: bool = False
    #: Whether it is a difference of shares, written in percentage points.
    points: bool = False
    #: Whether it is a place or a number of things, written without decimals.
    whole: bool = False


def methods() -> Mapping[str, Method]:
    """Every described name; that of one verb alone as `verb.name`."""
    return {name: _parsed(name) for name in _written()}


@cache
def _written() -> Mapping[str, str]:
    """What is written of each name. A command tells of few: the others are never parsed."""
    text = files("goldassay").joinpath("glossary.toml").read_text(encoding="utf-8")
    parts = (part.partition("]\n") for part in text.split("\n[")[1:])
    return {name: entry for name, _, entry in parts}


def _known(name: str) -> Method | None:
    return _parsed(name) if name in _written() else None


@cache
def _parsed(name: str) -> Method:
    return Method(**tomllib.loads(_written()[name]))


def method_of(name: str, verb: str = "") -> Method | None:
    """The entry of a name, or the one that a verb has of its own (`[audit.coverage]`)."""
    found, current = _method_of(name, verb), wording()
    return current.nameless.all_of(found) if current else found


@lru_cache(maxsize=1024)  # names come from users too
def _method_of(name: str, verb: str) -> Method | None:
    found = _known(f"{verb}.{name}") or _known(name)
    for prefix, among in _AMONG.items():
        base = _known(name.removeprefix(prefix))
        if found is None and name.startswith(prefix) and base is not None:
            return replace(base, words=f"{base.words} {among}")
    if found is None and (base := _known(name.removesuffix(SHARED))) is not None:
        return replace(base, words=f"{base.words} on shared items", central=False)
    whole = name.removesuffix("_change")
    if found is None and whole != name and (base := _method_of(whole, verb)) is not None:
        return replace(
            base,
            words=f"change of {base.words}",
            formula=f"new − old: {base.formula}",
            points=base.rate or base.points,
        )
    return found


def is_central(name: str, verb: str = "") -> bool:
    """Whether a result is among those shown first."""
    known = method_of(name, verb)
    return known is not None and known.central


def is_rate(name: str, verb: str = "") -> bool:
    """Whether a result is a share, which prose and pictures write as `90 %`.

    >>> is_rate("accuracy"), is_rate("cohen_kappa")
    (True, False)
    """
    known = method_of(name, verb)
    return known is not None and known.rate


def is_points(name: str, verb: str = "") -> bool:
    """Whether a result is a difference of two shares, which is written as `5 points`.

    >>> is_points("accuracy_difference"), is_points("accuracy")
    (True, False)
    """
    known = method_of(name, verb)
    return known is not None and known.points


def is_whole(name: str, verb: str = "") -> bool:
    """Whether a result is a place or a number of things.

    >>> is_whole("system_rank"), is_whole("accuracy")
    (True, False)
    """
    known = method_of(name, verb)
    return known is not None and known.whole


def words(name: str, verb: str = "") -> str:
    """A result's name as people say it.

    >>> words("cohen_kappa"), words("some_new_number")
    ("Cohen's kappa", 'some new number')
    """
    known = method_of(name, verb)
    return known.words if known else name.replace("_", " ")


def said(text: str, verb: str = "") -> str:
    """A label whose first word is a result's name, with that name in words.

    >>> said("cohen_kappa h/h"), said("gpt_4 mini"), said("accuracy")
    ("Cohen's kappa h/h", 'gpt_4 mini', 'accuracy')
    """
    first, space, rest = text.partition(" ")
    known = method_of(first, verb) if "_" in first else None
    return f"{known.words}{space}{rest}" if known else text
