"""Rows that sum the others up, as sheets have them below a table: no ratings of an item."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import narwhals as nw

from goldassay.proposals.profile import Column
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import number
from goldassay.sources.few_cells import kept_cells
from goldassay.sources.frames import Source
from goldassay.sources.numbers import NUMBER

__all__ = ["total_rows"]

#: Words with which such a row begins.
_WORDS = (
    "grand total|subtotal|totals?|sum|overall|averages?|avg|means?|median|std|sd|stdev|variance|"
    "count|min|max|accuracy|agreement|kappa|pass rate|summe|gesamt|durchschnitt|mittelwert|"
    "mittel|promedio|moyenne|somme|media|totale|総計|合計|平均|总计|平均值"
)
_BEGINS = rf"(?i)^[\s\x0b]*(?:{_WORDS})"
#: The same in Python, which knows more signs of space and more capitals than the engine.
_BEGINS_SO = re.compile(rf"(?i)\s*(?:{_WORDS})")
_TOTAL = rf"(?i)^\s*(?:{_WORDS})(?:[\s:.(%#].{{0,30}})?\s*$"
#: The most such rows, and the longest cell that they have.
_MOST, _LONGEST = 6, 60
#: The fewest rows of which a sum or a mean is told from a rating.
_FEWEST = 5


def total_rows(source: Source, columns: Mapping[str, Column]) -> tuple[str, ...]:
    """The first cells of such rows ("" where their first two cells are empty); nothing where they
    may be rows of items.

    Each occurs once, in the first of two columns that is filled; beside it stand numbers and empty
    cells, and no text. A row that begins with no such word names no item, and its numbers are the
    means or sums of their columns.
    """
    if not source.columns:
        return ()
    return _by_a_word(source) or _by_numbers(source, columns)


def _cells(source: Source) -> dict[str, nw.Expr]:
    return {f"c{at}": nw.coalesce(nw.col(n), nw.lit("")) for at, n in enumerate(source.columns)}


def _filled(name: str) -> nw.Expr:
    text = nw.col(name).str.strip_chars()
    return nw.when(text != nw.lit("")).then(text)


def _by_a_word(source: Source) -> tuple[str, ...]:
    names = source.columns[:2]
    if (kept := kept_cells(source, names)) is not None:
        written = (cell for name in names for cell in kept[name] if cell)
        if not any(map(_BEGINS_SO.match, written)):  # then no row does
            return ()
    filled = [_filled(name) for name in names]
    first = nw.coalesce(*filled) if len(filled) > 1 else filled[0]
    cells = _cells(source)
    rows = fetch(
        source.frame.filter(_may_sum_up(source.columns[:2]))
        .select(**cells, first=first)
        .filter(nw.col("first").str.contains(_TOTAL))
        .head(_MOST + 1),
        place=source.name,
    )
    said = [str(one) for one in rows["first"]]
    if not said or len(said) > _MOST or len({*said}) < len(said):
        return ()
    for at, word in enumerate(said):
        beside = [str(rows[key][at]).strip() for key in cells]
        beside = [cell for cell in beside if cell not in ("", word)]
        if not beside or any(_share(cell) is None or len(cell) > _LONGEST for cell in beside):
            return ()
    return tuple(said)


def _may_sum_up(columns: Sequence[str]) -> nw.Expr:
    """Whether one of two cells may be the first that is filled and begins with such a word: of
    millions of rows this leaves few, and to strip a cell takes as long as to search it five times.
    Nothing that is filled sorts below the first letter after a space unless it begins with one."""
    found = nw.col(columns[-1]).str.contains(_BEGINS)
    for name in columns[-2::-1]:
        cell = nw.col(name)
        found = cell.str.contains(_BEGINS) | ((cell.is_null() | (cell < nw.lit("!"))) & found)
    return found


def _by_numbers(source: Source, columns: Mapping[str, Column]) -> tuple[str, ...]:
    """Rows whose first cell is empty where every other row names itself in it, and whose numbers
    sum their columns up."""
    ids = columns.get(source.columns[0])
    if ids is None or not _FEWEST <= ids.filled == ids.distinct < ids.rows <= ids.filled + _MOST:
        return ()
    first = _filled(source.columns[0])
    cells = _cells(source)
    odd = fetch(source.frame.filter(first.is_null()).select(**cells), place=source.name)
    rows = [[str(odd[key][at]).strip() for key in cells] for at in range(len(odd["c0"]))]
    rows = [row for row in rows if any(row)]
    places = [at for at in range(1, len(cells)) if any(row[at] for row in rows)]
    if not rows or any(_share(row[at]) is None for row in rows for at in places if row[at]):
        return ()
    named = source.frame.filter(~first.is_null())
    numbers = {
        key: nw.when(text.str.contains(NUMBER)).then(text).cast(nw.Float64)
        for at in places
        for key, text in [(f"s{at}", nw.col(source.columns[at]).str.strip_chars())]
    }
    sums = [expr.sum().alias(key) for key, expr in numbers.items()]
    counts = [expr.count().alias(f"n{key[1:]}") for key, expr in numbers.items()]
    found = fetch(named.select(*sums, *counts), place=source.name)
    known = {at: (float(found[f"s{at}"][0] or 0), int(found[f"n{at}"][0])) for at in places}
    if not all(_sums_up(row, known, places) for row in rows):
        return ()
    said = [row[1] if len(row) > 1 else "" for row in rows]
    return tuple(dict.fromkeys(said))


def _sums_up(
    row: Sequence[str], known: Mapping[int, tuple[float, int]], places: Sequence[int]
) -> bool:
    """Whether every number of a row is the sum or the mean of the numbers of its column."""
    mine = [at for at in places if row[at]]
    return bool(mine) and all(
        known[at][1] >= _FEWEST
        and any(_is(row[at], value) for value in (known[at][0], known[at][0] / known[at][1]))
        for at in mine
    )


def _is(cell: str, value: float) -> bool:
    """Whether a cell writes a number, to the decimals that it gives."""
    written = _share(cell)
    assert written is not None
    text = cell.rstrip("% ").replace(",", ".")
    decimals = len(text.partition(".")[2])
    given = 100 * value if cell.endswith("%") else value
    return abs(written - given) <= 0.5000001 * 10.0**-decimals


def _share(cell: str) -> float | None:
    """The number of a cell, which may have a decimal comma and a sign of per cent."""
    return number(re.sub(r"\s*%$", "", cell).replace(",", "."))
