"""What the cells of a column are, in one pass: the evidence of the data, before any name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from goldassay.frozen import dataclass
from goldassay.read.contents import text_of
from goldassay.read.records import File
from goldassay.read.words import are_labels, head, heads, who

__all__ = ["Profile", "profiles"]

#: Elements of a list that are looked at.
ELEMENTS = 20
#: Rows that are looked at, columns that are, and labels that a rating may have.
MOST_ROWS, MOST_COLUMNS, MOST_LABELS = 1_000, 300, 24
#: Rows of a view into records that are looked at: there are several views.
MOST_INNER = 400
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)
_TIME = re.compile(
    r"\d{4}-\d\d?-\d\d?([T ].*)?|\d\d?[/.]\d\d?[/.]\d{2,4}( .*)?|\d\d:\d\d(:\d\d)?.*"
)


@dataclass(frozen=True)
class Profile:
    """A column: its cells row by row (of a list the first), and what they are."""

    name: str
    #: A cell for each row that is looked at, "" where it is empty.
    cells: tuple[str, ...]
    #: Whether cells hold lists, and the most elements of one.
    longest: int = 0
    #: The elements of lists, where cells hold them.
    elements: tuple[str, ...] = ()

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(cell for cell in self.cells if cell)

    @property
    def filled(self) -> int:
        return self.counts.total()

    @property
    def distinct(self) -> int:
        return len(self.counts)

    @cached_property
    def numbers(self) -> tuple[float, ...] | None:
        """The numbers that its values are; None where one is no number."""
        if not self.counts or not all(map(_NUMBER.fullmatch, self.counts)):
            return None
        return tuple(map(float, self.counts))

    @property
    def whole(self) -> bool:
        """Whether all are whole numbers."""
        return self.numbers is not None and all(one.is_integer() for one in self.numbers)

    @cached_property
    def kind(self) -> str:
        """empty, constant, bool, grade (a few whole or half numbers), number, label, time, id, name
        or text."""
        if not self.counts:
            return "empty"
        values = {value.casefold() for value in self.counts}
        if self.distinct == 1:
            return "constant"
        if values <= {"true", "false", "0", "1", "yes", "no"}:
            return "bool"
        if all(map(_TIME.fullmatch, self.counts)):
            return "time"
        if self.numbers is not None:
            return self._number()
        if self.mean_length > 40 or max(map(len, self.counts)) > 120:
            return "text"
        # Few labels, or labels that come again.
        if self.distinct <= MOST_LABELS and (
            self.filled >= 2 * self.distinct or are_labels(self.counts)
        ):
            return "label"
        return "id" if self.unique or self.mean_words < 2 else "name"

    def _number(self) -> str:
        numbers = self.numbers or ()
        low, high = min(numbers), max(numbers)
        steps = all((2 * one).is_integer() for one in numbers)
        if steps and low >= -5 and high <= 10 and (self.filled > self.distinct or high <= 5):
            return "grade"
        if self.whole and self.unique:
            return "id"
        return "number"

    @property
    def mean_length(self) -> float:
        return sum(map(len, self.counts)) / max(1, self.distinct)

    @property
    def mean_words(self) -> float:
        return sum(len(one.split()) for one in self.counts) / max(1, self.distinct)

    @property
    def unique(self) -> bool:
        """Whether no value comes twice, and none is missing."""
        return self.distinct == len(self.cells) > 1

    @cached_property
    def scale(self) -> frozenset[str]:
        """The values as they are compared with other columns."""
        return frozenset(
            text_of(float(v)) if self.numbers is not None else v.casefold() for v in self.counts
        )

    @cached_property
    def turns(self) -> int:
        """How often the value changes from row to row."""
        filled = [cell for cell in self.cells if cell]
        return sum(a != b for a, b in pairwise(filled))

    @property
    def may_rate(self) -> bool:
        """Whether its data could be ratings, whatever it is called."""
        return self.kind in ("bool", "grade", "label") or self.is_score

    @cached_property
    def are_names(self) -> bool:
        """Whether its values are what raters are called: numbered, or told by their words."""
        values = list(self.counts)
        if len(values) < 2 or are_labels(values):
            return False
        numbered = {re.sub(r"\d+$", "", one) for one in values}
        if len(numbered) == 1 and len(next(iter(numbered))) > 2 and self.numbers is None:
            return True
        return sum(who(one).sure for one in values) > len(values) / 2

    @property
    def is_score(self) -> bool:
        """Numbers within 0 and 1, 10 or 100 that are no ids."""
        if self.kind != "number" or self.numbers is None:
            return False
        return min(self.numbers) >= -1 and max(self.numbers) <= 100

    @cached_property
    def evidence(self) -> float:
        """Log-odds that its cells are ratings."""
        if not self.may_rate:
            return -9.0
        names, every, whose = head(self.name), heads(self.name), who(self.name)
        found = {"bool": 0.2, "grade": 0.3, "label": -0.6, "number": -1.0}[self.kind]
        found += 2.0 if "value" in names else 0.7 if "value" in every else 0.0
        found += 1.8 if whose.sure else 0.8 if whose.kind else 0.0
        found += 1.2 if self.kind == "label" and are_labels(self.counts) else 0.0
        for against, weight in (
            ("derived", 4.0),
            ("confidence", 4.0),
            ("meta", 4.0),
            ("item", 2.5),
            ("attribute", 2.0),
            ("system", 2.0),
            ("text", 1.0),
        ):
            if against in names and "value" not in names:
                found -= weight
            elif against in every and against in ("derived", "confidence", "meta"):
                found -= weight / 2
        if self.are_names:
            found -= 4.0
        if self.name.isdigit():
            found += 1.2  # a place, which says nothing against it
        if self.kind == "number" and self.filled < 30 and self.distinct > 0.8 * self.filled:
            found -= 1.0
        if self.filled > 20 and self.turns < 2 * self.distinct:
            found -= 1.0  # sorted in blocks, as attributes are
        if self.filled < 3:
            found -= 2.0
        return found


def profiles(file: File) -> dict[str, Profile]:
    """The profiles of a file's columns."""
    if file.alone:
        return _of_lists(file)
    inner = bool(file.rows) and len(file.rows[0].scopes) > 1
    rows = file.rows[: MOST_INNER if inner else MOST_ROWS]
    found = {}
    for column in list(file.columns)[:MOST_COLUMNS]:
        cells: list[str] = []
        elements: list[str] = []
        longest = 0
        for row in rows:
            entries = file.entries(row, column)
            if entries and entries[0].axes:
                longest = max(longest, len(entries))
                elements += [text_of(one.value) for one in entries[:ELEMENTS]]
            value = entries[0].value if entries else None
            cells.append("" if isinstance(value, list | dict) else text_of(value))
        found[column] = Profile(column, tuple(cells), longest, tuple(elements))
    return found


def _of_lists(file: File) -> dict[str, Profile]:
    """The columns of one record: its lists of the commonest length, side by side."""
    if not file.rows:
        return {}
    lists = {column: file.entries(file.rows[0], column) for column in file.columns}
    sizes = Counter(
        len(some) for some in lists.values() if len(some) > 1 and len(some[0].axes) == 1
    )
    if not sizes:
        return {
            name: Profile(name, tuple(text_of(e.value) for e in some[:1]))
            for name, some in lists.items()
        }
    most = sizes.most_common(1)[0][0]
    return {
        name: Profile(name, tuple(text_of(one.value) for one in some[:MOST_ROWS]))
        for name, some in lists.items()
        if len(some) == most
    }


def determines(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the cells of one column say those of another."""
    known: dict[str, str] = {}
    return all(known.setdefault(a, b) == b for a, b in zip(one, other, strict=True) if a)
