"""Text in columns, as a terminal shows it: wide characters count two, marks on them nothing.

`wrapped` fills lines, `table` aligns columns, `shortened` makes names shorter and keeps them
apart. Colour comes after the layout: an escape sequence has no width.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from goldassay.frozen import dataclass

__all__ = [
    "GAP",
    "PAIR",
    "Column",
    "shortened",
    "table",
    "together",
    "total_width",
    "width_of",
    "wrapped",
    "wrapped_lines",
]

Paint = Callable[[str], str]
_NOTHING = ("Mn", "Me", "Cf")
GAP = "  "
#: What stands between the two names of a difference.
PAIR = " − "
#: A heading stands on one line up to here.
HEADING = 14
#: Spaces between a number, its unit, its interval, the two ends of that, and around "p =".
_TOGETHER = re.compile(
    r"(?<=\d) (?=%|points?\b|to -?\d)|(?<=[\d%]) (?=\[)|(?<=points) (?=\[)|(?<=point) (?=\[)"
    r"|(?<=,) (?=[^\s\[\]]+\])|(?<=\d to) (?=-?\d)|(?<=\bp) (?==)|(?<=\bp =) (?=\d)"
)
#: A name that is set apart and short enough for one line.
_SHORT_NAME = re.compile(r"`[^`\n]{1,24}`")


def together(text: str) -> str:
    """The text with figures, and short names, that no end of a line parts.

    >>> together("86 % [82, 89] of them") == "86\\u00a0%\\u00a0[82,\\u00a089] of them"
    True
    """
    if " " not in text:  # most of what stands in tables
        return text
    names = _SHORT_NAME.sub(lambda found: found[0].replace(" ", "\u00a0"), text)
    return _TOGETHER.sub("\u00a0", names)


def width_of(text: str) -> int:
    """Cells that a text takes on a terminal.

    >>> width_of("abc"), width_of("评审"), width_of("e\\u0301"), width_of("❤\\ufe0f")
    (3, 4, 1, 2)
    """
    if text.isascii():
        return len(text)
    total = last = 0
    for character in text:
        if character == "\ufe0f":  # shown as a picture, which is wide
            last, total = 2, total + 2 - last
        elif unicodedata.category(character) not in _NOTHING:
            last = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            total += last
    return total


def wrapped_lines(text: str, width: int, indent: str = "") -> list[str]:
    """A text on lines no wider than `width`; what follows the first begins with `indent`.

    A number stays with its percent sign, and an interval on one line.

    >>> wrapped_lines("one two three", 8, "  "), wrapped_lines("it is 9 % [1, 22]", 12)
    (['one two', '  three'], ['it is', '9 % [1, 22]'])
    """
    lines = [""]
    for word in filter(None, together(text).split(" ")):
        pieces = [word]
        room = max(width - width_of(indent), 1)
        if width_of(word) > room:
            pieces = list(_pieces(word, room))
        for piece in pieces:
            gap = " " if lines[-1].strip() else ""
            if gap and width_of(lines[-1]) + 1 + width_of(piece) > width:
                lines.append(indent + piece)
            else:
                lines[-1] += gap + piece
    return [line.replace("\u00a0", " ") for line in lines]


def wrapped(text: str, width: int, indent: str = "") -> str:
    return "\n".join(wrapped_lines(text, width, indent))


def _pieces(word: str, room: int) -> Iterable[str]:
    """A word longer than a line, in pieces that fit one."""
    piece = ""
    for character in word:
        if piece and width_of(piece + character) > room:
            yield piece
            piece = ""
        piece += character
    yield piece


def shortened(names: Sequence[str], size: int) -> list[str] | None:
    """Names in at most `size` cells, parts left out where that leaves them different; else None.

    The beginning and the end are kept where they tell names apart, the end otherwise.

    >>> shortened(["acme/judge-large-2024-07", "acme/judge-large-2024-08", "b"], 12)
    ['acme…2024-07', 'acme…2024-08', 'b']
    """
    if all(width_of(name) <= size for name in names):
        return list(names)
    if all(PAIR in name for name in names):
        return _shortened_pairs(names, size)
    for kept in (size // 3, 0, size - 1, size // 2, 2 * size // 3):
        short = [_without_middle(name, kept, size) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    return None


def _shortened_pairs(names: Sequence[str], size: int) -> list[str] | None:
    """Both names of each difference, each kept apart from all others."""
    parts = [name.partition(PAIR) for name in names]
    every = list(dict.fromkeys(part for first, _, second in parts for part in (first, second)))
    short = shortened(every, (size - len(PAIR)) // 2)
    if short is None:
        return None
    known = dict(zip(every, short, strict=True))
    return [f"{known[first]}{PAIR}{known[second]}" for first, _, second in parts]


def _without_middle(name: str, kept: int, size: int) -> str:
    if width_of(name) <= size:
        return name
    head = ""
    for character in name:
        if width_of(head + character) > kept:
            break
        head += character
    tail = ""
    for character in reversed(name[len(head) :]):
        if width_of(character + tail) > size - 1 - width_of(head):
            break
        tail = character + tail
    return f"{head}…{tail}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of texts; of numbers it is set to the right. `paint` colours its cells."""

    head: str
    cells: tuple[str, ...]
    right: bool = False
    paint: Paint | None = None

    @property
    def width(self) -> int:
        """What its cells need; a longer heading is wrapped between words."""
        words = map(width_of, self.head.split(" "))
        return max(*map(width_of, self.cells), *words, 0, min(width_of(self.head), HEADING))


def total_width(columns: Sequence[Column]) -> int:
    """Of columns side by side."""
    return sum(column.width for column in columns) + len(GAP) * (len(columns) - 1)


def table(columns: Sequence[Column]) -> list[str]:
    """Lines of columns side by side under their headings; nothing is cut."""
    sizes = [column.width for column in columns]
    heads = [wrapped_lines(c.head, size) for c, size in zip(columns, sizes, strict=True)]
    deepest = max(map(len, heads))
    lines = []
    for depth in range(deepest):
        padded = [[""] * (deepest - len(head)) + head for head in heads]
        lines.append(_line([head[depth] for head in padded], columns, sizes))
    lines.append(GAP.join("─" * size for size in sizes))
    for row in zip(*(column.cells for column in columns), strict=True):
        lines.append(_line(row, columns, sizes, painted=True))
    return [line.rstrip() for line in lines]


def _line(
    cells: Sequence[str], columns: Sequence[Column], sizes: Sequence[int], *, painted: bool = False
) -> str:
    shown = []
    for cell, column, size in zip(cells, columns, sizes, strict=True):
        pad = " " * max(0, size - width_of(cell))
        text = column.paint(cell) if painted and column.paint and cell else cell
        shown.append(pad + text if column.right else text + pad)
    return GAP.join(shown)
