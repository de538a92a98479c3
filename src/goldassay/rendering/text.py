"""A document as text for one screen: the answer, one table, what is wrong, what to ask next.

At most 30 lines for up to ten judges (systems, pairs, slices) and 50 for more, whatever these make
together; what was assumed is extra. `full_text` prints everything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from goldassay.frozen import dataclass
from goldassay.glossary import words
from goldassay.reference_words import renders
from goldassay.rendering.columns import (
    GAP,
    PAIR,
    Column,
    shortened,
    table,
    total_width,
    width_of,
    wrapped_lines,
)
from goldassay.rendering.ink import PLAIN, Ink
from goldassay.rendering.strips import strip_column
from goldassay.rendering.summary import Seen, summary_of
from goldassay.words import counted, named, visible

__all__ = ["Screen", "footer", "held", "legend", "marked_names", "render_text", "shown_summary"]

Document = Mapping[str, Any]
Lines = list[str]

#: Lines for up to `FEW` judges (systems, criteria), and for more; of the table's rows, which may be
#: one for each judge, criterion and system, at least the first `FEW` or `BEST` are shown.
SHORT, LONG, FEW, BEST = 30, 50, 10, 20
SENTENCES = 3
#: Lines of the first sentence that come before the whole of a warning, and lines that tell how
#: labels were read.
FIRST, READ = 6, 5
#: A question to the reader about what was guessed.
ASKED = "asked: "
#: What an undefined result is told to be about.
_WHOSE = ("judge", "system", "criterion", "option")
#: What stands between the names of a label.
_PARTS = re.compile(" · |: ")
#: A name may take so many cells before columns are left out.
NAME = 28


@dataclass(frozen=True, slots=True)
class Screen:
    """Where text is shown: how wide, with or without colour, and what stands in its last lines."""

    width: int = 100
    ink: Ink = PLAIN
    #: What the reader may ask next, and how to get more; lines as they stand.
    end: tuple[str, ...] = ()


STANDARD = Screen()


@renders
def render_text(document: Document, *, screen: Screen = STANDARD) -> str:
    """The first screen of a document: of very many lines of its table, as many as it has room."""
    whole = summary_of(document)
    most, limit = (BEST, LONG) if whole and _members(whole.labels) > FEW else (FEW, SHORT)
    text = _rendered(document, screen, most, limit)
    extra = _assumed(document, screen.width)
    spare = limit - text.count("\n") + (len(extra) + 1 if extra else 0)
    if whole and len(whole.labels) > most and spare > 0:
        return _rendered(document, screen, most + spare, limit)
    return text


def _members(labels: Sequence[str]) -> int:
    """How many judges, criteria, systems or pairs, whichever are most, lines of a table are about.

    >>> _members(["a · true", "a · clear", "a · short", "b · true", "b · clear", "b · short"])
    3
    >>> _members(["true: a − b", "true: a − c", "clear: a − b", "clear: a − c"])
    2
    """
    by_place = zip_longest(*(_PARTS.split(label) for label in labels))
    return max((len(set(names)) for names in by_place), default=0)


def _rendered(document: Document, screen: Screen, most: int, limit: int) -> str:
    width, ink = screen.width, screen.ink
    seen = summary_of(document, most)
    grid = shown_summary(seen, screen) if seen else []
    read, end = _read_as(document, width), list(screen.end)
    about = [*_weighed(document, width), *_wrong(document, width), *footer(document, width, 2)]
    # Every block but the first has a blank line above it; the answer has what is left, and its
    # first sentence comes before the whole of a warning.
    room = limit - sum(len(block) + 1 for block in (grid, about, end) if block) - len(read)
    room -= bool(read) and not _assumed(document, width)
    first = len(wrapped_lines(_said(document)[0], width)) if _said(document) else 0
    if (over := min(first, FIRST) - room) > 0:
        about, before = _shortened(document, width, over), len(about)
        room += before - len(about)
    answer = _answer(document, width, room)
    room -= len(answer)
    notes = _notes(seen, width, room) if seen else []
    claims = _claims(document, width, room - len(notes) - 1)
    blocks = [
        ink.names("\n".join(answer), bold=True),
        "\n".join([*grid, *map(ink.dim, notes)]),
        ink.names("\n".join(claims)),
        ink.names("\n".join([*_assumed(document, width), *read])),
        ink.names("\n".join(about)),
        ink.dim("\n".join(end)),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _answer(document: Document, width: int, room: int) -> Lines:
    """The sentences that fit; of a first one that does not, its beginning."""
    found: Lines = []
    for sentence in _said(document):
        lines = wrapped_lines(sentence, width)
        if len(found) + len(lines) <= room:
            found += lines
        elif not found:
            found = cut(lines, max(room, 1), width)
    return found


def _said(document: Document) -> list[str]:
    """The answer, which says that it is provisional where something was assumed."""
    said = [visible(one) for one in document.get("answer", ())[:SENTENCES]]
    if document.get("assumed"):
        said[:1] = [" ".join(["Provisional:", *said[:1]])]
    return said


def cut(lines: Lines, most: int, width: int) -> Lines:
    """The first lines, and a sign that there is more."""
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while width_of(last) > width - 2:
        last = last.rpartition(" ")[0] if " " in last.strip() else last[:-1]
    return [*lines[: most - 1], f"{last} …"]


# --- the table ------------------------------------------------------------------------------------


def shown_summary(seen: Seen, screen: Screen) -> Lines:
    """The summary in columns that fit; the strip of the first results takes what is left."""
    columns = [
        Column(head, texts, right, screen.ink.dim if right and not result else None)
        for head, texts, right, result in zip(
            seen.heads, seen.columns, seen.numeric, seen.results, strict=True
        )
    ]
    shown = _fitted(seen, columns, screen.width)
    if any(seen.results[len(shown) - 1 :]):  # rather long texts than numbers
        columns = [one if one.right else _shorter(one) for one in columns]
        shown = _fitted(seen, columns, screen.width)
    room = screen.width - total_width(shown) - len(GAP)
    strip = strip_column(seen.drawn, room, rate=seen.rate, in_points=seen.points, whole=seen.whole)
    lines = table([*shown, strip] if strip else shown)
    missing = ", ".join(column.head for column in columns[len(shown) - 1 :])
    left_out = [f"and {seen.more:,} more"] if seen.more else []
    left_out += [f"no room for: {missing} (--full)"] if missing else []
    if missing and width_of("; ".join(left_out)) > screen.width:
        number = counted(len(columns) - len(shown) + 1, "column")
        left_out[-1] = f"no room for {number} (--full)"
    if left_out:
        lines += cut(wrapped_lines("; ".join(left_out), screen.width), 1, screen.width)
    return lines


def _fitted(seen: Seen, columns: Sequence[Column], width: int) -> list[Column]:
    """Names and the columns that fit: names are made shorter if that leaves them apart, but not
    beyond `NAME`; then the last columns are left out; the first stays."""
    longest = max(map(width_of, seen.labels))
    enough = min(longest, 2 * NAME if all(PAIR in name for name in seen.labels) else NAME)
    mark = 2 if sum(seen.tied) > 1 else 0
    for kept in range(len(columns), 0, -1):
        room = width - total_width(columns[:kept]) - len(GAP) - mark
        if room >= enough or kept == 1:
            shown = [_names(seen, max(min(room, longest), 8)), *columns[:kept]]
            if kept == 1 or total_width(shown) <= width:
                return shown
    return [_names(seen, longest)]


def _shorter(column: Column) -> Column:
    """A column of texts whose long ones (options) are made shorter if that leaves them apart."""
    texts = list(dict.fromkeys(column.cells))
    if max(map(width_of, texts), default=0) <= NAME or (short := shortened(texts, NAME)) is None:
        return column
    by_text = dict(zip(texts, short, strict=True))
    return replace(column, cells=tuple(by_text[one] for one in column.cells))


def _names(seen: Seen, size: int) -> Column:
    return marked_names(seen, shortened(seen.labels, size) or list(seen.labels))


def marked_names(seen: Seen, names: Sequence[str]) -> Column:
    """The names of lines, those that cannot be told from the first marked."""
    if sum(seen.tied) > 1:
        names = [
            ("~ " if tied else "  ") + name for tied, name in zip(seen.tied, names, strict=True)
        ]
    return Column(seen.about, tuple(names))


def legend(seen: Seen) -> tuple[str, ...]:
    """What the mark of lines means, where some have it."""
    return ("~ cannot be told from the first",) if sum(seen.tied) > 1 else ()


def _notes(seen: Seen, width: int, room: int) -> Lines:
    lines: Lines = []
    for note in (*legend(seen), *seen.notes):
        more = wrapped_lines(visible(note), width)
        if len(lines) + len(more) <= room:
            lines += more
    return lines


# --- what may be said, what was assumed, what is wrong --------------------------------------------


def _claims(document: Document, width: int, room: int) -> Lines:
    """A report's first claims, those that hold and those that do not."""
    lines: Lines = []
    for mark, key in (("You may write: ", "may"), ("Do not write: ", "may_not")):
        for claim in (document.get("claims") or {}).get(key, ())[:1]:
            more = wrapped_lines(visible(f"{mark}{claim['text']}"), width, "  ")
            if len(lines) + len(more) <= room:
                lines += more
    return lines


def _assumed(document: Document, width: int) -> Lines:
    """What was guessed and what is asked: beyond the lines that a screen has."""
    assumed = [f"assumed: {one}" for one in document.get("assumed") or ()]
    asked = [f"{ASKED}{one}" for one in document.get("questions") or ()]
    asked += [one for one in document.get("readings", ()) if one.startswith(ASKED)]
    said = map(visible, [*assumed, *asked])
    return [line for one in said for line in wrapped_lines(one, width, "  ")]


def _read_as(document: Document, width: int) -> Lines:
    """How labels and raters were read, in a few lines."""
    said = (visible(one) for one in document.get("readings", ()) if not one.startswith(ASKED))
    lines = [line for one in said for line in wrapped_lines(one, width, "  ")]
    return cut(lines, READ, width)


def _shortened(document: Document, width: int, over: int) -> Lines:
    """What is weighed, wrong and left out, in so many lines less."""
    weighed, wrong = _weighed(document, width), _wrong(document, width)
    wrong = cut(wrong, max(len(wrong) - over, 2), width)
    return [*cut(weighed, 2, width), *wrong, *footer(document, width, 2)]


def _weighed(document: Document, width: int) -> Lines:
    """What weights of the table did, or that they did nothing."""
    key = f"{document.get('verb')}.weights"
    said = [one["text"] for one in document.get("sentences", ()) if one.get("key") == key]
    return [line for one in said for line in wrapped_lines(visible(one), width)]


def _wrong(document: Document, width: int) -> Lines:
    """How much is undefined and warned of, the first of it in words, whole."""
    verb, parts = str(document.get("verb") or ""), document.get("parts") or ()
    every = [*document.get("warnings", ()), *(w for p in parts for w in p.get("warnings", ()))]
    said_above = set(map(visible, document.get("answer", ())[:SENTENCES]))
    warnings = [one for one in dict.fromkeys(map(visible, every)) if one not in said_above]
    undefined = [row for row in document.get("results", ()) if row.get("undefined") is not None]
    said = [f"{counted(len(undefined), 'result')} undefined"] if undefined else []
    if warnings:
        several = f"{len(warnings)} warnings, the first: " if len(warnings) > 1 else ""
        said.append(several + warnings[0])
    elif undefined:
        first = undefined[0]
        whose = ", ".join(named(first[key]) for key in _WHOSE if first.get(key))
        of = f" ({whose})" if whose else ""
        said.append(f"{words(first['name'], verb)}{of}: {visible(first['undefined'])}")
    return wrapped_lines(f"! {'; '.join(said)}", width, "  ") if said else []


def held(document: Document) -> str:
    """How much a document holds, in one line, and how Python gets at it."""
    parts = document.get("parts") or ()
    undefined = sum(1 for row in document["results"] if row["undefined"] is not None)
    results = counted(len(document["results"]), "result")
    sentences = len(document["sentences"]) - min(len(document["answer"]), SENTENCES)
    said = [
        *([counted(sentences, "more sentence")] if sentences else []),
        results + (f" ({undefined:,} undefined)" if undefined else ""),
        *([f"questions: {', '.join(part['verb'] for part in parts)}"] if parts else []),
        *([counted(len(document["tables"]), "table")] if not parts else []),
        *([counted(len(document["charts"]), "picture")] if not parts else []),
    ]
    return (
        f"goldassay {document['verb']}: {', '.join(said)}; .to_frame(), .charts, .save('page.html')"
    )


def footer(document: Document, width: int, most: int | None = None) -> Lines:
    """Ratings read = used + left out, by reason; in the first `most` lines."""
    rows = document.get("rows")
    if not rows:
        return []
    read = f"{counted(rows['read'], 'rating')} read"
    if not rows["excluded"]:
        return wrapped_lines(f"{read}, all used", width)
    said = f"{read} = {rows['used']:,} used + {rows['excluded']:,} left out"
    reasons = [f"{one['rows']:,} {visible(one['reason'])}" for one in document["exclusions"]]
    lines = wrapped_lines(
        ": ".join([said, *(["; ".join(reasons)] if reasons else [])]), width, "  "
    )
    return cut(lines, most, width) if most else lines
