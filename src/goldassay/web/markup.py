"""HTML from Python: everything is escaped unless it was made here.

`el` builds one element. A child that is plain text is escaped and its invisible characters are
made visible; only `Markup`, which nothing but this module makes, passes as it is. Attribute names
and tags come from the code, never from data.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping

from goldassay.words import spelled

__all__ = ["Markup", "block", "cut", "el", "joined", "name", "text", "trusted"]

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
Child = str | int | None | Iterable["Child"]
Attributes = Mapping[str, str | int | bool | None]


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: object) -> Markup:
    """Anything as escaped text.

    >>> text("<b>&")
    '&lt;b&gt;&amp;'
    """
    return value if isinstance(value, Markup) else Markup(html.escape(spelled(str(value))))


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
            words.append(f'{name}="{html.escape(spelled(str(value)))}"')
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
    """HTML or SVG that another module of goldassay made and escaped, as it is."""
    return Markup(markup)
