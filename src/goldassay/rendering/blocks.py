"""What a page is made of: the blocks of a story, one structure for HTML and Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from goldassay.rendering.charts.canvas import Chart

__all__ = [
    "Block",
    "Bullets",
    "Cell",
    "Command",
    "Grid",
    "Heading",
    "How",
    "More",
    "Picture",
    "Prose",
    "Section",
    "Story",
]


@dataclass(frozen=True, slots=True)
class Cell:
    """A table's cell: text, perhaps a lighter second part, perhaps a link within the page."""

    text: str
    aside: str = ""
    anchor: str = ""
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences. `kind` is answer, plain or soft."""

    sentences: tuple[str, ...]
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class Bullets:
    """Sentences in a list. A `folded` one opens on demand, under that summary."""

    items: tuple[str, ...]
    kind: str = "plain"
    folded: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. A `folded` one opens on demand, under that summary; of a long one the rows after
    the first `head` do. `anchors` of columns link to how their numbers were made."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    folded: str = ""
    head: int | None = None
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart and the table behind it; of a long one `short` is seen first."""

    chart: Chart
    grid: Grid
    short: Chart | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """The command line that prints what stands above it, and where its numbers are explained."""

    line: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class How:
    """How one number is made: its name in words, then facts as (word, text)."""

    anchor: str
    name: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class More:
    """Pictures that open on demand, so that a page of many judges stays one to read."""

    summary: str
    pictures: tuple[Picture, ...]


Block = Prose | Bullets | Grid | Picture | More | Command | Heading | How


@dataclass(frozen=True, slots=True)
class Section:
    anchor: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Story:
    title: str
    subtitle: str
    #: Sentences, each with the anchor that tells how its number was made.
    verdict: tuple[tuple[str, str], ...]
    may: tuple[tuple[str, str], ...]
    may_not: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
