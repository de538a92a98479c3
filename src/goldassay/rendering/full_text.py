"""A document as text, all of it: every sentence, result, table and warning, the best first.

Each group of results ends with how it was made: level, handling, method and command.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from goldassay.glossary import WAYS, is_points, is_rate
from goldassay.reference_words import renders, worded
from goldassay.rendering.appendix import not_run_by_reason
from goldassay.rendering.columns import GAP, Column, table, total_width, wrapped, wrapped_lines
from goldassay.rendering.how import POINTS, setting_text
from goldassay.rendering.strips import strip_column
from goldassay.rendering.summary import MEASURED, cell_text, drawn_of, heading_of, summary_of
from goldassay.rendering.text import STANDARD, Screen, footer, legend, marked_names, shown_summary
from goldassay.verbs import heading
from goldassay.words import column_texts, percent, value_text, visible

__all__ = ["render_full"]

Document = Mapping[str, Any]

#: Fields of a result that belong to its name.
_IN_NAME = ("aggregation", "option", "threshold")
#: The most cells of a column of numbers, such as "-0.44 [-1.00, -0.12]"; longer ones are words.
LONGEST_NUMBER = 26
#: The most cells of a result's name on one line.
NAME = 36


@renders
def render_full(document: Document, *, screen: Screen = STANDARD) -> str:
    """Everything that the document holds."""
    width, ink = screen.width, screen.ink
    answer = [visible(one) for one in document.get("answer", ())]
    if document.get("assumed"):
        answer[:1] = [" ".join(["Provisional:", *answer[:1]])]
    blocks = [ink.names("\n".join(wrapped(one, width) for one in answer), bold=True)]
    kinds = (("assumed: ", "assumed"), ("asked: ", "questions"), ("", "readings"))
    read = [f"{kind}{visible(one)}" for kind, key in kinds for one in document.get(key) or ()]
    blocks.append(ink.names("\n".join(wrapped(one, width, "  ") for one in read)))
    blocks += _questions(document, screen) if document.get("parts") else _own(document, screen)
    if document.get("warnings"):
        lines = [wrapped(f"! {visible(one)}", width, "  ") for one in document["warnings"]]
        blocks.append(ink.names("\n".join(["Warnings", *lines])))
    blocks.append(ink.dim("\n".join(footer(document, width))))
    blocks.append(ink.dim("\n".join(screen.end)))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _own(document: Document, screen: Screen) -> list[str]:
    """The summary, the other sentences, the results and tables of one question."""
    blocks = _summary(document, screen)
    answer = set(document.get("answer", ()))
    notes = [one["text"] for one in document.get("sentences", ()) if one["text"] not in answer]
    said = "\n".join(wrapped(visible(one), screen.width) for one in notes)
    blocks.append(screen.ink.names(said))
    blocks += _results(document, screen)
    blocks += [_table(one, screen.width) for one in document.get("tables", {}).values()]
    return blocks


def _summary(document: Document, screen: Screen) -> list[str]:
    if not document.get("summary"):
        return []  # what is made of results or of a table stands below as it is
    seen = summary_of(document)
    if seen is None:
        return []
    labels = marked_names(seen, seen.labels)
    columns = [Column(*one) for one in zip(seen.heads, seen.columns, seen.numeric, strict=True)]
    blocks = list(_side_by_side([labels, *columns], screen.width))
    notes = [wrapped(visible(note), screen.width) for note in (*legend(seen), *seen.notes)]
    if len(blocks) == 1:
        return ["\n".join(shown_summary(seen, screen)), *notes]
    return ["\n".join(table(block)) for block in blocks] + notes


def _questions(document: Document, screen: Screen) -> list[str]:
    """A report: what may be said, the answer to each question, and its numbers."""
    width, blocks = screen.width, []
    claims = document.get("claims") or {}
    for title, mark, key in (("You may write", "+", "may"), ("Do not write", "-", "may_not")):
        lines = [
            wrapped(visible(f"{mark} {one['text']}"), width, "  ") for one in claims.get(key, ())
        ]
        if lines:
            blocks.append(screen.ink.names("\n".join([title, *lines])))
    for part in document["parts"]:
        blocks.append(screen.ink.bold(heading(part["verb"])))
        said = [*part.get("answer", ()), *(f"! {one}" for one in part.get("warnings", ()))]
        lines = [wrapped(visible(one), width, "  ") for one in said]
        blocks.append(screen.ink.names("\n".join(lines)))
        rows = [row for row in document.get("results", ()) if row.get("verb") == part["verb"]]
        whole = {**part, "answer": said, "results": rows, "provenance": {"argv": []}}
        blocks += _own(whole, screen)
        blocks.append(
            "\n".join(wrapped_lines(f"$ {visible(part.get('command', ''))}", width, "  "))
        )
    for reason, verbs in not_run_by_reason(document).items():
        asked = wrapped(" ".join(map(heading, verbs)), width)
        why = wrapped(visible(f"Not asked: {reason}"), width, "  ")
        blocks.append(f"{screen.ink.bold(asked)}\n{why}")
    return blocks


# --- results --------------------------------------------------------------------------------------


def _results(document: Document, screen: Screen) -> list[str]:
    """Results in groups that are about the same, the judges in the order of the summary."""
    rows = document.get("results", ())
    keys = list(dict.fromkeys(k for row in rows for k in row if k not in (*MEASURED, *_IN_NAME)))
    varying = [k for k in keys if len({str(row.get(k)) for row in rows}) > 1]
    groups: dict[tuple[str, ...], list[Document]] = {}
    for row in rows:
        about = tuple(visible(row[k]) for k in varying if row.get(k) is not None)
        groups.setdefault(about, []).append(row)
    seen = summary_of(document)
    order = {label: place for place, label in enumerate(seen.labels)} if seen else {}
    # What is about no line of the summary, as agreement among people, comes first and stays so.
    places = sorted(
        groups, key=lambda about: min((order[k] for k in about if k in order), default=-1)
    )
    constant = [f"{k} {visible(rows[0][k])}" for k in keys if k not in varying and rows[0].get(k)]
    blocks = [", ".join(constant)] if constant else []
    return blocks + [_group(" · ".join(about), groups[about], document, screen) for about in places]


def _group(title: str, rows: Sequence[Document], document: Document, screen: Screen) -> str:
    verb, width = str(document.get("verb") or ""), screen.width
    defined = [_in_unit(row, document) for row in rows if row.get("undefined") is None]
    lines = wrapped_lines(title, width) if title else []
    if defined:
        level = next((row["confidence_level"] for row in defined if row["confidence_level"]), None)
        columns = [
            Column("", tuple(_name(row, verb) for row in defined)),
            Column(
                f"value [{percent(level)} interval]" if level else "value",
                tuple(cell_text(row, verb) for row in defined),
                right=True,
            ),
            Column(
                "items", tuple(value_text(row["n_items"]) for row in defined), True, screen.ink.dim
            ),
        ]
        size = min(columns[0].width, NAME, width - total_width(columns[1:]) - len(GAP))
        room = width - size - total_width(columns[1:]) - 2 * len(GAP)
        names = [str(row["name"]) for row in defined]
        strip = strip_column(
            [_within(row) for row in defined],
            room,
            rate=all(is_rate(name, verb) for name in names),
            in_points=all(is_points(name, verb) for name in names),
        )
        lines += table(_rewrapped([*columns, *([strip] if strip else [])], [0], size))
    for row in rows:
        if row.get("undefined") is not None:
            said = f"{_name(row, verb)}: undefined, {visible(row['undefined'])}"
            lines += wrapped_lines(said, width, "  ")
    how = wrapped(_how(rows, document), width, "  ")
    return "\n".join([*lines, screen.ink.dim(how)])


def _in_unit(row: Document, document: Document) -> Document:
    """A difference of two systems' rates by the name under which it is written in points."""
    verb, name = str(document.get("verb") or ""), str(row["name"])
    if not name.startswith("difference") or is_points(name, verb):
        return row
    of_systems = [str(one["name"]) for one in document["results"] if not one.get("opponent")]
    if not of_systems or not all(is_rate(one, verb) for one in of_systems):
        return row
    return {**row, "name": name.replace("difference", f"difference{POINTS}", 1)}


def _within(row: Document) -> tuple[float | None, float, float | None] | None:
    """What is drawn of a result: shares and coefficients, which have one scale."""
    drawn = drawn_of(row)
    ends = [end for end in drawn or () if end is not None]
    return drawn if ends and all(-1 <= end <= 1 for end in ends) else None


def _name(row: Document, verb: str) -> str:
    """The name, with the aggregation, option and threshold that tell it from its like."""
    special = [
        _aggregation(row[key]) if key == "aggregation" else value_text(row[key])
        for key in _IN_NAME
        if row.get(key) is not None
    ]
    return " ".join([heading_of(row["name"], verb), *special])


def _aggregation(name: Any) -> str:
    """How systems are scored in words, `by win rate`; of ratings, their letters as they are."""
    plain = value_text(name)
    return plain if "/" in plain else f"by {plain.replace('_', ' ')}"


def _letters(aggregations: Iterable[str]) -> list[str]:
    """What the letters of definitions mean, `h/hrs`, where there are any."""
    used = {way for one in aggregations if "/" in one for way in one.split("/")}
    said = [f"{way} {meaning}" for way, meaning in WAYS.items() if way in used]
    return [worded(f"letters judge/people: {', '.join(said)}")] if said else []


def _how(rows: Sequence[Document], document: Document) -> str:
    """How these results were made: what was declared, the method, the command."""
    declared: dict[str, list[str]] = {}
    for row in rows:
        for key, value in (row.get("declared") or {}).items():
            if value in (None, ""):  # nothing was declared
                continue
            declared.setdefault(visible(key, 80).replace("_", " "), []).append(setting_text(value))
    said = []
    for key, values in declared.items():
        different = list(dict.fromkeys(values))
        said.append(f"{key} {different[0]}" if len(different) == 1 else f"{key} by result")
    said += _letters({str(row.get("aggregation") or "") for row in rows})
    methods = list(dict.fromkeys(visible(row["method"]) for row in rows if row.get("method")))
    said += [f"interval: {' or '.join(methods)}"] if methods else []
    argv = document.get("provenance", {}).get("argv") or ()
    said += [visible(f"goldassay {' '.join(argv)}")] if argv else []
    return f"how: {'; '.join(said)}" if said else ""


# --- tables ---------------------------------------------------------------------------------------


def _table(one: Document, width: int) -> str:
    columns = []
    for place, name in enumerate(one["columns"]):
        cells = [row[place] for row in one["rows"]]
        numeric = all(isinstance(cell, int | float) or cell is None for cell in cells)
        texts = column_texts(cells, str(name))
        columns.append(Column(heading_of(name), tuple(texts), numeric))
    blocks = ["\n".join(table(block)) for block in _side_by_side(columns, width)]
    notes = "\n".join(wrapped(visible(note), width) for note in one.get("notes", ()))
    title = wrapped(visible(one["title"]), width)
    return "\n".join(part for part in (title, "\n\n".join(blocks), notes) if part)


def _side_by_side(columns: Sequence[Column], width: int) -> list[list[Column]]:
    """Columns that fit beside one another; the first is repeated where the others go on below.

    A number cut short is no number: words are wrapped instead, in the widest column of words.
    """
    sizes = [column.width for column in columns]
    if total_width(columns) <= width:
        return [list(columns)]
    words = [k for k, column in enumerate(columns) if sizes[k] > LONGEST_NUMBER]
    if words:
        room = width - total_width(columns) + sum(sizes[k] for k in words)
        size = max(room // len(words), LONGEST_NUMBER // 2)
        columns = _rewrapped(columns, words, size)
        if total_width(columns) <= width:
            return [columns]
    blocks: list[list[Column]] = [[columns[0]]]
    for column in columns[1:]:
        used = sum(one.width + len(GAP) for one in blocks[-1])
        if len(blocks[-1]) > 1 and used + column.width > width:
            blocks.append([columns[0]])
        blocks[-1].append(column)
    return blocks


def _rewrapped(columns: Sequence[Column], words: Sequence[int], size: int) -> list[Column]:
    """The same table with its columns of words wrapped to `size` cells, over several lines."""
    rows: list[tuple[str, ...]] = []
    for cells in zip(*(column.cells for column in columns), strict=True):
        parts = [wrapped_lines(c, size) if k in words else [c] for k, c in enumerate(cells)]
        deepest = max(map(len, parts))
        rows += zip(*(part + [""] * (deepest - len(part)) for part in parts), strict=True)
    return [
        Column(c.head, tuple(row[k] for row in rows), c.right, c.paint)
        for k, c in enumerate(columns)
    ]
