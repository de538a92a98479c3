"""How a text file is laid out: what separates its cells, and whether its first line is a header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from goldassay.errors import SourceError, shown
from goldassay.frozen import dataclass
from goldassay.words import listed, named

__all__ = ["MAX_COLUMNS", "Layout", "bare_quotes", "check_names", "check_once", "layout"]

#: Columns of a table: one per rater, perhaps, but not one per rating.
MAX_COLUMNS = 1_000
#: The longest header, and the lines that are looked at.
LONGEST, LINES = 8 * 2**20, 400
_NUMBER = re.compile(r"^\s*[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?\s*$")
#: The columns of files that never have a header, by how many there are.
TREC = {
    4: ("query", "iteration", "document", "relevance"),
    6: ("query", "q0", "document", "rank", "score", "run"),
}
#: Words that begin names of columns and not cells.
_NAMES = frozenset(
    [
        "id",
        "item",
        "index",
        "idx",
        "rater",
        "annotator",
        "judge",
        "kind",
        "value",
        "label",
        "verdict",
        "rating",
        "winner",
        "score",
        "question",
        "prompt",
        "model",
        "system",
        "human",
        "gold",
        "criterion",
        "text",
        "query",
        "doc",
        "relevance",
        "date",
        "time",
        "sample",
        "name",
        "key",
        "response",
        "answer",
        "input",
        "output",
        "topic",
        "category",
        "class",
        "annotator_id",
        "item_id",
        "expected",
    ]
)


#: Names that mean something to goldassay: two columns of one such name are no table.
_OURS = frozenset(["item", "rater", "kind", "value"])
#: How many lines may stand above the names of the columns.
_ABOVE = 10


def check_names(names: Sequence[str], place: str) -> None:
    """Of a bounded number, each once."""
    if len(names) > MAX_COLUMNS:
        raise SourceError(
            place,
            f"a table must have at most {MAX_COLUMNS:,} columns",
            found=f"{len(names):,}",
            next_step="Keep those that are about the rating; a rating is a row, not a column",
        )
    check_once(names, place)


def check_once(names: Sequence[str], place: str) -> None:
    """Each name once."""
    # The engine does not tell capitals from small letters.
    lower = Counter(name.lower() for name in names)
    twice = [name for name in names if lower[name.lower()] > 1]
    if twice:
        again = [name for name in twice if name.lower() == twice[0].lower()]
        raise SourceError(
            place,
            "a column name must occur once",
            found=" and ".join(map(shown, again[:2])),
            next_step="Rename or delete one of these columns",
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """The names of the columns, what separates cells, whether the first line names columns."""

    names: tuple[str, ...]
    separator: str
    header: bool
    #: Whether a cell may stand in quotes, and whether runs of blanks separate.
    quoted: bool = True
    blanks: bool = False
    #: Lines above the rows that are passed over, the names aside; and what is to be told of this.
    skip: int = 0
    told: tuple[str, ...] = ()


def layout(
    path: Path, separator: str | None, header: bool | Sequence[str] | None, tried: Sequence[str]
) -> Layout:
    """What a file's first lines say, and what is declared about it.

    Spreadsheets of many countries write semicolons into a .csv, and some tools tabs: where one
    separator makes a single column of the first line, the next is tried.
    """
    place = f"{path}, line 1"
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            first = stream.readline(LONGEST)
            lines = [first, *islice(stream, LINES)]
    except UnicodeDecodeError:
        raise SourceError(
            place, "a text file must be UTF-8", next_step="Save it as UTF-8"
        ) from None
    if not any(line.strip() for line in lines) and len(lines) <= LINES:
        raise SourceError(
            str(path),
            "must hold a table, and holds blank lines only",
            next_step="Is it the file that was meant?",
        )
    if len(first) == LONGEST:
        raise SourceError(place, f"a line must have at most {LONGEST // 2**20} MB")
    if header is None and separator is None and (apart := _names_apart(lines, tried)):
        names, own = apart
        said = "the names in the first line are separated otherwise than the cells of the rows"
        bare = own == "\t" and bare_quotes(lines[1:])
        return Layout(names, own, False, not bare, False, 1, (said,))
    above = _above(lines, separator, tried) if header is None else 0
    place = f"{path}, line {above + 1}"
    first, lines = lines[above], lines[above:]
    found = separator if separator is not None else _separator(first, tried)
    if separator is None and found != " " and _by_blanks(lines, found):
        found = " "
    blanks = found == " "
    cells = _cells(first, found, place)
    if len(cells) > MAX_COLUMNS:
        check_names(cells, place)
    bare = found == "\t" and bare_quotes(lines)
    if header is None and (below := _survey_lines(lines)):
        names, twice = _each_once(cells)
        check_names(names, place)
        said = "the lines below the names are a survey tool's own (questions, import ids): no rows"
        return Layout(names, found, False, not bare, blanks, above + below, (said, *twice))
    if isinstance(header, list | tuple):
        if len(header) != len(cells):
            raise SourceError(
                place, f"[file] header must name {len(cells)} columns", found=str(len(header))
            )
        return Layout(tuple(header), found, False, not bare, blanks)
    rows = [_cells(line, found, place, strict=False) for line in lines[1:] if line.strip()]
    two = three = None
    if header is None and not blanks:
        three = _three_lines(cells, rows)
        two = None if three else _two_lines(cells, rows)
        if _are_units(cells, rows):
            names, twice = _each_once(cells)
            check_names(names, place)
            said = "the line below the names says units and ranges: no row"
            return Layout(names, found, False, not bare, blanks, above + 2, (said, *twice))
    sure = bool(two or three) or above > 0
    has = header if isinstance(header, bool) else sure or _is_header(cells, rows)
    if not has:
        return Layout(_invented(cells), found, False, not bare, blanks)
    if not any(cells):
        raise SourceError(place, "every column must have a name", found=shown(first.rstrip()))
    told = [_told_above(above)] if above else []
    if lines_of := two or three:
        cells = lines_of
        told.append(f"the first {'two' if two else 'three'} lines together name the columns")
    width = 0 if lines_of or blanks else _width(lines[1:], found, quoted=not bare)
    ragged = 0 < abs(width - len(cells)) <= _RAGGED and width > 1
    if width == len(cells) + 1 and _numbers_rows(rows) and cells[0].casefold() not in _NUMBERED:
        cells = ["", *cells]  # as R writes a table with names of its rows
        told.append("every row has a cell more than there are names: the first names the row")
    elif ragged and width < len(cells):
        above_none = listed([named(one) for one in cells[width:]])
        cells = cells[:width]
        told.append(f"no row has a cell below {above_none}: no columns")
    ragged = ragged and width == len(cells)
    names, twice = _each_once(cells)
    told += twice
    check_names(names, place)
    skip = above + bool(two) + 2 * bool(three) + ragged
    return Layout(names, found, not ragged, not bare, blanks, skip, tuple(told))


#: A name of a column without blanks.
_NAME = re.compile(r"[^\W\d]\w*")


def _names_apart(lines: Sequence[str], tried: Sequence[str]) -> tuple[tuple[str, ...], str] | None:
    """The names of a first line that separates them otherwise than all rows do their cells (blanks
    above tabs), and what separates these; None where both do alike."""
    first = lines[0].strip()
    if any(one in first and _width(lines[1:], one, quoted=True) > 1 for one in ("\t", *tried)):
        return None  # the rows have it too: `id;human` above `q1;0,5`
    for own in ("\t", *tried):
        width = 0 if own in first or own == " " else _width(lines[1:], own, quoted=own != "\t")
        for names in (first.split(), *(first.split(one) for one in tried if one != own)):
            words = tuple(name.strip() for name in names)
            named_ = all(map(_NAME.fullmatch, words)) and len({*words}) == len(words)
            if len(words) == width > 1 and named_:
                return words, own
    return None


#: So many names may stand above no cell at the end of a line.
_RAGGED = 3
#: Names of columns that number rows: with one of them a cell too many is rather a broken text.
_NUMBERED = frozenset(["id", "index", "idx", "item", "item_id", "no", "nr", "number", "row", "#"])


def _numbers_rows(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first cells count from 0 or 1 on."""
    first = [row[0].strip().strip('"') for row in rows if row]
    counts = [list(map(str, range(start, start + len(first)))) for start in (0, 1)]
    return first in counts


def _width(lines: Sequence[str], separator: str, *, quoted: bool) -> int:
    """The number of cells that all of the first rows have; 0 where they differ, or are few."""
    try:
        if quoted:
            rows = [row for row in csv.reader(lines, delimiter=separator) if row]
        else:
            rows = [line.split(separator) for line in lines if line.strip()]
    except csv.Error:
        return 0
    rows = rows[:-1] if len(lines) >= LINES else rows  # the last may be cut
    widths = {len(row) for row in rows}
    return widths.pop() if len(widths) == 1 and len(rows) > 1 else 0


#: The second line of another survey tool's export, which says of questions how they are answered.
_RESPONSES = re.compile(r'(?:"?(?:Open-Ended )?Response"?|[,;\t])*"?Response"?[,;\t\r\n]*')


def _survey_lines(lines: Sequence[str]) -> int:
    """How many lines stand above the rows of a survey's export, which has the questions and then
    `{"ImportId": ...}`, or `Response` for each of them, below the names; 0 where it is none."""
    at = next((at for at, line in enumerate(lines[:_ABOVE]) if "ImportId" in line), 0)
    if len(lines) > 2 and _RESPONSES.fullmatch(lines[1]):
        return 2
    return at + 1 if at and lines[at].count("ImportId") > 1 else 0


def _told_above(lines: int) -> str:
    return f"the {'first line is' if lines == 1 else f'first {lines} lines are'} a title, no names"


def _above(lines: Sequence[str], separator: str | None, tried: Sequence[str]) -> int:
    """How many lines with at most one cell, or a comment, stand above the names of several
    columns."""
    commented = False
    if separator is None and (titles := _above_others(lines, tried)):
        return titles
    for at, line in enumerate(lines[:_ABOVE]):
        found = separator if separator is not None else _separator(line, tried)
        cells = _cells(line, found, "", strict=False)
        if found == " " or sum(bool(cell.strip()) for cell in cells) < 2:
            if at == 0 and found == " ":
                return 0
            continue
        if _is_comment(line, cells):
            commented = True
            continue
        if at == 0 or not _is_header(cells, []) or (commented and not _names_columns(cells)):
            return 0
        below = [_cells(one, found, "", strict=False) for one in lines[at + 1 :] if one.strip()]
        as_wide = sum(len(row) == len(cells) for row in below)
        return at if below and as_wide >= 0.8 * len(below) and len(cells) > 2 else 0
    return 0


def _is_comment(line: str, cells: Sequence[str]) -> bool:
    """Whether a line that begins with a cross says something of the file; `#` alone in the first of
    its cells is the name of the column that numbers rows."""
    alone = len(cells) > 1 and cells[0].strip() == "#"
    names = _names_columns([cells[0].lstrip("# "), *cells[1:]])
    return line.startswith("#") and not alone and not names


def _above_others(lines: Sequence[str], tried: Sequence[str]) -> int:
    """How many lines stand above a table whose cells another sign separates: a title with a comma
    in it above semicolons."""
    sign = _separator(lines[0], tried)
    for at in range(1, min(_ABOVE, len(lines) - 2)):
        found = _separator(lines[at], [one for one in tried if one not in (sign, " ")])
        if len(_cells(lines[at], found, "", strict=False)) < 3:
            continue
        wide, narrow = (
            [len(_cells(one, by, "", strict=False)) for one in lines[at:] if one.strip()]
            for by in (found, sign)
        )
        names, *rows = (_cells(one, found, "", strict=False) for one in lines[at:] if one.strip())
        if len({*wide}) == 1 and max(narrow) < 2 and _is_header(names, rows):
            return at
    return 0


def _two_lines(cells: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Names in two lines: `,human,human,gpt-4,gpt-4` above `id,tone,facts,tone,facts`.

    The upper line repeats its names, or leaves them out after the first of a group; the lower one
    has a word for each column that the upper one does not name alone, and no word of it occurs
    again below.
    """
    if len(rows) < 2 or len(rows[0]) != len(cells):
        return None
    upper = [cell.strip() for cell in cells]
    lower = [cell.strip() for cell in rows[0]]
    filled, last = [], ""
    for cell in upper:
        last = cell or last
        filled.append(last)
    groups = Counter(name for name in filled if name)
    grouped = len(groups) > 1 and max(groups.values()) > 1 and len(set(lower)) < len(lower)
    whole = all(two or one for one, two in zip(upper, lower, strict=True)) and any(lower)
    if not grouped or not whole or any(map(_NUMBER.match, [*upper, *lower])):
        return None
    again = {row[at] for row in rows[1:] for at in range(min(len(row), len(lower)))}
    names = [f"{one} {two}".strip() for one, two in zip(filled, lower, strict=True)]
    return names if len(set(names)) == len(names) and not again & ({*lower} - {""}) else None


def _three_lines(cells: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Names as pandas writes columns of two levels: `,score,score` above `rater,gpt,ann` above
    `id,,`, which names what stands in front of the rows."""
    if len(rows) < 3 or len({len(cells), len(rows[0]), len(rows[1])}) > 1:
        return None
    upper, lower, index = ([cell.strip() for cell in line] for line in (cells, rows[0], rows[1]))
    first = sum(map(bool, index))
    tops, below = upper[first:], lower[first:]
    if not first or not all(index[:first]) or not all(tops) or not all(below):
        return None
    repeated = len(set(tops)) < len(tops) or len(set(below)) < len(below)
    again = {cell for row in rows[2:] for cell in row[first:]}
    if not repeated or again & {*tops, *below} or any(map(_NUMBER.match, [*tops, *below])):
        return None
    if len(set(tops)) == 1:
        return [*index[:first], *below]
    if len(set(below)) == 1:
        return [*index[:first], *tops]
    return [*index[:first], *(f"{one} {two}" for one, two in zip(tops, below, strict=True))]


#: What a line below the names says of a column: `(1-5)`, `[0, 100]`, `0 - 10`, `1 to 5`, `%`.
_UNIT = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|-?\d+(\.\d+)?\s*(-|–|—|\.\.|to|bis|à)\s*\d+(\.\d+)?|"
    r"%|ms|s|sec|seconds|usd|\$|€|yes/no|y/n|0/1|true/false|pass/fail|text|string|int|integer|float"
)


def _are_units(cells: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first line below the names holds units and ranges, two at least, and no other
    line one of them in the same place."""
    first = rows[0] if rows else []
    said = {at: cell.strip() for at, cell in enumerate(first) if cell.strip()}
    if len(rows) < 3 or len(first) != len(cells) or len(said) < 2:
        return False
    again = any(
        row[at].strip() == cell for row in rows[1:] for at, cell in said.items() if at < len(row)
    )
    return not again and all(_UNIT.fullmatch(cell.casefold()) for cell in said.values())


def _each_once(cells: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Names that differ: a nameless column is called as pandas calls it, a name's second column
    gets its number; and what is to be told."""
    names: list[str] = []
    twice: Counter[str] = Counter()
    taken = {cell.strip().lower() for cell in cells}
    for at, cell in enumerate(cells):
        name = cell.strip() or f"Unnamed: {at}"
        # The engine does not tell capitals from small letters.
        if name.lower() in {one.lower() for one in names} and name.lower() not in _OURS:
            twice[name] += 1
            number = twice[name] + 1
            while f"{name} {number}".lower() in taken:
                number += 1
            name = f"{name} {number}"
            taken.add(name.lower())
        names.append(name)
    told = [
        f"the name `{name}` occurs {n + 1} times, and the columns after the first are called "
        f"`{name} 2`" + (" and so on" if n > 1 else "")
        for name, n in twice.items()
    ]
    return tuple(names), told


def _separator(first: str, tried: Sequence[str]) -> str:
    for one in tried:
        if one == " ":
            if len(first.split()) > 1 and '"' not in first:
                return one
            continue
        try:
            if len(next(csv.reader([first], delimiter=one, strict=True))) > 1:
                return one
        except (csv.Error, StopIteration):
            continue
    return tried[0]


def _by_blanks(lines: Sequence[str], separator: str) -> bool:
    """Whether only runs of blanks part all lines alike: names with a blank between them over cells
    with a tab in one place and a blank in another."""
    filled = [line for line in lines if line.strip()]
    if len(filled) < 4 or separator in filled[0] or any('"' in line for line in filled):
        return False
    counts = {len(line.split()) for line in filled}
    return len(counts) == 1 and counts != {1}


def _cells(line: str, separator: str, place: str, *, strict: bool = True) -> list[str]:
    if separator == " ":
        return line.split()
    try:
        return next(csv.reader([line], delimiter=separator, strict=strict and separator != "\t"))
    except (csv.Error, StopIteration) as error:
        if not strict:
            return []
        raise SourceError(place, f"the header cannot be read ({error})") from None


def bare_quotes(lines: Sequence[str]) -> bool:
    """Whether quotes in tab-separated lines are signs of the text: no cell is one quoted cell."""
    cells = [cell for line in lines for cell in line.rstrip("\r\n").split("\t") if '"' in cell]
    whole = [c for c in cells if len(c) > 1 and c[0] == c[-1] == '"' and c.count('"') % 2 == 0]
    return bool(cells) and not whole


def _is_header(cells: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """A first line is the header, unless it looks like a row: no known word, and a number (or a
    label that occurs again below it) in it; or numbers, and every word as those below it."""
    numbers = [at for at, cell in enumerate(cells) if _NUMBER.match(cell)]
    below = [
        at
        for at in numbers
        if rows and all(at < len(r) and (_NUMBER.match(r[at]) or not r[at]) for r in rows)
    ]
    words = [at for at in range(len(cells)) if at not in numbers]
    if numbers and below == numbers:
        alike = all(_alike(cells[at], [r[at] for r in rows if at < len(r)]) for at in words)
        return _names_columns(cells) if not words else not alike
    if _names_columns(cells):
        return True
    again = [
        at for at, c in enumerate(cells) if c and any(at < len(r) and r[at] == c for r in rows)
    ]
    # A word over a column of numbers is its name, whatever label occurs again beside it.
    named_numbers = [
        at
        for at in range(len(cells))
        if at not in numbers and rows and all(at < len(r) and _NUMBER.match(r[at]) for r in rows)
    ]
    return not again or (not numbers and len(named_numbers) > 1)


def _names_columns(cells: Sequence[str]) -> bool:
    """Whether a word among them begins names of columns."""
    lower = [cell.strip().casefold() for cell in cells]
    return any(re.split(r"[\s_\-.]", cell)[0] in _NAMES or cell in _NAMES for cell in lower)


def _alike(cell: str, below: Sequence[str]) -> bool:
    """Whether a cell looks like those below: the same label again, or the same form (q1, q2)."""
    form = re.sub(r"\d+", "#", cell)
    return cell in below or ("#" in form and any(re.sub(r"\d+", "#", o) == form for o in below))


def _invented(cells: Sequence[str]) -> tuple[str, ...]:
    """Names for columns that have none."""
    if len(cells) == 6 and cells[1].upper() == "Q0":
        return TREC[6]
    if len(cells) == 4 and cells[1] in ("0", "Q0", "q0") and _NUMBER.match(cells[3]):
        return TREC[4]
    return tuple(f"column_{at}" for at in range(1, len(cells) + 1))
