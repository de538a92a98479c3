"""What the columns of a source hold: how many labels, which, how long."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import narwhals as nw

from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch
from goldassay.ratings.plain_writing import plain_writing
from goldassay.ratings.vocabulary import VERDICTS, folded, number
from goldassay.sources.engine import named, queried
from goldassay.sources.few_cells import cells_if_few, kept_cells
from goldassay.sources.frames import Source
from goldassay.sources.numbers import is_written_number

__all__ = ["LONGEST_LABEL", "MANY", "MOST_OPTIONS", "Column", "counted", "counted_pairs", "profile"]

#: Labels that are looked at; a column of more is no set of options.
MANY = 100
#: The longest label that can be an option, and the most options that are not numbers.
LONGEST_LABEL, MOST_OPTIONS = 60, 12
#: In so many ways one option is written.
_WRITINGS = 5
_AT_ONCE, _MOST_CELLS = 60, 3_000
#: So much of a label is kept, of a long text at its beginning and at its end, where a judge says
#: its verdict.
_SHOWN, _CUT = 200, " … "
_MOST_COUNTED = 10_000
#: Numbers finer than grades are, and so many of them that they are no few grades.
_DECIMALS, _FEW_SCORES = re.compile(r"\.\d*[1-9]\d*[1-9]"), 6
_TIME = re.compile(r"^\d{4}-\d\d-\d\d([T ].*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}")


#: Lists and records with nothing in them: no verdict, where a column says nothing else.
_EMPTY = frozenset(["[]", "{}"])


@dataclass(frozen=True)
class Column:
    """A column by its content. `labels` are the commonest (`MANY` + 1 at most) with their rows."""

    name: str
    labels: Mapping[str, int]
    rows: int
    filled: int
    distinct: int
    longest: int
    #: How the labels stand within other words, where they do.
    reads: str | None = None
    #: Whether some cells say none, or may do so because not all were looked at.
    partly: bool = False
    example: str = ""
    means: str = ""

    @cached_property
    def numeric(self) -> bool:
        """All labels are numbers, words for "none" aside. One that is too large is told when the
        table is read, with its place."""
        from goldassay.ratings.vocabulary import ABSTAIN, INVALID

        rest = [one for one in self.labels if folded(one) not in ABSTAIN | INVALID]
        return bool(rest) and all(map(is_written_number, rest))

    @cached_property
    def only(self) -> str | None:
        """The one label that is said, folded, words for "none" aside; None where several are."""
        from goldassay.ratings.vocabulary import ABSTAIN, INVALID

        said = {*map(folded, self.labels)}
        said = (said - ABSTAIN - INVALID) or said
        return said.pop() if len(said) == 1 and self.few and not self.times else None

    @cached_property
    def verdicts(self) -> bool:
        """Few short labels, all of them numbers or known verdicts."""
        folds = [folded(one) for one in self.labels]
        known = all(
            is_written_number(one) or one in VERDICTS or one.replace("_", " ") in VERDICTS
            for one in folds
        )
        return self.few and known and not self.times and not {*folds} <= _EMPTY

    @cached_property
    def few(self) -> bool:
        """May be a set of options: at least one label, few however they are written, short."""
        short = self.longest <= LONGEST_LABEL or self.numeric
        if len(self.labels) <= MOST_OPTIONS:
            return bool(self.labels) and short
        most = len(self.labels) <= MOST_OPTIONS * _WRITINGS and not self.numeric
        return short and most and len({*map(folded, self.labels)}) <= MOST_OPTIONS

    @cached_property
    def scores(self) -> bool:
        """Numbers, more than a set of options has; or of several decimals, hardly one of which is
        there twice, in a table of few rows."""
        if len(self.labels) > MOST_OPTIONS or not self.numeric:
            return self.numeric
        fine = sum(_DECIMALS.search(one) is not None for one in self.labels)
        return 2 * fine > len(self.labels) > _FEW_SCORES and 5 * self.distinct >= 4 * self.filled

    @property
    def rating(self) -> bool:
        """Verdicts or scores."""
        return self.verdicts or (self.scores and not self.times)

    @property
    def unique(self) -> bool:
        """Every row has a label of its own."""
        return self.filled == self.rows == self.distinct

    @property
    def text(self) -> bool:
        return self.longest > LONGEST_LABEL

    @cached_property
    def times(self) -> bool:
        """Dates, or numbers as computers count seconds (or parts of them) since 1970."""
        if not self.labels:
            return False
        seconds = [number(one) or 0.0 for one in self.labels] if self.numeric else [0.0]
        counted = any(all(1e9 <= s / per < 4e9 for s in seconds) for per in (1, 1e3, 1e6))
        return counted or all(_TIME.match(one) for one in self.labels)

    @cached_property
    def counter(self) -> bool:
        """Whole numbers, each once, without a gap: an index. So are more whole numbers than are
        looked at, each once: no scale has as many grades."""
        if not (self.unique and self.numeric and self.distinct > 2):
            return False
        values = sorted(number(one) or 0.0 for one in self.labels)
        if self.distinct > MANY:
            return all(value == int(value) for value in values)
        return all(b - a == 1 for a, b in itertools.pairwise(values))


def profile(source: Source) -> dict[str, Column]:
    """Every column of a source; one query for many columns on the embedded engine."""
    if (cells := kept_cells(source, source.columns)) is not None:
        return {name: _of_cells(name, column) for name, column in cells.items()}
    found: dict[str, Column] = {}
    # Every column that is looked at reads a row of all of them: wide tables take memory.
    at_once = max(6, min(_AT_ONCE, _MOST_CELLS // max(1, len(source.columns))))
    for at in range(0, len(source.columns), at_once):
        names = source.columns[at : at + at_once]
        if source.frame.implementation is nw.Implementation.DUCKDB:
            found |= _embedded(source, names)
        else:
            found |= {name: _elsewhere(source, name) for name in names}
    return found


def shown(cell: str) -> str:
    """What is kept of a cell: all, or a text's beginning and end, or the beginning of JSON."""
    if cell.startswith(("{", "[")):
        return cell[:_SHOWN]
    return cell if len(cell) <= 2 * _SHOWN else f"{cell[:_SHOWN]}{_CUT}{cell[-_SHOWN:]}"


def _shown_by_the_engine(column: str) -> str:
    """`shown`, as the embedded engine computes it."""
    first, last = (f"{side}({column}, {_SHOWN})" for side in ("left", "right"))
    return (
        f"CASE WHEN left({column}, 1) IN ('{{', '[') THEN {first} WHEN length({column}) <= "
        f"{2 * _SHOWN} THEN {column} ELSE {first} || '{_CUT}' || {last} END"
    )


def _embedded(source: Source, names: Sequence[str]) -> dict[str, Column]:
    native: Any = source.frame.to_native()
    sums = ", ".join(
        f"count(nullif({c}, '')), count(DISTINCT nullif({c}, '')), max(length({c}))"
        for c in map(named, names)
    )

    def most_common(rows: str) -> str:
        return " UNION ALL ".join(
            f"(SELECT {index} AS at, {_shown_by_the_engine(c)} AS label, count(*) AS n FROM {rows} "
            f"WHERE {c} IS NOT NULL AND {c} <> '' GROUP BY 2 ORDER BY 3 DESC, 2 LIMIT {MANY + 1})"
            for index, c in enumerate(map(named, names))
        )

    try:
        totals = queried(native, lambda rows: f"SELECT count(*), {sums} FROM {rows}").fetchall()[0]
        rows = queried(native, most_common).fetchall()
    except Exception as error:
        from goldassay.sources.engine_errors import engine_error

        raise engine_error(error, source.name) from None
    labels: list[dict[str, int]] = [{} for _ in names]
    for at, label, n in sorted(rows, key=lambda row: (row[0], -row[2], row[1])):
        plain = plain_writing(label) or label
        labels[at][plain] = labels[at].get(plain, 0) + n
    return {
        name: Column(name, labels[index], int(totals[0]), filled, distinct, longest)
        for index, name in enumerate(names)
        for filled, distinct, longest in [[int(one or 0) for one in totals[1 + 3 * index :][:3]]]
    }


def _elsewhere(source: Source, name: str) -> Column:
    column = nw.col(name)
    filled = source.frame.select(label=column).filter(
        ~nw.col("label").is_null() & (nw.col("label") != nw.lit(""))
    )
    counts = filled.group_by("label").agg(n=nw.len())
    top = fetch(
        counts.sort(["n", "label"], descending=[True, False]).head(MANY + 1), place=source.name
    )
    sums = fetch(
        counts.select(
            filled=nw.col("n").sum(),
            distinct=nw.len(),
            longest=nw.col("label").str.len_chars().max(),
        ),
        place=source.name,
    )
    rows = fetch(source.frame.select(rows=nw.len()), place=source.name)["rows"]
    labels: dict[str, int] = {}
    for label, n in zip(top["label"], top["n"], strict=True):
        plain = plain_writing(str(label)) or str(label)
        labels[shown(plain)] = labels.get(shown(plain), 0) + int(n)
    numbers = {key: int(sums[key][0] or 0) if labels else 0 for key in sums}
    return Column(
        name, labels, int(rows[0]), numbers["filled"], numbers["distinct"], numbers["longest"]
    )


def counted(source: Source, *columns: str) -> dict[tuple[str, ...], int]:
    """Rows by the labels of several columns together, the commonest first; `_MOST_COUNTED` of them
    at most."""
    if (kept := kept_cells(source, columns)) is not None:
        rows = Counter(zip(*(kept[name] for name in columns), strict=True))
        # As the engine sorts: no cell comes before all others.
        order = sorted(rows, key=lambda row: (-rows[row], [(c is not None, c or "") for c in row]))
        return {tuple(cell or "" for cell in row): rows[row] for row in order[:_MOST_COUNTED]}
    grouped = (
        source.frame.group_by(*columns)
        .agg(nw.len().alias("(rows)"))
        .sort(["(rows)", *columns], descending=[True, *[False] * len(columns)])
        .head(_MOST_COUNTED)
    )
    found = fetch(grouped, place=source.name)
    cells = zip(*(found[name] for name in columns), strict=True)
    return {
        tuple("" if cell is None or not isinstance(cell, str) else cell for cell in row): int(n)
        for row, n in zip(cells, found["(rows)"], strict=True)
    }


def counted_pairs(
    source: Source, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], dict[tuple[str, ...], int]]:
    """Rows by the labels of two columns together, of many pairs at once."""
    names = tuple(dict.fromkeys(name for pair in pairs for name in pair))
    if (cells := kept_cells(source, names) or cells_if_few(source, names)) is None:
        return {pair: counted(source, *pair) for pair in pairs}
    texts = {name: [cell or "" for cell in cells[name]] for name in names}
    return {
        (one, two): dict(Counter(zip(texts[one], texts[two], strict=True))) for one, two in pairs
    }


def _of_cells(name: str, cells: Sequence[str | None]) -> Column:
    counts = Counter(cell or "" for cell in cells)
    longest = max(map(len, counts), default=0)
    counts.pop("", None)
    short: Counter[str] = Counter()
    for cell, rows in counts.items():
        short[shown(cell)] += rows
    top = sorted(short.items(), key=lambda one: (-one[1], one[0]))[: MANY + 1]
    labels: dict[str, int] = {}
    for label, rows in top:
        plain = plain_writing(label) or label
        labels[plain] = labels.get(plain, 0) + rows
    return Column(name, labels, len(cells), counts.total(), len(counts), longest)
