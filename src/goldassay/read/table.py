"""A table of ratings as it was read: a row for each rating, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field

from goldassay.frozen import dataclass

__all__ = ["Rating", "Table"]


@dataclass(frozen=True, slots=True)
class Rating:
    """One rating, of whom and of what, and where it stands."""

    kind: str
    #: None where nobody is named.
    rater: str | None
    value: str
    #: The parts of the item's key.
    item: tuple[str, ...]
    criterion: str | None = None
    system: str | None = None
    opponent: str | None = None
    #: What other `{name}`s kept: column -> text.
    more: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    row: int = 0
    column: str = ""
    #: The option that claims it, and whether its rater is the column it stands in.
    option: str = ""
    own: bool = False
    #: Which time it is that this rater rates this.
    time: int = 1

    @property
    def rated(self) -> tuple[object, ...]:
        """By whom and of what it is: ratings that share this are one, or repeats."""
        more = tuple(self.more.items())
        return (
            *(self.kind, self.rater, self.criterion, self.item, self.system, self.opponent),
            more,
        )

    @property
    def unit(self) -> tuple[object, ...]:
        """The thing that is rated, of whatever criterion."""
        return (self.item, self.system, self.opponent)


@dataclass(frozen=True)
class Table:
    """The ratings of files, in their order."""

    ratings: tuple[Rating, ...]
    #: Why cells and rows are no ratings -> how many.
    left_out: Mapping[str, int] = field(default_factory=dict)
    #: File -> its columns that no role uses.
    unused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: What is to be told of how it was read.
    said: tuple[str, ...] = ()
    #: File and row -> what its columns that hold no ratings say.
    beside: Mapping[tuple[str, int], Mapping[str, str]] = field(default_factory=dict)
    #: File -> its digest.
    files: Mapping[str, str | None] = field(default_factory=dict)

    def counts(self) -> dict[tuple[str, str | None, str | None], Counter[str]]:
        """Kind, rater, criterion -> how often each value."""
        found: dict[tuple[str, str | None, str | None], Counter[str]] = {}
        for one in self.ratings:
            found.setdefault((one.kind, one.rater, one.criterion), Counter())[one.value] += 1
        return found

    @property
    def items(self) -> int:
        """How many things are rated."""
        return len({one.unit for one in self.ratings})
