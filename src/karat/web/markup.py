"""HTML from Python: everything is escaped unless it was made here.

`el` builds one element. A child that is plain text is escaped and its invisible characters are
made visible; only `Markup`, which nothing but this module makes, passes as it is. Attribute names
and tags come from the code, never from data.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping

__all__ = ["Markup", "block", "cut", "el", "joined", "name", "shown_text", "text", "trusted"]

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
#: Joiners and variation selectors are part of ordinary words and emoji, and so are the direction
#: marks of Hebrew and Arabic; overrides, embeddings and zero-width spaces are not.
_KEPT = frozenset("\n\t\u200c\u200d\u200e\u200f\ufe0e\ufe0f")
_SUSPECT = re.compile(r"[^\n\t\x20-\x7e\xa0-\xac\xae-\u02ff]")
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")

Child = str | int | None | Iterable["Child"]
Attributes = Mapping[str, str | int | bool | None]


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def shown_text(value: str) -> str:
    r"""Text with its invisible and direction-changing characters written out, lines kept.

    >>> shown_text("a\u202eb\x00")
    'a⟨U+202E⟩b⟨U+0000⟩'
    """
    return _SUSPECT.sub(_made_visible, value.replace("\r\n", "\n"))


def _made_visible(match: re.Match[str]) -> str:
    character = match.group()
    if character in _KEPT or unicodedata.category(character) not in _HIDDEN:
        return character
    return f"⟨U+{ord(character):04X}⟩"


def text(value: object) -> Markup:
    """Anything as escaped text.

    >>> text("<b>&")
    '&lt;b&gt;&amp;'
    """
    return value if isinstance(value, Markup) else Markup(html.escape(shown_text(str(value))))


def joined(children: Child) -> Markup:
    """Children of an element, nested or not, one after another; None is nothing."""
    if children is None:
        return Markup()
    if isinstance(children, str | int):
        return text(children)
    return Markup("".join(joined(child) for child in children))


def el(tag: str, attributes: Attributes | None = None, *children: Child) -> Markup:
    """One element. An attribute that is None or False is left out; True stands alone.

    >>> el("a", {"href": "/?q=\\"", "hidden": None}, "1 < 2", el("br"))
    '<a href="/?q=&quot;">1 &lt; 2<br></a>'
    """
    words = [tag]
    for name, value in (attributes or {}).items():
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            words.append(f'{name}="{html.escape(shown_text(str(value)))}"')
    opening = f"<{' '.join(words)}>"
    return Markup(opening if tag in _VOID else f"{opening}{joined(children)}</{tag}>")


def block(value: str, *, limit: int, rest: str | None = None) -> Markup:
    """A text of any size as it was written, cut at `limit` characters with a link to the rest."""
    cut = value[:limit]
    more: Markup | None = None
    if len(value) > limit:
        note = f"{len(value) - limit:,} more characters"
        link = el("a", {"href": rest, "target": "_blank"}, "read the whole text") if rest else None
        more = el("p", {"class": "more"}, f"… {note}", ": " if link else None, link)
    attributes: Attributes = {"class": "text", "dir": "auto", "tabindex": "0"}
    if not value:
        return el("p", {"class": "absent"}, "(empty)")
    return Markup(el("div", attributes, cut) + (more or ""))


def cut(value: str, limit: int) -> str:
    """The text, or its beginning and how long it is.

    >>> cut("abcdef", 3)
    'abc… (6 characters)'
    """
    return value if len(value) <= limit else f"{value[:limit]}… ({len(value):,} characters)"


def name(value: str, limit: int = 120) -> Markup:
    """A name, whatever its length and direction, that leaves the text around it alone."""
    return el("bdi", None, cut(value, limit))


def trusted(markup: str) -> Markup:
    """HTML or SVG that another module of karat made and escaped, as it is."""
    return Markup(markup)
