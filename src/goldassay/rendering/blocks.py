"""What a page is made of: the blocks of a story, one structure for HTML and Markdown."""

from __future__ import annotations

from goldassay.frozen import dataclass
from goldassay.rendering.charts.canvas import Chart

__all__ = [
    "PRINTED",
    "Bar",
    "Block",
    "Bullets",
    "Card",
    "Cell",
    "Claim",
    "Command",
    "Grid",
    "Heading",
    "How",
    "Made",
    "Panels",
    "Picture",
    "Prose",
    "Section",
    "Story",
]


#: The word for the command that prints a number, which stands last.
PRINTED = "Printed by"
#: How a number was made: words such as "method", and what they are here.
Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval drawn in a cell: value and ends as shares of the column's range."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Cell:
    """A table's cell: text, perhaps a lighter second part, perhaps a link within the page.

    `how` opens beside the number; `bar` is its interval drawn; `name` is set in a code face;
    `value` is the number itself and `way` the anchor of the way in which it was made.
    """

    text: str
    aside: str = ""
    anchor: str = ""
    numeric: bool = False
    how: Facts = ()
    bar: Bar | None = None
    name: bool = False
    value: float | None = None
    way: str = ""


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
    the first `head` do. `anchors` of columns link to how their numbers were made; rows that are
    `tied` cannot be told from the first one."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    folded: str = ""
    head: int | None = None
    anchors: tuple[str, ...] = ()
    tied: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart and the table behind it; of a long one `short` is seen first."""

    chart: Chart
    grid: Grid
    short: Chart | None = None


@dataclass(frozen=True, slots=True)
class Panels:
    """Small multiples: one picture for each judge, on common axes; `more` are not drawn."""

    pictures: tuple[Picture, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Command:
    """The command line that prints what stands above it, and where its numbers are explained."""

    line: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class How:
    """How one number is made: its name in words, then facts as (word, text).

    Where a page tells each way in which its numbers were made once, `ways` are the anchors of
    this one's, which stand for the `shared` facts.
    """

    anchor: str
    name: str
    facts: Facts
    shared: Facts = ()
    ways: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """The ways in which numbers were made, each told once: its anchor and its facts."""

    title: str
    ways: tuple[tuple[str, Facts], ...]


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    anchor: str = ""


Block = Prose | Bullets | Grid | Picture | Panels | Command | Heading | How | Made


@dataclass(frozen=True, slots=True)
class Section:
    """A question: its answer, one picture and one table; everything else on demand.

    `lead` is its answer in one line; a `folded` section is an appendix, shut until asked for.
    """

    anchor: str
    title: str
    blocks: tuple[Block, ...]
    details: tuple[Block, ...] = ()
    lead: str = ""
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A part of the first screen: one large number or word, what it is, its picture."""

    title: str
    number: str
    aside: str = ""
    said: tuple[str, ...] = ()
    chart: Chart | None = None
    how: Facts = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence, the anchor of the question that it rests on, and how its number was made."""

    text: str
    anchor: str = ""
    how: Facts = ()


@dataclass(frozen=True, slots=True)
class Story:
    title: str
    subtitle: str
    cards: tuple[Card, ...]
    #: What the cards do not say.
    verdict: tuple[str, ...]
    may: tuple[Claim, ...]
    may_not: tuple[Claim, ...]
    #: How many numbers are undefined and how many warnings there are, in a line.
    beware: str
    #: What the task would have to declare for the page to say yes or no.
    undeclared: str
    sections: tuple[Section, ...]
    provisional: bool = False
