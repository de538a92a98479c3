"""How values and hostile texts are shown to people, the same on every page.

Names, labels and model texts come from files that nobody checked. Before any of them reaches a
page its invisible characters are made visible (a right-to-left override must not reorder a table,
a NUL must not end it) and its length is bounded; escaping for HTML or Markdown comes after.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Any

__all__ = ["clipped", "number", "spelled", "text_width", "value_text", "visible"]

LIMIT = 2_000
#: Joiners and variation selectors are part of ordinary words and emoji, and so are the direction
#: marks of Hebrew and Arabic; overrides, embeddings and zero-width spaces are not.
_KEPT = frozenset("\n\t\u200c\u200d\u200e\u200f\ufe0e\ufe0f")
_SUSPECT = re.compile(r"[^\n\t\x20-\x7e\xa0-\xac\xae-\u02ff]")
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def spelled(text: str) -> str:
    r"""The text with its invisible and direction-changing characters written out, lines kept.

    >>> spelled("a\u202eb\x00\nc")
    'a⟨U+202E⟩b⟨U+0000⟩\nc'
    """
    return _SUSPECT.sub(_named, text.replace("\r\n", "\n"))


def _named(match: re.Match[str]) -> str:
    character = match.group()
    if character in _KEPT or unicodedata.category(character) not in _HIDDEN:
        return character
    return f"⟨U+{ord(character):04X}⟩"


def visible(text: object, limit: int = LIMIT) -> str:
    """`spelled` on one line, its length bounded.

    >>> visible("a\\u202eb\\nc"), visible("abcdef", 3)
    ('a⟨U+202E⟩b c', 'abc… (6 characters)')
    """
    whole = str(text)
    shown = spelled(whole[:limit]).replace("\n", " ").replace("\t", " ")
    return f"{shown}… ({len(whole):,} characters)" if len(whole) > limit else shown


def clipped(text: object, width: float, size: float) -> str:
    """The text shortened with an ellipsis to fit `width` pixels at font size `size`."""
    shown = visible(text, 400)
    if text_width(shown, size) <= width:
        return shown
    room = width - text_width("…", size)
    kept = 0
    for kept, character in enumerate(shown):  # noqa: B007 - the place where room ran out
        room -= text_width(character, size)
        if room < 0:
            break
    return shown[:kept].rstrip() + "…"


def text_width(text: str, size: float) -> float:
    """Pixels that a text takes in a sans-serif face, near enough to lay out labels."""
    wide = sum(1 for character in text if unicodedata.east_asian_width(character) in "WF")
    narrow = sum(text.count(character) for character in "iljtfI.,:;'|!()[] ")
    capital = sum(1 for character in text if character.isupper() or character in "mwMW%@…—")
    return size * (0.62 * len(text) + 0.46 * wide - 0.24 * narrow + 0.12 * capital)


def number(value: float | int | None, digits: int = 3) -> str:
    """A number for people: as many digits as tell something, thousands parted, never NaN.

    >>> number(0.61234), number(1234567), number(0), number(0.00004), number(None)
    ('0.612', '1,234,567', '0', '4.0e-05', '')
    """
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "undefined"
    size = abs(value)
    if size >= 1e15:
        return f"{value:.{digits}g}"
    if size >= 1000:
        return f"{value:,.0f}"
    if size >= 100:
        return f"{value:.1f}"
    if 0 < size < 0.5 * 10.0**-digits:
        return f"{value:.1e}"
    return f"{value:.{digits}f}"


def value_text(value: Any, digits: int = 3) -> str:
    """A table's cell as text: numbers as `number`, truth as yes and no, absence as nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value, digits)
    if isinstance(value, list | tuple):
        return ", ".join(value_text(item, digits) for item in value[:100])
    if isinstance(value, dict):
        pairs = list(value.items())[:100]
        return ", ".join(f"{visible(key)}: {value_text(item, digits)}" for key, item in pairs)
    return visible(value)
