"""Rows that sum the others up, as sheets have them below a table: no ratings of an item."""

from __future__ import annotations

import re

import narwhals as nw

from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import number
from goldassay.sources.frames import Source

__all__ = ["total_rows"]

#: Words with which such a row begins.
_WORDS = (
    "grand total|subtotal|totals?|sum|overall|averages?|avg|means?|median|std|sd|stdev|variance|"
    "count|min|max|accuracy|agreement|kappa|pass rate|summe|gesamt|durchschnitt|mittelwert|"
    "mittel|promedio|moyenne|somme|media|totale|総計|合計|平均|总计|平均值"
)
_TOTAL = rf"(?i)^\s*(?:{_WORDS})(?:[\s:.(%#].{{0,30}})?\s*$"
#: The most such rows, and the longest cell that they have.
_MOST, _LONGEST = 6, 60


def total_rows(source: Source) -> tuple[str, ...]:
    """The first cells of such rows; nothing where they may be rows of items.

    Each occurs once, in the first of two columns that is filled; beside it stand numbers and empty
    cells, and no text.
    """
    if not source.columns:
        return ()
    filled = [
        nw.when(nw.col(name).str.strip_chars() != nw.lit("")).then(nw.col(name).str.strip_chars())
        for name in source.columns[:2]
    ]
    first = nw.coalesce(*filled) if len(filled) > 1 else filled[0]
    empty = nw.lit("")
    cells = {f"c{at}": nw.coalesce(nw.col(name), empty) for at, name in enumerate(source.columns)}
    rows = fetch(
        source.frame.select(**cells, first=first)
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
        shares = [re.sub(r"\s*%$", "", cell).replace(",", ".") for cell in beside]
        if not shares or any(number(one) is None or len(one) > _LONGEST for one in shares):
            return ()
    return tuple(said)
