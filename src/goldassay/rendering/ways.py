"""The ways in which a page's numbers were made, each told once, and which number was made in which.

A page has thousands of numbers and some dozens of ways: level, interval, handling, assumptions. A
number of a table leads to its way; what it means and the command are those of its result and of
its question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from goldassay.glossary import said, words
from goldassay.rendering.blocks import Block, Cell, Facts, Grid, Panels, Picture
from goldassay.rendering.how import handling, interval_of, several
from goldassay.words import percent, visible

__all__ = ["Ways"]

Document = Mapping[str, Any]

#: Keys of a result that name whom or what it is about, as tables do.
_ABOUT = ("judge", "other", "rater", "system", "opponent", "criterion", "option", "level", "mode")
#: What stands among the declarations of one result and is no way to make it.
_OUTCOMES = frozenset({"error", "p_value", "population_value", "verdict"})
#: Columns of which each is an end of an interval.
_ENDS = frozenset({"low", "high", "at least", "at most", "lowest", "highest"})


class Ways:
    """The ways of a document, in the order in which its numbers ask for them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._places: dict[Facts, str] = {}
        #: Anchors by the result, which the document holds: many cells show one.
        self._of_results: dict[int, str] = {}

    def listed(self) -> list[tuple[str, Facts]]:
        """Each way that was asked for: its anchor and its facts."""
        return [(anchor, facts) for facts, anchor in self._places.items()]

    def _anchor(self, facts: Facts) -> str:
        return self._places.setdefault(facts, f"way-{len(self._places) + 1}")

    def of_result(self, row: Document) -> str:
        """The way of a result of the document."""
        if id(row) not in self._of_results:
            self._of_results[id(row)] = self._way(row)
        return self._of_results[id(row)]

    def _way(self, row: Document) -> str:
        declared = row.get("declared") or {}
        settings = {key: value for key, value in declared.items() if key not in _OUTCOMES}
        facts = (
            ("level", visible(row.get("level") or "", 60) if "level" not in declared else ""),
            ("interval", interval_of(row)),
            ("handled", handling({**row, "declared": settings}, self._document)),
            ("assumes", several(row.get("assumptions") or ())),
            ("beware", several(row.get("warnings") or ())),
        )
        return self._anchor(tuple((word, text) for word, text in facts if text))

    def _of_table(self, ends: bool) -> str:
        """The way of numbers that are none of the results: counts, curves, ranges."""
        level = (self._document.get("task") or {}).get("confidence_level") if ends else None
        facts = (
            ("made", "for this table, beside the results of the JSON document"),
            ("interval", percent(level) if level else ""),
            ("handled", self._of_task),
        )
        return self._anchor(tuple((word, text) for word, text in facts if text))

    @cached_property
    def _of_task(self) -> str:
        return handling({"value": None}, self._document)

    def told(self, block: Block, verb: str) -> Block:
        """The block with the way of each number in its tables."""
        match block:
            case Grid():
                return self._grid(block, verb)
            case Picture():
                return self._picture(block, verb)
            case Panels():
                return replace(
                    block, pictures=tuple(self._picture(one, verb) for one in block.pictures)
                )
        return block

    def _picture(self, picture: Picture, verb: str) -> Picture:
        title = str(picture.chart.get("title") or "")
        return replace(picture, grid=self._grid(picture.grid, verb, title))

    def _grid(self, table: Grid, verb: str, about: str = "") -> Grid:
        def row_told(row: Sequence[Cell]) -> tuple[Cell, ...]:
            texts = [about, table.title, *(one.text for one in row if not one.numeric)]
            return tuple(
                replace(one, way=self._of_cell(one, [*texts, column], verb))
                if one.numeric and not one.way and not one.how
                else one
                for one, column in zip(row, table.columns, strict=True)
            )

        return replace(table, rows=tuple(row_told(row) for row in table.rows))

    def _of_cell(self, cell: Cell, labels: Sequence[str], verb: str) -> str:
        """The way of the result whose number it is, by its labels; else that of the table."""
        same = self._same(cell, verb)
        # A result's own name among the labels is worth more than all that it may be about.
        called = [one for one in same if not one.called.isdisjoint(labels)]
        fitting = called or ([] if _is_round(cell.value) else same)
        text = " · ".join(labels) if fitting else ""
        about = [sum([name in text for name in one.about]) for one in fitting]
        if called or any(about):
            return self.of_result(fitting[about.index(max(about))].row)
        return self._of_table(labels[-1] in _ENDS)

    def _same(self, cell: Cell, verb: str) -> Sequence[_Known]:
        """The results of a question with this number, or an end of their interval."""
        return self._by_number.get((verb, cell.value), ()) if cell.value is not None else ()

    @cached_property
    def _by_number(self) -> Mapping[tuple[str, float], Sequence[_Known]]:
        found: dict[tuple[str, float], list[_Known]] = {}
        for row in self._document.get("results", ()):
            verb = str(row.get("verb") or self._document.get("verb"))
            ends = {row.get(key) for key in ("value", "low", "high")}
            about = tuple(str(row[key]) for key in _ABOUT if row.get(key))
            one = _Known(row, about, _called(str(row["name"]), verb))
            for number in ends - {None}:
                found.setdefault((verb, float(number)), []).append(one)
        return found


class _Known(NamedTuple):
    """A result, what it is about, and all that it is called: many numbers are held against it."""

    row: Document
    about: tuple[str, ...]
    called: frozenset[str]


@cache
def _called(name: str, verb: str) -> frozenset[str]:
    return frozenset([name, name.replace("_", " "), words(name, verb), said(name, verb)])


def _is_round(value: float | None) -> bool:
    """Whether a number is one that many are equal to by chance."""
    return value is None or round(value, 2) == value
