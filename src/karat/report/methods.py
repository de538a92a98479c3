"""What each number means, its formula and where it comes from, in words for the page.

The entries are in `methods.toml`, one per name that a result may carry; a result whose name is
missing there is still shown, with its own method and declarations.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Method", "methods", "words"]


@dataclass(frozen=True, slots=True)
class Method:
    """A number's name in words, what it says, how it is computed, and a reference."""

    words: str
    meaning: str
    formula: str
    reference: str = ""


@cache
def methods() -> Mapping[str, Method]:
    """Every described name."""
    text = files("karat.report").joinpath("methods.toml").read_text(encoding="utf-8")
    return {name: Method(**entry) for name, entry in tomllib.loads(text).items()}


def words(name: str) -> str:
    """A result's name as people say it.

    >>> words("cohen_kappa"), words("some_new_number")
    ("Cohen's kappa", 'some new number')
    """
    known = methods().get(name)
    return known.words if known else name.replace("_", " ")
