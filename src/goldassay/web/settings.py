"""How people are asked, and how far they have come: plain records."""

from __future__ import annotations

from goldassay.frozen import dataclass
from goldassay.web.content import NO_PICTURES, Pictures

__all__ = ["BATCH", "Batch", "Progress", "Settings"]

#: Labels after which a rater may see what the judges said.
BATCH = 50


@dataclass(frozen=True, slots=True)
class Settings:
    """How people are asked."""

    #: "" follows the task: response sets where it declares them, else a forced choice.
    elicitation: str = ""
    question: str = ""
    guide: str = ""
    #: The judges' verdicts stay hidden even after the batch is done.
    never_show: bool = False
    #: Labels of a batch; 0 means that all units are one.
    batch: int = BATCH
    #: How many people label each unit; 0 means everybody labels everything.
    per_item: int = 0
    #: Names that may label; empty means anybody with the link, under a name of their own.
    raters: tuple[str, ...] = ()
    #: The length of interval that is wanted, for the watch page.
    target: float | None = None
    #: Whether its band is to hold at all moments at once, so that one may stop at any.
    anytime: bool = False
    #: Whether units are drawn at random (or as planned), so that the labels speak for all units.
    drawn: bool = True
    #: What a command on the same files begins with, after its verb; "" where it is not known.
    command: str = ""
    #: The fields of the items with the two answers of a pair; None: those that are known as they.
    sides: tuple[str, str] | None = None
    #: How long a unit that somebody has open is kept from others (only with `per_item`).
    lease_seconds: float = 900.0
    #: Where pictures may come from.
    pictures: Pictures = NO_PICTURES


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one rater has come, in all and in the batch; seconds for a label, of late."""

    done: int
    total: int
    batch: int = 0
    of_batch: int = 0
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that was just done: its number, and its units in the order of their labels."""

    number: int
    keys: tuple[str, ...]
