"""A summary as a table: one row per judge (system, pair, slice), best first, intervals drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from goldassay.glossary import words
from goldassay.rendering.blocks import Bar, Cell, Facts, Grid
from goldassay.rendering.how import facts_of
from goldassay.rendering.summary import tied_lines
from goldassay.words import result_text, visible

__all__ = ["summary_grid"]

Document = Mapping[str, Any]

#: Rows that stand open; the rest unfolds.
OPEN_ROWS = 10
#: Rows whose numbers open how they were made; of more (32 judges of 14 systems), the appendix does.
MOST_TOLD = 100


def summary_grid(summary: Document, document: Document, verb: str) -> Grid:
    """The one table of a question."""
    lines = summary["lines"]
    columns = (str(summary["about"]), *(words(str(name), verb) for name in summary["columns"]))
    drawn = next((k for k in range(len(summary["columns"])) if _is_drawn(lines, k)), None)
    ends = _range(lines, drawn) if drawn is not None else (0.0, 1.0)

    def facts(cell: Document, label: str) -> Facts:
        return facts_of(cell, document, verb, label, str(summary["about"]))

    rows = tuple(
        (
            Cell(visible(line["label"], 200), name=True),
            *(
                _cell(
                    cell,
                    partial(facts, label=line["label"]) if number < MOST_TOLD else _untold,
                    verb,
                    k == drawn and ends,
                )
                for k, cell in enumerate(line["cells"])
            ),
        )
        for number, line in enumerate(lines)
    )
    tied = tied_lines([bool(line["tied"]) for line in lines])
    head = OPEN_ROWS if len(rows) > OPEN_ROWS + 2 else None
    return Grid("", columns, rows, tuple(summary.get("notes", ())), head=head, tied=tied)


def _is_drawn(lines: Sequence[Document], column: int) -> bool:
    return any(isinstance(line["cells"][column], Mapping) for line in lines)


def _range(lines: Sequence[Document], column: int) -> tuple[float, float]:
    cells = [line["cells"][column] for line in lines if isinstance(line["cells"][column], Mapping)]
    ends = [
        cell[key] for cell in cells for key in ("value", "low", "high") if cell[key] is not None
    ]
    low, high = min([*ends, 0.0]) if min(ends, default=0) < 0 else 0.0, max([*ends, 1.0])
    return (max(low, -1.0), min(high, 1.0)) if low >= -1 and high <= 1 else (low, high)


def _untold(cell: Document) -> Facts:
    return ()


def _cell(
    cell: Any,
    facts: Callable[[Document], Facts],
    verb: str,
    limits: tuple[float, float] | Literal[False],
) -> Cell:
    if cell is None:
        return Cell("")
    if isinstance(cell, int):
        return Cell(f"{cell:,}", numeric=True)
    if not isinstance(cell, Mapping):
        return Cell(visible(cell, 200))
    if cell["value"] is None:
        why = (("why", visible(cell["undefined"], 400)),)
        return Cell("undefined", how=facts(cell) or why, numeric=True)
    ends = None if cell["low"] is None and cell["high"] is None else (cell["low"], cell["high"])
    text, _, aside = result_text(cell["name"], cell["value"], ends, verb).partition(" [")
    aside = aside and f"[{aside}"
    how = facts(cell)
    return Cell(text, aside, numeric=True, how=how, bar=_bar(cell, limits) if limits else None)


def _bar(cell: Document, limits: tuple[float, float]) -> Bar | None:
    if cell["low"] is None or cell["high"] is None:
        return None
    low, high = limits
    value, left, right = ((cell[k] - low) / (high - low) for k in ("value", "low", "high"))
    return Bar(value, max(left, 0.0), min(right, 1.0))
